#include <limits>

#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

NodeUnderTest drawn(const char* op, std::vector<int64_t> shape) { return NodeUnderTest(op, 22).integers("shape", std::move(shape)); }
NodeUnderTest multinomial(const Tensor& x) { return NodeUnderTest("Multinomial", 22).input(x); }
NodeUnderTest trained(float ratio) {
  return NodeUnderTest("Dropout", 22).input(floats({2}, {1, 2})).input(floats({}, {ratio})).input(bools({}, {true}));
}

TEST_CASE("random: distributions that do not exist") {
  check_wrong_calls({
      {drawn("RandomUniform", {2}).attribute("low", 2.0f), "schema/attribute-range", "RandomUniform-22", "low is 2.000000 and high is 1.000000", "low must not exceed high"},
      {drawn("RandomUniform", {2}).attribute("high", kInfinity), "schema/attribute-range", "RandomUniform-22", "high is inf", "must be finite"},
      {drawn("RandomNormal", {2}).attribute("scale", -1.0f), "schema/attribute-range", "RandomNormal-22", "scale is -1.000000", "must be 0 or more"},
      {drawn("RandomNormal", {2}).attribute("mean", -kInfinity), "schema/attribute-range", "RandomNormal-22", "mean is -inf", "must be finite"},
      {drawn("RandomNormal", {2, -1}), "schema/attribute-range", "RandomNormal-22", "shape is [2,-1]", "must not be negative"},
      {drawn("RandomUniform", {INT64_MAX, 2}), "limit/size-overflow", "RandomUniform-22", "a size exceeds 2^63", ""},
      {NodeUnderTest("RandomUniform", 22), "schema/attribute-missing", "RandomUniform-22", "attribute \"shape\" is absent", "it is required"},
      {NodeUnderTest("RandomUniformLike", 1).input(int64s({1}, {1})), "schema/type-mismatch", "RandomUniformLike-1", "there is no dtype and the input is int64", "must be float16, float or double"},
      {NodeUnderTest("RandomNormalLike", 22).attribute("dtype", 6).input(int64s({1}, {1})), "schema/attribute-range", "RandomNormalLike-22", "dtype is int32", "must be float16, bfloat16, float or double"},
      {NodeUnderTest("RandomNormalLike", 1).attribute("dtype", 16).input(int64s({1}, {1})), "schema/attribute-range", "RandomNormalLike-1", "dtype is bfloat16", "must be float16, float or double"},
      {NodeUnderTest("Bernoulli", 15).input(floats({1}, {1.5f})), "undefined/input-range", "Bernoulli-15", "a probability is 1.500000", "must be in [0, 1]"},
      {NodeUnderTest("Bernoulli", 15).attribute("dtype", 8).input(floats({1}, {0.5f})), "schema/attribute-range", "Bernoulli-15", "dtype is string", "must be float16, bfloat16, float, double, bool or an integer of 8 bits or more"},
  });
}

TEST_CASE("random: classes and ratios") {
  check_wrong_calls({
      {multinomial(floats({2}, {0, 0})), "schema/rank-mismatch", "Multinomial-22", "the input has shape [2]", "must be [batch_size, class_size]"},
      {multinomial(floats({1, 0}, {})), "undefined/input-range", "Multinomial-22", "a row gives every outcome the probability 0", "one must be possible"},
      {multinomial(floats({1, 2}, {-kInfinity, -kInfinity})), "undefined/input-range", "Multinomial-22", "a row gives every outcome the probability 0", "one must be possible"},
      {multinomial(floats({1, 2}, {0, kInfinity})), "undefined/input-range", "Multinomial-22", "a log-probability is inf", "must be finite or -inf"},
      {multinomial(floats({1, 1}, {0})).attribute("sample_size", -1), "schema/attribute-range", "Multinomial-22", "sample_size is -1", "must not be negative"},
      {multinomial(floats({1, 1}, {0})).attribute("dtype", 1), "schema/attribute-range", "Multinomial-22", "dtype is float", "must be int32 or int64"},
      {trained(1), "undefined/dropout-ratio", "Dropout-22", "ratio is 1.000000", "must be in [0, 1)"},
      {trained(-0.5f), "undefined/dropout-ratio", "Dropout-22", "ratio is -0.500000", "must be in [0, 1)"},
      {NodeUnderTest("Dropout", 1).attribute("ratio", 1.0f).input(floats({1}, {1})), "schema/attribute-range", "Dropout-1", "ratio is 1.000000", "must be in [0, 1)"},
      {NodeUnderTest("Dropout", 6).attribute("ratio", -1.0f).input(floats({1}, {1})), "schema/attribute-range", "Dropout-6", "ratio is -1.000000", "must be in [0, 1)"},
      {NodeUnderTest("Dropout", 13).input(floats({1}, {1})).input(floats({2}, {0, 0})).input(bools({}, {true})), "schema/not-one-element", "Dropout-13", "ratio is float[2]", "must have one element"},
  });
}

}  // namespace
}  // namespace onnxv::testing
