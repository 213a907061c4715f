#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest one_hot(int64_t opset, const Tensor& indices, const Tensor& depth) {
  return NodeUnderTest("OneHot", opset).input(indices).input(depth).input(floats({2}, {2, 5}));
}

constexpr float kInf = __builtin_inff();

}  // namespace

TEST_CASE("OneHot-9 sets what the indices name") {
  CHECK(same(one_hot(9, int64s({2}, {0, 2}), int64s({}, {3})).one(),
             floats({2, 3}, {5, 2, 2, 2, 2, 5})));
  CHECK(same(one_hot(9, int64s({2}, {0, 2}), int64s({1}, {3})).attribute("axis", 0).one(),
             floats({3, 2}, {5, 2, 2, 2, 2, 5})));
  CHECK(same(one_hot(9, int64s({}, {1}), int64s({}, {2})).one(), floats({2}, {2, 5})));
  CHECK(same(one_hot(9, int64s({0}, {}), int64s({}, {2})).one(), floats({0, 2}, {})));
}

TEST_CASE("OneHot-9 sets nothing for an index outside") {
  CHECK(same(one_hot(9, int64s({3}, {-1, 3, 1}), int64s({}, {3})).one(),
             floats({3, 3}, {2, 2, 2, 2, 2, 2, 2, 5, 2})));
}

TEST_CASE("OneHot-11 counts negative indices from the end") {
  CHECK(same(one_hot(11, int64s({4}, {-1, -3, -4, 3}), int64s({}, {3})).one(),
             floats({4, 3}, {2, 2, 5, 5, 2, 2, 2, 2, 2, 2, 2, 2})));
  CHECK(same(one_hot(11, int64s({1, 2}, {0, 1}), int64s({}, {2})).attribute("axis", -2).one(),
             floats({1, 2, 2}, {5, 2, 2, 5})));
  CHECK(same(one_hot(11, int64s({2}, {0, 1}), int64s({}, {0})).one(), floats({2, 0}, {})));
}

TEST_CASE("OneHot-11 cuts floats toward zero") {
  CHECK(same(
      one_hot(11, floats({5}, {-0.5, 1.75, __builtin_nanf(""), kInf, 1e30F}), floats({}, {2.9F}))
          .one(),
      floats({5, 2}, {5, 2, 2, 5, 2, 2, 2, 2, 2, 2})));
  CHECK(same(one_hot(11, codes(DType::kUint64, {2}, {UINT64_MAX, 1}), int8s({}, {2})).one(),
             floats({2, 2}, {2, 2, 2, 5})));
}

TEST_CASE("OneHot-11 selects values of any kind") {
  CHECK(same(NodeUnderTest("OneHot", 11)
                 .input(int64s({1}, {1}))
                 .input(int64s({}, {2}))
                 .input(strings({2}, {"off", "on"}))
                 .one(),
             strings({1, 2}, {"off", "on"})));
  CHECK(same(NodeUnderTest("OneHot", 11)
                 .input(int64s({1}, {1}))
                 .input(int64s({}, {2}))
                 .input(floats({2}, {-kInf, kInf}))
                 .one(),
             floats({1, 2}, {-kInf, kInf})));
}

TEST_CASE("OneHot-11 errors") {
  CHECK(has(one_hot(11, int64s({1}, {0}), int64s({}, {-1})).error(), "undefined/input-range"));
  CHECK(has(one_hot(11, int64s({1}, {0}), floats({}, {kInf})).error(), "undefined/input-range"));
  CHECK(has(one_hot(11, int64s({1}, {0}), int64s({2}, {1, 2})).error(), "schema/not-one-element"));
  CHECK(has(one_hot(11, int64s({1}, {0}), int64s({}, {2})).attribute("axis", 2).error(),
            "must be in [-2, 1]"));
  CHECK(has(NodeUnderTest("OneHot", 11)
                .input(int64s({1}, {1}))
                .input(int64s({}, {2}))
                .input(floats({3}, {1, 2, 3}))
                .error(),
            "schema/shape-mismatch"));
}

TEST_CASE("OneHot-28 takes bfloat16 values") {
  CHECK(same(NodeUnderTest("OneHot", 28)
                 .input(int64s({1}, {-1}))
                 .input(int64s({}, {2}))
                 .input(codes(DType::kBfloat16, {2}, {1, 2}))
                 .one(),
             codes(DType::kBfloat16, {1, 2}, {1, 2})));
}
