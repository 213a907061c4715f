#include <array>

#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kNan = __builtin_nanf("");

NodeUnderTest unique(int64_t opset, const Tensor& x) {
  return NodeUnderTest("Unique", opset).input(x).outputs(4);
}

void check(NodeUnderTest node, const Tensor& y, std::vector<int64_t> indices,
           std::vector<int64_t> inverse, std::vector<int64_t> counts) {
  const auto list = [](const std::vector<int64_t>& values) {
    return int64s({static_cast<int64_t>(values.size())}, values);
  };
  CHECK(same(node.output(0), y));
  CHECK(same(node.output(1), list(indices)));
  CHECK(same(node.output(2), list(inverse)));
  CHECK(same(node.output(3), list(counts)));
}

}  // namespace

TEST_CASE("Unique-11 finds the different elements") {
  // The text's examples.
  check(unique(11, floats({6}, {2, 1, 1, 3, 4, 3})).attribute("sorted", 0),
        floats({4}, {2, 1, 3, 4}), {0, 1, 3, 4}, {0, 1, 1, 2, 3, 2}, {1, 2, 2, 1});
  check(unique(11, floats({2, 2}, {1, 3, 2, 3})), floats({3}, {1, 2, 3}), {0, 2, 1}, {0, 2, 1, 2},
        {1, 1, 2});
  CHECK(same(NodeUnderTest("Unique", 11).input(floats({2}, {3, 1})).attribute("sorted", 0).one(),
             floats({2}, {3, 1})));
}

TEST_CASE("Unique-11 finds the different subtensors along an axis") {
  check(unique(11, floats({3, 3}, {1, 0, 0, 1, 0, 0, 2, 3, 4})).attribute("axis", 0),
        floats({2, 3}, {1, 0, 0, 2, 3, 4}), {0, 2}, {0, 0, 1}, {2, 1});
  check(unique(11, floats({2, 4, 2}, {1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1}))
            .attribute("axis", 1),
        floats({2, 3, 2}, {0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1}), {1, 0, 2}, {1, 0, 2, 0},
        {2, 1, 1});
  check(unique(11, int64s({1, 3}, {5, 4, 5})).attribute("axis", -1).attribute("sorted", 0),
        int64s({1, 2}, {5, 4}), {0, 1}, {0, 1, 0}, {2, 1});
  // Rows in their order of occurrence; [1, 9] sorts before [2, 0].
  check(unique(11, int64s({3, 2}, {2, 0, 1, 9, 2, 0})).attribute("axis", 0).attribute("sorted", 0),
        int64s({2, 2}, {2, 0, 1, 9}), {0, 1}, {0, 1, 0}, {2, 1});
  check(unique(11, int64s({3, 2}, {2, 0, 1, 9, 2, 0})).attribute("axis", 0),
        int64s({2, 2}, {1, 9, 2, 0}), {1, 0}, {1, 0, 1}, {1, 2});
}

TEST_CASE("Unique-11 collapses NaN, last, and zeros of both signs") {
  check(unique(11, floats({5}, {kNan, 1, kNan, -0.0F, 0})), floats({3}, {-0.0F, 1, kNan}),
        {3, 1, 0}, {2, 1, 2, 0, 0}, {2, 1, 2});
  check(unique(11, floats({2, 2}, {kNan, 0, kNan, -0.0F})).attribute("axis", 0),
        floats({1, 2}, {kNan, 0}), {0}, {0, 0}, {2});
}

TEST_CASE("Unique-11 orders strings by bytes, bool, unsigned and complex numbers") {
  check(unique(11, strings({4}, {"b", "a", "\xC3\xA9", "b"})), strings({3}, {"a", "b", "\xC3\xA9"}),
        {1, 0, 2}, {1, 0, 2, 1}, {1, 2, 1});
  check(unique(11, bools({3}, {true, false, true})), bools({2}, {false, true}), {1, 0}, {1, 0, 1},
        {1, 2});
  check(unique(11, codes(DType::kUint64, {3}, {UINT64_MAX, 1, uint64_t{1} << 63})),
        codes(DType::kUint64, {3}, {1, uint64_t{1} << 63, UINT64_MAX}), {1, 2, 0}, {2, 0, 1},
        {1, 1, 1});
  Tensor complex(DType::kComplex64, Shape{3}), sorted(DType::kComplex64, Shape{2});
  complex.mutable_as<std::array<float, 2>>()[0] = {1, 2};
  complex.mutable_as<std::array<float, 2>>()[1] = {1, -2};
  complex.mutable_as<std::array<float, 2>>()[2] = {1, 2};
  sorted.mutable_as<std::array<float, 2>>()[0] = {1, -2};
  sorted.mutable_as<std::array<float, 2>>()[1] = {1, 2};
  check(unique(11, complex), sorted, {1, 0}, {1, 0, 1}, {1, 2});
}

TEST_CASE("Unique-11 knows scalars and empty tensors") {
  check(unique(11, int64s({}, {5})), int64s({1}, {5}), {0}, {0}, {1});
  check(unique(11, int64s({0, 3}, {})), int64s({0}, {}), {}, {}, {});
  // Two rows without elements are equal.
  check(unique(11, int64s({2, 0}, {})).attribute("axis", 0), int64s({1, 0}, {}), {0}, {0, 0}, {2});
  check(unique(11, int64s({0, 2}, {})).attribute("axis", 0), int64s({0, 2}, {}), {}, {}, {});
}

TEST_CASE("Unique-11 errors") {
  CHECK(has(unique(11, int64s({2}, {1, 2})).attribute("sorted", 2).error(),
            "schema/attribute-range"));
  CHECK(
      has(unique(11, int64s({2}, {1, 2})).attribute("axis", 1).error(), "schema/attribute-range"));
  CHECK(has(unique(11, int64s({}, {1})).attribute("axis", 0).error(), "schema/attribute-range"));
}

TEST_CASE("Unique-28 takes bfloat16") {
  check(unique(28, codes(DType::kBfloat16, {3}, {0xBF80, 0x3F80, 0xBF80})),
        codes(DType::kBfloat16, {2}, {0xBF80, 0x3F80}), {0, 1}, {0, 1, 0}, {2, 1});
}
