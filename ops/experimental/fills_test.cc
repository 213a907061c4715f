#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest fill() { return NodeUnderTest("ConstantFill", 1); }
NodeUnderTest given() { return NodeUnderTest("GivenTensorFill", 1); }

}  // namespace

TEST_CASE("ConstantFill-1 fills the shape of its attribute") {
  CHECK(same(fill().integers("shape", {2, 2}).attribute("value", 1.5).one(),
             floats({2, 2}, {1.5, 1.5, 1.5, 1.5})));
  CHECK(same(fill().integers("shape", {2}).one(), floats({2}, {0, 0})));
  CHECK(same(fill().integers("shape", {}).one(), floats({}, {0})));
}

TEST_CASE("ConstantFill-1 takes the shape of an input, or its values") {
  CHECK(same(fill().input(int32s({1, 2}, {7, 7})).integers("extra_shape", {1}).one(),
             floats({1, 2, 1}, {0, 0})));
  CHECK(same(fill().input(int64s({2}, {2, 1})).attribute("input_as_shape", 1).one(),
             floats({2, 1}, {0, 0})));
  CHECK(same(fill()
                 .input(floats({1}, {2}))
                 .attribute("input_as_shape", 1)
                 .integers("extra_shape", {1})
                 .one(),
             floats({2, 1}, {0, 0})));
}

TEST_CASE("ConstantFill-1 takes its type from dtype") {
  CHECK(same(fill().integers("shape", {1}).attribute("dtype", 6).attribute("value", -1.75).one(),
             int32s({1}, {-1})));
  CHECK(same(fill().integers("shape", {1}).attribute("dtype", 7).attribute("value", 3.0).one(),
             int64s({1}, {3})));
  CHECK(same(fill().integers("shape", {1}).attribute("dtype", 9).attribute("value", 0.5).one(),
             bools({1}, {true})));
  CHECK(same(fill().integers("shape", {1}).attribute("dtype", 1).attribute("value", -0.5).one(),
             floats({1}, {-0.5})));
}

TEST_CASE("ConstantFill-1 errors") {
  CHECK(has(fill().error(), "schema/attribute-conflict"));
  CHECK(has(fill().integers("shape", {1}).input(floats({1}, {1})).error(),
            "schema/attribute-conflict"));
  CHECK(has(fill().integers("shape", {1}).integers("extra_shape", {1}).error(),
            "schema/attribute-conflict"));
  CHECK(has(fill().integers("shape", {-1}).error(), "schema/attribute-range"));
  CHECK(
      has(fill().integers("shape", {1}).attribute("dtype", 11).error(), "schema/attribute-range"));
  CHECK(has(fill().integers("shape", {1}).attribute("dtype", 6).attribute("value", 3e9).error(),
            "schema/attribute-range"));
  CHECK(has(fill().input(floats({1}, {1.5})).attribute("input_as_shape", 1).error(),
            "undefined/input-range"));
  CHECK(has(fill().input(int32s({1}, {-1})).attribute("input_as_shape", 1).error(),
            "undefined/input-range"));
  CHECK(has(fill().input(int32s({1, 1}, {1})).attribute("input_as_shape", 1).error(),
            "schema/rank-mismatch"));
}

TEST_CASE("GivenTensorFill-1 fills with its values") {
  CHECK(same(given().integers("shape", {2, 1}).reals("values", {1, 2.5}).one(),
             floats({2, 1}, {1, 2.5})));
  CHECK(same(given()
                 .input(floats({2}, {2, 1}))
                 .attribute("input_as_shape", 1)
                 .reals("values", {1, 2})
                 .one(),
             floats({2, 1}, {1, 2})));
  CHECK(
      same(given().input(floats({2}, {9, 9})).reals("values", {1, 2}).one(), floats({2}, {1, 2})));
}

TEST_CASE("GivenTensorFill-1 has the type that the graph declares") {
  CHECK(same(given()
                 .integers("shape", {1})
                 .reals("values", {0.1F})
                 .output_type(0, Type::tensor(DType::kFloat16))
                 .one(),
             codes(DType::kFloat16, {1}, {0x2E66})));
  CHECK(same(given()
                 .integers("shape", {1})
                 .reals("values", {0.5F})
                 .output_type(0, Type::tensor(DType::kDouble))
                 .one(),
             doubles({1}, {0.5})));
}

TEST_CASE("GivenTensorFill-1 errors") {
  CHECK(has(given().integers("shape", {2}).error(), "schema/attribute-missing"));
  CHECK(has(given().integers("shape", {2}).reals("values", {1}).error(), "schema/shape-mismatch"));
  CHECK(has(given().reals("values", {1}).error(), "schema/attribute-conflict"));
}
