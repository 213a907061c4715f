#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kInfinity = __builtin_inff(), kNaN = __builtin_nanf("");

NodeUnderTest node(const char* op, int64_t opset, Tensor a, Tensor b) {
  NodeUnderTest node(op, opset);
  node.input(a).input(b);
  return node;
}

TEST_CASE("Add-1, Add-6, Sub-1, Sub-6, Mul-1, Mul-6, Div-1, Div-6: B is a run of A's dimensions from axis on") {
  const Tensor a = floats({2, 2}, {8, 8, 8, 8}), b = floats({2}, {2, 4});
  const struct { const char* op; std::vector<float> by_rows, by_columns; } rows[] = {
      {"Add", {10, 10, 12, 12}, {10, 12, 10, 12}},
      {"Sub", {6, 6, 4, 4}, {6, 4, 6, 4}},
      {"Mul", {16, 16, 32, 32}, {16, 32, 16, 32}},
      {"Div", {4, 4, 2, 2}, {4, 2, 4, 2}}};
  for (const auto& row : rows) {
    for (const int64_t version : {1, 6}) {
      CAPTURE(row.op);
      CHECK(same(node(row.op, version, a, b).attribute("broadcast", 1).attribute("axis", 0).one(), floats({2, 2}, row.by_rows)));
      CHECK(same(node(row.op, version, a, b).attribute("broadcast", 1).one(), floats({2, 2}, row.by_columns)));
      CHECK(node(row.op, version, a, b).error().find("schema/shape-mismatch") == 0);
    }
  }
}

TEST_CASE("Add-7, Add-13, Add-14: NumPy's broadcasting, one rounding, integers wrap") {
  for (const int64_t version : {7, 13, 14}) {
    CHECK(same(node("Add", version, floats({2, 1}, {1, 2}), floats({2}, {10, 20})).one(), floats({2, 2}, {11, 21, 12, 22})));
    // 1 + 2^-24 is a tie between 1 and 1 + 2^-23: to even.
    CHECK(same(node("Add", version, floats({1}, {1}), floats({1}, {0x1p-24f})).one(), floats({1}, {1})));
  }
  CHECK(same(node("Add", 14, int8s({1}, {127}), int8s({1}, {1})).one(), int8s({1}, {-128})));
}

TEST_CASE("Sub-7, Sub-13, Sub-14: x - x is +0") {
  for (const int64_t version : {7, 13, 14}) CHECK(same(node("Sub", version, floats({2}, {1, -0.0f}), floats({2}, {1, 0})).one(), floats({2}, {0, -0.0f})));
}

TEST_CASE("Mul-7, Mul-13, Mul-14: 0 times infinity is NaN") {
  for (const int64_t version : {7, 13, 14}) {
    CHECK(same(node("Mul", version, floats({3}, {0, -2, 3}), floats({3}, {kInfinity, 0, 4})).one(), floats({3}, {kNaN, -0.0f, 12})));
  }
}

TEST_CASE("Div-7, Div-13, Div-14: toward zero for integers, never a trap") {
  for (const int64_t version : {7, 13, 14}) {
    CHECK(same(node("Div", version, int32s({3}, {-7, 7, INT32_MIN}), int32s({3}, {2, -2, -1})).one(), int32s({3}, {-3, -3, INT32_MIN})));
    CHECK(same(node("Div", version, floats({2}, {1, 0}), floats({2}, {0, 0})).one(), floats({2}, {kInfinity, kNaN})));
    const std::string error = node("Div", version, int32s({1}, {1}), int32s({1}, {0})).error();
    CHECK(error.find("undefined/integer-division") == 0);
  }
}

