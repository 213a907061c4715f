#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest hardmax(int64_t opset, const Tensor& input) {
  return NodeUnderTest("Hardmax", opset).input(input);
}

const Tensor kCube = floats({2, 2, 2}, {1, 5, 2, 3, 4, 4, 1, 0});

}  // namespace

TEST_CASE("Hardmax-1 takes everything from the axis on as one line") {
  CHECK(same(hardmax(1, kCube).one(), floats({2, 2, 2}, {0, 1, 0, 0, 1, 0, 0, 0})));
  CHECK(same(hardmax(1, kCube).attribute("axis", 0).one(),
             floats({2, 2, 2}, {0, 1, 0, 0, 0, 0, 0, 0})));
  CHECK(same(hardmax(1, kCube).attribute("axis", 2).one(),
             floats({2, 2, 2}, {0, 1, 0, 1, 1, 0, 1, 0})));
  // The default axis 1 does not exist in a line.
  CHECK(has(hardmax(1, floats({2}, {1, 2})).error(), "schema/attribute-range"));
}

TEST_CASE("Hardmax-11 still flattens, and counts a negative axis from the back") {
  CHECK(same(hardmax(11, kCube).one(), floats({2, 2, 2}, {0, 1, 0, 0, 1, 0, 0, 0})));
  CHECK(same(hardmax(11, kCube).attribute("axis", -2).one(),
             floats({2, 2, 2}, {0, 1, 0, 0, 1, 0, 0, 0})));
  CHECK(same(hardmax(11, kCube).attribute("axis", -1).one(),
             floats({2, 2, 2}, {0, 1, 0, 1, 1, 0, 1, 0})));
  CHECK(has(hardmax(11, floats({}, {1})).error(), "schema/attribute-range"));
}

TEST_CASE("Hardmax-13 takes a line along one axis, the last unless told") {
  CHECK(same(hardmax(13, kCube).one(), floats({2, 2, 2}, {0, 1, 0, 1, 1, 0, 1, 0})));
  CHECK(same(hardmax(13, kCube).attribute("axis", 1).one(),
             floats({2, 2, 2}, {0, 1, 1, 0, 1, 1, 0, 0})));
  CHECK(same(hardmax(13, kCube).attribute("axis", -3).one(),
             floats({2, 2, 2}, {0, 1, 1, 1, 1, 0, 0, 0})));
}

TEST_CASE("Hardmax-13 counts NaN as the greatest, marked") {
  NodeUnderTest node = hardmax(13, floats({2, 3}, {1, kNan, kNan, -kInf, -kInf, -kInf}));
  CHECK(same(node.one(), floats({2, 3}, {0, 1, 0, 1, 0, 0})));
  REQUIRE(node.unspecified().size() == 1);
  CHECK(node.unspecified()[0].slug == "hardmax-nan");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{1, 1, 1, 0, 0, 0});
}

TEST_CASE("Hardmax-13 writes the one of its type") {
  CHECK(same(hardmax(13, codes(DType::kFloat16, {2}, {0x8000, 0})).one(),
             codes(DType::kFloat16, {2}, {0x3C00, 0})));
  CHECK(same(hardmax(13, codes(DType::kBfloat16, {2}, {0xFF80, 0x3F80})).one(),
             codes(DType::kBfloat16, {2}, {0, 0x3F80})));
  CHECK(same(hardmax(13, doubles({2}, {2, 1})).one(), doubles({2}, {1, 0})));
  CHECK(same(hardmax(13, floats({2, 0}, {})).one(), floats({2, 0}, {})));
  CHECK(has(hardmax(13, floats({}, {1})).error(), "schema/attribute-range"));
}
