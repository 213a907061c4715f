#include <algorithm>

#include "src/base/parallel.h"
#include "src/number/bound.h"
#include "src/run/fast_paths.h"
#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest conv(int64_t opset, const Tensor& x, const Tensor& w) {
  return NodeUnderTest("Conv", opset).input(x).input(w);
}
bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

const Tensor kImage = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
const Tensor kCorners = floats({1, 1, 2, 2}, {1, 10, 100, 1000});

}  // namespace

TEST_CASE("Conv-1 slides the kernel without turning it") {
  CHECK(same(conv(1, kImage, kCorners).one(), floats({1, 1, 2, 2}, {5421, 6532, 8754, 9865})));
  CHECK(same(conv(1, kImage, kCorners).integers("strides", {2, 2}).one(), floats({1, 1, 1, 1}, {5421})));
  CHECK(same(conv(1, kImage, kCorners).integers("dilations", {2, 2}).integers("kernel_shape", {2, 2}).one(),
             floats({1, 1, 1, 1}, {9731})));
}

TEST_CASE("Conv-1 pads with zeros, and adds the bias") {
  const Tensor x = floats({1, 1, 3}, {1, 2, 3}), w = floats({1, 1, 2}, {1, 10});
  CHECK(same(conv(1, x, w).input(floats({1}, {0.5F})).integers("pads", {1, 2}).one(),
             floats({1, 1, 5}, {10.5F, 21.5F, 32.5F, 3.5F, 0.5F})));
  CHECK(same(conv(1, x, w).attribute("auto_pad", "SAME_UPPER").one(), floats({1, 1, 3}, {21, 32, 3})));
  CHECK(same(conv(1, x, w).attribute("auto_pad", "SAME_LOWER").one(), floats({1, 1, 3}, {10, 21, 32})));
}

TEST_CASE("Conv-11 leaves a bound beside every element of many groups that threads share") {
  const size_t groups = 64;
  set_thread_count(4);
  for (int repetition = 0; repetition < 50; ++repetition) {
    NodeUnderTest node("Conv", 11);
    node.attribute("group", static_cast<int64_t>(groups)).input(floats({1, 64, 5, 5}, std::vector<float>(groups * 25, 0.1f)))
        .input(floats({64, 1, 2, 2}, std::vector<float>(groups * 4, 0.3f)));
    const Tensor y = by_formulas(node)[0].tensor();
    REQUIRE(y.bounds() != nullptr);
    CHECK(std::all_of(y.bounds()->begin(), y.bounds()->end(), [](const Bound& bound) { return bound.known(); }));
  }
  set_thread_count(1);
}

TEST_CASE("Conv-11 keeps groups apart") {
  const Tensor x = floats({2, 2, 1}, {1, 2, 3, 4}), w = floats({4, 1, 1}, {1, 10, 100, 1000});
  CHECK(same(conv(11, x, w).attribute("group", 2).one(), floats({2, 4, 1}, {1, 10, 200, 2000, 3, 30, 400, 4000})));
  CHECK(same(conv(11, x, floats({1, 2, 1}, {1, 10})).one(), floats({2, 1, 1}, {21, 43})));
  CHECK(same(conv(11, floats({1, 1, 5}, {1, 2, 3, 4, 5}), floats({1, 1, 3}, {1, 1, 1}))
                 .integers("strides", {2})
                 .attribute("auto_pad", "SAME_UPPER")
                 .one(),
             floats({1, 1, 3}, {3, 9, 9})));
}

// More images than are multiplied at a time: window 0 is x0 f + 10 x1, window 1 is x1 f + 10 x2, and f is added.
TEST_CASE("Conv-11 puts images with few windows each in their places") {
  const int64_t images = 601, filters = 9;
  for (const DType dtype : {DType::kFloat, DType::kFloat16, DType::kDouble}) {
    std::vector<double> x, w, bias, two, one;
    for (int64_t f = 0; f < filters; ++f) {
      w.insert(w.end(), {static_cast<double>(f), 10});
      bias.push_back(static_cast<double>(f));
    }
    for (int64_t image = 0; image < images; ++image) {
      const auto first = static_cast<double>(image % 100);
      x.insert(x.end(), {first, 1, 2});
      for (double f = 0; f < filters; ++f) {
        two.insert(two.end(), {first * f + 10 + f, f + 20 + f});
        one.push_back(two[two.size() - 2]);
      }
    }
    const Tensor weights = rounded(dtype, {filters, 1, 2}, w), added = rounded(dtype, {filters}, bias), data = rounded(dtype, {images, 1, 3}, x);
    CHECK(same(conv(11, data, weights).input(added).one(), rounded(dtype, {images, filters, 2}, two)));
    CHECK(same(conv(11, data, weights).input(added).integers("strides", {2}).one(), rounded(dtype, {images, filters, 1}, one)));
  }
}

