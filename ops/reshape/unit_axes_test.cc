#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

const Tensor kTwo = floats({1, 2, 1}, {3, 4});

NodeUnderTest with_axes(const char* op, int64_t opset, const Tensor& data,
                        std::vector<int64_t> axes) {
  NodeUnderTest node(op, opset);
  const auto length = static_cast<int64_t>(axes.size());
  return node.input(data).input(int64s({length}, std::move(axes)));
}

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Squeeze-1 drops the axes that its attribute names, or all of size 1") {
  CHECK(same(NodeUnderTest("Squeeze", 1).integers("axes", {0}).input(kTwo).one(),
             floats({2, 1}, {3, 4})));
  CHECK(same(NodeUnderTest("Squeeze", 1).input(kTwo).one(), floats({2}, {3, 4})));
  CHECK(same(NodeUnderTest("Squeeze", 1).input(floats({1, 1}, {3})).one(), floats({}, {3})));
  CHECK(same(NodeUnderTest("Squeeze", 1).integers("axes", {}).input(kTwo).one(), kTwo));
}

TEST_CASE("Squeeze-1 errors") {
  CHECK(has(NodeUnderTest("Squeeze", 1).integers("axes", {1}).input(kTwo).error(),
            "schema/attribute-range: node \"under_test\" (Squeeze-1): axes[0] is 1, must name an "
            "axis of size 1"));
  CHECK(has(NodeUnderTest("Squeeze", 1).integers("axes", {3}).input(kTwo).error(),
            "must be in [-3, 2]"));
}

TEST_CASE("Squeeze-11 counts negative axes from the back") {
  CHECK(same(NodeUnderTest("Squeeze", 11).integers("axes", {-1, -3}).input(kTwo).one(),
             floats({2}, {3, 4})));
  CHECK(same(NodeUnderTest("Squeeze", 11).integers("axes", {0, -3}).input(kTwo).one(),
             floats({2, 1}, {3, 4})));
}

TEST_CASE("Squeeze-13 takes the axes from an input") {
  CHECK(same(with_axes("Squeeze", 13, kTwo, {-1}).one(), floats({1, 2}, {3, 4})));
  CHECK(same(NodeUnderTest("Squeeze", 13).input(kTwo).one(), floats({2}, {3, 4})));
  CHECK(same(NodeUnderTest("Squeeze", 13).input(kTwo).no_input().one(), floats({2}, {3, 4})));
  CHECK(same(NodeUnderTest("Squeeze", 13).input(kTwo).input(int64s({}, {2})).one(),
             floats({1, 2}, {3, 4})));
  // A list that is there but empty names no axis.
  CHECK(same(with_axes("Squeeze", 13, kTwo, {}).one(), kTwo));
  CHECK(same(NodeUnderTest("Squeeze", 13).input(strings({1, 0}, {})).one(), strings({0}, {})));
}

TEST_CASE("Squeeze-13 errors depend on the values of an input") {
  CHECK(has(with_axes("Squeeze", 13, kTwo, {1}).error(), "undefined/input-range"));
  CHECK(has(with_axes("Squeeze", 13, kTwo, {-4}).error(), "undefined/input-range"));
  CHECK(has(with_axes("Squeeze", 13, floats({}, {1}), {0}).error(),
            "a tensor of rank 0 has no axis"));
}

TEST_CASE("Squeeze-21 keeps packed types") {
  CHECK(same(NodeUnderTest("Squeeze", 21).input(codes(DType::kUint4, {1, 3}, {1, 15, 8})).one(),
             codes(DType::kUint4, {3}, {1, 15, 8})));
}

TEST_CASE("Squeeze-23 is Squeeze-13 with one type more") {
  CHECK(same(with_axes("Squeeze", 23, codes(DType::kFloat4e2m1, {1, 3}, {1, 15, 8}), {0}).one(),
             codes(DType::kFloat4e2m1, {3}, {1, 15, 8})));
  CHECK(same(with_axes("Squeeze", 23, kTwo, {}).one(), kTwo));
}

TEST_CASE("Unsqueeze-1 adds the axes that its attribute names") {
  CHECK(same(
      NodeUnderTest("Unsqueeze", 1).integers("axes", {0, 3}).input(floats({2, 1}, {3, 4})).one(),
      floats({1, 2, 1, 1}, {3, 4})));
  CHECK(same(NodeUnderTest("Unsqueeze", 1).integers("axes", {0}).input(floats({}, {3})).one(),
             floats({1}, {3})));
  CHECK(has(NodeUnderTest("Unsqueeze", 1).input(kTwo).error(), "schema/attribute-missing"));
  CHECK(has(NodeUnderTest("Unsqueeze", 1).integers("axes", {4}).input(kTwo).error(),
            "must be in [-4, 3]"));
}

TEST_CASE("Unsqueeze-11 counts in the output, in any order") {
  const Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(same(NodeUnderTest("Unsqueeze", 11).integers("axes", {3, 0}).input(data).one(),
             floats({1, 2, 3, 1}, {1, 2, 3, 4, 5, 6})));
  CHECK(same(NodeUnderTest("Unsqueeze", 11).integers("axes", {-1, -3}).input(data).one(),
             floats({2, 1, 3, 1}, {1, 2, 3, 4, 5, 6})));
  CHECK(has(
      NodeUnderTest("Unsqueeze", 11).integers("axes", {0, -3}).input(floats({2}, {1, 2})).error(),
      "schema/attribute-range"));
}

TEST_CASE("Unsqueeze-13 takes the axes from an input") {
  const Tensor data = strings({2}, {"a", "b"});
  CHECK(same(with_axes("Unsqueeze", 13, data, {2, 0}).one(), strings({1, 2, 1}, {"a", "b"})));
  CHECK(same(NodeUnderTest("Unsqueeze", 13).input(data).input(int64s({}, {-1})).one(),
             strings({2, 1}, {"a", "b"})));
  CHECK(same(with_axes("Unsqueeze", 13, data, {}).one(), data));
  CHECK(same(with_axes("Unsqueeze", 13, floats({0}, {}), {0}).one(), floats({1, 0}, {})));
  CHECK(has(with_axes("Unsqueeze", 13, data, {0, 0}).error(), "undefined/input-range"));
  CHECK(has(with_axes("Unsqueeze", 13, data, {2}).error(), "undefined/input-range"));
}

TEST_CASE("Unsqueeze-23 is Unsqueeze-13 with one type more") {
  CHECK(same(with_axes("Unsqueeze", 23, codes(DType::kFloat4e2m1, {3}, {1, 15, 8}), {1}).one(),
             codes(DType::kFloat4e2m1, {3, 1}, {1, 15, 8})));
}
