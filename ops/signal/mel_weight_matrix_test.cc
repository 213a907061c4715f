#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

NodeUnderTest mel(int64_t bins, int64_t length, int64_t rate, float low, float high) {
  NodeUnderTest node("MelWeightMatrix", 17);
  node.input(int64s({}, {bins})).input(int64s({}, {length})).input(int64s({}, {rate}));
  node.input(floats({}, {low})).input(floats({}, {high}));
  return node;
}

}  // namespace

TEST_CASE("MelWeightMatrix-17 edges that lie on bins exactly") {
  // 700 + f runs from 700 to 5600 in three equal ratios: f = 0, 700, 2100; 16 f / 5600 = 0, 2, 6.
  CHECK(same(mel(1, 15, 5600, 0, 4900).one(),
             floats({8, 1}, {0, 0.5F, 1, 0.75F, 0.5F, 0.25F, 0, 0})));
  CHECK(same(mel(1, 15, 5600, 0, 4900).attribute("output_datatype", 2).one(),
             uint8s({8, 1}, {0, 0, 1, 0, 0, 0, 0, 0})));
  // A little more per bin: 16 f / 5601 = 0, 1.9996…, 5.99…
  CHECK(same(mel(1, 15, 5601, 0, 4900).one(), floats({8, 1}, {0, 1, 0.75F, 0.5F, 0.25F, 0, 0, 0})));
  // Both edges in one bin: 1 there.
  CHECK(same(mel(1, 4, 1000000, 0, 4900).one(), floats({3, 1}, {1, 0, 0})));
  CHECK(same(mel(0, 4, 1000, 0, 100).one(), floats({3, 0}, {})));
}

TEST_CASE("MelWeightMatrix-17 ruled errors") {
  CHECK(mel(1, 15, 2000, 0, 4900).error().starts_with("undefined/mel-range"));
  CHECK(mel(1, 15, 5600, 10, 5).error().starts_with("undefined/mel-range"));
  CHECK(mel(1, 15, 0, 0, 10).error().starts_with("undefined/mel-range"));
  CHECK(mel(1, 15, 5600, -700, 10).error().starts_with("undefined/mel-range"));
}

}  // namespace onnxv::testing
