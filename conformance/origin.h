// Where a graph's outputs come from: the operator that makes each, and whether chance had a hand in
// it.
#pragma once

#include <string>
#include <vector>

#include "conformance/compare/tolerance.h"
#include "src/model/graph.h"

namespace onnxv {

struct Origin {
  std::string domain, op;  // "": an input, an initializer, or a local function
  int since_version = 0;
  // The node draws random numbers itself, or something above it does.
  bool random = false;
  // The rule of the random node that made this output itself, with its support filled in; else a
  // rule without one.
  Tolerance distribution;
};

// By the graph's outputs. `by_interpreter`: draws that the interpreter settles are not random.
std::vector<Origin> output_origins(const Model& model, bool by_interpreter);

// The origin of a node's outputs, taken alone.
Origin node_origin(const Node& node, const std::string& domain, int since_version,
                   bool by_interpreter);

struct UsedOperator {
  std::string name;       // "Conv", "ai.onnx.ml.Scaler"
  int since_version = 0;  // 0: no schema has it (a local function)
};

// Operators in the order of their first use, each once, subgraphs and functions included.
std::vector<UsedOperator> operators_of(const Model& model);

// Version imported for a domain; 0: none. "" and "ai.onnx" are the same.
int64_t imported_version(const std::vector<OpsetImport>& imports, std::string_view domain);

}  // namespace onnxv
