#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

NodeUnderTest window(const char* op, int64_t size) {
  NodeUnderTest node(op, 17);
  node.input(int64s({}, {size}));
  return node;
}

}  // namespace

TEST_CASE("HannWindow-17 (1 - cos(2πn/M)) / 2") {
  CHECK(same(window("HannWindow", 4).one(), floats({4}, {0, 0.5F, 1, 0.5F})));
  CHECK(same(window("HannWindow", 5).attribute("periodic", 0).one(),
             floats({5}, {0, 0.5F, 1, 0.5F, 0})));
  CHECK(same(window("HannWindow", 6).attribute("output_datatype", 11).one(),
             doubles({6}, {0, 0.25, 0.75, 1, 0.75, 0.25})));
  CHECK(same(window("HannWindow", 4).attribute("output_datatype", 6).one(),
             int32s({4}, {0, 0, 1, 0})));
  CHECK(same(window("HannWindow", 0).one(), floats({0}, {})));
  CHECK(same(window("HannWindow", 1).one(), floats({1}, {0})));
}

TEST_CASE("HammingWindow-17 25/46 - 21/46 cos(2πn/M)") {
  // 4/46 = 0.0869565…, 25/46 = 0.5434782…
  CHECK(same(window("HammingWindow", 4).one(),
             floats({4}, {0.08695652F, 0.54347826F, 1, 0.54347826F})));
  CHECK(same(
      window("HammingWindow", 3).attribute("periodic", 0).attribute("output_datatype", 11).one(),
      doubles({3}, {0.08695652173913043, 1, 0.08695652173913043})));
}

TEST_CASE("BlackmanWindow-17 0.42 - 0.5 cos(2πn/M) + 0.08 cos(4πn/M)") {
  CHECK(same(window("BlackmanWindow", 4).one(), floats({4}, {0, 0.34F, 1, 0.34F})));
  CHECK(same(
      window("BlackmanWindow", 5).attribute("periodic", 0).attribute("output_datatype", 3).one(),
      int8s({5}, {0, 0, 1, 0, 0})));
}

TEST_CASE("Windows-17 ruled corners") {
  const float nan = __builtin_nanf("");
  CHECK(same(window("HannWindow", 1).attribute("periodic", 0).one(), floats({1}, {nan})));
  CHECK(same(window("BlackmanWindow", 1).attribute("periodic", 0).one(), floats({1}, {nan})));
  CHECK(window("HammingWindow", 1)
            .attribute("periodic", 0)
            .attribute("output_datatype", 6)
            .error()
            .starts_with("undefined/window-length"));
  CHECK(window("HannWindow", -1).error().starts_with("undefined/size"));
  CHECK(window("HannWindow", 4)
            .attribute("periodic", 2)
            .error()
            .starts_with("schema/attribute-value"));
  CHECK(window("HannWindow", 4)
            .attribute("output_datatype", 9)
            .error()
            .starts_with("schema/attribute-value"));
}

}  // namespace onnxv::testing
