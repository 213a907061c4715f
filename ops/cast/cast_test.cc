// Cast and CastLike between numbers. Expected bits are worked out by hand from the tables of the text.
#include <cmath>
#include <limits>

#include "src/run/testing.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

NodeUnderTest cast(int opset, DType to, Value x) {
  return NodeUnderTest("Cast", opset).attribute("to", static_cast<int64_t>(to)).input(std::move(x));
}

NodeUnderTest cast_float8(int opset, DType to, int64_t saturate, Value x) {
  return cast(opset, to, std::move(x)).attribute("saturate", saturate);
}

NodeUnderTest cast_e8m0(const char* mode, int64_t saturate, Value x) {
  return cast_float8(24, DType::kFloat8e8m0, saturate, std::move(x)).attribute("round_mode", mode);
}

std::vector<uint8_t> marked(NodeUnderTest node, std::string_view slug) {
  for (const UnspecifiedMark& mark : node.unspecified()) {
    if (mark.slug == slug) return mark.elements;
  }
  return {};
}

}  // namespace

TEST_CASE("Cast-1 `to` is a name, or a number") {
  const Tensor x = floats({3}, {1.75f, -2.5f, 0});
  CHECK(same(NodeUnderTest("Cast", 1).attribute("to", "INT32").input(x).one(), int32s({3}, {1, -2, 0})));
  CHECK(same(NodeUnderTest("Cast", 1).attribute("to", 6).input(x).one(), int32s({3}, {1, -2, 0})));
  CHECK(same(NodeUnderTest("Cast", 5).attribute("to", "BOOL").input(x).one(), bools({3}, {true, true, false})));
  CHECK(NodeUnderTest("Cast", 1).attribute("to", "STRING").input(x).error().starts_with("schema/attribute-value"));
  CHECK(NodeUnderTest("Cast", 1).attribute("to", "REAL").input(x).error().starts_with("schema/attribute-value"));
}

TEST_CASE("Cast-6 floats to floats round once, straight from the double") {
  // 1 + 2^-11 + 2^-40 lies above the tie between 1 and 1 + 2^-10: through float32 it would become the tie, and 1.
  const double above = 1 + 0x1p-11 + 0x1p-40;
  CHECK(same(cast(6, DType::kFloat16, doubles({5}, {above, 1 + 0x1p-11, 65519.99, 65520, -1e-9})).one(),
             codes(DType::kFloat16, {5}, {0x3c01, 0x3c00, 0x7bff, 0x7c00, 0x8000})));
  CHECK(same(cast(6, DType::kFloat, doubles({3}, {1e300, 0x1p-149, 0x1p-150})).one(),
             codes(DType::kFloat, {3}, {0x7f800000, 1, 0})));
  CHECK(cast(6, DType::kBfloat16, floats({1}, {1})).error().starts_with("schema/attribute-value"));
}

TEST_CASE("Cast-9 64-bit integers to floats round once") {
  // 2^24 + 1 + 2^-… cannot be: 2^54 + 2^30 + 1 is above the tie of float32 between 2^54 and 2^54 + 2^31, and a double would
  // round the 1 away.
  const int64_t above = (int64_t{1} << 54) + (int64_t{1} << 30) + 1;
  CHECK(same(cast(9, DType::kFloat, int64s({3}, {above, above - 1, -above})).one(),
             codes(DType::kFloat, {3}, {0x5a800001, 0x5a800000, 0xda800001})));
  // 2^53 + 1 ties to the even 2^53; 2^64 - 1 rounds to 2^64.
  CHECK(same(cast(9, DType::kDouble, codes(DType::kUint64, {2}, {(uint64_t{1} << 53) + 1, ~uint64_t{0}})).one(),
             codes(DType::kDouble, {2}, {0x4340000000000000, 0x43f0000000000000})));
  CHECK(same(cast(9, DType::kFloat16, codes(DType::kUint64, {1}, {~uint64_t{0}})).one(),
             codes(DType::kFloat16, {1}, {0x7c00})));
}

