#include <algorithm>
#include <numeric>
#include <vector>

#include "src/run/fast_paths.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest top_k(int64_t opset, const Tensor& x, int64_t k) {
  return NodeUnderTest("TopK", opset).input(x).input(int64s({1}, {k})).outputs(2);
}

const Tensor kRows = floats({2, 4}, {1, 4, 2, 4, 8, 7, 6, 5});

}  // namespace

TEST_CASE("TopK-1 takes k from an attribute") {
  NodeUnderTest node = NodeUnderTest("TopK", 1).attribute("k", 2).input(kRows).outputs(2);
  CHECK(same(node.output(0), floats({2, 2}, {4, 4, 8, 7})));
  CHECK(same(node.output(1), int64s({2, 2}, {1, 3, 0, 1})));
  CHECK(same(NodeUnderTest("TopK", 1)
                 .attribute("k", 1)
                 .attribute("axis", 0)
                 .input(kRows)
                 .outputs(2)
                 .output(1),
             int64s({1, 4}, {1, 1, 1, 1})));
  CHECK(has(NodeUnderTest("TopK", 1).attribute("k", 5).input(kRows).outputs(2).error(),
            "schema/attribute-range: node \"under_test\" (TopK-1): k is 5, must be in [0, 4]"));
  CHECK(has(NodeUnderTest("TopK", 1).attribute("k", -1).input(kRows).outputs(2).error(),
            "schema/attribute-range"));
}

TEST_CASE("TopK-10 takes K from an input") {
  CHECK(same(top_k(10, kRows, 3).output(0), floats({2, 3}, {4, 4, 2, 8, 7, 6})));
  CHECK(same(top_k(10, kRows, 1).attribute("axis", -2).output(0), floats({1, 4}, {8, 7, 6, 5})));
  CHECK(same(NodeUnderTest("TopK", 10).input(kRows).input(int64s({}, {1})).outputs(2).output(1),
             int64s({2, 1}, {1, 0})));
  CHECK(has(top_k(10, kRows, 5).error(), "undefined/input-range"));
}

TEST_CASE("TopK-11 takes the smallest too, and integers") {
  NodeUnderTest node = top_k(11, kRows, 2).attribute("largest", 0);
  CHECK(same(node.output(0), floats({2, 2}, {1, 2, 5, 6})));
  CHECK(same(node.output(1), int64s({2, 2}, {0, 2, 3, 2})));
  CHECK(same(top_k(11, int64s({3}, {INT64_MAX, INT64_MIN, INT64_MAX}), 3).output(1),
             int64s({3}, {0, 2, 1})));
  CHECK(
      same(top_k(11, codes(DType::kUint64, {2}, {1, UINT64_MAX}), 1).output(1), int64s({1}, {1})));
  CHECK(same(top_k(11, uint8s({2}, {1, 255}), 1).output(0), uint8s({1}, {255})));
}

TEST_CASE("TopK-11 orders NaN above all, zeros of both signs alike") {
  NodeUnderTest largest = top_k(11, floats({5}, {1, kNan, kInf, kNan, 2}), 5);
  CHECK(same(largest.output(0), floats({5}, {kNan, kNan, kInf, 2, 1})));
  CHECK(same(largest.output(1), int64s({5}, {1, 3, 2, 4, 0})));
  CHECK(same(top_k(11, floats({4}, {1, kNan, -kInf, kNan}), 4).attribute("largest", 0).output(1),
             int64s({4}, {2, 0, 1, 3})));
  NodeUnderTest zeros = top_k(11, floats({3}, {-0.0F, 0, -0.0F}), 3);
  CHECK(same(zeros.output(0), floats({3}, {-0.0F, 0, -0.0F})));
  CHECK(same(zeros.output(1), int64s({3}, {0, 1, 2})));
}

// Long lines are skipped in pieces whose extreme is not good enough. Beside them a stable sort, NaN above all.
TEST_CASE("TopK-11 of long lines") {
  constexpr int64_t kLength = 40000, kWanted = 7;
  Draws draws(3);
  std::vector<double> values;
  for (int64_t i = 0; i < kLength; ++i) values.push_back(draws.below(200000) / 8.0 - 12500 + static_cast<double>(i) / 64);
  std::vector<float> some_nans(values.begin(), values.end());
  some_nans[21000] = some_nans[39999] = kNan;
  for (const Tensor& x : {rounded(DType::kFloat, {kLength}, values), floats({kLength}, some_nans), awkward(DType::kFloat, {kLength}, 4)}) {
    const std::span<const float> v = x.as<float>();
    for (const int64_t largest : {0, 1}) {
      const auto above = [&](float a, float b) { return a != a ? b == b : a > b; };
      std::vector<int64_t> order(kLength);
      std::iota(order.begin(), order.end(), int64_t{0});
      std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
        const float a = v[static_cast<size_t>(i)], b = v[static_cast<size_t>(j)];
        return largest != 0 ? above(a, b) : above(b, a);
      });
      order.resize(kWanted);
      CHECK(same(top_k(11, x, kWanted).attribute("largest", largest).output(1), int64s({kWanted}, order)));
    }
  }
}

TEST_CASE("TopK-11 sorts what need not be sorted, and says so") {
  NodeUnderTest node = top_k(11, kRows, 2).attribute("sorted", 0);
  CHECK(same(node.output(0), floats({2, 2}, {4, 4, 8, 7})));
  REQUIRE(node.unspecified().size() == 2);
  CHECK(node.unspecified()[0].slug == "topk-unsorted");
  CHECK(top_k(11, kRows, 1).attribute("sorted", 0).unspecified().empty());
  CHECK(top_k(11, kRows, 2).unspecified().empty());
}

TEST_CASE("TopK-11 takes none of something and none of nothing") {
  CHECK(same(top_k(11, kRows, 0).output(0), floats({2, 0}, {})));
  CHECK(same(top_k(11, kRows, 0).output(1), int64s({2, 0}, {})));
  CHECK(same(top_k(11, floats({0, 3}, {}), 2).output(0), floats({0, 2}, {})));
}

TEST_CASE("TopK-11 errors") {
  CHECK(has(top_k(11, kRows, 5).error(), "undefined/input-range"));
  CHECK(has(top_k(11, kRows, -1).error(), "undefined/input-range"));
  CHECK(has(top_k(11, kRows, 1).attribute("axis", 2).error(), "schema/attribute-range"));
  CHECK(has(top_k(11, floats({}, {1}), 1).error(), "schema/attribute-range"));
  CHECK(has(NodeUnderTest("TopK", 11).input(kRows).input(int64s({2}, {1, 1})).outputs(2).error(),
            "schema/not-one-element"));
}

TEST_CASE("TopK-24 takes bfloat16") {
  // 1, -1, 2
  CHECK(same(top_k(24, codes(DType::kBfloat16, {3}, {0x3F80, 0xBF80, 0x4000}), 2).output(0),
             codes(DType::kBfloat16, {2}, {0x4000, 0x3F80})));
}
