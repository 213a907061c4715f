#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, Value a) { return NodeUnderTest(op, opset).input(std::move(a)); }
NodeUnderTest call(const char* op, int64_t opset, Value a, Value b) { return call(op, opset, std::move(a)).input(std::move(b)); }

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kPair = floats({2}, {1, 2});

TEST_CASE("elementwise: shapes that do not broadcast") {
  check_wrong_calls({
      {call("Add", 14, kMatrix, kPair), "schema/shape-mismatch", "Add-14", "shapes [2,3] [2]", "must broadcast to one shape"},
      {call("Equal", 7, int32s({2}, {1, 2}), int32s({3}, {1, 2, 3})), "schema/shape-mismatch", "Equal-7", "shapes [2] [3]", "must broadcast to one shape"},
      {call("And", 7, bools({2}, {true, true}), bools({3}, {true, true, true})), "schema/shape-mismatch", "And-7", "shapes [2] [3]", "must broadcast to one shape"},
      {call("Max", 13, kMatrix, kPair), "schema/shape-mismatch", "Max-13", "shapes [2,3] [2]", "must broadcast to one shape"},
      {call("Sum", 6, kPair, floats({1}, {1})), "schema/shape-mismatch", "Sum-6", "shapes are [2] and [1]", "must be equal"},
      {call("Mul", 1, kMatrix, floats({3}, {1, 2, 3})), "schema/shape-mismatch", "Mul-1", "A is [2,3] and B is [3]", "must be equal where broadcast is 0"},
      {call("Sub", 6, kMatrix, kPair).attribute("broadcast", 1), "schema/shape-mismatch", "Sub-6", "A is [2,3] and B is [2]", "each dimension of B must equal A's or be 1"},
      {call("Add", 6, kMatrix, kPair).attribute("broadcast", 1).attribute("axis", 2), "schema/shape-mismatch", "Add-6", "A is [2,3] and B is [2]", "B must be a run of A's dimensions from axis on"},
      {call("Pow", 1, kMatrix, kPair).attribute("broadcast", 1).attribute("axis", INT64_MAX), "schema/shape-mismatch", "Pow-1", "A is [2,3] and B is [2]", "B must be a run of A's dimensions from axis on"},
      {call("PRelu", 6, kMatrix, kPair), "schema/shape-mismatch", "PRelu-6", "slope is [2] for X [2,3]", "must be one element, one per channel, or X's shape"},
      {call("PRelu", 9, floats({3}, {1, 2, 3}), kMatrix), "schema/shape-mismatch", "PRelu-9", "slope is [2,3] for X [3]", "must broadcast to X"},
      {call("SwiGLU", 28, kMatrix, kPair), "schema/shape-mismatch", "SwiGLU-28", "A is [2,3] and B is [2]", "must be equal"},
  });
}

TEST_CASE("elementwise: integers divided by zero") {
  check_wrong_calls({
      {call("Div", 14, int32s({2}, {1, 2}), int32s({2}, {1, 0})), "undefined/integer-division", "Div-14", "an integer is divided by zero", ""},
      {call("Div", 6, int64s({1}, {1}), int64s({1}, {0})), "undefined/integer-division", "Div-6", "an integer is divided by zero", ""},
      {call("Mod", 10, int32s({1}, {1}), int32s({1}, {0})), "undefined/integer-division", "Mod-10", "an integer is divided by zero", ""},
      {call("Mod", 28, uint8s({1}, {1}), uint8s({1}, {0})).attribute("fmod", 1), "undefined/integer-division", "Mod-28", "an integer is divided by zero", ""},
  });
}

TEST_CASE("elementwise: attributes and bounds") {
  check_wrong_calls({
      {call("BitShift", 11, uint8s({1}, {1}), uint8s({1}, {1})).attribute("direction", "left"), "schema/attribute-value", "BitShift-11", "direction is \"left\"", "must be LEFT or RIGHT"},
      {call("BitShift", 28, uint8s({1}, {1}), uint8s({1}, {1})), "schema/attribute-missing", "BitShift-28", "attribute \"direction\" is absent", "it is required"},
      {call("Mod", 13, kPair, kPair), "schema/attribute-value", "Mod-13", "fmod is 0 for float", "must be 1 for floats"},
      {call("Mod", 28, kPair, kPair).attribute("fmod", 2), "schema/attribute-value", "Mod-28", "fmod is 2", "must be 0 or 1"},
      {call("Gelu", 20, kPair).attribute("approximate", "erf"), "schema/attribute-value", "Gelu-20", "approximate is \"erf\"", "must be none or tanh"},
      {call("Clip", 13, kPair).input(kPair), "schema/not-one-element", "Clip-13", "a bound is [2]", "must be a scalar"},
      {call("Clip", 11, kPair).no_input().input(floats({0}, {})), "schema/not-one-element", "Clip-11", "a bound is [0]", "must be a scalar"},
      {call("Shrink", 9, int32s({1}, {3})).attribute("bias", __builtin_inff()), "undefined/not-finite", "Shrink-9", "bias is no finite number", "must be where x is an integer"},
  });
}

TEST_CASE("elementwise: types that a version does not take") {
  check_wrong_calls({
      {call("Add", 1, int32s({1}, {1}), int32s({1}, {1})), "schema/type-mismatch", "Add-1", "input \"A\" is tensor(int32)", "which is not among the types of T"},
      {call("Greater", 7, int32s({1}, {1}), int32s({1}, {1})), "schema/type-mismatch", "Greater-7", "input \"A\" is tensor(int32)", "which is not among the types of T"},
  });
}

}  // namespace
}  // namespace onnxv::testing