TEST_CASE("Cast-13 floats to integers truncate; what does not fit is marked and wraps") {
  const Tensor x = floats({7}, {2.9f, -2.9f, 127.9f, 200, -129.5f, kNan, -kInf});
  CHECK(same(cast(13, DType::kInt8, x).one(), int8s({7}, {2, -2, 127, -56, 127, 0, 0})));
  CHECK(marked(cast(13, DType::kInt8, x), "cast-integer-range") == std::vector<uint8_t>{0, 0, 0, 1, 1, 1, 1});
  CHECK(cast(13, DType::kInt8, floats({1}, {-128.9f})).unspecified().empty());
  CHECK(same(cast(13, DType::kInt64, doubles({2}, {-0x1p63, 0x1p63})).one(), int64s({2}, {INT64_MIN, INT64_MIN})));
  CHECK(marked(cast(13, DType::kInt64, doubles({2}, {-0x1p63, 0x1p63})), "cast-integer-range") ==
        std::vector<uint8_t>{0, 1});
}

TEST_CASE("Cast-13 integers to integers keep their low bits") {
  CHECK(same(cast(13, DType::kInt8, codes(DType::kInt16, {2}, {200, 0xff38})).one(), int8s({2}, {-56, 56})));
  CHECK(same(cast(13, DType::kUint8, int64s({3}, {-1, 256, INT64_MIN})).one(), uint8s({3}, {255, 0, 0})));
  CHECK(same(cast(13, DType::kInt64, codes(DType::kUint64, {1}, {~uint64_t{0}})).one(), int64s({1}, {-1})));
  CHECK(cast(13, DType::kInt8, codes(DType::kInt16, {1}, {200})).unspecified().empty());
  CHECK(same(cast(13, DType::kInt32, bools({2}, {true, false})).one(), int32s({2}, {1, 0})));
}

TEST_CASE("Cast-13 to Bool: nonzero, NaN included") {
  CHECK(same(cast(13, DType::kBool, floats({5}, {0.0f, -0.0f, kNan, 1e-40f, -kInf})).one(),
             bools({5}, {false, false, true, true, true})));
  CHECK(same(cast(13, DType::kBool, int64s({3}, {36, 0, INT64_MIN})).one(), bools({3}, {true, false, true})));
  CHECK(same(cast(13, DType::kBfloat16, bools({2}, {true, false})).one(), codes(DType::kBfloat16, {2}, {0x3f80, 0})));
}

TEST_CASE("Cast-19 the saturating table of float8; Erratum: infinity saturates in the fnuz types too, marked") {
  const Tensor x = floats({6}, {0.0f, -0.0f, kInf, -kInf, 1e6f, -1e6f});
  CHECK(same(cast(19, DType::kFloat8e4m3fn, x).one(),
             codes(DType::kFloat8e4m3fn, {6}, {0, 0x80, 0x7e, 0xfe, 0x7e, 0xfe})));
  CHECK(same(cast(19, DType::kFloat8e5m2, x).one(), codes(DType::kFloat8e5m2, {6}, {0, 0x80, 0x7b, 0xfb, 0x7b, 0xfb})));
  CHECK(same(cast(19, DType::kFloat8e4m3fnuz, x).one(),
             codes(DType::kFloat8e4m3fnuz, {6}, {0, 0, 0x7f, 0xff, 0x7f, 0xff})));
  CHECK(same(cast(19, DType::kFloat8e5m2fnuz, x).one(),
             codes(DType::kFloat8e5m2fnuz, {6}, {0, 0, 0x7f, 0xff, 0x7f, 0xff})));
  CHECK(marked(cast(19, DType::kFloat8e5m2fnuz, x), "cast-fnuz-infinity") == std::vector<uint8_t>{0, 0, 1, 1, 0, 0});
  CHECK(cast(24, DType::kFloat8e5m2fnuz, x).unspecified().empty());
  CHECK(cast(19, DType::kFloat8e5m2, x).unspecified().empty());
}

