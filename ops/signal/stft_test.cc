#include "src/run/testing.h"

namespace onnxv::testing {

TEST_CASE("STFT-17 frames, window and length") {
  const Tensor signal = floats({1, 5, 1}, {1, 2, 3, 4, 5}), window = floats({2}, {0.5F, 2});
  // floor((5 - 2) / 2) + 1 = 2 frames: (1, 2) and (3, 4).
  CHECK(same(NodeUnderTest("STFT", 17)
                 .input(signal)
                 .input(int64s({}, {2}))
                 .no_input()
                 .input(int64s({}, {2}))
                 .one(),
             floats({1, 2, 2, 2}, {3, 0, -1, 0, 7, 0, -1, 0})));
  // (1/2, 4) and (3/2, 8).
  CHECK(same(NodeUnderTest("STFT", 17).input(signal).input(int64s({1}, {2})).input(window).one(),
             floats({1, 2, 2, 2}, {4.5F, 0, -3.5F, 0, 9.5F, 0, -6.5F, 0})));
  // Neither: one frame of the whole signal.
  CHECK(same(
      NodeUnderTest("STFT", 17).input(floats({1, 4, 1}, {1, 2, 3, 4})).input(int64s({}, {1})).one(),
      floats({1, 1, 3, 2}, {10, 0, -2, 2, -2, 0})));
  CHECK(same(NodeUnderTest("STFT", 17)
                 .attribute("onesided", 0)
                 .input(floats({1, 2, 2}, {0, 1, 0, 3}))
                 .input(int64s({}, {1}))
                 .one(),
             floats({1, 1, 2, 2}, {0, 4, 0, -2})));
}

TEST_CASE("STFT-17 ruled errors") {
  const Tensor signal = floats({1, 3, 1}, {1, 2, 3}), complex = floats({1, 1, 2}, {1, 2}),
               window = floats({2}, {1, 1});
  CHECK(NodeUnderTest("STFT", 17)
            .input(signal)
            .input(int64s({}, {1}))
            .input(window)
            .input(int64s({}, {3}))
            .error()
            .starts_with("undefined/frame-length"));
  CHECK(NodeUnderTest("STFT", 17)
            .input(signal)
            .input(int64s({}, {0}))
            .input(window)
            .error()
            .starts_with("undefined/frame-step"));
  CHECK(NodeUnderTest("STFT", 17)
            .input(signal)
            .input(int64s({}, {1}))
            .no_input()
            .input(int64s({}, {4}))
            .error()
            .starts_with("undefined/frame-length"));
  CHECK(NodeUnderTest("STFT", 17)
            .input(complex)
            .input(int64s({}, {1}))
            .error()
            .starts_with("schema/attribute-value"));
}

}  // namespace onnxv::testing
