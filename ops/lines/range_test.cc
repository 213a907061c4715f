#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

Tensor range(int64_t version, Tensor start, Tensor limit, Tensor delta) {
  return NodeUnderTest("Range", version).input(start).input(limit).input(delta).one();
}

TEST_CASE("Range-11, Range-27: the count is exact, the elements do not accumulate") {
  for (const int64_t version : {11, 27}) {
    CHECK(same(range(version, int64s({}, {3}), int64s({}, {9}), int64s({}, {3})), int64s({2}, {3, 6})));
    CHECK(same(range(version, int32s({}, {10}), int32s({}, {4}), int32s({}, {-2})), int32s({3}, {10, 8, 6})));
    CHECK(same(range(version, floats({}, {1}), floats({}, {1}), floats({}, {0.5f})), floats({0}, {})));
    // 0.7f is just below 0.7: 7 / 0.7f is just above 10, so an eleventh element stands below 7.
    const Tensor eleven = range(version, floats({}, {0}), floats({}, {7}), floats({}, {0.7f}));
    CHECK(eleven.shape() == Shape{11});
    CHECK(eleven.as<float>()[10] == 6.99999988f);
    CHECK(NodeUnderTest("Range", version).input(floats({}, {0})).input(floats({}, {1})).input(floats({}, {0})).error().find("undefined/range-delta") == 0);
  }
  CHECK(same(range(11, int64s({}, {INT64_MAX - 1}), int64s({}, {INT64_MAX}), int64s({}, {5})), int64s({1}, {INT64_MAX - 1})));
}

}  // namespace
}  // namespace onnxv::testing
