#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest fit(const Tensor& data, std::vector<int64_t> shape) {
  NodeUnderTest node("CenterCropPad", 18);
  const auto length = static_cast<int64_t>(shape.size());
  return node.input(data).input(int64s({length}, std::move(shape)));
}

}  // namespace

TEST_CASE("CenterCropPad-18 crops and pads around the middle") {
  const Tensor five = floats({5}, {1, 2, 3, 4, 5});
  CHECK(same(fit(five, {3}).one(), floats({3}, {2, 3, 4})));
  // An odd difference: the window starts at floor(3 / 2), the padding at floor(3 / 2).
  CHECK(same(fit(five, {2}).one(), floats({2}, {2, 3})));
  CHECK(same(fit(five, {8}).one(), floats({8}, {0, 1, 2, 3, 4, 5, 0, 0})));
  CHECK(same(fit(five, {5}).one(), five));
  CHECK(same(fit(five, {0}).one(), floats({0}, {})));
  CHECK(same(fit(floats({0}, {}), {2}).one(), floats({2}, {0, 0})));
}

TEST_CASE("CenterCropPad-18 treats each axis by itself") {
  const Tensor data = int32s({1, 4}, {1, 2, 3, 4});
  CHECK(same(fit(data, {2, 2}).one(), int32s({2, 2}, {2, 3, 0, 0})));
  CHECK(same(fit(data, {2}).integers("axes", {-1}).one(), int32s({1, 2}, {2, 3})));
  CHECK(same(fit(data, {2, 3}).integers("axes", {1, 0}).one(), int32s({3, 2}, {0, 0, 2, 3, 0, 0})));
  CHECK(same(
      NodeUnderTest("CenterCropPad", 18).input(strings({1}, {"a"})).input(int32s({1}, {2})).one(),
      strings({2}, {"a", ""})));
  CHECK(same(fit(floats({}, {1}), {}).one(), floats({}, {1})));
}

TEST_CASE("CenterCropPad-18 errors") {
  const Tensor data = int32s({1, 4}, {1, 2, 3, 4});
  CHECK(has(fit(data, {2}).error(), "schema/shape-mismatch"));
  CHECK(has(fit(data, {2, -1}).error(), "undefined/input-range"));
  CHECK(has(fit(data, {2, 2}).integers("axes", {1, -1}).error(), "schema/attribute-range"));
  CHECK(has(fit(data, {2}).integers("axes", {2}).error(), "schema/attribute-range"));
}
