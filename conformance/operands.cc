#include "conformance/operands.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "conformance/subgraphs.h"
#include "src/number/format.h"

namespace onnxv {
namespace {

void trim(std::vector<std::string>& names) {
  while (!names.empty() && names.back().empty()) names.pop_back();
}

// [begin, end) of one axis. Whole-byte types move in rows, the others element by element.
Tensor sliced(const Tensor& tensor, int64_t axis, int64_t begin, int64_t end) {
  Shape shape = tensor.shape();
  const auto outer = static_cast<size_t>(shape.elements(0, axis));
  const auto inner = static_cast<size_t>(shape.elements(axis + 1, shape.rank()));
  const size_t row = static_cast<size_t>(shape[axis]) * inner;
  const size_t first = static_cast<size_t>(begin) * inner;
  shape[axis] = end - begin;
  Tensor result(tensor.dtype(), shape);
  const size_t kept = static_cast<size_t>(end - begin) * inner;
  const int bits = tensor.is_string() ? 0 : dtype_bits(tensor.dtype());
  for (size_t o = 0; o < outer; ++o) {
    const size_t from = o * row + first, to = o * kept;
    if (tensor.is_string()) {
      std::copy_n(tensor.strings().begin() + static_cast<std::ptrdiff_t>(from), kept,
                  result.mutable_strings().begin() + static_cast<std::ptrdiff_t>(to));
    } else if (bits % 8 == 0) {
      const auto width = static_cast<size_t>(bits / 8);
      std::memcpy(result.mutable_bytes().data() + to * width, tensor.bytes().data() + from * width,
                  kept * width);
    } else {
      for (size_t i = 0; i < kept; ++i) result.set_code(to + i, tensor.code(from + i));
    }
  }
  return result;
}

// Names that the node's subgraphs may capture: their operands stay.
void used_within(const Node& node, std::set<std::string>& names) {
  for_each_subgraph(node, [&](const Graph& graph) {
    for (const ValueInfo& output : graph.outputs) names.insert(output.name);
    for (const Node& inner : graph.nodes) {
      names.insert(inner.inputs.begin(), inner.inputs.end());
      used_within(inner, names);
    }
  });
}

Type without_shape(Type type) {
  type.shape.reset();
  return type;
}

}  // namespace

Operands::Operands(const SingleNode& alone) : node_(alone.model.graph->nodes.front()) {
  const Graph& graph = *alone.model.graph;
  for (const Initializer& initializer : graph.initializers) {
    operands_.push_back({initializer.name, initializer.value, true});
  }
  const auto required = required_inputs(graph);
  for (size_t i = 0; i < required.size(); ++i) {
    operands_.push_back({required[i]->name, alone.inputs[i], false});
  }
}

Operands::Operand* Operands::find(const std::string& name) {
  for (Operand& operand : operands_) {
    if (operand.name == name) return &operand;
  }
  return nullptr;
}

const Operands::Operand* Operands::find(const std::string& name) const {
  return const_cast<Operands*>(this)->find(name);
}

void Operands::forget_unused() {
  std::set<std::string> used(node_.inputs.begin(), node_.inputs.end());
  used_within(node_, used);
  std::erase_if(operands_, [&](const Operand& operand) { return !used.contains(operand.name); });
}

void Operands::drop_output(const std::string& name) {
  std::replace(node_.outputs.begin(), node_.outputs.end(), name, std::string());
  trim(node_.outputs);
}

void Operands::omit_input(size_t position) {
  node_.inputs[position].clear();
  trim(node_.inputs);
  forget_unused();
}

void Operands::remove_input(size_t position) {
  node_.inputs.erase(node_.inputs.begin() + static_cast<std::ptrdiff_t>(position));
  forget_unused();
}

std::vector<int64_t> Operands::sizes() const {
  std::set<int64_t, std::greater<>> sizes;
  for (const Operand& operand : operands_) {
    if (!operand.value.is_tensor()) continue;
    for (const int64_t size : operand.value.tensor().shape()) {
      if (size > 1) sizes.insert(size);
    }
  }
  return {sizes.begin(), sizes.end()};
}

std::vector<Axis> Operands::axes_of(int64_t size) const {
  std::vector<Axis> axes;
  for (const Operand& operand : operands_) {
    if (!operand.value.is_tensor()) continue;
    const Shape& shape = operand.value.tensor().shape();
    for (int64_t axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == size) axes.push_back({operand.name, axis});
    }
  }
  return axes;
}

