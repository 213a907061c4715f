// Arithmetic on arrays of float32 at the speed of memory. One operation of the machine, rounded once, is the formula's own answer
// where operands and results are float32; nothing has to be proved.
#pragma once

#include <cstddef>
#include <vector>

namespace onnxv {

enum class FloatOperation { kAdd, kSubtract, kMultiply, kDivide };

// Steps from one element to the next: 1, or 0 where one element serves all.
struct FloatOperand {
  const float* first;
  size_t step;
};
// out[i] = a[i] operation b[i]; a NaN becomes the canonical one.
void combine_floats(FloatOperation operation, FloatOperand a, FloatOperand b, size_t count, float* out);

// out[i] = x[i] where it lies in [low, high], bits and all, else the end that it is beyond; a NaN becomes the canonical one.
// low <= high.
void clip_floats(const float* x, size_t count, float low, float high, float* out);
// The greater of x[i] and +0; a NaN becomes the canonical one.
void rectify_floats(const float* x, size_t count, float* out);

// (x[i] - mean) * factor + bias of real numbers, rounded once, where the factor is known within 2^-51 of itself, and is 0 or in
// [2^-900, 2^900]. Returns the elements that this does not settle: bits that are open, or NaN and infinities.
struct Affine {
  double mean, factor, bias;
};
std::vector<size_t> affine_floats(const float* x, size_t count, const Affine& by, float* out);

// What they are for one instruction set.
struct ArithmeticLoops {
  using Combine = void (*)(const float* a, const float* b, size_t count, float* out);
  struct Operation {
    Combine both, one_a, one_b;  // one_a: a[0] serves all
  };
  Operation operations[4];  // by FloatOperation
  void (*clip)(const float* x, size_t count, float low, float high, float* out);
  void (*rectify)(const float* x, size_t count, float* out);
  bool (*affine)(const float* x, size_t count, const Affine& by, float* out);  // false: some element is not settled
};
extern const ArithmeticLoops kArithmeticLoops_none, kArithmeticLoops_avx2, kArithmeticLoops_avx512;

}  // namespace onnxv
