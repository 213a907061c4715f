// The graphs that a node holds as attributes.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "src/model/graph.h"

namespace onnxv {

template <class Visit>
void for_each_subgraph(const Node& node, const Visit& visit) {
  using One = std::shared_ptr<const Graph>;
  for (const Attribute& attribute : node.attributes) {
    if (const auto* one = std::get_if<One>(&attribute.value); one != nullptr && *one) visit(**one);
    if (const auto* many = std::get_if<std::vector<One>>(&attribute.value)) {
      for (const One& graph : *many) {
        if (graph) visit(*graph);
      }
    }
  }
}

}  // namespace onnxv
