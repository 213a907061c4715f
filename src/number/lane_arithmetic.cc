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

inline uint32_t bits_of(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

// With u = 2^-53: the difference is off by at most u of itself, the factor by 4 u, the product by another u: p by less than
// 8 u |p| in all. The sum is off by u |y|, and so is either end when it is computed; 4 u |y| stand for both and for what the
// bound itself loses. A product below the range of doubles is a zero of its sign in float32, or nothing beside a bias.
bool affine(const float* x, size_t count, const Affine& by, float* __restrict out) {
  const double mean = by.mean, factor = by.factor, bias = by.bias;
  uint32_t open = 0;
  for (size_t i = 0; i < count; ++i) {
    const double p = (static_cast<double>(x[i]) - mean) * factor, y = p + bias;
    const double bound = __builtin_fabs(p) * 0x1p-50 + __builtin_fabs(y) * 0x1p-51;
    const float low = static_cast<float>(y - bound), high = static_cast<float>(y + bound);
    out[i] = low;
    open |= (bits_of(low) ^ bits_of(high)) | (low != low ? 1U : 0U);
  }
  return open == 0;
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_JOIN_(a, b) a##b
#define ONNXV_JOIN(a, b) ONNXV_JOIN_(a, b)
const ArithmeticLoops ONNXV_JOIN(kArithmeticLoops_, ONNXV_LANES){
    {kOperation<Add>, kOperation<Subtract>, kOperation<Multiply>, kOperation<Divide>}, clip, rectify, affine};

}  // namespace onnxv
