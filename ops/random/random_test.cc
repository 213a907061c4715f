// Expected draws come from a program of its own: Philox4x32-10 in Python's integers, the inverse error function in mpmath at 200
// bits.
#include <cmath>

#include "src/number/format.h"
#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr int64_t kDoubleType = 11, kHalfType = 10, kBfloatType = 16;

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

NodeUnderTest seeded(const char* op, int64_t version, float seed = 1.5f) {
  NodeUnderTest node(op, version);
  node.attribute("seed", seed);
  return node;
}

struct Moments {
  double mean = 0, variance = 0, next = 0;  // next: the correlation of neighbours
};
Moments moments_of(const Tensor& tensor) {
  const auto x = tensor.as<float>();
  const auto n = static_cast<double>(x.size());
  Moments m;
  for (const float v : x) m.mean += v / n;
  for (const float v : x) m.variance += (v - m.mean) * (v - m.mean) / n;
  for (size_t i = 1; i < x.size(); ++i) m.next += (x[i] - m.mean) * (x[i - 1] - m.mean) / n / m.variance;
  return m;
}

TEST_CASE("RandomUniform-1, RandomUniform-22: low + (high - low) k / 2^53") {
  for (const int64_t version : {1, 22}) {
    NodeUnderTest node = seeded("RandomUniform", version);
    node.integers("shape", {2, 2}).attribute("dtype", kDoubleType).attribute("low", -2.0f).attribute("high", 2.0f);
    CHECK(same(node.one(), doubles({2, 2}, {0x1.939ee60bd4df8p+0, 0x1.8fb6e4ec3415ep+0, -0x1.30b8e72e06468p-1,
                                            0x1.bfb90c48cf90ap+0})));
  }
}

TEST_CASE("RandomUniformLike-1, RandomUniformLike-22: the shape and the type of the input") {
  for (const int64_t version : {1, 22}) {
    NodeUnderTest node = seeded("RandomUniformLike", version);
    node.input(doubles({4}, {0, 0, 0, 0})).attribute("low", -2.0f).attribute("high", 2.0f);
    CHECK(same(node.one(), doubles({4}, {-0x1.89f05460a8320p-1, 0x1.bb5d93acc2008p-1, 0x1.d47ca83513f54p-1,
                                         -0x1.ca5acb85513b8p-2})));
    NodeUnderTest strings_too = seeded("RandomUniformLike", version);
    strings_too.input(strings({3, 1}, {"a", "b", "c"})).attribute("dtype", kHalfType);
    CHECK(strings_too.one().dtype() == DType::kFloat16);
    CHECK(strings_too.one().shape() == Shape{3, 1});
    CHECK(has(seeded("RandomUniformLike", version).input(int32s({1}, {1})).error(), "schema/type-mismatch"));
  }
}

TEST_CASE("RandomNormal-1, RandomNormal-22: mean + scale sqrt(2) erfinv(2u - 1)") {
  for (const int64_t version : {1, 22}) {
    NodeUnderTest node = seeded("RandomNormal", version);
    node.integers("shape", {4}).attribute("dtype", kDoubleType).attribute("mean", 3.0f).attribute("scale", 0.5f);
    CHECK(same(node.one(), doubles({4}, {0x1.628aef85b9c79p+1, 0x1.bf3ea333ade16p+1, 0x1.62d628981113ap+1,
                                         0x1.c3dba080676a0p+1})));
  }
}

TEST_CASE("RandomNormalLike-1, RandomNormalLike-22: the shape and the type of the input") {
  for (const int64_t version : {1, 22}) {
    NodeUnderTest node = seeded("RandomNormalLike", version);
    node.input(doubles({2, 2}, {0, 0, 0, 0})).attribute("mean", 3.0f).attribute("scale", 0.5f);
    CHECK(same(node.one(), doubles({2, 2}, {0x1.8efd1024a9ea5p+1, 0x1.babdb6130c4a9p+1, 0x1.c124f3fcea881p+1,
                                            0x1.1e2c01a6f7927p+1})));
    CHECK(has(seeded("RandomNormalLike", version).input(bools({1}, {true})).error(), "schema/type-mismatch"));
  }
}

// The lanes decide nearly all floats, the proof all doubles: a double that rounds to another float would show either wrong.
TEST_CASE("RandomNormal-22: floats are the doubles of the same draws, rounded") {
  const Tensor narrow = seeded("RandomNormal", 22).integers("shape", {2000}).one();
  const Tensor wide = seeded("RandomNormal", 22).integers("shape", {2000}).attribute("dtype", kDoubleType).one();
  size_t different = 0;
  for (size_t i = 0; i < 2000; ++i) different += narrow.as<float>()[i] != static_cast<float>(wide.as<double>()[i]);
  CHECK(different == 0);
}

