#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest update(const Tensor& cache, const Tensor& update) {
  return NodeUnderTest("TensorScatter", 24).input(cache).input(update);
}

// Two batch entries of three steps of one element.
const Tensor kCache = int32s({2, 3, 1}, {1, 2, 3, 4, 5, 6});
const Tensor kTwoSteps = int32s({2, 2, 1}, {10, 20, 30, 40});

}  // namespace

TEST_CASE("TensorScatter-24 writes from an index on") {
  CHECK(same(update(kCache, kTwoSteps).one(), int32s({2, 3, 1}, {10, 20, 3, 30, 40, 6})));
  CHECK(same(update(kCache, kTwoSteps).input(int64s({2}, {1, 0})).one(),
             int32s({2, 3, 1}, {1, 10, 20, 30, 40, 6})));
  CHECK(same(update(kCache, int32s({2, 0, 1}, {})).input(int64s({2}, {3, 0})).one(), kCache));
  // The axis may be any but the first; before it, rows repeat.
  CHECK(same(update(int32s({1, 2, 3}, {1, 2, 3, 4, 5, 6}), int32s({1, 2, 1}, {7, 8}))
                 .attribute("axis", 2)
                 .input(int64s({1}, {1}))
                 .one(),
             int32s({1, 2, 3}, {1, 7, 3, 4, 8, 6})));
}

TEST_CASE("TensorScatter-24 wraps in mode circular") {
  const auto circular = [](std::vector<int64_t> at) {
    return update(kCache, kTwoSteps)
        .attribute("mode", "circular")
        .input(int64s({2}, std::move(at)))
        .one();
  };
  CHECK(same(circular({2, 5}), int32s({2, 3, 1}, {20, 2, 10, 40, 5, 30})));
  CHECK(same(circular({-1, 0}), int32s({2, 3, 1}, {20, 2, 10, 30, 40, 6})));
}

TEST_CASE("TensorScatter-24 moves packed types and strings") {
  CHECK(same(update(codes(DType::kInt4, {1, 3, 1}, {1, 2, 3}), codes(DType::kInt4, {1, 1, 1}, {15}))
                 .input(int64s({1}, {1}))
                 .one(),
             codes(DType::kInt4, {1, 3, 1}, {1, 15, 3})));
  CHECK(same(update(strings({1, 2, 1}, {"a", "b"}), strings({1, 1, 1}, {"c"}))
                 .input(int64s({1}, {1}))
                 .one(),
             strings({1, 2, 1}, {"a", "c"})));
}

TEST_CASE("TensorScatter-24 errors") {
  CHECK(has(update(kCache, kTwoSteps).input(int64s({2}, {2, 0})).error(), "undefined/index-range"));
  CHECK(
      has(update(kCache, kTwoSteps).input(int64s({2}, {-1, 0})).error(), "undefined/index-range"));
  CHECK(has(update(kCache, kTwoSteps).input(int64s({1}, {0})).error(), "schema/shape-mismatch"));
  CHECK(has(update(kCache, int32s({2, 4, 1}, std::vector<int32_t>(8, 0)))
                .attribute("mode", "circular")
                .error(),
            "schema/shape-mismatch"));
  CHECK(has(update(kCache, int32s({1, 2, 1}, {1, 2})).error(), "schema/shape-mismatch"));
  CHECK(has(update(kCache, kTwoSteps).attribute("axis", 0).error(), "schema/attribute-range"));
  CHECK(has(update(int32s({2, 1}, {1, 2}), int32s({2, 1}, {1, 2})).error(),
            "must not be the batch axis"));
  CHECK(has(update(kCache, kTwoSteps).attribute("mode", "ring").error(), "schema/attribute-value"));
}
