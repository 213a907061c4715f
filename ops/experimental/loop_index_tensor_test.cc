#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest element(const Tensor& tensor, int32_t index) {
  return NodeUnderTest("LoopIndexTensor", 1).input(tensor).input(int32s({}, {index}));
}

const Tensor kRows = int64s({2, 3}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("LoopIndexTensor-1 takes one position of an axis") {
  CHECK(same(element(kRows, 1).one(), int64s({3}, {4, 5, 6})));
  CHECK(same(element(kRows, 2).attribute("axis", 1).one(), int64s({2}, {3, 6})));
  CHECK(same(NodeUnderTest("LoopIndexTensor", 1).input(kRows).input(int64s({1}, {0})).one(),
             int64s({3}, {1, 2, 3})));
  CHECK(same(element(strings({2}, {"a", "b"}), 0).one(), strings({}, {"a"})));
}

TEST_CASE("LoopIndexTensor-1 errors") {
  CHECK(has(element(kRows, 2).error(), "undefined/index-range"));
  CHECK(has(element(kRows, -1).error(), "undefined/index-range"));
  CHECK(has(element(kRows, 0).attribute("axis", 2).error(), "schema/attribute-range"));
}
