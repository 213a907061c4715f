// Scan: walks a body along tensors, carries a state, stacks what the body puts out.
//   since 8   batched: axis 0 is the batch, axis 1 the sequence, with optional lengths.   (scan_batched.cc)
//   since 9   no batch; any axis, input and output directions.
//   since 11  negative axes. They are accepted in 9 as well.
#include "ops/control/scan.h"

#include <algorithm>

#include "ops/control/control.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

void check_length(std::string_view name, size_t got, size_t wanted) {
  if (got != 0 && got != wanted) {
    fail_schema("list-length", std::string(name) + " has " + std::to_string(got) + " entries",
                "must have " + std::to_string(wanted));
  }
}

void check_arity(const Body& body, size_t arguments, size_t states) {
  if (body.inputs().size() < arguments) {
    fail_schema("body-arity", "body has " + std::to_string(body.inputs().size()) + " inputs",
                "must have " + std::to_string(arguments) + ": states and scanned elements");
  }
  if (body.outputs().size() < states) {
    fail_schema("body-arity", "body has " + std::to_string(body.outputs().size()) + " outputs",
                "must have at least " + std::to_string(states) + ": the states");
  }
}

std::vector<Shape> iteration_shapes(const ScanArguments& arguments) {
  std::vector<Shape> shapes;
  for (const Value& state : arguments.states) shapes.push_back(state.tensor().shape());
  for (const ScanInput& input : arguments.inputs) {
    shapes.push_back(input.data.shape());
    shapes.back().erase(input.axis);
  }
  return shapes;
}

Tensor nothing_stacked(ElementType element, int64_t axis) {
  element.shape.insert(axis, 0);
  return Tensor(element.dtype, element.shape);
}

}  // namespace

std::vector<bool> direction_flags(const OpCall& call, std::string_view name, size_t count) {
  const std::vector<int64_t> given = call.integers(name);
  check_length(name, given.size(), count);
  std::vector<bool> flags(count, false);
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] != 0 && given[i] != 1) {
      fail_schema("attribute-range", std::string(name) + " holds " + std::to_string(given[i]), "must be 0 or 1");
    }
    flags[i] = given[i] == 1;
  }
  return flags;
}

ScanArguments scan_arguments(const OpCall& call, std::string_view port, const Body& body) {
  const std::span<const Value> given = call.variadic(port);
  const int64_t count = call.integer("num_scan_inputs");
  if (count < 1 || count > static_cast<int64_t>(given.size())) {
    fail_schema("attribute-range", "num_scan_inputs is " + std::to_string(count),
                "must be in [1, " + std::to_string(given.size()) + "]");
  }
  const size_t states = given.size() - static_cast<size_t>(count);
  check_arity(body, given.size(), states);
  ScanArguments arguments;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is_tensor()) fail_schema("input-missing", "a state or scan input is absent", "must be a tensor");
    if (i < states) {
      arguments.states.push_back(given[i]);
    } else {
      arguments.inputs.push_back({.data = given[i].tensor()});
    }
  }
  arguments.scan_outputs = body.outputs().size() - states;
  return arguments;
}

int64_t common_length(std::span<const ScanInput> inputs) {
  const int64_t length = inputs[0].data.shape()[inputs[0].axis];
  for (const ScanInput& input : inputs) {
    const int64_t own = input.data.shape()[input.axis];
    if (own != length) {
      fail_schema("shape-mismatch", "a scan input is " + std::to_string(own) + " long",
                  "must be " + std::to_string(length) + " as the first");
    }
  }
  return length;
}

ScanResult run_scan(Body& body, Outputs states, std::span<const ScanInput> inputs, int64_t length) {
  const std::vector<Body::Port>& ports = body.outputs();
  ScanResult result;
  result.elements.resize(ports.size() - states.size());
  if (!result.elements.empty()) check_element_count(static_cast<size_t>(length));
  for (int64_t t = 0; t < length; ++t) {
    Outputs arguments = states;
    for (const ScanInput& input : inputs) {
      arguments.emplace_back(item_at(input.data, input.axis, input.reverse ? length - 1 - t : t));
    }
    Outputs outputs = body.run(arguments);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tensor& output = tensor_output(outputs[i], ports[i]);
      // Spec: states and elements keep their shape in every iteration; a state starts with its initial value's.
      if (i < states.size()) {
        check_unchanged(states[i].tensor(), output, ports[i].name);
        states[i] = outputs[i];
        continue;
      }
      std::vector<Tensor>& elements = result.elements[i - states.size()];
      if (!elements.empty()) check_unchanged(elements[0], output, ports[i].name);
      elements.push_back(output);
    }
  }
  result.states = std::move(states);
  return result;
}

SymbolSizes symbols_of(const Body& body, std::span<const Shape> arguments) {
  SymbolSizes sizes;
  for (size_t i = 0; i < arguments.size(); ++i) learn_symbols(body.inputs()[i].type, arguments[i], sizes);
  return sizes;
}

ElementType undone_element(const Body::Port& port, const SymbolSizes& sizes) {
  const std::optional<Shape> shape = declared_shape(port.type, sizes);
  if (!shape || port.type.dtype == DType::kUndefined) {
    fail_undefined("zero-trip-scan", "no iteration runs and body output \"" + port.name +
                   "\" declares no full shape", "so the scan output has none");
  }
  return {port.type.dtype, *shape};
}

Outputs scan_9(const OpCall& call) {
  Body& body = call.body("body");
  ScanArguments arguments = scan_arguments(call, "initial_state_and_scan_inputs", body);
  const std::vector<int64_t> axes = call.integers("scan_input_axes");
  check_length("scan_input_axes", axes.size(), arguments.inputs.size());
  const std::vector<bool> reverse = direction_flags(call, "scan_input_directions", arguments.inputs.size());
  for (size_t i = 0; i < arguments.inputs.size(); ++i) {
    ScanInput& input = arguments.inputs[i];
    input.axis = normalized_axis(axes.empty() ? 0 : axes[i], input.data.rank(), "scan_input_axes");
    input.reverse = reverse[i];
  }
  const std::vector<int64_t> output_axes = call.integers("scan_output_axes");
  check_length("scan_output_axes", output_axes.size(), arguments.scan_outputs);
  const std::vector<bool> prepend = direction_flags(call, "scan_output_directions", arguments.scan_outputs);

  ScanResult result = run_scan(body, arguments.states, arguments.inputs, common_length(arguments.inputs));
  const SymbolSizes sizes = symbols_of(body, iteration_shapes(arguments));
  Outputs outputs = std::move(result.states);
  for (size_t k = 0; k < arguments.scan_outputs; ++k) {
    std::vector<Tensor>& elements = result.elements[k];
    const ElementType element = elements.empty()
                                    ? undone_element(body.outputs()[arguments.states.size() + k], sizes)
                                    : ElementType{elements[0].dtype(), elements[0].shape()};
    const int64_t axis = normalized_axis(output_axes.empty() ? 0 : output_axes[k], element.shape.rank() + 1,
                                         "scan_output_axes");
    if (prepend[k]) std::reverse(elements.begin(), elements.end());
    outputs.emplace_back(elements.empty() ? nothing_stacked(element, axis) : stack(elements, axis));
  }
  return outputs;
}

const Operator kScan{"ai.onnx", "Scan", {
    {.since = 8, .run = scan_8},
    {.since = 9, .also = {11, 16, 19, 21, 23, 24, 25}, .run = scan_9},
}};

}  // namespace onnxv
