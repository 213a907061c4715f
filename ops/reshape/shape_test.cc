#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

const Tensor kData = floats({2, 3, 4}, std::vector<float>(24, 1));

}  // namespace

TEST_CASE("Shape-1 gives all dimensions") {
  CHECK(same(NodeUnderTest("Shape", 1).input(kData).one(), int64s({3}, {2, 3, 4})));
  CHECK(same(NodeUnderTest("Shape", 1).input(floats({}, {1})).one(), int64s({0}, {})));
  CHECK(same(NodeUnderTest("Shape", 1).input(strings({0, 2}, {})).one(), int64s({2}, {0, 2})));
  CHECK(has(NodeUnderTest("Shape", 1).attribute("start", 1).input(kData).error(), "schema/"));
}

TEST_CASE("Shape-15 gives the dimensions from start to end") {
  const auto part = [](int64_t start) {
    return NodeUnderTest("Shape", 15).attribute("start", start).input(kData);
  };
  CHECK(same(NodeUnderTest("Shape", 15).input(kData).one(), int64s({3}, {2, 3, 4})));
  CHECK(same(part(-1).one(), int64s({1}, {4})));
  CHECK(same(NodeUnderTest("Shape", 15).attribute("end", -1).input(kData).one(),
             int64s({2}, {2, 3})));
  CHECK(same(part(1).attribute("end", 2).one(), int64s({1}, {3})));
}

TEST_CASE("Shape-15 clamps") {
  const auto part = [](int64_t start, int64_t end) {
    return NodeUnderTest("Shape", 15)
        .attribute("start", start)
        .attribute("end", end)
        .input(kData)
        .one();
  };
  CHECK(same(part(-10, 10), int64s({3}, {2, 3, 4})));
  CHECK(same(part(2, 1), int64s({0}, {})));
  CHECK(same(part(5, 10), int64s({0}, {})));
  CHECK(same(part(INT64_MIN, INT64_MAX), int64s({3}, {2, 3, 4})));
}

TEST_CASE("Size-1 counts the elements") {
  CHECK(same(NodeUnderTest("Size", 1).input(kData).one(), int64s({}, {24})));
  CHECK(same(NodeUnderTest("Size", 1).input(floats({}, {1})).one(), int64s({}, {1})));
  CHECK(same(NodeUnderTest("Size", 1).input(floats({3, 0}, {})).one(), int64s({}, {0})));
}

TEST_CASE("Size-25 counts packed elements") {
  CHECK(same(NodeUnderTest("Size", 25).input(codes(DType::kUint2, {5}, {1, 2, 3, 0, 1})).one(),
             int64s({}, {5})));
}