TEST_CASE("Cast-19 float8 without saturation") {
  const Tensor x = floats({5}, {kInf, -kInf, 464, 464.1f, -464.1f});  // 464 ties to 448, the largest e4m3fn
  CHECK(same(cast_float8(19, DType::kFloat8e4m3fn, 0, x).one(),
             codes(DType::kFloat8e4m3fn, {5}, {0x7f, 0xff, 0x7e, 0x7f, 0xff})));
  CHECK(cast_float8(19, DType::kFloat8e4m3fn, 0, x).one().code(4) == 0xff);  // its sign is kept
  CHECK(same(cast_float8(19, DType::kFloat8e5m2, 0, floats({4}, {kInf, -kInf, 61439, 61440})).one(),
             codes(DType::kFloat8e5m2, {4}, {0x7c, 0xfc, 0x7b, 0x7c})));
  CHECK(same(cast_float8(19, DType::kFloat8e4m3fnuz, 0, floats({3}, {247.9f, 248, -248})).one(),
             codes(DType::kFloat8e4m3fnuz, {3}, {0x7f, 0x80, 0x80})));
}

TEST_CASE("Cast-19 NaN keeps its sign where float8 has two") {
  const Tensor nans = codes(DType::kFloat, {2}, {0x7fc00001, 0xff800001});
  const Tensor fn = cast(19, DType::kFloat8e4m3fn, nans).one(), e5m2 = cast(19, DType::kFloat8e5m2, nans).one();
  CHECK(fn.code(0) == 0x7f);
  CHECK(fn.code(1) == 0xff);
  CHECK(e5m2.code(0) == 0x7e);
  CHECK(e5m2.code(1) == 0xfe);
  CHECK(cast(19, DType::kFloat8e5m2fnuz, nans).one().code(1) == 0x80);
}

TEST_CASE("Cast-19 a double goes to float8 without passing through float32") {
  // Just above the tie 1 + 2^-4 of e4m3fn.
  CHECK(same(cast(19, DType::kFloat8e4m3fn, doubles({2}, {1 + 0x1p-4 + 0x1p-50, 1 + 0x1p-4})).one(),
             codes(DType::kFloat8e4m3fn, {2}, {0x39, 0x38})));
  CHECK(same(cast(19, DType::kFloat8e4m3fnuz, floats({2}, {-1e-7f, 0x1p-10f})).one(),
             codes(DType::kFloat8e4m3fnuz, {2}, {0, 1})));
}

TEST_CASE("Cast-21 4-bit integers: to nearest even, then modulo 16") {
  const Tensor x = floats({8}, {2.5f, 3.5f, -2.5f, 7.4f, 8, -9, -1, kNan});
  CHECK(same(cast(21, DType::kInt4, x).one(), codes(DType::kInt4, {8}, {2, 4, 0xe, 7, 8, 7, 0xf, 0})));
  CHECK(same(cast(21, DType::kUint4, x).one(), codes(DType::kUint4, {8}, {2, 4, 0xe, 7, 8, 7, 0xf, 0})));
  CHECK(marked(cast(21, DType::kInt4, x), "cast-integer-range") == std::vector<uint8_t>{0, 0, 0, 0, 1, 1, 0, 1});
  CHECK(same(cast(21, DType::kFloat, codes(DType::kInt4, {3}, {7, 8, 0xf})).one(), floats({3}, {7, -8, -1})));
  CHECK(same(cast(21, DType::kInt4, uint8s({3}, {7, 8, 255})).one(), codes(DType::kInt4, {3}, {7, 8, 0xf})));
}

