#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

NodeUnderTest ml(const char* op) { return NodeUnderTest(op, 1, "ai.onnx.ml"); }

Tensor normalized(const char* norm, Tensor x) {
  return ml("Normalizer").attribute("norm", norm).input(std::move(x)).one();
}

}  // namespace

TEST_CASE("FeatureVectorizer-1 joins rows as float32") {
  CHECK(same(ml("FeatureVectorizer").input(int64s({2, 1}, {1, 2})).input(int64s({2, 2}, {3, 4, 5, 6})).one(),
             floats({2, 3}, {1, 3, 4, 2, 5, 6})));
  // [F] is one row. 2^24 + 1 ties to even, 2^24 + 3 too; 0.1 is rounded.
  CHECK(same(ml("FeatureVectorizer").input(int32s({2}, {16777217, 16777219})).one(),
             floats({1, 2}, {16777216, 16777220})));
  CHECK(same(ml("FeatureVectorizer").input(doubles({2}, {0.1, 1e300})).one(), floats({1, 2}, {0.1F, kInfinity})));
}

TEST_CASE("FeatureVectorizer-1 declared sizes cut or fill") {
  const auto joined = [](std::vector<int64_t> sizes) {
    return ml("FeatureVectorizer")
        .integers("inputdimensions", std::move(sizes))
        .input(floats({2, 2}, {1, 2, 3, 4}))
        .input(floats({2, 1}, {5, 6}));
  };
  CHECK(same(joined({1, 2}).one(), floats({2, 3}, {1, 5, 0, 3, 6, 0})));
  CHECK(same(joined({2, 0}).one(), floats({2, 2}, {1, 2, 3, 4})));
  CHECK(joined({1}).error().find("schema/list-length") == 0);
  CHECK(joined({-1, 1}).error().find("schema/attribute-range") == 0);
}

TEST_CASE("FeatureVectorizer-1 rows must agree") {
  CHECK(ml("FeatureVectorizer")
            .input(floats({2, 1}, {1, 2}))
            .input(floats({1, 1}, {1}))
            .error()
            .find("schema/shape-mismatch") == 0);
  CHECK(ml("FeatureVectorizer").input(floats({1, 1, 1}, {1})).error().find("schema/shape-mismatch") == 0);
  CHECK(ml("FeatureVectorizer").input(floats({}, {1})).error().find("schema/shape-mismatch") == 0);
}

TEST_CASE("Imputer-1 replaces what equals a value") {
  CHECK(same(ml("Imputer")
                 .reals("imputed_value_floats", {7, 8})
                 .attribute("replaced_value_float", kNan)
                 .input(codes(DType::kFloat, {2, 2}, {0x7FC00001, 0xFFC00000, 0x3F800000, 0x7F800001}))
                 .one(),
             floats({2, 2}, {7, 8, 1, 8})));
  CHECK(same(ml("Imputer").reals("imputed_value_floats", {0.1F}).input(doubles({3}, {-0.0, 0, 1})).one(),
             doubles({3}, {0.10000000149011612, 0.10000000149011612, 1})));
  CHECK(same(ml("Imputer")
                 .integers("imputed_value_int64s", {-3})
                 .attribute("replaced_value_int64", 5)
                 .input(int32s({2, 1, 1}, {5, 4}))
                 .one(),
             int32s({2, 1, 1}, {-3, 4})));
  CHECK(same(ml("Imputer").integers("imputed_value_int64s", {INT64_MIN}).input(int64s({2}, {0, 1})).one(),
             int64s({2}, {INT64_MIN, 1})));
  CHECK(same(ml("Imputer").reals("imputed_value_floats", {1}).input(floats({0, 3}, {})).one(), floats({0, 3}, {})));
}

TEST_CASE("Imputer-1 errors") {
  const Tensor x = floats({1, 3}, {1, 2, 3});
  CHECK(ml("Imputer").input(x).error().find("schema/attribute-missing") == 0);
  CHECK(ml("Imputer").integers("imputed_value_int64s", {1}).input(x).error().find("schema/attribute-missing") == 0);
  CHECK(ml("Imputer")
            .integers("imputed_value_int64s", {1})
            .reals("imputed_value_floats", {1})
            .input(x)
            .error()
            .find("schema/attribute-missing") == 0);
  CHECK(ml("Imputer").reals("imputed_value_floats", {1, 2}).input(x).error().find("must have 1 or 3") !=
        std::string::npos);
  CHECK(ml("Imputer")
            .integers("imputed_value_int64s", {2147483648})
            .input(int32s({1}, {1}))
            .error()
            .find("must fit int32") != std::string::npos);
  CHECK(ml("Imputer").reals("imputed_value_floats", {1}).input(floats({}, {1})).error().find("schema/shape-mismatch") ==
        0);
}

