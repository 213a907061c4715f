#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

NodeUnderTest suppress(int64_t version, std::vector<float> boxes, std::vector<float> scores,
                       int64_t most, float overlap) {
  const int64_t count = static_cast<int64_t>(scores.size());
  NodeUnderTest node("NonMaxSuppression", version);
  node.input(floats({1, count, 4}, std::move(boxes)))
      .input(floats({1, 1, count}, std::move(scores)));
  node.input(int64s({}, {most})).input(floats({}, {overlap}));
  return node;
}
Tensor chosen(std::vector<int64_t> boxes) {
  std::vector<int64_t> rows;
  for (const int64_t box : boxes) rows.insert(rows.end(), {0, 0, box});
  return int64s({static_cast<int64_t>(boxes.size()), 3}, rows);
}

// Two unit squares side by side, the second shifted by half of one: intersection 2, union 6.
const std::vector<float> kThird{0, 0, 2, 2, 0, 1, 2, 3};
// The second is half of the first.
const std::vector<float> kHalf{0, 0, 1, 2, 0, 0, 1, 1};

}  // namespace

TEST_CASE("NonMaxSuppression-10 order and overlap") {
  CHECK(same(suppress(10, kThird, {0.5F, 0.75F}, 9, 0.25F).one(), chosen({1})));
  CHECK(same(suppress(10, kThird, {0.5F, 0.75F}, 9, 0.5F).one(), chosen({1, 0})));
  CHECK(same(suppress(10, kThird, {0.5F, 0.75F}, 1, 0.5F).one(), chosen({1})));
  // Equal scores: the lower index first.
  CHECK(same(suppress(10, kThird, {0.5F, 0.5F}, 9, 0.25F).one(), chosen({0})));
}

TEST_CASE("NonMaxSuppression-11 the threshold itself does not suppress") {
  CHECK(same(suppress(11, kHalf, {0.75F, 0.5F}, 9, 0.5F).one(), chosen({0, 1})));
  CHECK(same(suppress(11, kHalf, {0.75F, 0.5F}, 9, 0.49999997F).one(), chosen({0})));
  // The same far from the origin in coordinates of very different sizes, beyond 128 bits.
  CHECK(same(suppress(11, {0, 0, 1e-30F, 2e10F, 0, 0, 1e-30F, 1e10F}, {0.75F, 0.5F}, 9, 0.5F).one(),
             chosen({0, 1})));
  // Any diagonal of corners.
  CHECK(same(suppress(11, {2, 2, 0, 0, 0, 3, 2, 1}, {0.5F, 0.75F}, 9, 0.25F).one(), chosen({1})));
}

TEST_CASE("NonMaxSuppression-11 scores") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(same(suppress(11, kThird, {0.5F, 0.75F}, 9, 0.5F).input(floats({}, {0.75F})).one(),
             chosen({1})));
  CHECK(same(suppress(11, kThird, {nan, 0.75F}, 9, 0.5F).one(), chosen({1})));
  CHECK(same(suppress(11, kThird, {-1, -2}, 9, 0.5F).one(), chosen({0, 1})));
}

TEST_CASE("NonMaxSuppression-11 centres, classes and empty results") {
  // Centres (1, 1) and (2, 1), both 2 x 2: intersection 2, union 6.
  const std::vector<float> centred{1, 1, 2, 2, 2, 1, 2, 2};
  CHECK(same(suppress(11, centred, {0.5F, 0.75F}, 9, 0.25F).attribute("center_point_box", 1).one(),
             chosen({1})));
  CHECK(same(suppress(11, centred, {0.5F, 0.75F}, 9, 0.5F).attribute("center_point_box", 1).one(),
             chosen({1, 0})));
  // No area, no overlap.
  CHECK(same(suppress(11, {1, 1, 0, 0, 1, 1, 0, 0}, {1, 0.5F}, 9, 0)
                 .attribute("center_point_box", 1)
                 .one(),
             chosen({0, 1})));
  CHECK(same(suppress(11, kThird, {0.5F, 0.75F}, 0, 0.5F).one(), int64s({0, 3}, {})));
  CHECK(same(NodeUnderTest("NonMaxSuppression", 11)
                 .input(floats({1, 1, 4}, {0, 0, 1, 1}))
                 .input(floats({1, 2, 1}, {1, 2}))
                 .one(),
             int64s({0, 3}, {})));
  CHECK(same(NodeUnderTest("NonMaxSuppression", 11)
                 .input(floats({1, 1, 4}, {0, 0, 1, 1}))
                 .input(floats({1, 2, 1}, {1, 2}))
                 .input(int64s({1}, {3}))
                 .one(),
             int64s({2, 3}, {0, 0, 0, 0, 1, 0})));
}

TEST_CASE("NonMaxSuppression-11 ruled errors") {
  CHECK(
      suppress(11, kThird, {0.5F, 0.75F}, 9, 1.5F).error().starts_with("undefined/iou-threshold"));
  CHECK(NodeUnderTest("NonMaxSuppression", 11)
            .input(floats({1, 1, 4}, {0, 0, 1, 1}))
            .input(floats({1, 1, 2}, {1, 2}))
            .error()
            .starts_with("schema/shape-mismatch"));
}

}  // namespace onnxv::testing