// 100,000 draws: a mean is off by 6 standard errors once in 500 million.
TEST_CASE("RandomUniform-22, RandomNormal-22: moments and neighbours of 100,000 draws") {
  const double n = 100000, root = std::sqrt(n);
  const Moments u = moments_of(seeded("RandomUniform", 22).integers("shape", {100000}).one());
  CHECK(std::fabs(u.mean - 0.5) < 6 * std::sqrt(1.0 / 12) / root);
  CHECK(std::fabs(u.variance - 1.0 / 12) < 6 * std::sqrt(1.0 / 180) / root);
  CHECK(std::fabs(u.next) < 6 / root);
  const Moments g = moments_of(seeded("RandomNormal", 22).integers("shape", {100000}).one());
  CHECK(std::fabs(g.mean) < 6 / root);
  CHECK(std::fabs(g.variance - 1) < 6 * std::sqrt(2.0) / root);
  CHECK(std::fabs(g.next) < 6 / root);
}

TEST_CASE("RandomUniform-22: draws stay below high and not below low in every type") {
  for (const int64_t type : {kHalfType, kBfloatType}) {
    NodeUnderTest node = seeded("RandomUniform", 22);
    node.integers("shape", {20000}).attribute("dtype", type).attribute("low", 0.1f).attribute("high", 2.0f);
    const Tensor y = node.one();
    bool inside = true;
    for (size_t i = 0; i < y.size(); ++i) {
      const double v = decode(float_format(y.dtype()), y.code(i));
      inside = inside && v >= static_cast<double>(0.1f) && v < 2.0;
    }
    CHECK(inside);
  }
  // The only number of bfloat16 in [1, 1 + 2^-9) is 1; [3, 3) has none.
  NodeUnderTest narrow = seeded("RandomUniform", 22);
  narrow.integers("shape", {3}).attribute("dtype", kBfloatType).attribute("low", 1.0f).attribute("high", 1.001953125f);
  CHECK(same(narrow.one(), numbers(DType::kBfloat16, {3}, {1, 1, 1})));
  NodeUnderTest constant = seeded("RandomUniform", 1);
  constant.integers("shape", {2}).attribute("low", 3.0f).attribute("high", 3.0f);
  CHECK(same(constant.one(), floats({2}, {3, 3})));
}

TEST_CASE("RandomNormal-1: scale 0 gives the mean; a scalar for shape []") {
  NodeUnderTest node = seeded("RandomNormal", 1);
  node.integers("shape", {}).attribute("mean", 2.5f).attribute("scale", 0.0f);
  CHECK(same(node.one(), floats({}, {2.5f})));
}

TEST_CASE("RandomUniform-1: a seed repeats; other seeds and the command's seed differ") {
  const auto drawn = [](NodeUnderTest node) { return node.integers("shape", {16}).one(); };
  CHECK(same(drawn(seeded("RandomUniform", 1)), drawn(seeded("RandomUniform", 1))));
  CHECK_FALSE(same_bits(drawn(seeded("RandomUniform", 1)), drawn(seeded("RandomUniform", 1, 2.5f))));
  CHECK(same(drawn(seeded("RandomUniform", 1).seed(3)), drawn(seeded("RandomUniform", 1).seed(4))));
  const auto unseeded = [](uint64_t seed) {
    NodeUnderTest node("RandomUniform", 1);
    node.seed(seed);
    return node;
  };
  CHECK(same(drawn(unseeded(3)), drawn(unseeded(3))));
  CHECK_FALSE(same_bits(drawn(unseeded(3)), drawn(unseeded(4))));
}

TEST_CASE("RandomUniform-1, RandomNormal-1: errors") {
  CHECK(has(seeded("RandomUniform", 1).integers("shape", {-1}).error(), "schema/attribute-range"));
  CHECK(has(seeded("RandomUniform", 1).integers("shape", {1}).attribute("dtype", 6).error(), "schema/"));
  CHECK(has(seeded("RandomUniform", 1).integers("shape", {1}).attribute("dtype", kBfloatType).error(), "schema/"));
  CHECK(has(seeded("RandomUniform", 1).integers("shape", {1}).attribute("low", 2.0f).error(), "schema/attribute-range"));
  CHECK(has(seeded("RandomUniform", 1).integers("shape", {1}).attribute("high", INFINITY).error(),
            "schema/attribute-range"));
  CHECK(has(seeded("RandomNormal", 1).integers("shape", {1}).attribute("scale", -1.0f).error(), "schema/attribute-range"));
  CHECK(has(seeded("RandomNormal", 1).integers("shape", {1}).attribute("mean", NAN).error(), "schema/attribute-range"));
}

