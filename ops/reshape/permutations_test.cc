#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

// 0, 1, 2, …
Tensor counting(Shape shape) {
  std::vector<int32_t> values;
  for (int32_t i = 0; i < shape.elements(); ++i) values.push_back(i);
  return int32s(std::move(shape), std::move(values));
}

NodeUnderTest transpose(int64_t opset, const Tensor& data) {
  return NodeUnderTest("Transpose", opset).input(data);
}

NodeUnderTest reverse(int64_t opset, const Tensor& input, std::vector<int64_t> lengths) {
  NodeUnderTest node("ReverseSequence", opset);
  const auto count = static_cast<int64_t>(lengths.size());
  return node.input(input).input(int64s({count}, std::move(lengths)));
}

}  // namespace

TEST_CASE("Transpose-1 reverses the axes or permutes them") {
  CHECK(same(transpose(1, counting({2, 3})).one(), int32s({3, 2}, {0, 3, 1, 4, 2, 5})));
  // [1,2,3] with perm (1,2,0): out[i,j,k] = in[k,i,j].
  CHECK(same(transpose(1, counting({1, 2, 3})).integers("perm", {1, 2, 0}).one(),
             int32s({2, 3, 1}, {0, 1, 2, 3, 4, 5})));
  // out[i,j,k] = in[j,i,k]
  CHECK(same(transpose(1, counting({2, 2, 2})).integers("perm", {1, 0, 2}).one(),
             int32s({2, 2, 2}, {0, 1, 4, 5, 2, 3, 6, 7})));
  CHECK(same(transpose(1, strings({2, 2}, {"a", "b", "c", "d"})).one(),
             strings({2, 2}, {"a", "c", "b", "d"})));
}

TEST_CASE("Transpose-1 leaves scalars and lines, and turns empty shapes") {
  CHECK(same(transpose(1, floats({}, {5})).one(), floats({}, {5})));
  CHECK(same(transpose(1, floats({}, {5})).integers("perm", {}).one(), floats({}, {5})));
  CHECK(same(transpose(1, floats({2}, {5, 6})).one(), floats({2}, {5, 6})));
  CHECK(same(transpose(1, floats({0, 2}, {})).one(), floats({2, 0}, {})));
}

TEST_CASE("Transpose-1 wants each axis once") {
  const Tensor data = counting({2, 3});
  CHECK(has(transpose(1, data).integers("perm", {0, 0}).error(),
            "schema/attribute-range: node \"under_test\" (Transpose-1): perm is [0,0], must hold "
            "each of the 2 axes once"));
  CHECK(has(transpose(1, data).integers("perm", {0}).error(), "schema/attribute-range"));
  CHECK(has(transpose(1, data).integers("perm", {0, -1}).error(), "schema/attribute-range"));
  CHECK(has(transpose(1, data).integers("perm", {0, 2}).error(), "schema/attribute-range"));
}

TEST_CASE("Transpose-21 moves packed elements") {
  CHECK(same(transpose(21, codes(DType::kInt4, {2, 3}, {1, 2, 3, 4, 5, 15})).one(),
             codes(DType::kInt4, {3, 2}, {1, 4, 2, 5, 3, 15})));
}

TEST_CASE("Transpose-25 moves two-bit elements") {
  CHECK(same(transpose(25, codes(DType::kUint2, {3, 2}, {1, 2, 3, 0, 0, 1})).one(),
             codes(DType::kUint2, {2, 3}, {1, 3, 0, 2, 0, 1})));
  CHECK(has(transpose(25, counting({2, 3})).integers("perm", {-1, 0}).error(),
            "schema/attribute-range"));
}

