// Reductions by plain sums beside their formulas: along inner, outer, middle and all axes, and axes apart.
#include <algorithm>

#include "src/run/fast_paths.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

constexpr const char* kOperators[] = {"ReduceSum", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceMax", "ReduceMin"};

// `plain`: numbers without NaN and infinities, whose sums cancel and tie.
Tensor data_of(DType type, const Shape& shape, uint64_t seed, bool plain) {
  if (!plain) return awkward(type, shape, seed);
  std::vector<double> values;
  for (size_t i = 0; i < static_cast<size_t>(shape.elements()); ++i) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    values.push_back(static_cast<double>(static_cast<int>(seed >> 60) - 8) * (seed % 5 == 0 ? 0x1p12 : seed % 3 == 0 ? 0x1p-9 : 1.0));
  }
  return numbers(type, shape, values);
}

}  // namespace

TEST_CASE("ReduceSum-13 ReduceMean-18 and others by sums and by their formulas") {
  uint64_t seed = 1;
  for (const DType type : {DType::kFloat, DType::kFloat16, DType::kBfloat16}) {
    for (const char* op : kOperators) {
      for (const std::vector<int64_t>& axes : {std::vector<int64_t>{2}, {0}, {1}, {0, 1, 2}, {0, 2}, {1, 2}}) {
        for (const bool plain : {false, true}) {
          NodeUnderTest node(op, 18);
          const Shape shape{9, 11, 13};
          node.input(data_of(type, shape, ++seed, plain)).input(int64s({static_cast<int64_t>(axes.size())}, axes));
          NodeUnderTest twin = node;
          const Tensor wanted = by_formulas(twin)[0].tensor();
          CHECK(same(node.one(), wanted));
        }
      }
    }
  }
}

TEST_CASE("ReduceSum-13 long lines, and columns beside a block's end") {
  NodeUnderTest line("ReduceSum", 13), columns("ReduceSum", 13);
  // 5000 halves with signs in turn, and 2^24 in front: the sum is a tie that only an exact sum sees.
  std::vector<float> terms(5001, 0.5f);
  terms[0] = 0x1p24f;
  for (size_t i = 1; i + 2 < terms.size(); i += 2) terms[i] = -0.5f;
  float total = 0;
  for (size_t i = 1; i < terms.size(); ++i) total += terms[i];
  CHECK(total == 1);  // 2^24 + 1 lies between 2^24 and 2^24 + 2: the even one
  CHECK(same(line.input(floats({1, 5001}, terms)).input(int64s({1}, {1})).attribute("keepdims", 0).one(), floats({1}, {0x1p24f})));
  std::vector<float> rows(70 * 1100);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i % 1100);
  const Tensor sums = columns.input(floats({70, 1100}, rows)).input(int64s({1}, {0})).attribute("keepdims", 0).one();
  size_t wrong = 0;
  for (size_t i = 0; i < 1100; ++i) wrong += sums.as<float>()[i] == static_cast<float>(70 * i) ? 0 : 1;
  CHECK(wrong == 0);
}

TEST_CASE("ReduceSum-13 ReduceMax-18 and others of integers wrap, along every axis") {
  const Tensor x = int32s({2, 3, 2}, {1, -2, INT32_MAX, 4, 5, INT32_MIN, 7, 8, INT32_MAX, 10, -11, 12});
  const auto along = [&](const char* op, std::vector<int64_t> axes) {
    const int64_t count = static_cast<int64_t>(axes.size());
    return NodeUnderTest(op, 18).attribute("keepdims", 0).input(x).input(int64s({count}, std::move(axes))).one();
  };
  CHECK(same(along("ReduceSum", {1}), int32s({2, 2}, {INT32_MIN + 5, INT32_MIN + 2, INT32_MAX - 4, 30})));  // 1 + 2147483647 + 5 - 2^32
  CHECK(same(along("ReduceSum", {2}), int32s({2, 3}, {-1, INT32_MIN + 3, INT32_MIN + 5, 15, INT32_MIN + 9, 1})));
  CHECK(same(along("ReduceMax", {0, 1}), int32s({2}, {INT32_MAX, 12})));
  CHECK(same(along("ReduceMin", {0, 2}), int32s({3}, {-2, 4, INT32_MIN})));
  CHECK(same(along("ReduceL1", {2}), int32s({2, 3}, {3, INT32_MIN + 3, INT32_MIN + 5, 15, INT32_MIN + 9, 23})));
  CHECK(same(along("ReduceProd", {0}), int32s({3, 2}, {7, -16, 1, 40, -55, 0})));
  CHECK(same(along("ReduceSumSquare", {1}), int32s({2, 2}, {27, 20, 171, 308})));
  CHECK(same(NodeUnderTest("ReduceMax", 18).attribute("keepdims", 0).input(int32s({2, 0}, {})).input(int64s({1}, {1})).one(),
             int32s({2}, {INT32_MIN, INT32_MIN})));
}
