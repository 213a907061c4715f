#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

const Tensor kReal = floats({1, 4, 1}, {1, 2, 3, 4}), kComplex = floats({1, 2, 2}, {1, 2, 3, 4});

NodeUnderTest dft(const Tensor& x) { return NodeUnderTest("DFT", 20).input(x); }
NodeUnderTest stft(const Tensor& x, int64_t step) { return NodeUnderTest("STFT", 17).input(x).input(int64s({}, {step})); }
NodeUnderTest hann(int64_t size) { return NodeUnderTest("HannWindow", 17).input(int64s({}, {size})); }
NodeUnderTest mel(int64_t bins, int64_t dft_length, int64_t rate, float low, float high) {
  return NodeUnderTest("MelWeightMatrix", 17).input(int64s({}, {bins})).input(int64s({}, {dft_length})).input(int64s({}, {rate}))
      .input(floats({}, {low})).input(floats({}, {high}));
}

TEST_CASE("signal: transforms that do not exist") {
  check_wrong_calls({
      {dft(floats({2}, {1, 2})), "schema/rank", "DFT-20", "input is [2]", "must have rank 2 or more"},
      {dft(floats({1, 3}, {1, 2, 3})), "schema/shape-mismatch", "DFT-20", "input is [1,3]", "the last dimension must be 1 or 2"},
      {dft(kReal).no_input().input(int64s({}, {2})), "undefined/input-range", "DFT-20", "axis is 2", "must be in [-3, -2] or [0, 1]"},
      {dft(kReal).no_input().input(int64s({}, {-4})), "undefined/input-range", "DFT-20", "axis is -4", "must be in [-3, -2] or [0, 1]"},
      {dft(kReal).input(int64s({}, {0})), "undefined/dft-length", "DFT-20", "dft_length is 0", "must be positive"},
      {dft(kReal).input(int64s({}, {INT64_MAX})), "limit/dft-length", "DFT-20", "the transform has 9223372036854775807 points", "must be at most 4194304"},
      {dft(kReal).input(int64s({2}, {4, 4})), "schema/not-one-element", "DFT-20", "dft_length is int64[2]", "must have one element"},
      {dft(kComplex).attribute("onesided", 1), "schema/shape-mismatch", "DFT-20", "input is complex", "a one-sided transform needs real input"},
      {dft(kReal).attribute("onesided", 1).attribute("inverse", 1), "schema/shape-mismatch", "DFT-20", "input is real", "a one-sided inverse needs complex input"},
      {dft(floats({1, 1, 2}, {1, 0})).attribute("onesided", 1).attribute("inverse", 1), "undefined/dft-length", "DFT-20", "dft_length is 0", "must be positive"},
      {dft(kReal).attribute("inverse", 2), "schema/attribute-value", "DFT-20", "inverse is 2", "must be 0 or 1"},
      {NodeUnderTest("DFT", 17).attribute("axis", -1).input(kReal), "schema/attribute-range", "DFT-17", "axis is the last one", "which holds the parts of the numbers"},
      {NodeUnderTest("DFT", 17).input(floats({int64_t{1} << 40, 0, int64_t{1} << 40, 1}, {})).input(int64s({}, {4})), "limit/size-overflow", "DFT-17", "a size exceeds 2^63", ""},
      {stft(kReal, 0), "undefined/frame-step", "STFT-17", "frame_step is 0", "must be positive"},
      {stft(floats({1, 4}, {1, 2, 3, 4}), 1), "schema/rank", "STFT-17", "signal is [1,4]", "must have rank 3"},
      {stft(kReal, 1).no_input().input(int64s({}, {5})), "undefined/frame-length", "STFT-17", "frame_length is 5", "the signal has 4 samples"},
      {stft(kReal, 1).input(floats({3}, {1, 1, 1})).input(int64s({}, {2})), "undefined/frame-length", "STFT-17", "frame_length is 2", "must be the length of the window [3]"},
      {stft(kReal, 1).input(floats({1, 3}, {1, 1, 1})), "schema/rank", "STFT-17", "window is [1,3]", "must have rank 1"},
      {stft(kReal, 1).input(floats({0}, {})), "undefined/frame-length", "STFT-17", "frame_length is 0", "must be positive"},
      {stft(kComplex, 1), "schema/attribute-value", "STFT-17", "onesided is 1 and the signal is complex", "must be 0"},
  });
}

TEST_CASE("signal: windows and mel scales that do not exist") {
  check_wrong_calls({
      {hann(-1), "undefined/size", "HannWindow-17", "size is -1", "must not be negative"},
      {hann(4).attribute("periodic", 2), "schema/attribute-value", "HannWindow-17", "periodic is 2", "must be 0 or 1"},
      {hann(4).attribute("output_datatype", 9), "schema/attribute-value", "HannWindow-17", "output_datatype is 9", "is no type of the output"},
      {hann(1).attribute("periodic", 0).attribute("output_datatype", 7), "undefined/window-length", "HannWindow-17", "a symmetric window of size 1 is NaN", "no integer stands for it"},
      {hann(INT64_MAX), "limit/size-overflow", "HannWindow-17", "9223372036854775807 elements of float are too many bytes", ""},
      {mel(2, 0, 8000, 0, 4000), "undefined/mel-range", "MelWeightMatrix-17", "dft_length is 0", "must be at least 1"},
      {mel(-1, 16, 8000, 0, 4000), "undefined/mel-range", "MelWeightMatrix-17", "num_mel_bins is -1", "must be at least 0"},
      {mel(2, 16, 0, 0, 4000), "undefined/mel-range", "MelWeightMatrix-17", "sample_rate is 0", "must be at least 1"},
      {mel(2, 16, 8000, 4000, 0), "undefined/mel-range", "MelWeightMatrix-17", "lower_edge_hertz is above upper_edge_hertz", "must not be"},
      {mel(2, 16, 8000, -700, 0), "undefined/mel-range", "MelWeightMatrix-17", "lower_edge_hertz is not above -700 Hz", "the mel scale begins there"},
      {mel(2, 16, 8000, 0, 20000), "undefined/mel-range", "MelWeightMatrix-17", "triangle 1 reaches beyond the spectrum", "must end at dft_length / 2"},
      {mel(1 << 20, 16, 8000, 0, 4000), "limit/mel-bins", "MelWeightMatrix-17", "num_mel_bins is 1048576", "exact edges would need too many digits"},
  });
}

}  // namespace
}  // namespace onnxv::testing
