// Scan-8: a scan for each entry of the batch axis, each as long as sequence_lens says.
#include "ops/control/scan.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

struct Batch {
  int64_t size = 0;
  int64_t max_length = 0;
  std::vector<int64_t> lengths;  // per entry
};

Batch batch_of(const OpCall& call, const ScanArguments& arguments) {
  for (const ScanInput& input : arguments.inputs) {
    if (input.data.rank() < 2) {
      fail_schema("shape-mismatch", "a scan input has shape " + input.data.shape().text(),
                  "must have a batch axis and a sequence axis");
    }
  }
  Batch batch;
  batch.size = arguments.inputs[0].data.shape()[0];
  batch.max_length = common_length(arguments.inputs);
  const auto check_batched = [&](const Tensor& tensor) {
    if (tensor.rank() >= 1 && tensor.shape()[0] == batch.size) return;
    fail_schema("shape-mismatch", "a state or scan input has shape " + tensor.shape().text(),
                "must start with the batch of " + std::to_string(batch.size));
  };
  for (const Value& state : arguments.states) check_batched(state.tensor());
  for (const ScanInput& input : arguments.inputs) check_batched(input.data);

  batch.lengths.assign(static_cast<size_t>(batch.size), batch.max_length);
  const Tensor* given = call.optional_tensor("sequence_lens");
  if (given == nullptr) return batch;
  if (given->shape() != Shape{batch.size}) {
    fail_schema("shape-mismatch", "sequence_lens has shape " + given->shape().text(),
                "must be [" + std::to_string(batch.size) + "]");
  }
  batch.lengths = int64_values(*given);
  for (int64_t length : batch.lengths) {
    if (length >= 0 && length <= batch.max_length) continue;
    fail_undefined("index-range", "sequence_lens holds " + std::to_string(length),
                   "must be in [0, " + std::to_string(batch.max_length) + "]");
  }
  return batch;
}

Outputs entry_of(std::span<const Value> values, int64_t entry) {
  Outputs taken;
  for (const Value& value : values) taken.emplace_back(item_at(value.tensor(), 0, entry));
  return taken;
}

std::vector<ScanInput> entry_of(std::span<const ScanInput> inputs, int64_t entry) {
  std::vector<ScanInput> taken;
  for (const ScanInput& input : inputs) {
    taken.push_back({.data = item_at(input.data, 0, entry), .axis = 0, .reverse = input.reverse});
  }
  return taken;
}

// What one iteration sees: no batch axis, no sequence axis.
std::vector<Shape> iteration_shapes(const ScanArguments& arguments) {
  std::vector<Shape> shapes;
  for (const Value& state : arguments.states) shapes.push_back(state.tensor().shape());
  for (const ScanInput& input : arguments.inputs) {
    shapes.push_back(input.data.shape());
    shapes.back().erase(1);
  }
  for (Shape& shape : shapes) shape.erase(0);
  return shapes;
}

// A tensor of zero bits with the element's type and the scan output's whole shape.
Tensor blank_output(const ElementType& element, const Batch& batch) {
  Shape shape = element.shape;
  shape.insert(0, batch.max_length);
  shape.insert(0, batch.size);
  return Tensor(element.dtype, shape);
}

struct Rows {
  std::vector<std::vector<Tensor>> of_entry;  // the elements of each batch entry

  const Tensor* any() const {
    for (const auto& elements : of_entry) {
      if (!elements.empty()) return &elements[0];
    }
    return nullptr;
  }
};

// Spec: rows beyond an entry's length have no defined value. Choice: zeros, marked as unspecified.
Tensor padded(const OpCall& call, size_t output, const Rows& rows, const ElementType& element, const Batch& batch) {
  Tensor whole = blank_output(element, batch);
  const size_t size = static_cast<size_t>(element.shape.elements());
  std::vector<uint8_t> open(whole.size(), 0);
  for (size_t b = 0; b < rows.of_entry.size(); ++b) {
    size_t at = b * static_cast<size_t>(batch.max_length) * size;
    for (const Tensor& row : rows.of_entry[b]) {
      check_unchanged(*rows.any(), row, "scan output");
      copy_elements(row, 0, size, whole, at);
      at += size;
    }
    const size_t end = (b + 1) * static_cast<size_t>(batch.max_length) * size;
    for (; at < end; ++at) open[at] = 1;
  }
  call.mark_unspecified(output, "scan-rows-beyond-length", std::move(open));
  return whole;
}

}  // namespace

Outputs scan_8(const OpCall& call) {
  Body& body = call.body("body");
  ScanArguments arguments = scan_arguments(call, "initial_state_and_scan_inputs", body);
  const std::vector<bool> reverse = direction_flags(call, "directions", arguments.inputs.size());
  for (size_t i = 0; i < arguments.inputs.size(); ++i) {
    arguments.inputs[i].axis = 1;
    arguments.inputs[i].reverse = reverse[i];
  }
  const Batch batch = batch_of(call, arguments);

  std::vector<std::vector<Tensor>> states(arguments.states.size());
  std::vector<Rows> rows(arguments.scan_outputs);
  for (int64_t b = 0; b < batch.size; ++b) {
    ScanResult result = run_scan(body, entry_of(arguments.states, b), entry_of(arguments.inputs, b),
                                 batch.lengths[static_cast<size_t>(b)]);
    for (size_t i = 0; i < states.size(); ++i) states[i].push_back(result.states[i].tensor());
    for (size_t k = 0; k < rows.size(); ++k) rows[k].of_entry.push_back(std::move(result.elements[k]));
  }

  const SymbolSizes sizes = symbols_of(body, iteration_shapes(arguments));
  Outputs outputs;
  for (size_t i = 0; i < states.size(); ++i) {
    outputs.emplace_back(states[i].empty() ? arguments.states[i].tensor() : stack(states[i], 0));
  }
  for (size_t k = 0; k < rows.size(); ++k) {
    const Tensor* any = rows[k].any();
    const ElementType element = any != nullptr ? ElementType{any->dtype(), any->shape()}
                                               : undone_element(body.outputs()[states.size() + k], sizes);
    outputs.emplace_back(padded(call, states.size() + k, rows[k], element, batch));
  }
  return outputs;
}

}  // namespace onnxv
