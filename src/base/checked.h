// Arithmetic on sizes that come out of files: a result that does not fit is an error, never a wrap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/base/error.h"

namespace onnxv {

// a + b; ErrorKind::kLimit "size-overflow" when it does not fit.
inline int64_t checked_add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) fail_limit("size-overflow", "a size exceeds 2^63");
  return sum;
}

inline int64_t checked_subtract(int64_t a, int64_t b) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference)) fail_limit("size-overflow", "a size exceeds 2^63");
  return difference;
}

inline int64_t checked_multiply(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) fail_limit("size-overflow", "a size exceeds 2^63");
  return product;
}

// Division that rounds toward minus infinity, and toward plus infinity; b > 0.
inline int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
inline int64_t ceil_divide(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

}  // namespace onnxv
