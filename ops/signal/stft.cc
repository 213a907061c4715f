// STFT: the discrete Fourier transforms of windowed frames of a signal.
//   since 17
#include "ops/operator.h"
#include "ops/signal/transform.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

int64_t frame_length_of(const OpCall& call, const Tensor* window, int64_t signal_length) {
  int64_t length = window != nullptr ? window->shape()[0] : signal_length;
  if (const Tensor* given = call.optional_tensor("frame_length"); given != nullptr) {
    length = int64_value(*given, "frame_length");
    if (window != nullptr && window->shape()[0] != length) {
      fail_undefined("frame-length", "frame_length is " + std::to_string(length),
                     "must be the length of the window " + window->shape().text());
    }
  }
  if (length <= 0)
    fail_undefined("frame-length", "frame_length is " + std::to_string(length), "must be positive");
  if (length > signal_length) {
    fail_undefined("frame-length", "frame_length is " + std::to_string(length),
                   "the signal has " + std::to_string(signal_length) + " samples");
  }
  return length;
}

Tensor stft_17(const OpCall& call) {
  const Tensor& signal = call.tensor("signal");
  const Shape& shape = signal.shape();
  if (shape.rank() != 3) fail_schema("rank", "signal is " + shape.text(), "must have rank 3");
  if (shape.back() != 1 && shape.back() != 2)
    fail_schema("shape-mismatch", "signal is " + shape.text(), "the last dimension must be 1 or 2");
  const Tensor* window = call.optional_tensor("window");
  if (window != nullptr && window->rank() != 1)
    fail_schema("rank", "window is " + window->shape().text(), "must have rank 1");
  const int64_t samples = shape[1], parts = shape.back(),
                length = frame_length_of(call, window, samples);
  const int64_t step = int64_value(call.tensor("frame_step"), "frame_step");
  if (step <= 0)
    fail_undefined("frame-step", "frame_step is " + std::to_string(step), "must be positive");
  const int64_t onesided = call.integer("onesided");
  if (onesided != 0 && onesided != 1)
    fail_schema("attribute-value", "onesided is " + std::to_string(onesided), "must be 0 or 1");
  // Spec: "if the input is complex, then onesided output is not possible", the default included.
  if (onesided == 1 && parts == 2)
    fail_schema("attribute-value", "onesided is 1 and the signal is complex", "must be 0");
  const int64_t frames = (samples - length) / step + 1;
  Transform t;
  t.signal = &signal;
  t.window = window;
  t.lines = static_cast<size_t>(shape[0] * frames);
  t.samples = static_cast<size_t>(length);
  t.length = length;
  t.bins = static_cast<size_t>(onesided == 1 ? length / 2 + 1 : length);
  const auto places = [=](int64_t part) {
    return [=](size_t line, int64_t* out) {
      const int64_t batch = static_cast<int64_t>(line) / frames,
                    frame = static_cast<int64_t>(line) % frames;
      for (int64_t n = 0; n < length; ++n)
        out[n] = (batch * samples + frame * step + n) * parts + part;
    };
  };
  t.real = places(0);
  if (parts == 2) t.imaginary = places(1);
  return transformed(t).reshaped({shape[0], frames, static_cast<int64_t>(t.bins), 2});
}

}  // namespace

extern const Operator kSTFT;
const Operator kSTFT{"ai.onnx", "STFT", {{.since = 17, .run = stft_17}}};

}  // namespace onnxv
