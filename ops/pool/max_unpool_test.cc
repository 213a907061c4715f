#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

NodeUnderTest unpool(int64_t opset, const Tensor& x, const Tensor& indices, std::vector<int64_t> kernel) {
  return NodeUnderTest("MaxUnpool", opset).input(x).input(indices).integers("kernel_shape", std::move(kernel));
}

const Tensor kValues = floats({1, 1, 2, 2}, {1, 2, 3, 4});
const Tensor kPlaces = int64s({1, 1, 2, 2}, {5, 7, 13, 15});

}  // namespace

TEST_CASE("MaxUnpool-9 puts every element where I says") {
  CHECK(same(unpool(9, kValues, kPlaces, {2, 2}).integers("strides", {2, 2}).one(),
             floats({1, 1, 4, 4}, {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4})));
  // Indices count over batch and channels, too.
  CHECK(same(unpool(9, floats({1, 2, 1}, {7, 8}), int64s({1, 2, 1}, {3, 0}), {2}).one(), floats({1, 2, 2}, {8, 0, 0, 7})));
}

TEST_CASE("MaxUnpool-9 with output_shape keeps the corner") {
  CHECK(same(unpool(9, kValues, kPlaces, {2, 2}).integers("strides", {2, 2}).integers("pads", {1, 0, 0, 0}).input(int64s({4}, {1, 1, 5, 5})).one(),
             floats({1, 1, 5, 5}, {0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0})));
}

TEST_CASE("MaxUnpool-11 has strides of 1 unless told, and takes pads off") {
  CHECK(same(unpool(11, floats({1, 1, 2}, {1, 2}), int64s({1, 1, 2}, {0, 2}), {2}).one(), floats({1, 1, 3}, {1, 0, 2})));
  CHECK(same(unpool(11, floats({1, 1, 2}, {1, 2}), int64s({1, 1, 2}, {0, 1}), {2}).integers("pads", {1, 0}).one(),
             floats({1, 1, 2}, {1, 2})));
  // Of equal indices the last wins.
  CHECK(same(unpool(11, floats({1, 1, 2}, {1, 2}), int64s({1, 1, 2}, {1, 1}), {2}).one(), floats({1, 1, 3}, {0, 2, 0})));
}

TEST_CASE("MaxUnpool-22 takes bfloat16") {
  CHECK(same(unpool(22, codes(DType::kBfloat16, {1, 1, 1}, {0x3F80}), int64s({1, 1, 1}, {1}), {2}).one(),
             codes(DType::kBfloat16, {1, 1, 2}, {0, 0x3F80})));
}

TEST_CASE("MaxUnpool-9 refuses indices and shapes out of range") {
  const Tensor x = floats({1, 1, 2}, {1, 2});
  CHECK(has(unpool(9, x, int64s({1, 1, 2}, {0, 3}), {2}).error(), "undefined/index-range"));
  CHECK(has(unpool(9, x, int64s({1, 1, 2}, {0, -1}), {2}).error(), "undefined/index-range"));
  CHECK(has(unpool(9, x, int64s({1, 2, 1}, {0, 1}), {2}).error(), "schema/shape-mismatch"));
  CHECK(has(unpool(9, x, int64s({1, 1, 2}, {0, 1}), {2}).input(int64s({3}, {1, 1, 2})).error(), "undefined/input-range"));
  CHECK(has(unpool(9, x, int64s({1, 1, 2}, {0, 1}), {2}).input(int64s({1}, {3})).error(), "schema/shape-mismatch"));
  CHECK(has(unpool(9, x, int64s({1, 1, 2}, {0, 1}), {1}).integers("pads", {1, 1}).error(), "schema/empty-window"));
}

TEST_CASE("MaxUnpool-9 of com.ms.internal.nhwc has its channels last") {
  // Two cells of two channels; index 2 is channel 1, cell 0.
  const auto node = [] {
    return NodeUnderTest("MaxUnpool", 9, "com.ms.internal.nhwc")
        .input(floats({1, 1, 2, 2}, {1, 10, 2, 20}))
        .input(int64s({1, 1, 2, 2}, {1, 2, 0, 3}))
        .integers("kernel_shape", {1, 1});
  };
  CHECK(same(node().one(), floats({1, 1, 2, 2}, {2, 10, 1, 20})));
  CHECK(same(node().input(int64s({4}, {1, 1, 3, 2})).one(), floats({1, 1, 3, 2}, {2, 10, 1, 20, 0, 0})));
  CHECK(same(node().attribute("activation", "").one(), floats({1, 1, 2, 2}, {2, 10, 1, 20})));
  CHECK(has(node().attribute("activation", "Relu").error(), "undefined/activation"));
}