TEST_CASE("Conv-11 has as many spatial axes as it likes") {
  const Tensor x = floats({1, 1, 1, 2, 1, 2}, {1, 2, 3, 4}), w = floats({1, 1, 1, 2, 1, 2}, {1, 10, 100, 1000});
  CHECK(same(conv(11, x, w).one(), floats({1, 1, 1, 1, 1, 1}, {4321})));
}

TEST_CASE("Conv-11 rounds once") {
  const Tensor w = floats({1, 1, 3}, {1, 1, 1});
  CHECK(same(conv(11, floats({1, 1, 3}, {1e30F, 1, -1e30F}), w).one(), floats({1, 1, 1}, {1})));
  // 2^24 + 1 is a tie to 2^24; the bias lifts it above: 2^24 + 2.
  const Tensor tie = floats({1, 1, 3}, {0x1p24F, 1, 0});
  CHECK(same(conv(11, tie, w).one(), floats({1, 1, 1}, {0x1p24F})));
  CHECK(same(conv(11, tie, w).input(floats({1}, {0x1p-60F})).one(), floats({1, 1, 1}, {0x1p24F + 2})));
  CHECK(same(conv(11, doubles({1, 1, 3}, {0x1p60, 1, -0x1p60}), doubles({1, 1, 3}, {1, 3, 1})).one(),
             doubles({1, 1, 1}, {3})));
}

TEST_CASE("Conv-11 multiplies padding with infinite weights") {
  const Tensor y = conv(11, floats({1, 1, 2}, {1, 2}), floats({1, 1, 2}, {kInf, 1})).integers("pads", {1, 0}).one();
  CHECK(same(y, floats({1, 1, 2}, {kNan, kInf})));
}

TEST_CASE("Conv-11 of no channels is the bias, of no images nothing") {
  CHECK(same(conv(11, floats({1, 0, 2}, {}), floats({2, 0, 1}, {})).input(floats({2}, {3, -0.0F})).one(),
             floats({1, 2, 2}, {3, 3, -0.0F, -0.0F})));
  CHECK(same(conv(11, floats({1, 0, 2}, {}), floats({1, 0, 1}, {})).one(), floats({1, 1, 2}, {0, 0})));
  CHECK(same(conv(11, floats({0, 1, 2}, {}), floats({1, 1, 1}, {2})).one(), floats({0, 1, 2}, {})));
}

TEST_CASE("Conv-22 takes bfloat16 and float16") {
  // 1 · 1 + 2 · 0.5 = 2
  CHECK(same(conv(22, codes(DType::kBfloat16, {1, 1, 2}, {0x3F80, 0x4000}),
                  codes(DType::kBfloat16, {1, 1, 2}, {0x3F80, 0x3F00})).one(),
             codes(DType::kBfloat16, {1, 1, 1}, {0x4000})));
  // 60000 + 60000 - 60000 never overflows.
  CHECK(same(conv(22, numbers(DType::kFloat16, {1, 1, 3}, {60000, 60000, -60000}),
                  numbers(DType::kFloat16, {1, 1, 3}, {1, 1, 1})).one(),
             numbers(DType::kFloat16, {1, 1, 1}, {60000})));
}

TEST_CASE("Conv-11 refuses what does not fit together") {
  const Tensor x = floats({1, 2, 3}, {1, 2, 3, 4, 5, 6}), w = floats({2, 2, 1}, {1, 2, 3, 4});
  CHECK(has(conv(11, x, w).attribute("group", 2).error(), "schema/shape-mismatch"));
  CHECK(has(conv(11, x, w).attribute("group", 3).error(), "schema/group"));
  CHECK(has(conv(11, x, w).attribute("group", 0).error(), "schema/group"));
  CHECK(has(conv(11, x, w).integers("kernel_shape", {2}).error(), "schema/attribute-value"));
  CHECK(has(conv(11, x, w).input(floats({1}, {0})).error(), "schema/shape-mismatch"));
  CHECK(has(conv(11, x, floats({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})).error(), "schema/empty-window"));
  CHECK(has(conv(11, x, w).attribute("auto_pad", "VALID").integers("pads", {0, 1}).error(), "schema/attribute-conflict"));
  CHECK(has(conv(11, x, floats({1, 2}, {1, 2})).error(), "schema/rank"));
}
