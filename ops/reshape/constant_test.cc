#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest constant(int64_t opset) { return NodeUnderTest("Constant", opset); }

NodeUnderTest of_shape(int64_t opset, std::vector<int64_t> shape) {
  const auto length = static_cast<int64_t>(shape.size());
  return NodeUnderTest("ConstantOfShape", opset).input(int64s({length}, std::move(shape)));
}

}  // namespace

TEST_CASE("Constant-1 is its value") {
  CHECK(
      same(constant(1).attribute("value", floats({2}, {1, -0.0F})).one(), floats({2}, {1, -0.0F})));
  CHECK(has(constant(1).error(), "schema/attribute-missing"));
}

TEST_CASE("Constant-9 may hold any type") {
  CHECK(same(constant(9).attribute("value", strings({1}, {"a"})).one(), strings({1}, {"a"})));
}

TEST_CASE("Constant-11 may be sparse") {
  const SparseTensor linear{floats({2}, {5, 6}), int64s({2}, {1, 3}), Shape{2, 2}};
  CHECK(same(constant(11).attribute("sparse_value", linear).one(), floats({2, 2}, {0, 5, 0, 6})));
  const SparseTensor coordinates{floats({2}, {5, 6}), int64s({2, 2}, {0, 1, 1, 0}), Shape{2, 2}};
  CHECK(same(constant(11).attribute("sparse_value", coordinates).one(),
             floats({2, 2}, {0, 5, 6, 0})));
  const SparseTensor none{floats({0}, {}), int64s({0}, {}), Shape{2}};
  CHECK(same(constant(11).attribute("sparse_value", none).one(), floats({2}, {0, 0})));
}

TEST_CASE("Constant-11 errors") {
  CHECK(has(constant(11).error(), "schema/attribute-missing"));
  const SparseTensor good{floats({1}, {5}), int64s({1}, {0}), Shape{2}};
  CHECK(
      has(constant(11).attribute("sparse_value", good).attribute("value", floats({}, {1})).error(),
          "schema/attribute-conflict"));
  const SparseTensor outside{floats({1}, {5}), int64s({1}, {2}), Shape{2}};
  CHECK(has(constant(11).attribute("sparse_value", outside).error(), "schema/sparse-indices"));
  const SparseTensor descending{floats({2}, {5, 6}), int64s({2}, {1, 0}), Shape{2}};
  CHECK(has(constant(11).attribute("sparse_value", descending).error(), "schema/sparse-indices"));
  const SparseTensor too_few{floats({2}, {5, 6}), int64s({1}, {1}), Shape{2}};
  CHECK(has(constant(11).attribute("sparse_value", too_few).error(), "schema/sparse-indices"));
  const SparseTensor beside{floats({1}, {5}), int64s({1, 2}, {0, 2}), Shape{2, 2}};
  CHECK(has(constant(11).attribute("sparse_value", beside).error(), "schema/sparse-indices"));
}

TEST_CASE("Constant-12 may hold plain values") {
  CHECK(same(constant(12).attribute("value_float", 1.5).one(), floats({}, {1.5})));
  CHECK(same(constant(12).reals("value_floats", {1.5, 2}).one(), floats({2}, {1.5, 2})));
  CHECK(same(constant(12).attribute("value_int", -3).one(), int64s({}, {-3})));
  CHECK(same(constant(12).integers("value_ints", {1, 2, 3}).one(), int64s({3}, {1, 2, 3})));
  CHECK(same(constant(12).attribute("value_string", "text").one(), strings({}, {"text"})));
  CHECK(same(constant(12).texts("value_strings", {"a", ""}).one(), strings({2}, {"a", ""})));
  CHECK(same(constant(12).integers("value_ints", {}).one(), int64s({0}, {})));
}

TEST_CASE("Constant-12 wants exactly one value") {
  CHECK(has(constant(12).error(), "schema/attribute-missing"));
  CHECK(has(constant(12).attribute("value_int", 1).attribute("value_float", 1.0).error(),
            "schema/attribute-conflict"));
}

TEST_CASE("Constant-25 may hold packed types") {
  CHECK(same(constant(25).attribute("value", codes(DType::kInt2, {3}, {1, 2, 3})).one(),
             codes(DType::kInt2, {3}, {1, 2, 3})));
}

TEST_CASE("ConstantOfShape-9 repeats one element") {
  CHECK(same(of_shape(9, {2, 2}).attribute("value", int64s({1}, {7})).one(),
             int64s({2, 2}, {7, 7, 7, 7})));
  CHECK(same(of_shape(9, {2}).one(), floats({2}, {0, 0})));
  CHECK(same(of_shape(9, {}).attribute("value", bools({1}, {true})).one(), bools({}, {true})));
  CHECK(same(of_shape(9, {0, 3}).one(), floats({0, 3}, {})));
  CHECK(same(of_shape(9, {2}).attribute("value", int64s({1, 1}, {7})).one(), int64s({2}, {7, 7})));
}

TEST_CASE("ConstantOfShape-9 errors") {
  CHECK(has(of_shape(9, {-1}).error(), "undefined/input-range"));
  CHECK(has(of_shape(9, {2}).attribute("value", int64s({2}, {7, 8})).error(),
            "schema/not-one-element"));
  CHECK(has(of_shape(9, {int64_t{1} << 40, int64_t{1} << 40}).error(), "limit/size-overflow"));
  CHECK(has(NodeUnderTest("ConstantOfShape", 9).input(int64s({}, {2})).error(),
            "schema/rank-mismatch"));
}

TEST_CASE("ConstantOfShape-21 repeats a packed element") {
  CHECK(same(of_shape(21, {3}).attribute("value", codes(DType::kInt4, {1}, {9})).one(),
             codes(DType::kInt4, {3}, {9, 9, 9})));
}

TEST_CASE("ConstantOfShape-25 repeats a two-bit element") {
  CHECK(same(of_shape(25, {5}).attribute("value", codes(DType::kUint2, {1}, {3})).one(),
             codes(DType::kUint2, {5}, {3, 3, 3, 3, 3})));
}