TEST_CASE("Equal-1, Greater-1, Less-1, And-1, Or-1, Xor-1: broadcast by attributes") {
  const Tensor a = int32s({2, 2}, {1, 2, 3, 4}), b = int32s({2}, {1, 3});
  CHECK(same(node("Equal", 1, a, b).attribute("broadcast", 1).attribute("axis", 0).one(), bools({2, 2}, {true, false, true, false})));
  const Tensor x = floats({2}, {1, kNaN}), y = floats({2}, {0, 0});
  CHECK(same(node("Greater", 1, x, y).one(), bools({2}, {true, false})));
  CHECK(same(node("Less", 1, x, y).one(), bools({2}, {false, false})));
  const Tensor p = bools({2}, {true, false}), q = bools({1}, {true});
  CHECK(same(node("And", 1, p, q).attribute("broadcast", 1).one(), bools({2}, {true, false})));
  CHECK(same(node("Or", 1, p, q).attribute("broadcast", 1).one(), bools({2}, {true, true})));
  CHECK(same(node("Xor", 1, p, q).attribute("broadcast", 1).one(), bools({2}, {false, true})));
  CHECK(node("Or", 1, p, q).error().find("schema/shape-mismatch") == 0);
}

TEST_CASE("Equal-7, Equal-11, Equal-13, Equal-19, Greater-7, Greater-9, Greater-13, Less-7, Less-9, Less-13: exact, NaN compares false") {
  const Tensor a = floats({3}, {0, kNaN, 2}), b = floats({3}, {-0.0f, kNaN, 1});
  for (const int64_t version : {11, 13, 19}) CHECK(same(node("Equal", version, a, b).one(), bools({3}, {true, false, false})));
  // Neighbours beyond 2^53 that no double tells apart.
  const Tensor i = int64s({2}, {9007199254740993, 5}), j = int64s({2}, {9007199254740992, 5});
  CHECK(same(node("Equal", 7, i, j).one(), bools({2}, {false, true})));
  for (const int64_t version : {7, 9, 13}) {
    CHECK(same(node("Greater", version, a, b).one(), bools({3}, {false, false, true})));
    CHECK(same(node("Less", version, b, a).one(), bools({3}, {false, false, true})));
  }
  CHECK(same(node("Greater", 9, i, j).one(), bools({2}, {true, false})));
  CHECK(same(node("Equal", 19, strings({2}, {"a", "b"}), strings({2}, {"a", "c"})).one(), bools({2}, {true, false})));
}

TEST_CASE("GreaterOrEqual-12, GreaterOrEqual-16, LessOrEqual-12, LessOrEqual-16: NaN is neither") {
  const Tensor a = floats({3}, {1, kNaN, -0.0f}), b = floats({3}, {1, 1, 0});
  for (const int64_t version : {12, 16}) {
    CHECK(same(node("GreaterOrEqual", version, a, b).one(), bools({3}, {true, false, true})));
    CHECK(same(node("LessOrEqual", version, a, b).one(), bools({3}, {true, false, true})));
  }
}

TEST_CASE("BitShift-11, BitShift-28: an amount of the width or more shifts every bit out") {
  for (const int64_t version : {11, 28}) {
    CHECK(same(node("BitShift", version, uint8s({3}, {1, 255, 16}), uint8s({3}, {7, 8, 2})).attribute("direction", "LEFT").one(),
               uint8s({3}, {128, 0, 64})));
    CHECK(same(node("BitShift", version, uint8s({2}, {16, 255}), uint8s({2}, {2, 9})).attribute("direction", "RIGHT").one(),
               uint8s({2}, {4, 0})));
    CHECK(node("BitShift", version, uint8s({1}, {1}), uint8s({1}, {1})).attribute("direction", "Up").error().find("schema/attribute-value") == 0);
  }
  CHECK(same(node("BitShift", 28, int8s({2}, {-8, -1}), int8s({2}, {1, 9})).attribute("direction", "RIGHT").one(), int8s({2}, {-4, -1})));
}

