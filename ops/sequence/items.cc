// SequenceConstruct, SequenceEmpty, SequenceAt, SequenceInsert, SequenceErase, SequenceLength: since 11, one text each.
// Items of one sequence share an element type; their shapes may differ.
#include "ops/sequence/sequence.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

const Sequence& sequence_of(const OpCall& call, std::string_view port) {
  const Value& value = call.value(port);
  if (!value.is_sequence()) {
    fail_schema("type-mismatch", "input \"" + std::string(port) + "\" is " + value.type().text(),
                "must be a sequence");
  }
  return value.sequence();
}

// `position` in [-items, last] counted from the front; undefined error "index-range" outside.
int64_t position_of(const Tensor& given, int64_t items, int64_t last) {
  const int64_t position = int64_value(given, "position");
  if (position < -items || position > last) {
    fail_undefined("index-range", "position is " + std::to_string(position),
                   "must be in [" + std::to_string(-items) + ", " + std::to_string(last) + "]");
  }
  return position < 0 ? position + items : position;
}

int64_t count_of(const Sequence& sequence) { return static_cast<int64_t>(sequence.items.size()); }

Outputs sequence_construct_11(const OpCall& call) {
  Sequence sequence;
  for (const Tensor& item : call.variadic_tensors("inputs")) {
    sequence.element = Type::tensor(item.dtype());
    sequence.items.emplace_back(item);
  }
  return {Value(std::move(sequence))};
}

// The types of version 1: sequences never got the later ones.
bool is_item_type(DType dtype) {
  const bool number = is_integer(dtype) && dtype_bits(dtype) >= 8;
  return number || is_complex(dtype) || dtype == DType::kBool || dtype == DType::kString || dtype == DType::kFloat16 ||
         dtype == DType::kFloat || dtype == DType::kDouble;
}

Outputs sequence_empty_11(const OpCall& call) {
  const int64_t number = call.integer_or("dtype", static_cast<int64_t>(DType::kFloat));
  const std::optional<DType> dtype = dtype_from_number(number);
  if (!dtype || !is_item_type(*dtype)) {
    fail_schema("attribute-range", "dtype is " + std::to_string(number), "must be an element type of the output's items");
  }
  return {Value(Sequence{Type::tensor(*dtype), {}})};
}

Outputs sequence_at_11(const OpCall& call) {
  const Sequence& sequence = sequence_of(call, "input_sequence");
  const int64_t items = count_of(sequence);
  const int64_t position = position_of(call.tensor("position"), items, items - 1);
  return {sequence.items[static_cast<size_t>(position)]};
}

// Spec: a negative position counts from the back before the insertion: -1 inserts in front of the last item.
Outputs sequence_insert_11(const OpCall& call) {
  Sequence sequence = sequence_of(call, "input_sequence");
  const Tensor& item = call.tensor("tensor");
  const int64_t items = count_of(sequence);
  const Tensor* given = call.optional_tensor("position");
  const int64_t position = given != nullptr ? position_of(*given, items, items) : items;
  const bool typed = sequence.element.kind != Type::Kind::kUnknown;
  if (typed && !same_type(sequence.element, Type::tensor(item.dtype()))) {
    fail_schema("type-mismatch", "tensor is " + std::string(dtype_name(item.dtype())),
                "must be " + sequence.element.text() + " as the items");
  }
  sequence.element = Type::tensor(item.dtype());
  sequence.items.insert(sequence.items.begin() + position, Value(item));
  return {Value(std::move(sequence))};
}

Outputs sequence_erase_11(const OpCall& call) {
  Sequence sequence = sequence_of(call, "input_sequence");
  const int64_t items = count_of(sequence);
  if (items == 0) fail_undefined("empty-sequence", "input_sequence is empty", "must have an item to erase");
  const Tensor* given = call.optional_tensor("position");
  const int64_t position = given != nullptr ? position_of(*given, items, items - 1) : items - 1;
  sequence.items.erase(sequence.items.begin() + position);
  return {Value(std::move(sequence))};
}

Tensor sequence_length_11(const OpCall& call) {
  return Tensor::int64_scalar(count_of(sequence_of(call, "input_sequence")));
}

}  // namespace

const Operator kSequenceConstruct{"ai.onnx", "SequenceConstruct", {
    {.since = 11, .run = sequence_construct_11},
}};
const Operator kSequenceEmpty{"ai.onnx", "SequenceEmpty", {
    {.since = 11, .run = sequence_empty_11},
}};
const Operator kSequenceAt{"ai.onnx", "SequenceAt", {
    {.since = 11, .run = sequence_at_11},
}};
const Operator kSequenceInsert{"ai.onnx", "SequenceInsert", {
    {.since = 11, .run = sequence_insert_11},
}};
const Operator kSequenceErase{"ai.onnx", "SequenceErase", {
    {.since = 11, .run = sequence_erase_11},
}};
const Operator kSequenceLength{"ai.onnx", "SequenceLength", {
    {.since = 11, .run = sequence_length_11},
}};

}  // namespace onnxv
