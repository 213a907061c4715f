#include "src/run/testing_models.h"
#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

Value sequence_of(std::vector<Tensor> items, DType dtype = DType::kFloat) {
  Sequence sequence{Type::tensor(dtype), {}};
  for (Tensor& item : items) sequence.items.emplace_back(std::move(item));
  return Value(std::move(sequence));
}

const Tensor kLine = floats({3}, {1, 2, 3}), kMatrix = floats({2, 2}, {1, 2, 3, 4});
const Value kTwo = sequence_of({kLine, kLine}), kEmpty = sequence_of({});

NodeUnderTest at(const char* op, const Value& sequence, int64_t position) {
  return NodeUnderTest(op, 11).input(sequence).input(int64s({}, {position}));
}
NodeUnderTest split(const Tensor& x, const Tensor& lengths) { return NodeUnderTest("SplitToSequence", 24).input(x).input(lengths); }
NodeUnderTest concat(const Value& sequence, int64_t axis) {
  return NodeUnderTest("ConcatFromSequence", 11).attribute("axis", axis).input(sequence);
}
Graph doubled() {
  return graph({info("x", DType::kFloat)}, {node("Add", {"x", "x"}, {"y"})}, {info("y", DType::kFloat)});
}
NodeUnderTest mapped(const Value& sequence) { return NodeUnderTest("SequenceMap", 17).attribute("body", doubled()).input(sequence); }

TEST_CASE("sequence: positions out of range") {
  check_wrong_calls({
      {at("SequenceAt", kTwo, 2), "undefined/index-range", "SequenceAt-11", "position is 2", "must be in [-2, 1]"},
      {at("SequenceAt", kTwo, -3), "undefined/index-range", "SequenceAt-11", "position is -3", "must be in [-2, 1]"},
      {at("SequenceAt", kEmpty, 0), "undefined/index-range", "SequenceAt-11", "position is 0", "must be in [0, -1]"},
      {at("SequenceErase", kTwo, INT64_MIN), "undefined/index-range", "SequenceErase-11", "position is -9223372036854775808", "must be in [-2, 1]"},
      {NodeUnderTest("SequenceErase", 11).input(kEmpty), "undefined/empty-sequence", "SequenceErase-11", "input_sequence is empty", "must have an item to erase"},
      {NodeUnderTest("SequenceInsert", 11).input(kTwo).input(kLine).input(int64s({}, {3})), "undefined/index-range", "SequenceInsert-11", "position is 3", "must be in [-2, 2]"},
      {NodeUnderTest("SequenceInsert", 11).input(kEmpty).input(kLine).input(int64s({}, {-1})), "undefined/index-range", "SequenceInsert-11", "position is -1", "must be in [0, 0]"},
      {NodeUnderTest("SequenceInsert", 11).input(kTwo).input(int64s({1}, {1})), "schema/type-mismatch", "SequenceInsert-11", "tensor is int64", "must be tensor(float) as the items"},
      {NodeUnderTest("SequenceAt", 11).input(kTwo).input(int64s({2}, {0, 1})), "schema/not-one-element", "SequenceAt-11", "position is int64[2]", "must have one element"},
      {NodeUnderTest("SequenceEmpty", 11).attribute("dtype", 99), "schema/attribute-range", "SequenceEmpty-11", "dtype is 99", "must be an element type of the output's items"},
      {NodeUnderTest("SequenceEmpty", 11).attribute("dtype", 16), "schema/attribute-range", "SequenceEmpty-11", "dtype is 16", "must be an element type of the output's items"},
  });
}