TEST_CASE("Pow-1: broadcast by attributes; Pow-7, Pow-12, Pow-13, Pow-15") {
  CHECK(same(node("Pow", 1, floats({2}, {2, 3}), floats({1}, {2})).attribute("broadcast", 1).one(), floats({2}, {4, 9})));
  for (const int64_t version : {7, 12, 13, 15}) {
    CHECK(same(node("Pow", version, floats({5}, {2, kNaN, 1, -8, -0.0f}), floats({5}, {-1, 0, kNaN, 0.5f, -3})).one(),
               floats({5}, {0.5f, 1, 1, kNaN, -kInfinity})));
  }
  CHECK(same(node("Pow", 12, int32s({4}, {3, 2, -1, 2}), int64s({4}, {4, -1, -3, 31})).one(), int32s({4}, {81, 0, -1, INT32_MIN})));
  NodeUnderTest undefined = node("Pow", 15, int32s({1}, {0}), int32s({1}, {-1}));
  CHECK(same(undefined.one(), int32s({1}, {INT32_MIN})));
  CHECK(undefined.unspecified().size() == 1);
}

TEST_CASE("Mod-10, Mod-13: sign of the divisor for integers, of the dividend with fmod; floats need fmod") {
  for (const int64_t version : {10, 13}) {
    CHECK(same(node("Mod", version, int32s({3}, {-7, 7, INT32_MIN}), int32s({3}, {3, -3, -1})).one(), int32s({3}, {2, -2, 0})));
    CHECK(same(node("Mod", version, floats({2}, {-7, 5.5f}), floats({2}, {3, -2})).attribute("fmod", 1).one(), floats({2}, {-1, 1.5f})));
    CHECK(node("Mod", version, floats({1}, {1}), floats({1}, {1})).error().find("schema/attribute-value") == 0);
    CHECK(node("Mod", version, int32s({1}, {1}), int32s({1}, {0})).error().find("undefined/integer-division") == 0);
  }
}

TEST_CASE("Mod-28: floats take the sign of the divisor") {
  CHECK(same(node("Mod", 28, floats({6}, {-7, 0, -3, 3, 1, kInfinity}), floats({6}, {3, -2, kInfinity, kInfinity, 0, 2})).one(),
             floats({6}, {2, -0.0f, kInfinity, 3, kNaN, kNaN})));
}

TEST_CASE("Max-1, Max-6, Min-1, Min-6, Mean-1, Mean-6, Sum-1, Sum-6: equal shapes only") {
  const Tensor a = floats({2}, {1, 5}), b = floats({2}, {3, -1});
  for (const int64_t version : {1, 6}) {
    CHECK(same(node("Max", version, a, b).one(), floats({2}, {3, 5})));
    CHECK(same(node("Min", version, a, b).one(), floats({2}, {1, -1})));
    CHECK(same(node("Mean", version, a, b).one(), floats({2}, {2, 2})));
    CHECK(same(node("Sum", version, a, b).one(), floats({2}, {4, 4})));
    CHECK(node("Max", version, a, floats({1}, {1})).error().find("schema/shape-mismatch") == 0);
  }
}

TEST_CASE("Max-8, Max-12, Max-13, Min-8, Min-12, Min-13: NaN propagates; the sign of mixed zeros is marked") {
  for (const int64_t version : {8, 12, 13}) {
    CHECK(same(node("Max", version, floats({2, 1}, {1, kNaN}), floats({2}, {0, 2})).one(), floats({2, 2}, {1, 2, kNaN, kNaN})));
    NodeUnderTest zeros = node("Min", version, floats({1}, {0}), floats({1}, {-0.0f}));
    CHECK(same(zeros.one(), floats({1}, {-0.0f})));
    CHECK(zeros.unspecified().size() == 1);
  }
  CHECK(same(node("Max", 12, int64s({1}, {9007199254740993}), int64s({1}, {9007199254740992})).one(), int64s({1}, {9007199254740993})));
}

TEST_CASE("Max-8, Max-13, Min-13: what NaN gives is marked, and nothing of an empty output") {
  NodeUnderTest nan = node("Max", 13, floats({2}, {1, kNaN}), floats({2}, {2, 5}));
  CHECK(same(nan.one(), floats({2}, {2, kNaN})));
  REQUIRE(nan.unspecified().size() == 1);
  CHECK(nan.unspecified()[0].slug == "maximum-nan");
  CHECK(nan.unspecified()[0].elements == std::vector<uint8_t>{0, 1});
  CHECK(node("Min", 13, floats({0}, {}), floats({1}, {1})).unspecified().empty());
}

