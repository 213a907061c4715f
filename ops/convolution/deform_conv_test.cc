#include "src/number/bound.h"
#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest deformed(int64_t opset, const Tensor& x, const Tensor& w, const Tensor& offset) {
  return NodeUnderTest("DeformConv", opset).input(x).input(w).input(offset);
}
bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

const Tensor kLine = floats({1, 1, 4}, {1, 2, 4, 8});
const Tensor kOne = floats({1, 1, 1}, {1});
const Tensor kPlane = floats({1, 1, 2, 2}, {1, 2, 4, 8});
const Tensor kPixel = floats({1, 1, 1, 1}, {1});

}  // namespace

TEST_CASE("DeformConv-19 interpolates between neighbours") {
  CHECK(same(deformed(19, kLine, kOne, floats({1, 1, 4}, {0, 0.5F, -0.25F, 0})).one(),
             floats({1, 1, 4}, {1, 3, 3.5F, 8})));
  // Axis 0 of the offset is the first spatial one: half a row down, a quarter of a column to the right.
  const Tensor offset = floats({1, 2, 2, 2}, {0.5F, 0, 0, 0, 0.25F, 0, 0, 0});
  CHECK(same(deformed(19, kPlane, kPixel, offset).one(), floats({1, 1, 2, 2}, {3.125F, 2, 4, 8})));
}

TEST_CASE("DeformConv-19 finds zero around the input") {
  CHECK(same(deformed(19, kLine, kOne, floats({1, 1, 4}, {-0.5F, -5, kInf, 0.5F})).one(),
             floats({1, 1, 4}, {0.5F, 0, 0, 4})));
  CHECK(same(deformed(19, kLine, kOne, floats({1, 1, 4}, {1e30F, -1e30F, kNan, -kInf})).one(),
             floats({1, 1, 4}, {0, 0, kNan, 0})));
  CHECK(same(deformed(19, kLine, kOne, floats({1, 1, 6}, {0, 0, 0, 0, 0, 0})).integers("pads", {1, 1}).one(),
             floats({1, 1, 6}, {0, 1, 2, 4, 8, 0})));
}

TEST_CASE("DeformConv-19 a sample outside is 0 times its weight, and an absent bias is 0") {
  const Tensor minus = floats({1, 1, 1}, {-1}), outside = floats({1, 1, 4}, {-9, -9, -9, -9});
  const auto biased = [&](float bias) { return deformed(19, kLine, minus, outside).input(floats({1}, {bias})).one(); };
  CHECK(same(deformed(19, kLine, minus, outside).one(), floats({1, 1, 4}, {0, 0, 0, 0})));  // -0 + 0
  CHECK(same(biased(-0.0F), floats({1, 1, 4}, {-0.0F, -0.0F, -0.0F, -0.0F})));
  CHECK(same(biased(0), floats({1, 1, 4}, {0, 0, 0, 0})));
  // At a whole offset the cell above has weight 0: infinity makes NaN.
  CHECK(same(deformed(19, floats({1, 1, 4}, {1, kInf, 2, 3}), kOne, floats({1, 1, 4}, {0, 0, 0, 0})).one(),
             floats({1, 1, 4}, {kNan, kInf, 2, 3})));
}

// 100 + 0.1 in float32 is 100.0999985, 1.5e-6 off: between 0 and 1000 that is 1.5e-3.
TEST_CASE("DeformConv-19 allows positions that are rounded where they are computed") {
  const ToleranceScope scope{ToleranceModel()};
  std::vector<float> ramp(102);
  ramp[101] = 1000;
  std::vector<float> offsets(102);
  offsets[100] = 0.1F;
  const Tensor y = deformed(19, floats({1, 1, 102}, ramp), kOne, floats({1, 1, 102}, offsets)).one();
  REQUIRE(y.bounds() != nullptr);
  const Bound moved = (*y.bounds())[100], still = (*y.bounds())[101];
  CHECK(moved.low <= 99.9985);
  CHECK(moved.high >= 100.0015);
  CHECK(moved.high <= 100.01);
  CHECK(still.low == still.high);
}

TEST_CASE("DeformConv-19 weights taps by the mask and adds the bias") {
  // Two taps, 1 x0 + 10 x1, the second moved one cell further, masked by 0.5 and 2.
  const Tensor w = floats({1, 1, 2}, {1, 10});
  const Tensor offset = floats({1, 2, 3}, {0, 0, 0, 1, 1, -1}), mask = floats({1, 2, 3}, {0.5F, 1, 1, 2, 1, 0});
  CHECK(same(deformed(19, kLine, w, offset).input(floats({1}, {100})).input(mask).one(),
             floats({1, 1, 3}, {180.5F, 182, 104})));
  CHECK(same(deformed(19, kLine, w, offset).no_input().input(mask).one(), floats({1, 1, 3}, {80.5F, 82, 4})));
  CHECK(same(deformed(19, kLine, w, offset).one(), floats({1, 1, 3}, {41, 82, 44})));
}

TEST_CASE("DeformConv-19 keeps groups and offset groups apart") {
  const Tensor x = floats({1, 2, 2}, {1, 2, 10, 20});
  // Two offset groups: channel 0 stays, channel 1 moves by half a cell.
  const Tensor offset = floats({1, 2, 2}, {0, 0, 0.5F, -0.5F});
  CHECK(same(deformed(19, x, floats({1, 2, 1}, {1, 1}), offset).attribute("offset_group", 2).one(),
             floats({1, 1, 2}, {16, 17})));
  CHECK(same(deformed(19, x, floats({2, 1, 1}, {1, 3}), offset).attribute("offset_group", 2).attribute("group", 2).one(),
             floats({1, 2, 2}, {1, 2, 45, 45})));
}

TEST_CASE("DeformConv-22 takes bfloat16") {
  CHECK(same(deformed(22, codes(DType::kBfloat16, {1, 1, 2}, {0x3F80, 0x4040}), codes(DType::kBfloat16, {1, 1, 1}, {0x3F80}),
                      codes(DType::kBfloat16, {1, 1, 2}, {0x3F00, 0xBF00})).one(),
             codes(DType::kBfloat16, {1, 1, 2}, {0x4000, 0x4000})));
}

TEST_CASE("DeformConv-19 refuses shapes that contradict each other") {
  CHECK(has(deformed(19, kLine, kOne, floats({1, 1, 3}, {0, 0, 0})).error(), "schema/shape-mismatch"));
  CHECK(has(deformed(19, kLine, kOne, floats({1, 1, 4}, {0, 0, 0, 0})).attribute("offset_group", 2).error(), "schema/group"));
  CHECK(has(deformed(19, kLine, kOne, floats({1, 1, 4}, {0, 0, 0, 0})).no_input().input(floats({1, 1, 1}, {1})).error(),
            "schema/shape-mismatch"));
}
