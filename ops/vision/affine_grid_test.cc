#include "src/run/testing.h"

namespace onnxv::testing {

TEST_CASE("AffineGrid-20 two axes") {
  const Tensor identity = floats({1, 2, 3}, {1, 0, 0, 0, 1, 0});
  CHECK(same(NodeUnderTest("AffineGrid", 20).input(identity).input(int64s({4}, {1, 7, 2, 2})).one(),
             floats({1, 2, 2, 2}, {-0.5F, -0.5F, 0.5F, -0.5F, -0.5F, 0.5F, 0.5F, 0.5F})));
  // One row: its centre stands at -1.
  CHECK(same(NodeUnderTest("AffineGrid", 20)
                 .attribute("align_corners", 1)
                 .input(identity)
                 .input(int64s({4}, {1, 7, 1, 2}))
                 .one(),
             floats({1, 1, 2, 2}, {-1, -1, 1, -1})));
  // x' = 2x + y + 3, y' = x; x is -2/3, 0, 2/3.
  CHECK(same(NodeUnderTest("AffineGrid", 20)
                 .input(floats({1, 2, 3}, {2, 1, 3, 1, 0, 0}))
                 .input(int64s({4}, {1, 1, 1, 3}))
                 .one(),
             floats({1, 1, 3, 2}, {1.6666666F, -0.6666667F, 3, 0, 4.3333335F, 0.6666667F})));
}

TEST_CASE("AffineGrid-20 three axes, and errors") {
  // x' = z, y' = y + 1, z' = x.
  const Tensor theta = doubles({1, 3, 4}, {0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0});
  CHECK(same(NodeUnderTest("AffineGrid", 20).input(theta).input(int64s({5}, {1, 1, 2, 1, 1})).one(),
             doubles({1, 2, 1, 1, 3}, {-0.5, 1, 0, 0.5, 1, 0})));
  CHECK(NodeUnderTest("AffineGrid", 20)
            .input(theta)
            .input(int64s({4}, {1, 1, 2, 2}))
            .error()
            .starts_with("undefined/size"));
  CHECK(NodeUnderTest("AffineGrid", 20)
            .input(theta)
            .input(int64s({3}, {1, 1, 2}))
            .error()
            .starts_with("schema/shape-mismatch"));
}

}  // namespace onnxv::testing
