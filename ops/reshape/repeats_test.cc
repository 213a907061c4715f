#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

NodeUnderTest with_list(const char* op, int64_t opset, const Tensor& data,
                        std::vector<int64_t> list) {
  NodeUnderTest node(op, opset);
  const auto length = static_cast<int64_t>(list.size());
  return node.input(data).input(int64s({length}, std::move(list)));
}

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Expand-8 broadcasts in both directions") {
  const Tensor column = floats({2, 1}, {1, 2});
  CHECK(same(with_list("Expand", 8, column, {2, 3}).one(), floats({2, 3}, {1, 1, 1, 2, 2, 2})));
  CHECK(same(with_list("Expand", 8, column, {2, 1, 2}).one(),
             floats({2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2})));
  // A 1 in the shape, or a shorter shape, keeps what the input has.
  CHECK(same(with_list("Expand", 8, column, {1, 1}).one(), column));
  CHECK(same(with_list("Expand", 8, column, {2}).one(), floats({2, 2}, {1, 1, 2, 2})));
  CHECK(same(with_list("Expand", 8, column, {}).one(), column));
  CHECK(same(with_list("Expand", 8, strings({}, {"x"}), {2}).one(), strings({2}, {"x", "x"})));
}

TEST_CASE("Expand-8 meets zeros") {
  CHECK(same(with_list("Expand", 8, floats({2, 1}, {1, 2}), {2, 0}).one(), floats({2, 0}, {})));
  CHECK(same(with_list("Expand", 8, floats({0, 1}, {}), {1, 3}).one(), floats({0, 3}, {})));
  CHECK(has(with_list("Expand", 8, floats({2}, {1, 2}), {0}).error(), "undefined/input-range"));
}

TEST_CASE("Expand-8 errors") {
  CHECK(has(with_list("Expand", 8, floats({2}, {1, 2}), {3}).error(),
            "undefined/input-range: node \"under_test\" (Expand-8): shape is [3], must broadcast "
            "with an input of shape [2]"));
  CHECK(has(with_list("Expand", 8, floats({2}, {1, 2}), {-1}).error(), "must not be negative"));
  CHECK(has(NodeUnderTest("Expand", 8).input(floats({1}, {1})).input(int64s({}, {3})).error(),
            "schema/rank-mismatch"));
}

TEST_CASE("Expand-13 takes bfloat16") {
  CHECK(same(with_list("Expand", 13, codes(DType::kBfloat16, {1}, {0x7FC1}), {2}).one(),
             codes(DType::kBfloat16, {2}, {0x7FC1, 0x7FC1})));
}

TEST_CASE("Tile-1 repeats along one axis") {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  const auto tile = [&](float tiles, float axis) {
    return NodeUnderTest("Tile", 1)
        .input(data)
        .input(floats({}, {tiles}))
        .input(floats({1}, {axis}));
  };
  CHECK(same(tile(2, 0).one(), floats({4, 2}, {1, 2, 3, 4, 1, 2, 3, 4})));
  CHECK(same(tile(2, 1).one(), floats({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4})));
  CHECK(same(tile(0, 1).one(), floats({2, 0}, {})));
  CHECK(has(tile(1.5, 0).error(), "undefined/input-range"));
  CHECK(has(tile(-1, 0).error(), "undefined/input-range"));
  CHECK(has(tile(2, -1).error(), "undefined/input-range"));
  CHECK(has(tile(2, 2).error(), "undefined/input-range"));
  CHECK(has(tile(__builtin_inff(), 0).error(), "must be an integer"));
}

TEST_CASE("Tile-6 repeats along every axis") {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  CHECK(same(with_list("Tile", 6, data, {1, 2}).one(), floats({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4})));
  CHECK(same(with_list("Tile", 6, data, {2, 2}).one(),
             floats({4, 4}, {1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4})));
  CHECK(same(with_list("Tile", 6, data, {0, 2}).one(), floats({0, 4}, {})));
  CHECK(same(with_list("Tile", 6, strings({2}, {"a", "b"}), {2}).one(),
             strings({4}, {"a", "b", "a", "b"})));
  CHECK(same(with_list("Tile", 6, floats({}, {5}), {}).one(), floats({}, {5})));
}

TEST_CASE("Tile-6 errors") {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  CHECK(has(with_list("Tile", 6, data, {2}).error(), "schema/shape-mismatch"));
  CHECK(has(with_list("Tile", 6, data, {1, -1}).error(), "undefined/input-range"));
  CHECK(has(with_list("Tile", 6, data, {int64_t{1} << 62, 2}).error(), "limit/size-overflow"));
}

TEST_CASE("Tile-13 takes bfloat16") {
  CHECK(same(with_list("Tile", 13, codes(DType::kBfloat16, {2}, {1, 2}), {2}).one(),
             codes(DType::kBfloat16, {4}, {1, 2, 1, 2})));
}
