// Subgraphs for tests, in a few words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/model/graph.h"

namespace onnxv::testing {

// Dimensions as declared: a number, or a symbol.
struct DeclaredDim {
  DeclaredDim(int64_t value) : dim{value, {}} {}            // NOLINT: implicit on purpose
  DeclaredDim(const char* symbol) : dim{-1, symbol} {}      // NOLINT: implicit on purpose
  Type::Dim dim;
};

inline const std::vector<DeclaredDim> kScalar;

inline ValueInfo port(std::string name, DType dtype, std::optional<std::vector<DeclaredDim>> shape = {}) {
  ValueInfo info;
  info.name = std::move(name);
  info.type = Type::tensor(dtype);
  if (!shape) return info;
  info.type.shape.emplace();
  for (const DeclaredDim& dim : *shape) info.type.shape->push_back(dim.dim);
  return info;
}

inline ValueInfo port(std::string name, Type type) {
  ValueInfo info;
  info.name = std::move(name);
  info.type = std::move(type);
  return info;
}

inline Node node(std::string op, std::vector<std::string> inputs, std::vector<std::string> outputs,
                 std::vector<Attribute> attributes = {}) {
  Node node;
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.attributes = std::move(attributes);
  return node;
}

inline Graph graph(std::vector<ValueInfo> inputs, std::vector<Node> nodes, std::vector<ValueInfo> outputs) {
  Graph graph;
  graph.name = "body";
  graph.inputs = std::move(inputs);
  graph.nodes = std::move(nodes);
  graph.outputs = std::move(outputs);
  return graph;
}

}  // namespace onnxv::testing