TEST_CASE("Mul-7, Mul-14: the product of two uint64 wraps") {
  // (2^64 - 1)^2 = 2^128 - 2^65 + 1.
  const Tensor most = codes(DType::kUint64, {1}, {~uint64_t{0}});
  for (const int64_t version : {7, 14}) CHECK(same(node("Mul", version, most, most).one(), codes(DType::kUint64, {1}, {1})));
}

TEST_CASE("Pow-13, Pow-15: 2^63 is what int64 does not hold, 2^63 - 1 is") {
  for (const int64_t version : {13, 15}) {
    NodeUnderTest power = node("Pow", version, int64s({3}, {INT64_MAX, 2, 2}), floats({3}, {1, 63, 62}));
    CHECK(same(power.one(), int64s({3}, {INT64_MAX, INT64_MIN, int64_t{1} << 62})));
    REQUIRE(power.unspecified().size() == 1);
    CHECK(power.unspecified()[0].elements == std::vector<uint8_t>{0, 1, 0});
  }
  // An exponent that no double holds keeps its parity.
  CHECK(same(node("Pow", 15, floats({2}, {-1, -1}), int64s({2}, {9007199254740993, 9007199254740992})).one(), floats({2}, {-1, 1})));
}

TEST_CASE("Mean-8, Mean-13, Sum-8, Sum-13: one rounding of the exact sum; one input is a copy") {
  for (const int64_t version : {8, 13}) {
    NodeUnderTest sum = node("Sum", version, floats({1}, {1e38f}), floats({1}, {3e38f}));
    CHECK(same(sum.input(floats({1}, {-3e38f})).one(), floats({1}, {1e38f})));
    CHECK(same(node("Mean", version, floats({1}, {3e38f}), floats({1}, {1e38f})).one(), floats({1}, {2e38f})));
    CHECK(same(NodeUnderTest("Sum", version).input(floats({1}, {-0.0f})).one(), floats({1}, {-0.0f})));
  }
}

TEST_CASE("Clip-1, Clip-6: bounds are attributes; absent ones are the type's finite limits") {
  const Tensor x = floats({3}, {-2, 0.5f, kInfinity});
  for (const int64_t version : {1, 6}) {
    CHECK(same(NodeUnderTest("Clip", version).attribute("min", -1.0f).attribute("max", 1.0f).input(x).one(), floats({3}, {-1, 0.5f, 1})));
    CHECK(same(NodeUnderTest("Clip", version).input(x).one(), floats({3}, {-2, 0.5f, 3.40282347e38f})));
  }
}

TEST_CASE("Clip-11, Clip-12, Clip-13: bounds are inputs; max wins where min exceeds it; a NaN bound gives NaN") {
  for (const int64_t version : {11, 12, 13}) {
    CHECK(same(NodeUnderTest("Clip", version).input(floats({2}, {0, 5})).input(floats({}, {3})).input(floats({}, {1})).one(), floats({2}, {1, 1})));
    CHECK(same(NodeUnderTest("Clip", version).input(floats({2}, {-4, kNaN})).input(floats({}, {-1})).one(), floats({2}, {-1, kNaN})));
    CHECK(same(NodeUnderTest("Clip", version).input(floats({1}, {0})).no_input().input(floats({}, {kNaN})).one(), floats({1}, {kNaN})));
    CHECK(NodeUnderTest("Clip", version).input(floats({1}, {0})).input(floats({2}, {1, 2})).error().find("schema/not-one-element") == 0);
  }
  CHECK(same(NodeUnderTest("Clip", 12).input(int8s({2}, {-100, 100})).input(int8s({}, {-5})).input(int8s({}, {7})).one(), int8s({2}, {-5, 7})));
}

}  // namespace
}  // namespace onnxv::testing