TEST_CASE("Cast-23 float4e2m1 saturates, and NaN is -0") {
  const Tensor x = floats({12}, {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5, 7, -kInf, -0.0f, -0.1f, kNan});
  CHECK(same(cast(23, DType::kFloat4e2m1, x).one(),
             codes(DType::kFloat4e2m1, {12}, {0, 2, 2, 4, 4, 6, 6, 7, 0xf, 8, 8, 8})));
  CHECK(marked(cast(23, DType::kFloat4e2m1, x), "cast-nan-without-nan") ==
        std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(same(cast(23, DType::kFloat8e4m3fnuz, floats({1}, {kInf})).one(), codes(DType::kFloat8e4m3fnuz, {1}, {0x7f})));
}

TEST_CASE("Cast-24 infinity in the fnuz types") {
  const Tensor x = floats({2}, {kInf, -kInf});
  CHECK(same(cast(24, DType::kFloat8e4m3fnuz, x).one(), codes(DType::kFloat8e4m3fnuz, {2}, {0x7f, 0xff})));
  CHECK(same(cast_float8(24, DType::kFloat8e5m2fnuz, 0, x).one(), codes(DType::kFloat8e5m2fnuz, {2}, {0x80, 0x80})));
}

TEST_CASE("Cast-24 float8e8m0 rounds up, down or to nearest with ties up") {
  const Tensor x = floats({5}, {1, 1.25f, 1.5f, 1.75f, 2});
  CHECK(same(cast(24, DType::kFloat8e8m0, x).one(), codes(DType::kFloat8e8m0, {5}, {127, 128, 128, 128, 128})));
  CHECK(same(cast_e8m0("down", 1, x).one(), codes(DType::kFloat8e8m0, {5}, {127, 127, 127, 127, 128})));
  CHECK(same(cast_e8m0("nearest", 1, x).one(), codes(DType::kFloat8e8m0, {5}, {127, 127, 128, 128, 128})));
  CHECK(cast_e8m0("even", 1, x).error().starts_with("schema/attribute-value"));
}

TEST_CASE("Cast-24 the special values of float8e8m0") {
  const Tensor x = doubles({8}, {0, -0.0, 0x1p-128, 0x1p-127, 0x1p127, 0x1.8p127, kInf, kNan});
  CHECK(same(cast_e8m0("up", 1, x).one(), codes(DType::kFloat8e8m0, {8}, {0, 0, 0, 0, 0xfe, 0xfe, 0xfe, 0xff})));
  CHECK(same(cast_e8m0("nearest", 0, x).one(),
             codes(DType::kFloat8e8m0, {8}, {0xff, 0xff, 0xff, 0, 0xfe, 0xff, 0xff, 0xff})));
  CHECK(marked(cast_e8m0("up", 1, x), "cast-e8m0-negative") == std::vector<uint8_t>{0, 1, 0, 0, 0, 0, 0, 0});
  CHECK(marked(cast_e8m0("down", 0, x), "cast-e8m0-range") == std::vector<uint8_t>{1, 0, 1, 0, 0, 1, 1, 0});
  CHECK(marked(cast_e8m0("nearest", 0, x), "cast-e8m0-range").empty());
  const Tensor negative = floats({2}, {-1, -kInf});
  CHECK(same(cast_e8m0("up", 1, negative).one(), codes(DType::kFloat8e8m0, {2}, {0xff, 0xff})));
  CHECK(marked(cast_e8m0("up", 1, negative), "cast-e8m0-negative") == std::vector<uint8_t>{1, 1});
  // An integer just above 2^62 that a double would round down to it.
  CHECK(same(cast_e8m0("up", 1, int64s({1}, {(int64_t{1} << 62) + 1})).one(), codes(DType::kFloat8e8m0, {1}, {190})));
}

TEST_CASE("Cast-24 float8e8m0 to floats") {
  const Tensor x = codes(DType::kFloat8e8m0, {4}, {0, 102, 143, 0xff});  // 2^-127, 2^-25, 2^16, NaN
  CHECK(same(cast(24, DType::kFloat, x).one(), codes(DType::kFloat, {4}, {0x00400000, 0x33000000, 0x47800000, 0x7fc00000})));
  CHECK(same(cast(24, DType::kFloat16, x).one(), codes(DType::kFloat16, {4}, {0, 0, 0x7c00, 0x7e00})));
}

TEST_CASE("Cast-25 2-bit integers") {
  const Tensor x = floats({6}, {0.5f, 1.5f, -2, 2, 3, -1});
  CHECK(same(cast(25, DType::kInt2, x).one(), codes(DType::kInt2, {6}, {0, 2, 2, 2, 3, 3})));
  CHECK(marked(cast(25, DType::kUint2, x), "cast-integer-range") == std::vector<uint8_t>{0, 0, 1, 0, 0, 1});
  CHECK(same(cast(25, DType::kInt8, codes(DType::kInt2, {4}, {0, 1, 2, 3})).one(), int8s({4}, {0, 1, -2, -1})));
}

TEST_CASE("Cast-28 float6 saturates") {
  // e2m3: steps of 1/8 below 2, largest 7.5. e3m2: smallest 2^-4, largest 28.
  const Tensor x = floats({6}, {0.0625f, 0.1875f, 7.8f, kInf, -100, kNan});
  CHECK(same(cast(28, DType::kFloat6e2m3, x).one(), codes(DType::kFloat6e2m3, {6}, {0, 2, 0x1f, 0x1f, 0x3f, 0x20})));
  CHECK(same(cast(28, DType::kFloat6e3m2, floats({4}, {0x1p-4f, 0x1p-5f, 30, 1})).one(),
             codes(DType::kFloat6e3m2, {4}, {1, 0, 0x1f, 0x0c})));
  CHECK(marked(cast(28, DType::kFloat6e2m3, x), "cast-nan-without-nan") == std::vector<uint8_t>{0, 0, 0, 0, 0, 1});
  CHECK(same(cast(28, DType::kFloat, codes(DType::kFloat6e3m2, {3}, {1, 0x1f, 0x3f})).one(), floats({3}, {0.0625f, 28, -28})));
}

TEST_CASE("Cast-25 many sub-byte elements, more than one block") {
  std::vector<float> x(9001);
  std::vector<uint64_t> expected(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 4);
    expected[i] = i % 4;
  }
  CHECK(same(cast(25, DType::kUint2, floats({9001}, x)).one(), codes(DType::kUint2, {9001}, expected)));
}