TEST_CASE("Scaler-1 subtracts, then multiplies, and rounds once") {
  const auto scaled = [](std::vector<float> offset, std::vector<float> scale, Tensor x) {
    return ml("Scaler").reals("offset", std::move(offset)).reals("scale", std::move(scale)).input(std::move(x));
  };
  CHECK(same(scaled({1, 2}, {10, 0.5F}, int64s({2, 2}, {3, 4, 1, 2})).one(), floats({2, 2}, {20, 1, 0, 0})));
  CHECK(same(scaled({1}, {2}, doubles({3}, {1, 2, 3})).one(), floats({3}, {0, 2, 4})));
  // (2^53 + 1 - 2^53) * 2 = 2: nothing is rounded on the way.
  CHECK(same(scaled({9007199254740992.0F}, {2}, int64s({1}, {9007199254740993})).one(), floats({1}, {2})));
  // -3e38 - 3e38 overflows float32; half of it does not.
  CHECK(same(scaled({3e38F}, {0.5F}, floats({1}, {-3e38F})).one(), floats({1}, {-3e38F})));
  // inf * 0 is NaN; 0 * -1 is -0.
  CHECK(same(scaled({0, 0}, {0, -1}, floats({1, 2}, {kInfinity, 0})).one(), floats({1, 2}, {kNan, -0.0F})));
}

TEST_CASE("Scaler-1 errors") {
  const Tensor x = floats({1, 2}, {1, 2});
  CHECK(ml("Scaler").reals("offset", {1}).reals("scale", {1, 2}).input(x).error().find("schema/list-length") == 0);
  CHECK(ml("Scaler").reals("offset", {1, 2, 3}).reals("scale", {1, 2, 3}).input(x).error().find("schema/list-length") ==
        0);
  CHECK(ml("Scaler").reals("offset", {1}).input(x).error().find("scale is absent, is required") != std::string::npos);
}

TEST_CASE("Normalizer-1 by the signed maximum") {
  CHECK(same(normalized("MAX", floats({3, 3}, {1, 2, 4, -1, -2, -4, 0, -1, 0})),
             floats({3, 3}, {0.25F, 0.5F, 1, 1, 2, 4, 0, -1, 0})));
  CHECK(same(ml("Normalizer").input(int64s({2}, {2, -1})).one(), floats({2}, {1, -0.5F})));
  CHECK(same(normalized("MAX", floats({2, 2}, {kNan, 1, kInfinity, 1})), floats({2, 2}, {kNan, kNan, kNan, 0})));
}

TEST_CASE("Normalizer-1 by the sum of magnitudes") {
  CHECK(same(normalized("L1", floats({2, 2}, {1, -3, 0, -0.0F})), floats({2, 2}, {0.25F, -0.75F, 0, -0.0F})));
  // 1/3 and 2/3 in float32; the sum of two large numbers does not overflow.
  CHECK(same(normalized("L1", int32s({2}, {1, 2})), codes(DType::kFloat, {2}, {0x3EAAAAAB, 0x3F2AAAAB})));
  CHECK(same(normalized("L1", floats({2}, {3e38F, 3e38F})), floats({2}, {0.5F, 0.5F})));
}

TEST_CASE("Normalizer-1 by the root of the sum of squares, sign kept") {
  CHECK(same(normalized("L2", floats({2, 2}, {3, -4, 0, 0})), floats({2, 2}, {0.6F, -0.8F, 0, 0})));
  // 1 / sqrt(2) = 0.70710678118…: between 0x3F3504F3 (0.70710677) and 0x3F3504F4 (0.70710683), nearer to the first.
  CHECK(same(normalized("L2", int64s({2}, {1, 1})), codes(DType::kFloat, {2}, {0x3F3504F3, 0x3F3504F3})));
  CHECK(same(normalized("L2", floats({2}, {3e38F, 0})), floats({2}, {1, 0})));
  CHECK(same(normalized("L2", codes(DType::kFloat, {1}, {1})), floats({1}, {1})));
  CHECK(same(normalized("L2", floats({2}, {kInfinity, -2})), floats({2}, {kNan, -0.0F})));
  CHECK(same(normalized("L2", doubles({2}, {3e300, 4e300})), floats({2}, {0.6F, 0.8F})));
}

TEST_CASE("Normalizer-1 empty rows, ranks, norms") {
  CHECK(same(normalized("L1", floats({2, 0}, {})), floats({2, 0}, {})));
  CHECK(same(normalized("MAX", floats({0, 2}, {})), floats({0, 2}, {})));
  CHECK(ml("Normalizer").input(floats({1, 1, 1}, {1})).error().find("schema/shape-mismatch") == 0);
  CHECK(ml("Normalizer").input(floats({}, {1})).error().find("schema/shape-mismatch") == 0);
  CHECK(ml("Normalizer").attribute("norm", "l2").input(floats({1}, {1})).error().find("schema/attribute-value") == 0);
}

}  // namespace onnxv::testing