bool Operands::slice(const std::vector<Axis>& axes, int64_t size, int64_t begin, int64_t end) {
  for (const Axis& axis : axes) {
    Operand* operand = find(axis.operand);
    if (operand == nullptr || operand->value.tensor().shape()[axis.axis] != size) return false;
    operand->value = sliced(operand->value.tensor(), axis.axis, begin, end);
  }
  return true;
}

std::vector<std::string> Operands::clearable() const {
  std::vector<std::string> names;
  for (const Operand& operand : operands_) {
    if (!operand.value.is_tensor()) continue;
    const DType dtype = operand.value.tensor().dtype();
    if (is_float(dtype) && float_format(dtype).has_zero_and_subnormals)
      names.push_back(operand.name);
  }
  return names;
}

size_t Operands::elements(const std::string& name) const {
  const Operand* operand = find(name);
  return operand == nullptr ? 0 : operand->value.tensor().size();
}

bool Operands::clear(const std::string& name, size_t begin, size_t end) {
  Operand* operand = find(name);
  if (operand == nullptr) return false;
  Tensor cleared = operand->value.tensor();
  bool changed = false;
  for (size_t i = begin; i < std::min(end, cleared.size()); ++i) {
    if (cleared.code(i) == 0) continue;
    cleared.set_code(i, 0);
    changed = true;
  }
  operand->value = std::move(cleared);
  return changed;
}

std::optional<NodeTrial> evaluated(const Operands& operands, const NodeTrial& like, uint64_t seed) {
  const Model& old = like.alone.model;
  NodeTrial trial;
  trial.alone.model = old;
  Graph graph = *old.graph;
  graph.inputs.clear();
  graph.initializers.clear();
  graph.outputs.clear();
  graph.nodes = {operands.node_};
  std::map<std::string, Value> inputs;
  for (const Operands::Operand& operand : operands.operands_) {
    if (operand.constant) graph.initializers.push_back({operand.name, operand.value});
    if (!operand.constant || old.ir_version < 4) {
      graph.inputs.push_back({operand.name, operand.value.type(), {}, {}});
    }
    if (operand.constant) continue;
    trial.alone.inputs.push_back(operand.value);
    inputs[operand.name] = operand.value;
  }
  for (size_t k = 0; k < old.graph->outputs.size(); ++k) {
    const ValueInfo& output = old.graph->outputs[k];
    const auto& names = operands.node_.outputs;
    const auto at = std::find(names.begin(), names.end(), output.name);
    if (at == names.end()) continue;
    graph.outputs.push_back({output.name, without_shape(output.type), {}, {}});
    trial.alone.outputs.push_back(static_cast<size_t>(at - names.begin()));
    trial.tolerances.push_back(like.tolerances[k]);
  }
  if (graph.outputs.empty()) return std::nullopt;
  trial.alone.model.graph = std::make_shared<const Graph>(graph);
  const PreparedModel prepared(std::make_shared<const Model>(trial.alone.model));
  Evaluation evaluation = prepared.evaluate(inputs, {.seed = seed});
  for (size_t k = 0; k < graph.outputs.size(); ++k) {
    if (!evaluation.outputs[k].exists()) return std::nullopt;
    graph.outputs[k].type = evaluation.outputs[k].type();
    for (UnspecifiedMark& mark : evaluation.unspecified[k]) {
      trial.unspecified.push_back({k, std::move(mark.slug), std::move(mark.elements)});
    }
  }
  trial.expected = std::move(evaluation.outputs);
  trial.alone.model.graph = std::make_shared<const Graph>(std::move(graph));
  return trial;
}

}  // namespace onnxv