TEST_CASE("DepthToSpace-1 reads the depth as block row, block column, channel") {
  // Eight channels of one pixel, blocks of 2: y[c, i, j] = x[(i·2 + j)·2 + c].
  CHECK(same(NodeUnderTest("DepthToSpace", 1)
                 .attribute("blocksize", 2)
                 .input(counting({1, 8, 1, 1}))
                 .one(),
             int32s({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})));
  // Two pixels side by side: y[h = 0, w·2 + j].
  CHECK(same(NodeUnderTest("DepthToSpace", 1)
                 .attribute("blocksize", 2)
                 .input(counting({1, 4, 1, 2}))
                 .one(),
             int32s({1, 1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7})));
}

TEST_CASE("DepthToSpace-1 errors") {
  const auto node = [](Tensor input, int64_t block) {
    return NodeUnderTest("DepthToSpace", 1)
        .attribute("blocksize", block)
        .input(std::move(input))
        .error();
  };
  CHECK(has(node(counting({1, 6, 1, 1}), 2), "schema/shape-mismatch"));
  CHECK(has(node(counting({4, 1, 1}), 2), "schema/rank-mismatch"));
  CHECK(has(node(counting({1, 4, 1, 1}), 0), "schema/attribute-range"));
  CHECK(has(node(counting({1, 4, 1, 1}), int64_t{1} << 40), "limit/size-overflow"));
}

TEST_CASE("DepthToSpace-11 mode CRD reads the depth as channel, block row, block column") {
  const Tensor x = counting({1, 8, 1, 1});
  CHECK(same(NodeUnderTest("DepthToSpace", 11)
                 .attribute("blocksize", 2)
                 .attribute("mode", "CRD")
                 .input(x)
                 .one(),
             int32s({1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7})));
  CHECK(same(NodeUnderTest("DepthToSpace", 11).attribute("blocksize", 2).input(x).one(),
             int32s({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})));
  CHECK(has(NodeUnderTest("DepthToSpace", 11)
                .attribute("blocksize", 2)
                .attribute("mode", "dcr")
                .input(x)
                .error(),
            "schema/attribute-value"));
}

TEST_CASE("DepthToSpace-13 is DepthToSpace-11 with bfloat16") {
  const Tensor x = codes(DType::kBfloat16, {1, 4, 1, 1}, {1, 2, 3, 4});
  CHECK(same(NodeUnderTest("DepthToSpace", 13)
                 .attribute("blocksize", 2)
                 .attribute("mode", "CRD")
                 .input(x)
                 .one(),
             codes(DType::kBfloat16, {1, 1, 2, 2}, {1, 2, 3, 4})));
  CHECK(same(NodeUnderTest("DepthToSpace", 13)
                 .attribute("blocksize", 2)
                 .input(floats({0, 4, 1, 1}, {}))
                 .one(),
             floats({0, 1, 2, 2}, {})));
}

TEST_CASE("DepthToSpace-28 means the same as a function") {
  CHECK(same(NodeUnderTest("DepthToSpace", 28)
                 .attribute("blocksize", 2)
                 .input(counting({1, 8, 1, 1}))
                 .one(),
             int32s({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})));
}

TEST_CASE("SpaceToDepth-1 undoes DepthToSpace") {
  CHECK(same(NodeUnderTest("SpaceToDepth", 1)
                 .attribute("blocksize", 2)
                 .input(int32s({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7}))
                 .one(),
             counting({1, 8, 1, 1})));
  // One channel [[0,1,2,3],[4,5,6,7]]: depth 0 holds the upper left elements of the blocks.
  CHECK(same(NodeUnderTest("SpaceToDepth", 1)
                 .attribute("blocksize", 2)
                 .input(counting({1, 1, 2, 4}))
                 .one(),
             int32s({1, 4, 1, 2}, {0, 2, 1, 3, 4, 6, 5, 7})));
}

TEST_CASE("SpaceToDepth-1 errors") {
  CHECK(has(NodeUnderTest("SpaceToDepth", 1)
                .attribute("blocksize", 2)
                .input(counting({1, 1, 3, 2}))
                .error(),
            "schema/shape-mismatch"));
  CHECK(has(NodeUnderTest("SpaceToDepth", 1)
                .attribute("blocksize", 2)
                .input(counting({1, 1, 2, 3}))
                .error(),
            "schema/shape-mismatch"));
  CHECK(has(NodeUnderTest("SpaceToDepth", 1)
                .attribute("blocksize", -1)
                .input(counting({1, 1, 2, 2}))
                .error(),
            "schema/attribute-range"));
}