TEST_CASE("sequence: pieces that do not fit") {
  check_wrong_calls({
      {split(kLine, int64s({}, {0})), "undefined/split-sizes", "SplitToSequence-24", "split is 0", "must be positive"},
      {split(kLine, int64s({}, {INT64_MIN})), "undefined/split-sizes", "SplitToSequence-24", "split is -9223372036854775808", "must be positive"},
      {split(kLine, int64s({2}, {4, -1})), "undefined/split-sizes", "SplitToSequence-24", "split holds -1", "must be at least 0"},
      {split(kLine, int64s({2}, {1, 1})), "undefined/split-sizes", "SplitToSequence-24", "split sums to 2", "must sum to the axis's 3"},
      {split(kLine, int64s({2}, {INT64_MAX, INT64_MAX})), "undefined/split-sizes", "SplitToSequence-24", "split sums to 9223372036854775807", "must sum to the axis's 3"},
      {split(kLine, int64s({1, 1}, {3})), "schema/shape-mismatch", "SplitToSequence-24", "split has shape [1,1]", "must be a scalar or 1-D"},
      {split(kLine, int64s({}, {1})).attribute("axis", 1), "schema/attribute-range", "SplitToSequence-24", "axis is 1", "must be in [-1, 0]"},
      {split(floats({}, {1}), int64s({}, {1})), "schema/attribute-range", "SplitToSequence-24", "axis is 0", "but the tensor has no axes"},
      {NodeUnderTest("SplitToSequence", 11).input(floats({int64_t{1} << 40, 0}, {})), "limit/sequence-length", "SplitToSequence-11", "the sequence would have 1099511627776 items", "must be at most 16777216"},
      {concat(kEmpty, 0), "undefined/empty-sequence", "ConcatFromSequence-11", "input_sequence is empty", "must have an item"},
      {concat(kTwo, 1), "schema/attribute-range", "ConcatFromSequence-11", "axis is 1", "must be in [-1, 0]"},
      {concat(kTwo, 2).attribute("new_axis", 1), "schema/attribute-range", "ConcatFromSequence-11", "axis is 2", "must be in [-2, 1]"},
      {concat(kTwo, 0).attribute("new_axis", 2), "schema/attribute-range", "ConcatFromSequence-11", "new_axis is 2", "must be 0 or 1"},
      {concat(sequence_of({kLine, kMatrix}), 0), "schema/shape-mismatch", "ConcatFromSequence-11", "a part has shape [2,2]", "must equal [3] but for axis 0"},
      {concat(sequence_of({kLine, kMatrix}), 0).attribute("new_axis", 1), "schema/shape-mismatch", "ConcatFromSequence-11", "a part has shape [2,2]", "must be [3] as the first"},
  });
}

TEST_CASE("sequence: optionals and maps over sequences") {
  const Value none(Optional{Type::tensor(DType::kFloat), nullptr});
  check_wrong_calls({
      {NodeUnderTest("Optional", 15), "schema/attribute-missing", "Optional-15", "neither input nor type is given", "one of them is required"},
      {NodeUnderTest("Optional", 15).attribute("type", Type::tensor(DType::kInt64)).input(kLine), "schema/type-mismatch", "Optional-15", "input is tensor(float)", "must be tensor(int64) as type says"},
      {NodeUnderTest("Optional", 15).attribute("type", Type::optional(Type::tensor(DType::kFloat))), "schema/attribute-value", "Optional-15", "type is optional(tensor(float))", "must be a tensor or a sequence"},
      {NodeUnderTest("OptionalGetElement", 15).input(none), "undefined/empty-optional", "OptionalGetElement-15", "the optional is empty", "must have an element"},
      {NodeUnderTest("OptionalGetElement", 18).input(none), "undefined/empty-optional", "OptionalGetElement-18", "the optional is empty", "must have an element"},
      {mapped(kTwo).input(sequence_of({kLine})), "schema/body-arity", "SequenceMap-17", "body has 1 inputs", "must have 2 as the node"},
      {mapped(sequence_of({int64s({1}, {1})}, DType::kInt64)), "schema/type-mismatch", "SequenceMap-17", "subgraph input \"x\" is tensor(int64)", "is declared as tensor(float)"},
      {mapped(kTwo).outputs(2), "schema/output-count", "SequenceMap-17", "output 1 has a name", "there are 1 outputs"},
      {mapped(Value(kLine)), "schema/type-mismatch", "SequenceMap-17", "input \"input_sequence\" is tensor(float)", "which is not among the types of S"},
  });
}

}  // namespace
}  // namespace onnxv::testing