TEST_CASE("CastLike-15 only the type of the second input matters") {
  const Tensor x = floats({2}, {1.5f, -1.5f});
  CHECK(same(NodeUnderTest("CastLike", 15).input(x).input(Tensor(DType::kInt32, {0})).one(), int32s({2}, {1, -1})));
}

TEST_CASE("CastLike-19 CastLike-21 CastLike-23 CastLike-24 CastLike-25 the attributes of Cast") {
  const Tensor x = floats({1}, {kInf});
  const auto like = [&](int opset, DType to) {
    return NodeUnderTest("CastLike", opset).input(x).input(Tensor(to, {0}));
  };
  for (const int opset : {19, 21, 23}) {
    CHECK(like(opset, DType::kFloat8e4m3fnuz).unspecified().size() == 1);
    CHECK(same(like(opset, DType::kFloat8e5m2).attribute("saturate", 0).one(), codes(DType::kFloat8e5m2, {1}, {0x7c})));
  }
  for (const int opset : {24, 25}) {
    CHECK(same(like(opset, DType::kFloat8e4m3fnuz).one(), codes(DType::kFloat8e4m3fnuz, {1}, {0x7f})));
    CHECK(same(NodeUnderTest("CastLike", opset).attribute("round_mode", "down").input(floats({1}, {3})).input(
                   Tensor(DType::kFloat8e8m0, {})).one(), codes(DType::kFloat8e8m0, {1}, {128})));
  }
}
