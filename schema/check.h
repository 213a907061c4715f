// Checks against the schemas: what onnx-verify `check` reports, and what an evaluation rests on.
#pragma once

#include <string>
#include <vector>

#include "schema/schema.h"
#include "src/model/graph.h"

namespace onnxv {

// Arity, attribute names, kinds, required attributes of one node against one schema. Attribute values that refer to a
// function's attribute count as given. Throws a schema error without a place.
void check_node(const Node& node, const OpSchema& schema);

// Types of actual inputs against the schema: every port's type is in its list, and one type parameter has
// one type throughout. `inputs[i]` of kind kUnknown is not checked. Throws a schema error ("type-mismatch").
void check_input_types(const OpSchema& schema, const std::vector<Type>& inputs);

// The types of a node's first `count` outputs, from those of its inputs, where the schema alone decides them;
// kind kUnknown where it does not.
std::vector<Type> inferred_output_types(const OpSchema& schema, const std::vector<Type>& inputs, size_t count);

// A type of which nothing is known, or whose innermost element is not: an empty sequence fits everywhere.
bool is_open(const Type& type);

// The imported version of `domain` ("" is "ai.onnx"); 0 when it is not imported. No import at all means
// opset 1 before IR version 3.
int64_t imported_opset(const Model& model, std::string_view domain);

struct Finding {
  std::string slug;      // "schema/unknown-operator"
  std::string line;      // the whole line, as an Error prints it
  bool warning = false;  // allowed, but worth a word: a deprecated operator
};

// Everything that is wrong with a model, in order: IR version, opset imports, names (SSA, use before definition, cycles),
// nodes, subgraphs, functions (recursion is an error), types by inference where the schemas decide them.
// Nesting deeper than kMaxNesting is a finding, never a deep stack.
std::vector<Finding> check_model(const Model& model);
inline constexpr int kMaxNesting = 64;
inline constexpr int64_t kNewestIrVersion = 14;

// "node "sm" (Hardmax-13)"; unnamed nodes are named by their first output: `node -> "y" (Hardmax-13)`.
std::string node_place(const Node& node, int since_version);

}  // namespace onnxv
