#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest compress(int64_t opset, const Tensor& input, std::vector<bool> condition) {
  const auto length = static_cast<int64_t>(condition.size());
  return NodeUnderTest("Compress", opset).input(input).input(bools({length}, std::move(condition)));
}

const Tensor kRows = int32s({3, 2}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("Compress-9 selects slices or, without an axis, elements") {
  CHECK(same(compress(9, kRows, {false, true, true}).attribute("axis", 0).one(),
             int32s({2, 2}, {3, 4, 5, 6})));
  CHECK(same(compress(9, kRows, {false, true}).attribute("axis", 1).one(),
             int32s({3, 1}, {2, 4, 6})));
  CHECK(same(compress(9, kRows, {false, true, false, false, true}).one(), int32s({2}, {2, 5})));
  CHECK(has(compress(9, kRows, {true}).attribute("axis", -1).error(), "schema/attribute-range"));
}

TEST_CASE("Compress-11 counts a negative axis from the back") {
  CHECK(same(compress(11, kRows, {false, true}).attribute("axis", -1).one(),
             int32s({3, 1}, {2, 4, 6})));
  CHECK(same(compress(11, strings({2}, {"a", "b"}), {true}).one(), strings({1}, {"a"})));
  CHECK(same(compress(11, kRows, {}).attribute("axis", 0).one(), int32s({0, 2}, {})));
  CHECK(same(compress(11, int32s({0, 2}, {}), {}).one(), int32s({0}, {})));
}

TEST_CASE("Compress-11 takes a longer condition that selects nothing beyond the axis") {
  CHECK(same(compress(11, kRows, {true, false, false, false}).attribute("axis", 0).one(),
             int32s({1, 2}, {1, 2})));
  CHECK(has(compress(11, kRows, {true, false, false, true}).attribute("axis", 0).error(),
            "undefined/index-range"));
}

TEST_CASE("Compress-11 errors") {
  CHECK(has(compress(11, int32s({}, {1}), {true}).error(), "schema/rank-mismatch"));
  CHECK(has(compress(11, kRows, {true}).attribute("axis", 2).error(), "schema/attribute-range"));
  CHECK(has(NodeUnderTest("Compress", 11).input(kRows).input(bools({1, 1}, {true})).error(),
            "schema/rank-mismatch"));
}

TEST_CASE("Compress-28 takes bfloat16") {
  CHECK(same(compress(28, codes(DType::kBfloat16, {2}, {1, 2}), {false, true}).one(),
             codes(DType::kBfloat16, {1}, {2})));
}
