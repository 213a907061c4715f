// Integer arithmetic and comparisons in loops beside exact 128-bit values.
#include <algorithm>
#include <utility>

#include "src/base/int128.h"
#include "src/number/format.h"
#include "src/run/fast_paths.h"
#include "src/tensor/index.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

using Exact = int128 (*)(int128, int128);
struct Row {
  const char* op;
  int64_t opset;
  bool compares;
  Exact exact;
};
const Row kRows[] = {
    {"Add", 14, false, [](int128 a, int128 b) { return a + b; }},
    {"Sub", 14, false, [](int128 a, int128 b) { return a - b; }},
    {"Mul", 14, false, [](int128 a, int128 b) { return static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(b)); }},
    {"BitwiseAnd", 18, false, [](int128 a, int128 b) { return a & b; }},
    {"BitwiseOr", 18, false, [](int128 a, int128 b) { return a | b; }},
    {"BitwiseXor", 18, false, [](int128 a, int128 b) { return a ^ b; }},
    {"Max", 13, false, [](int128 a, int128 b) { return std::max(a, b); }},
    {"Min", 13, false, [](int128 a, int128 b) { return std::min(a, b); }},
    {"Equal", 13, true, [](int128 a, int128 b) -> int128 { return a == b; }},
    {"Less", 13, true, [](int128 a, int128 b) -> int128 { return a < b; }},
    {"Greater", 13, true, [](int128 a, int128 b) -> int128 { return a > b; }},
    {"LessOrEqual", 16, true, [](int128 a, int128 b) -> int128 { return a <= b; }},
    {"GreaterOrEqual", 16, true, [](int128 a, int128 b) -> int128 { return a >= b; }},
};

}  // namespace

TEST_CASE("Add-14 Max-13 Less-13 BitwiseAnd-18 and others of every integer type, broadcast and of odd lengths") {
  uint64_t seed = 1;
  for (const DType type : {DType::kInt8, DType::kUint8, DType::kInt16, DType::kUint16, DType::kInt32, DType::kUint32, DType::kInt64, DType::kUint64}) {
    const IntegerFormat format{dtype_bits(type), is_signed_integer(type)};
    for (const Row& row : kRows) {
      for (const auto& [first, second] : {std::pair{Shape{3, 37}, Shape{3, 37}}, {Shape{1}, Shape{2, 33}}, {Shape{67}, Shape{}}, {Shape{5, 1}, Shape{9}}}) {
        const Tensor a = awkward(type, first, ++seed), b = awkward(type, second, ++seed);
        const Tensor y = NodeUnderTest(row.op, row.opset).input(a).input(b).one();
        const Tensor x1 = broadcast_to(a, y.shape()), x2 = broadcast_to(b, y.shape());
        size_t wrong = 0;
        for (size_t i = 0; i < y.size(); ++i) {
          const int128 exact = row.exact(decode_integer(format, x1.code(i)), decode_integer(format, x2.code(i)));
          wrong += y.code(i) == (row.compares ? static_cast<uint64_t>(exact) : wrap_integer(format, exact)) ? 0 : 1;
        }
        CHECK_MESSAGE(wrong == 0, row.op);
      }
    }
  }
  CHECK(NodeUnderTest("Add", 14).input(int64s({0, 2}, {})).input(int64s({}, {1})).one().shape() == Shape{0, 2});
}

TEST_CASE("Clip-13 in loops: integers with crossed bounds, floats with zeros and NaN") {
  CHECK(same(NodeUnderTest("Clip", 13).input(int32s({4}, {-9, 0, 5, 9})).input(int32s({}, {7})).input(int32s({1}, {3})).one(), int32s({4}, {3, 3, 3, 3})));
  CHECK(same(NodeUnderTest("Clip", 13).input(uint8s({3}, {0, 9, 255})).no_input().input(uint8s({}, {8})).one(), uint8s({3}, {0, 8, 8})));
  const float nan = __builtin_nanf("");
  CHECK(same(NodeUnderTest("Clip", 13).input(floats({5}, {-0.0f, nan, -2, 7, 1})).input(floats({}, {0})).input(floats({}, {6})).one(),
             floats({5}, {-0.0f, nan, 0, 6, 1})));
}

TEST_CASE("Less-13 Equal-13 of floats: NaN, and zeros of both signs") {
  const float nan = __builtin_nanf("");
  const Tensor a = floats({4}, {nan, 0, -1, 2}), b = floats({4}, {nan, -0.0f, 1, 2});
  CHECK(same(NodeUnderTest("Less", 13).input(a).input(b).one(), bools({4}, {false, false, true, false})));
  CHECK(same(NodeUnderTest("Equal", 13).input(a).input(b).one(), bools({4}, {false, true, false, true})));
  CHECK(same(NodeUnderTest("GreaterOrEqual", 16).input(a).input(b).one(), bools({4}, {false, true, false, true})));
}
