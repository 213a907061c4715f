// What a model asks of its inputs beyond their types: indices that exist, lengths that fit, shapes
// that mean something. Read off the nodes that take them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/model/graph.h"

namespace onnxv {

struct InputRule {
  // The values, both ends included; floats take all between.
  double low = 0, high = 0;
  enum class Form : uint8_t {
    kAny,
    kAscending,  // along the last axis: 0, 1, 2 …, again from 0 after `high`
    kShape,      // -1, then ones: any number of elements can be laid out so
    kCorners,    // rows of four numbers: two corners, the lower one first
  };
  Form form = Form::kAny;
  std::string reason;  // "indices of Gather \"embedding\", axis of 1000"
};

// By the graph's inputs; those that may hold anything are absent. `known` are shapes of inputs as
// they will be.
std::map<std::string, InputRule> input_rules(
    const Model& model, const std::map<std::string, std::vector<int64_t>>& known);

}  // namespace onnxv
