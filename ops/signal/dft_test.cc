#include "src/run/testing.h"

namespace onnxv::testing {

TEST_CASE("DFT-17 forward, of a real and of a complex signal") {
  const std::vector<float> spectrum{10, 0, -2, 2, -2, 0, -2, -2};
  CHECK(same(NodeUnderTest("DFT", 17).input(floats({1, 4, 1}, {1, 2, 3, 4})).one(),
             floats({1, 4, 2}, spectrum)));
  // j times the signal gives j times the spectrum.
  CHECK(same(NodeUnderTest("DFT", 17).input(floats({1, 4, 2}, {0, 1, 0, 2, 0, 3, 0, 4})).one(),
             floats({1, 4, 2}, {0, 10, -2, -2, 0, -2, 2, -2})));
  // 1 + 2(-1/2 - j√3/2) + 4(-1/2 + j√3/2) = -2 + j√3.
  CHECK(same(NodeUnderTest("DFT", 17).attribute("axis", -2).input(floats({3, 1}, {1, 2, 4})).one(),
             floats({3, 2}, {7, 0, -2, 1.7320508F, -2, -1.7320508F})));
}

TEST_CASE("DFT-17 inverse and one-sided") {
  const Tensor spectrum = floats({1, 4, 2}, {10, 0, -2, 2, -2, 0, -2, -2});
  CHECK(same(NodeUnderTest("DFT", 17).attribute("inverse", 1).input(spectrum).one(),
             floats({1, 4, 2}, {1, 0, 2, 0, 3, 0, 4, 0})));
  CHECK(same(NodeUnderTest("DFT", 17)
                 .attribute("onesided", 1)
                 .input(floats({1, 4, 1}, {1, 2, 3, 4}))
                 .one(),
             floats({1, 3, 2}, {10, 0, -2, 2, -2, 0})));
  // The imaginary parts of the first bin and of the middle one do not count.
  CHECK(same(NodeUnderTest("DFT", 17)
                 .attribute("onesided", 1)
                 .attribute("inverse", 1)
                 .input(floats({1, 3, 2}, {10, 7, -2, 2, -2, 9}))
                 .one(),
             floats({1, 4, 1}, {1, 2, 3, 4})));
}

TEST_CASE("DFT-20 axis, length and other types") {
  // Lines along the first axis of [2, 2, 1].
  CHECK(same(NodeUnderTest("DFT", 20)
                 .input(doubles({2, 2, 1}, {1, 2, 3, 5}))
                 .no_input()
                 .input(int64s({}, {0}))
                 .one(),
             doubles({2, 2, 2}, {4, 0, 7, 0, -2, 0, -3, 0})));
  // The default axis is -2; a longer length pads with zeros, a shorter one cuts.
  CHECK(same(NodeUnderTest("DFT", 20).input(floats({1, 2, 1}, {1, 1})).input(int64s({}, {4})).one(),
             floats({1, 4, 2}, {2, 0, 1, -1, 0, 0, 1, 1})));
  CHECK(
      same(NodeUnderTest("DFT", 20).input(floats({3, 1}, {1, 1, 9})).input(int64s({1}, {2})).one(),
           floats({2, 2}, {2, 0, 0, 0})));
  CHECK(same(NodeUnderTest("DFT", 20).input(numbers(DType::kFloat16, {2, 1}, {1, 2})).one(),
             numbers(DType::kFloat16, {2, 2}, {3, 0, -1, 0})));
}

TEST_CASE("DFT-20 zeros and ties that only algebra proves") {
  const float third = 0.33333334F;
  CHECK(same(
      NodeUnderTest("DFT", 20).input(floats({5, 1}, {third, third, third, third, third})).one(),
      floats({5, 2}, {1.6666667F, 0, 0, 0, 0, 0, 0, 0, 0, 0})));
  // 258 and the other roots of unity, which sum to -1: 257 is a tie in bfloat16 and goes to 256.
  CHECK(same(
      NodeUnderTest("DFT", 20).input(numbers(DType::kBfloat16, {5, 1}, {258, 1, 1, 1, 1})).one(),
      numbers(DType::kBfloat16, {5, 2}, {262, 0, 256, 0, 256, 0, 256, 0, 256, 0})));
}

TEST_CASE("DFT-20 ruled errors") {
  const Tensor real = floats({1, 4, 1}, {1, 2, 3, 4}), complex = floats({1, 1, 2}, {1, 2});
  CHECK(NodeUnderTest("DFT", 20)
            .input(real)
            .no_input()
            .input(int64s({}, {2}))
            .error()
            .starts_with("undefined/input-range"));
  CHECK(NodeUnderTest("DFT", 20)
            .attribute("onesided", 1)
            .input(complex)
            .error()
            .starts_with("schema/shape-mismatch"));
  CHECK(NodeUnderTest("DFT", 20)
            .attribute("onesided", 1)
            .attribute("inverse", 1)
            .input(real)
            .error()
            .starts_with("schema/shape-mismatch"));
  CHECK(NodeUnderTest("DFT", 20)
            .attribute("onesided", 1)
            .attribute("inverse", 1)
            .input(complex)
            .error()
            .starts_with("undefined/dft-length"));
  CHECK(NodeUnderTest("DFT", 20)
            .input(real)
            .input(int64s({}, {0}))
            .error()
            .starts_with("undefined/dft-length"));
  CHECK(NodeUnderTest("DFT", 20)
            .input(floats({1, 3}, {1, 2, 3}))
            .error()
            .starts_with("schema/shape-mismatch"));
}

}  // namespace onnxv::testing