TEST_CASE("Bernoulli-15, Bernoulli-22: 1 where the draw is below p") {
  const std::vector<double> half(16, 0.5);
  const std::vector<double> expected{1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0};
  for (const int64_t version : {15, 22}) {
    CHECK(same(seeded("Bernoulli", version).input(doubles({16}, half)).one(), doubles({16}, expected)));
    for (const DType dtype : {DType::kBool, DType::kUint8, DType::kInt16, DType::kInt64, DType::kFloat16, DType::kBfloat16}) {
      NodeUnderTest node = seeded("Bernoulli", version);
      node.input(doubles({16}, half)).attribute("dtype", static_cast<int64_t>(dtype));
      CHECK(same(node.one(), numbers(dtype, {16}, expected)));
    }
  }
}

TEST_CASE("Bernoulli-22: 0 never, 1 always; p outside [0, 1] and other types are errors") {
  const Tensor y = seeded("Bernoulli", 22).input(floats({6}, {0, 1, 0, 1, 0, 1})).one();
  CHECK(same(y, floats({6}, {0, 1, 0, 1, 0, 1})));
  for (const float p : {-0.5f, 1.5f, NAN}) {
    CHECK(has(seeded("Bernoulli", 22).input(floats({1}, {p})).error(), "undefined/input-range"));
  }
  CHECK(has(seeded("Bernoulli", 22).input(floats({1}, {1})).attribute("dtype", 8).error(), "schema/"));
  CHECK(has(seeded("Bernoulli", 22).input(floats({1}, {1})).attribute("dtype", 22).error(), "schema/"));
}

TEST_CASE("Multinomial-7, Multinomial-22: the class whose cumulated probability first exceeds the draw") {
  for (const int64_t version : {7, 22}) {  // probabilities 1, 2, 3 and 4 tenths
    NodeUnderTest node = seeded("Multinomial", version);
    node.input(doubles({1, 4}, {0.0, 0.6931471805599453, 1.0986122886681098, 1.3862943611198906}));
    node.attribute("sample_size", 8);
    CHECK(same(node.one(), int32s({1, 8}, {3, 0, 1, 0, 2, 3, 2, 2})));
    NodeUnderTest rows = seeded("Multinomial", version);  // the same draws, in two rows
    rows.input(doubles({2, 4}, {0.0, 0.6931471805599453, 1.0986122886681098, 1.3862943611198906, 7.0, 7.6931471805599453,
                                8.0986122886681098, 8.3862943611198906}));
    rows.attribute("sample_size", 4).attribute("dtype", 7);
    CHECK(same(rows.one(), int64s({2, 4}, {3, 0, 1, 0, 2, 3, 2, 2})));
  }
}

TEST_CASE("Multinomial-22: -inf is never drawn; frequencies of 40,000 draws") {
  NodeUnderTest node = seeded("Multinomial", 22);
  node.input(floats({1, 4}, {-INFINITY, 0, 0, -INFINITY})).attribute("sample_size", 40000);
  const Tensor y = node.one();
  int64_t second = 0, others = 0;
  for (const int32_t v : y.as<int32_t>()) {
    second += v == 1;
    others += v != 1 && v != 2;
  }
  CHECK(others == 0);
  CHECK(std::abs(second - 20000) < 600);  // 6 standard deviations of 100
}

TEST_CASE("Multinomial-7: errors") {
  CHECK(has(seeded("Multinomial", 7).input(floats({2}, {0, 0})).error(), "schema/rank-mismatch"));
  CHECK(has(seeded("Multinomial", 7).input(floats({1, 1}, {0})).attribute("sample_size", -1).error(),
            "schema/attribute-range"));
  CHECK(has(seeded("Multinomial", 7).input(floats({1, 1}, {0})).attribute("dtype", 1).error(), "schema/"));
  for (const float x : {NAN, INFINITY, -INFINITY}) {
    CHECK(has(seeded("Multinomial", 7).input(floats({1, 1}, {x})).error(), "undefined/input-range"));
  }
  CHECK(has(seeded("Multinomial", 7).input(floats({1, 0}, {})).error(), "undefined/input-range"));
  CHECK(seeded("Multinomial", 7).input(floats({0, 3}, {})).one().shape() == Shape{0, 1});
}

}  // namespace
}  // namespace onnxv::testing
