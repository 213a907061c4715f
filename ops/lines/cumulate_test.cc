// CumSum on lanes beside its formula.
#include "src/run/fast_paths.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

// Sums that cancel, tie and keep residuals; no NaN and no infinity.
Tensor wide_numbers(const Shape& shape, uint64_t seed) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    const float sign = seed >> 63 != 0 ? -1.0f : 1.0f;
    values.push_back(sign * (seed % 4 == 0 ? 0x1p60f : seed % 4 == 1 ? 0x1p36f : seed % 4 == 2 ? 0.5f : 0x1.000002p-40f));
  }
  return floats(shape, values);
}

}  // namespace

TEST_CASE("CumSum-14 on lanes and by its formula: along every axis, both ways, with and without the element") {
  uint64_t seed = 1;
  for (const Shape& shape : {Shape{3, 19, 7}, Shape{1, 1, 40}, Shape{9, 33, 70}, Shape{1, 5, 1}, Shape{2, 0, 3}}) {
    for (const int axis : {0, 1, 2}) {
      for (const int flags : {0, 1, 2, 3}) {
        for (const bool plain : {false, true}) {
          NodeUnderTest node("CumSum", 14);
          node.attribute("exclusive", flags & 1).attribute("reverse", flags >> 1);
          node.input(plain ? wide_numbers(shape, ++seed) : awkward(DType::kFloat, shape, ++seed)).input(int64s({}, {axis}));
          NodeUnderTest twin = node;
          const Tensor wanted = by_formulas(twin)[0].tensor();
          CHECK(same(node.one(), wanted));
        }
      }
    }
  }
}

TEST_CASE("CumSum-11 a tie that only the residual sees, and zeros") {
  // 2^24 + 1 lies in the middle: 2^-40 more, and it goes up.
  const Tensor x = floats({2, 4}, {0x1p24f, 1, 0x1p-40f, -1, -0.0f, -0.0f, 0, -0.0f});
  CHECK(same(NodeUnderTest("CumSum", 11).input(x).input(int64s({}, {1})).one(),
             floats({2, 4}, {0x1p24f, 0x1p24f, 0x1.000002p24f, 0x1p24f, -0.0f, -0.0f, 0, 0})));
}
