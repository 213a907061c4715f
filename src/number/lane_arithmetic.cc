// Compiled once per instruction set, with the optimizer's own vectors, as lane_loops.cc is.
#include "src/number/float_arithmetic.h"

#include <cstdint>

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// Written as arithmetic on bits: of the other form the compiler makes jumps.
inline float with_canonical_nan(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const uint32_t nan = -static_cast<uint32_t>(x != x);
  bits = (bits & ~nan) | (0x7fc00000 & nan);
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

struct Add {
  static float of(float a, float b) { return a + b; }
};
struct Subtract {
  static float of(float a, float b) { return a - b; }
};
struct Multiply {
  static float of(float a, float b) { return a * b; }
};
struct Divide {
  static float of(float a, float b) { return a / b; }
};

template <class Operation>
void combine(const float* a, const float* b, size_t count, float* __restrict out) {
  for (size_t i = 0; i < count; ++i) out[i] = with_canonical_nan(Operation::of(a[i], b[i]));
}
template <class Operation>
void combine_one_a(const float* a, const float* b, size_t count, float* __restrict out) {
  const float first = *a;
  for (size_t i = 0; i < count; ++i) out[i] = with_canonical_nan(Operation::of(first, b[i]));
}
template <class Operation>
void combine_one_b(const float* a, const float* b, size_t count, float* __restrict out) {
  const float first = *b;
  for (size_t i = 0; i < count; ++i) out[i] = with_canonical_nan(Operation::of(a[i], first));
}
template <class Operation>
constexpr ArithmeticLoops::Operation kOperation{combine<Operation>, combine_one_a<Operation>, combine_one_b<Operation>};

void clip(const float* x, size_t count, float low, float high, float* __restrict out) {
  for (size_t i = 0; i < count; ++i) {
    const float below = x[i] > high ? high : x[i];
    out[i] = with_canonical_nan(below < low ? low : below);
  }
}

void rectify(const float* x, size_t count, float* __restrict out) {
  for (size_t i = 0; i < count; ++i) out[i] = with_canonical_nan(x[i] <= 0 ? 0.0F : x[i]);
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_JOIN_(a, b) a##b
#define ONNXV_JOIN(a, b) ONNXV_JOIN_(a, b)
const ArithmeticLoops ONNXV_JOIN(kArithmeticLoops_, ONNXV_LANES){
    {kOperation<Add>, kOperation<Subtract>, kOperation<Multiply>, kOperation<Divide>}, clip, rectify};

}  // namespace onnxv
