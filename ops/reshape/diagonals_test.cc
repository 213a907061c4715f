#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest eye(int64_t opset, const Tensor& input, int64_t k) {
  return NodeUnderTest("EyeLike", opset).attribute("k", k).input(input);
}

const Tensor kNine = int32s({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});

NodeUnderTest trilu(const Tensor& input, int64_t upper) {
  return NodeUnderTest("Trilu", 14).attribute("upper", upper).input(input);
}

}  // namespace

TEST_CASE("EyeLike-9 sets a diagonal") {
  CHECK(same(NodeUnderTest("EyeLike", 9).input(floats({2, 3}, {9, 9, 9, 9, 9, 9})).one(),
             floats({2, 3}, {1, 0, 0, 0, 1, 0})));
  CHECK(same(eye(9, int32s({2, 3}, {9, 9, 9, 9, 9, 9}), 1).one(),
             int32s({2, 3}, {0, 1, 0, 0, 0, 1})));
  CHECK(same(eye(9, int32s({3, 2}, {9, 9, 9, 9, 9, 9}), -1).one(),
             int32s({3, 2}, {0, 0, 1, 0, 0, 1})));
  CHECK(same(eye(9, bools({2, 2}, {true, true, true, true}), 0).one(),
             bools({2, 2}, {true, false, false, true})));
}

TEST_CASE("EyeLike-9 leaves a diagonal outside the matrix away") {
  const Tensor two = int32s({2, 2}, {9, 9, 9, 9});
  for (const int64_t k : {int64_t{2}, int64_t{-2}, INT64_MAX, INT64_MIN}) {
    CHECK(same(eye(9, two, k).one(), int32s({2, 2}, {0, 0, 0, 0})));
  }
  CHECK(same(eye(9, floats({0, 2}, {}), 0).one(), floats({0, 2}, {})));
}

TEST_CASE("EyeLike-9 takes its type from dtype") {
  const Tensor two = int32s({2, 2}, {9, 9, 9, 9});
  // The ones of float16 and double.
  CHECK(same(eye(9, two, 0).attribute("dtype", 10).one(),
             codes(DType::kFloat16, {2, 2}, {0x3C00, 0, 0, 0x3C00})));
  CHECK(same(eye(9, two, 0).attribute("dtype", 11).one(), doubles({2, 2}, {1, 0, 0, 1})));
  CHECK(same(eye(9, two, 0).attribute("dtype", 13).one(),
             codes(DType::kUint64, {2, 2}, {1, 0, 0, 1})));
}

TEST_CASE("EyeLike-9 errors") {
  const Tensor two = int32s({2, 2}, {9, 9, 9, 9});
  CHECK(has(eye(9, two, 0).attribute("dtype", 16).error(), "schema/attribute-range"));
  CHECK(has(eye(9, two, 0).attribute("dtype", 8).error(), "schema/attribute-range"));
  CHECK(has(eye(9, two, 0).attribute("dtype", 99).error(), "schema/attribute-range"));
  CHECK(has(eye(9, int32s({2}, {1, 2}), 0).error(), "schema/rank-mismatch"));
}

TEST_CASE("EyeLike-22 knows bfloat16") {
  CHECK(same(eye(22, int32s({1, 2}, {9, 9}), 0).attribute("dtype", 16).one(),
             codes(DType::kBfloat16, {1, 2}, {0x3F80, 0})));
  CHECK(has(eye(22, int32s({1, 2}, {9, 9}), 0).attribute("dtype", 14).error(),
            "schema/attribute-range"));
}

TEST_CASE("Trilu-14 keeps the upper triangle") {
  CHECK(same(NodeUnderTest("Trilu", 14).input(kNine).one(),
             int32s({3, 3}, {1, 2, 3, 0, 5, 6, 0, 0, 9})));
  CHECK(same(trilu(kNine, 1).input(int64s({}, {1})).one(),
             int32s({3, 3}, {0, 2, 3, 0, 0, 6, 0, 0, 0})));
  CHECK(same(trilu(kNine, 1).input(int64s({1}, {-1})).one(),
             int32s({3, 3}, {1, 2, 3, 4, 5, 6, 0, 8, 9})));
  CHECK(same(trilu(kNine, 7).one(), int32s({3, 3}, {1, 2, 3, 0, 5, 6, 0, 0, 9})));
}

TEST_CASE("Trilu-14 keeps the lower triangle") {
  CHECK(same(trilu(kNine, 0).one(), int32s({3, 3}, {1, 0, 0, 4, 5, 0, 7, 8, 9})));
  CHECK(same(trilu(kNine, 0).input(int64s({}, {1})).one(),
             int32s({3, 3}, {1, 2, 0, 4, 5, 6, 7, 8, 9})));
  CHECK(same(trilu(kNine, 0).input(int64s({}, {-1})).one(),
             int32s({3, 3}, {0, 0, 0, 4, 0, 0, 7, 8, 0})));
}

TEST_CASE("Trilu-14 takes k of any size") {
  const Tensor zeros = int32s({3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(same(trilu(kNine, 1).input(int64s({}, {INT64_MAX})).one(), zeros));
  CHECK(same(trilu(kNine, 1).input(int64s({}, {INT64_MIN})).one(), kNine));
  CHECK(same(trilu(kNine, 0).input(int64s({}, {INT64_MAX})).one(), kNine));
  CHECK(same(trilu(kNine, 0).input(int64s({}, {INT64_MIN})).one(), zeros));
}

TEST_CASE("Trilu-14 works on batches, drops NaN and strings, keeps empty") {
  CHECK(same(NodeUnderTest("Trilu", 14)
                 .input(int32s({2, 1, 2}, {1, 2, 3, 4}))
                 .input(int64s({}, {1}))
                 .one(),
             int32s({2, 1, 2}, {0, 2, 0, 4})));
  const float nan = __builtin_nanf("");
  CHECK(same(NodeUnderTest("Trilu", 14).input(floats({2, 2}, {nan, -0.0F, nan, 1})).one(),
             floats({2, 2}, {nan, -0.0F, 0, 1})));
  CHECK(same(NodeUnderTest("Trilu", 14).input(strings({2, 2}, {"a", "b", "c", "d"})).one(),
             strings({2, 2}, {"a", "b", "", "d"})));
  CHECK(same(NodeUnderTest("Trilu", 14).input(int64s({0, 2, 2}, {})).one(), int64s({0, 2, 2}, {})));
  CHECK(same(NodeUnderTest("Trilu", 14).input(int64s({2, 0}, {})).one(), int64s({2, 0}, {})));
}

TEST_CASE("Trilu-14 errors") {
  CHECK(has(NodeUnderTest("Trilu", 14).input(int32s({2}, {1, 2})).error(), "schema/rank-mismatch"));
  CHECK(has(trilu(kNine, 1).input(int64s({2}, {1, 2})).error(), "schema/not-one-element"));
}
