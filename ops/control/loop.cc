// Loop: runs its body until the trip count is reached or the condition turns false.
//   since 1   the body's iteration number has the integer type that the body declares (its sample says INT32).
//   since 11  it is int64; no loop-carried value is needed.
//   since 13  carried values may be sequences (16: optionals), scan outputs must be tensors.
#include "ops/control/bodies.h"
#include "ops/control/control.h"
#include "src/tensor/index.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

// One element as the body declares it: of shape [1] where it declares rank 1, else a scalar.
Tensor as_declared(Tensor single, const Type& port) {
  const int64_t rank = port.shape && port.shape->size() == 1 ? 1 : 0;
  if (single.size() != 1 || single.rank() == rank) return single;
  return single.reshaped(rank == 1 ? Shape{1} : Shape{});
}

Tensor iteration_number(int64_t number, const Body::Port& port, int since_version) {
  const bool declared = since_version < 11 && is_integer(port.type.dtype);
  Tensor tensor(declared ? port.type.dtype : DType::kInt64, {});
  tensor.set_code(0, static_cast<uint64_t>(number));
  return as_declared(std::move(tensor), port.type);
}

struct Trips {
  std::optional<int64_t> limit;  // M, where given
  bool has_condition = false;
  Tensor condition = Tensor::bool_scalar(true);
  // Spec: without a condition input the body's condition is computed, handed on, and ends nothing.
  bool go_on(int64_t number) const {
    return (!limit || number < *limit) && (!has_condition || bool_value(condition, "cond"));
  }
};

Trips trips_of(const OpCall& call) {
  Trips trips;
  if (const Tensor* m = call.optional_tensor("M")) trips.limit = int64_value(*m, "M");
  if (const Tensor* cond = call.optional_tensor("cond")) {
    trips.has_condition = true;
    trips.condition = *cond;
  }
  if (!trips.limit && !trips.has_condition) {
    fail_undefined("endless-loop", "neither M nor cond is given", "so the loop never ends");
  }
  return trips;
}

Outputs carried_at_start(const OpCall& call) {
  Outputs carried;
  for (const Value& value : call.variadic("v_initial")) carried.push_back(value);
  while (!carried.empty() && !carried.back().exists()) carried.pop_back();
  for (const Value& value : carried) {
    if (!value.exists()) fail_schema("input-missing", "a value of \"v_initial\" is absent", "is required");
  }
  return carried;
}

// Choice: a carried value that the body declares as optional, but puts out plain, goes in as an optional that holds it
// (the official test_loop16_seq_none starts with an empty optional and carries a sequence on).
Value as_carried(Value value, const Type& port) {
  if (port.kind != Type::Kind::kOptional || value.is_optional()) return value;
  Type element = value.type();
  return Value(Optional{std::move(element), std::make_shared<const Value>(std::move(value))});
}

// Spec: zero iterations give a scan output of no elements; its other dimensions are declared by the body's output.
// Choice: an undeclared dimension is 0, and an undeclared rank gives shape [0].
Tensor empty_scan(const Body::Port& port) {
  if (port.type.kind != Type::Kind::kTensor || port.type.dtype == DType::kUndefined) {
    fail_undefined("zero-trip-scan", "the loop runs no iteration and body output \"" + port.name +
                   "\" declares no type", "so the scan output has none");
  }
  Shape shape{0};
  if (port.type.shape) {
    for (const Type::Dim& dim : *port.type.shape) shape.push_back(dim.value < 0 ? 0 : dim.value);
  }
  return Tensor(port.type.dtype, shape);
}

// Spec: the text says "concatenating", its pseudo-code `vals[i] = val`: elements are stacked on a new first axis.
class ScanOutputs {
 public:
  ScanOutputs(const Body& body, size_t first) : ports_(body.outputs()), first_(first) {
    elements_.resize(ports_.size() - first);
  }
  void add(const Outputs& results) {
    for (size_t k = 0; k < elements_.size(); ++k) {
      const Tensor& element = tensor_output(results[first_ + k], ports_[first_ + k]);
      if (!elements_[k].empty()) check_unchanged(elements_[k][0], element, ports_[first_ + k].name);
      elements_[k].push_back(element);
      check_element_count(elements_[k].size());
    }
  }
  void append_to(Outputs& outputs) const {
    for (size_t k = 0; k < elements_.size(); ++k) {
      outputs.emplace_back(elements_[k].empty() ? empty_scan(ports_[first_ + k]) : stack(elements_[k], 0));
    }
  }

 private:
  const std::vector<Body::Port>& ports_;
  size_t first_;
  std::vector<std::vector<Tensor>> elements_;
};

void check_arity(const Body& body, size_t carried) {
  if (body.inputs().size() < carried + 2) {
    fail_schema("body-arity", "body has " + std::to_string(body.inputs().size()) + " inputs",
                "must have " + std::to_string(carried + 2) + ": iteration, condition and carried values");
  }
  if (body.outputs().size() < carried + 1) {
    fail_schema("body-arity", "body has " + std::to_string(body.outputs().size()) + " outputs",
                "must have at least " + std::to_string(carried + 1) + ": condition and carried values");
  }
}

Outputs loop_1(const OpCall& call) {
  Body& body = call.body("body");
  Trips trips = trips_of(call);
  Outputs carried = carried_at_start(call);
  check_arity(body, carried.size());
  ScanOutputs scans(body, 1 + carried.size());
  for (int64_t number = 0; trips.go_on(number); ++number) {
    Outputs arguments;
    arguments.reserve(2 + carried.size());
    arguments.emplace_back(iteration_number(number, body.inputs()[0], call.since_version()));
    arguments.emplace_back(as_declared(trips.condition, body.inputs()[1].type));
    for (size_t i = 0; i < carried.size(); ++i) {
      arguments.push_back(as_carried(std::move(carried[i]), body.inputs()[2 + i].type));
    }
    Outputs results = body.run(arguments);
    trips.condition = tensor_output(results[0], body.outputs()[0]);
    scans.add(results);
    for (size_t i = 0; i < carried.size(); ++i) carried[i] = std::move(results[1 + i]);
  }
  scans.append_to(carried);
  return carried;
}

}  // namespace

const Operator kLoop{"ai.onnx", "Loop", {
    {.since = 1, .also = {11, 13, 16, 19, 21, 23, 24, 25}, .run = loop_1},
}};

}  // namespace onnxv