TEST_CASE("SpaceToDepth-13 takes bfloat16") {
  CHECK(same(NodeUnderTest("SpaceToDepth", 13)
                 .attribute("blocksize", 1)
                 .input(codes(DType::kBfloat16, {1, 1, 1, 2}, {1, 2}))
                 .one(),
             codes(DType::kBfloat16, {1, 1, 1, 2}, {1, 2})));
}

TEST_CASE("SpaceToDepth-28 mode CRD keeps a channel's blocks together") {
  const Tensor x = counting({1, 2, 2, 2});
  CHECK(same(NodeUnderTest("SpaceToDepth", 28)
                 .attribute("blocksize", 2)
                 .attribute("mode", "CRD")
                 .input(x)
                 .one(),
             counting({1, 8, 1, 1})));
  CHECK(same(NodeUnderTest("SpaceToDepth", 28).attribute("blocksize", 2).input(x).one(),
             int32s({1, 8, 1, 1}, {0, 4, 1, 5, 2, 6, 3, 7})));
  CHECK(has(NodeUnderTest("SpaceToDepth", 28)
                .attribute("blocksize", 2)
                .attribute("mode", "")
                .input(x)
                .error(),
            "schema/attribute-value"));
}

TEST_CASE("ReverseSequence-10 reverses the first elements of each sequence") {
  // The text's first example: time is axis 0, batch axis 1.
  CHECK(same(reverse(10, floats({4, 4}, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}),
                     {4, 3, 2, 1})
                 .one(),
             floats({4, 4}, {3, 6, 9, 12, 2, 5, 8, 13, 1, 4, 10, 14, 0, 7, 11, 15})));
  CHECK(same(reverse(10, counting({2, 3}), {2, 3})
                 .attribute("time_axis", 1)
                 .attribute("batch_axis", 0)
                 .one(),
             int32s({2, 3}, {1, 0, 2, 5, 4, 3})));
  // Whole blocks move.
  CHECK(same(reverse(10, counting({2, 1, 2}), {2}).one(), int32s({2, 1, 2}, {2, 3, 0, 1})));
}

TEST_CASE("ReverseSequence-10 copies sequences of length 0 and 1") {
  CHECK(same(reverse(10, strings({2, 2}, {"a", "b", "c", "d"}), {0, 1}).one(),
             strings({2, 2}, {"a", "b", "c", "d"})));
  CHECK(same(reverse(10, floats({0, 2}, {}), {0, 0}).one(), floats({0, 2}, {})));
  CHECK(same(reverse(10, floats({2, 0}, {}), {}).one(), floats({2, 0}, {})));
}

TEST_CASE("ReverseSequence-10 errors") {
  const Tensor x = counting({2, 2});
  CHECK(has(reverse(10, x, {3, 1}).error(), "undefined/input-range"));
  CHECK(has(reverse(10, x, {-1, 1}).error(), "undefined/input-range"));
  CHECK(has(reverse(10, x, {1}).error(), "schema/shape-mismatch"));
  CHECK(has(reverse(10, x, {1, 1}).attribute("time_axis", 1).error(), "must differ"));
  CHECK(has(reverse(10, counting({2, 2, 2}), {1, 1}).attribute("time_axis", 2).error(),
            "schema/attribute-range"));
  CHECK(has(reverse(10, counting({2}), {1, 1}).error(), "schema/rank-mismatch"));
}

TEST_CASE("ReverseSequence-28 takes bfloat16") {
  CHECK(same(reverse(28, codes(DType::kBfloat16, {2, 1}, {1, 2}), {2}).one(),
             codes(DType::kBfloat16, {2, 1}, {2, 1})));
}
