#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest transposed(int64_t opset, const Tensor& x, const Tensor& w) {
  return NodeUnderTest("ConvTranspose", opset).input(x).input(w);
}
bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

const Tensor kTwo = floats({1, 1, 2}, {1, 2});
const Tensor kThree = floats({1, 1, 3}, {1, 10, 100});

}  // namespace

// Every input cell lays its multiple of the kernel over the output: [1, 10, 100] at 0 and [2, 20, 200] at the stride.
TEST_CASE("ConvTranspose-1 lays kernels over one another") {
  CHECK(same(transposed(1, kTwo, kThree).one(), floats({1, 1, 4}, {1, 12, 120, 200})));
  CHECK(same(transposed(1, kTwo, kThree).integers("strides", {2}).one(), floats({1, 1, 5}, {1, 10, 102, 20, 200})));
  CHECK(same(transposed(1, kTwo, kThree).integers("dilations", {2}).one(), floats({1, 1, 6}, {1, 2, 10, 20, 100, 200})));
  CHECK(same(transposed(1, kTwo, kThree).integers("strides", {2}).integers("pads", {1, 2}).one(),
             floats({1, 1, 2}, {10, 102})));
}

TEST_CASE("ConvTranspose-1 halves the padding of output_shape with the floor in front") {
  // full size 5, total padding 1: 0 in front, 1 behind.
  CHECK(same(transposed(1, kTwo, kThree).integers("strides", {2}).integers("output_shape", {4}).one(),
             floats({1, 1, 4}, {1, 10, 102, 20})));
  CHECK(same(transposed(1, kTwo, kThree).integers("strides", {2}).attribute("auto_pad", "SAME_UPPER").one(),
             floats({1, 1, 4}, {1, 10, 102, 20})));
  CHECK(same(transposed(1, kTwo, kThree).integers("strides", {2}).attribute("auto_pad", "SAME_LOWER").one(),
             floats({1, 1, 4}, {10, 102, 20, 200})));
}

TEST_CASE("ConvTranspose-11 halves it with the floor behind, but for SAME_UPPER") {
  CHECK(same(transposed(11, kTwo, kThree).integers("strides", {2}).integers("output_shape", {4}).one(),
             floats({1, 1, 4}, {10, 102, 20, 200})));
  CHECK(same(transposed(11, kTwo, kThree).integers("strides", {2}).integers("output_shape", {1, 1, 4}).one(),
             floats({1, 1, 4}, {10, 102, 20, 200})));
  CHECK(same(transposed(11, kTwo, kThree).integers("strides", {2}).attribute("auto_pad", "SAME_UPPER").one(),
             floats({1, 1, 4}, {1, 10, 102, 20})));
  // One cell more than there is: total -1, so 0 in front and the missing cell behind.
  CHECK(same(transposed(11, kTwo, kThree).integers("strides", {2}).integers("output_shape", {6}).one(),
             floats({1, 1, 6}, {1, 10, 102, 20, 200, 0})));
}

TEST_CASE("ConvTranspose-11 ignores pads beside output_shape") {
  CHECK(same(transposed(11, kTwo, kThree).integers("pads", {1, 1}).integers("output_shape", {4}).one(),
             floats({1, 1, 4}, {1, 12, 120, 200})));
}

TEST_CASE("ConvTranspose-11 leaves uncovered cells to the bias") {
  const Tensor one = floats({1, 1, 1}, {5});
  CHECK(same(transposed(11, kTwo, one).input(floats({1}, {-0.0F})).integers("strides", {3}).one(),
             floats({1, 1, 4}, {5, -0.0F, -0.0F, 10})));
  CHECK(same(transposed(11, kTwo, one).integers("strides", {3}).integers("output_padding", {2}).one(),
             floats({1, 1, 6}, {5, 0, 0, 10, 0, 0})));
  // No zero is multiplied with the infinity.
  CHECK(same(transposed(11, kTwo, floats({1, 1, 2}, {kInf, 1})).one(), floats({1, 1, 3}, {kInf, kInf, 2})));
  CHECK(same(transposed(11, floats({1, 1, 2}, {0, 2}), floats({1, 1, 2}, {kInf, 1})).one(),
             floats({1, 1, 3}, {kNan, kInf, 2})));
  // The only term is -0.
  CHECK(same(transposed(11, floats({1, 1, 2}, {-0.0F, 2}), floats({1, 1, 2}, {1, 1})).one(),
             floats({1, 1, 3}, {-0.0F, 2, 2})));
}

TEST_CASE("ConvTranspose-11 works in the plane") {
  // The kernel [[1, 10], [100, 1000]] at (0,0) and, doubled, at (0,1).
  CHECK(same(transposed(11, floats({1, 1, 1, 2}, {1, 2}), floats({1, 1, 2, 2}, {1, 10, 100, 1000})).one(),
             floats({1, 1, 2, 3}, {1, 12, 20, 100, 1200, 2000})));
  CHECK(same(transposed(11, floats({1, 1, 1, 2}, {1, 2}), floats({1, 1, 2, 2}, {1, 10, 100, 1000}))
                 .integers("strides", {1, 2})
                 .one(),
             floats({1, 1, 2, 4}, {1, 10, 2, 20, 100, 1000, 200, 2000})));
}

TEST_CASE("ConvTranspose-11 keeps groups apart") {
  // Channels 1 and 2 make filters 0 and 1, channels 3 and 4 filters 2 and 3.
  const Tensor x = floats({1, 4, 1}, {1, 2, 3, 4});
  const Tensor w = floats({4, 2, 1}, {1, 10, 100, 1000, 1, 10, 100, 1000});
  CHECK(same(transposed(11, x, w).attribute("group", 2).input(floats({4}, {0.5F, 0, 0.25F, 0})).one(),
             floats({1, 4, 1}, {201.5F, 2010, 403.25F, 4030})));
}

TEST_CASE("ConvTranspose-22 takes bfloat16, and float64 exactly") {
  CHECK(same(transposed(22, codes(DType::kBfloat16, {1, 1, 1}, {0x4000}), codes(DType::kBfloat16, {1, 1, 1}, {0x3FC0})).one(),
             codes(DType::kBfloat16, {1, 1, 1}, {0x4040})));
  CHECK(same(transposed(22, doubles({1, 2, 1}, {0x1p53, 1}), doubles({2, 1, 1}, {1, 3})).one(),
             doubles({1, 1, 1}, {0x1p53 + 4})));
}

TEST_CASE("ConvTranspose-11 refuses what does not fit together") {
  CHECK(has(transposed(11, kTwo, kThree).integers("output_padding", {1}).error(), "schema/attribute-range"));
  CHECK(transposed(1, kTwo, kThree).integers("output_padding", {1}).error().empty());
  CHECK(has(transposed(11, kTwo, kThree).integers("output_padding", {-1}).error(), "schema/attribute-range"));
  CHECK(has(transposed(11, kTwo, kThree).integers("output_shape", {1, 2}).error(), "schema/attribute-length"));
  CHECK(has(transposed(11, kTwo, kThree).integers("pads", {2, 2}).error(), "schema/empty-window"));
  CHECK(has(transposed(11, kTwo, floats({2, 1, 1}, {1, 1})).error(), "schema/shape-mismatch"));
  CHECK(has(transposed(11, kTwo, kThree).attribute("auto_pad", "VALID").integers("pads", {1, 0}).error(),
            "schema/attribute-conflict"));
}
