#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest crop(std::vector<int64_t> border) {
  // Three rows of four.
  return NodeUnderTest("Crop", 1)
      .integers("border", std::move(border))
      .input(floats({1, 1, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

}  // namespace

TEST_CASE("Crop-1 takes borders away: left, top, right, bottom") {
  CHECK(same(crop({1, 0, 2, 1}).one(), floats({1, 1, 2, 1}, {1, 5})));
  CHECK(same(crop({0, 2, 0, 0}).one(), floats({1, 1, 1, 4}, {8, 9, 10, 11})));
}

TEST_CASE("Crop-1 takes a part of the size that scale says") {
  CHECK(same(crop({1, 1, 9, 9}).integers("scale", {2, 2}).one(),
             floats({1, 1, 2, 2}, {5, 6, 9, 10})));
  CHECK(same(NodeUnderTest("Crop", 1)
                 .integers("scale", {1, 2})
                 .input(floats({1, 1, 2, 2}, {1, 2, 3, 4}))
                 .one(),
             floats({1, 1, 1, 2}, {1, 2})));
}

TEST_CASE("Crop-1 errors") {
  CHECK(has(NodeUnderTest("Crop", 1).input(floats({1, 1, 1, 1}, {1})).error(),
            "schema/attribute-missing"));
  CHECK(has(crop({1, 0, 2}).error(), "schema/attribute-range"));
  CHECK(has(crop({2, 0, 2, 0}).error(), "schema/attribute-range"));
  CHECK(has(crop({-1, 0, 0, 0}).error(), "schema/attribute-range"));
  CHECK(has(crop({0, 2, 0, 0}).integers("scale", {2, 1}).error(), "schema/attribute-range"));
  CHECK(has(crop({0, 0, 0, 0}).integers("scale", {2}).error(), "schema/attribute-range"));
  CHECK(has(NodeUnderTest("Crop", 1)
                .integers("border", {0, 0, 0, 0})
                .input(floats({1, 1, 1}, {1}))
                .error(),
            "schema/rank-mismatch"));
}
