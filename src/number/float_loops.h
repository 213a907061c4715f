// Loops over arrays of float32 that need nothing wider: the compiler makes vectors of them, and they run at the speed of memory.
// What they cannot do goes through doubles (format_many.cc, the ladder).
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/number/format.h"

namespace onnxv {

// What the elements of a quantizer are divided or multiplied by, and moved by.
struct Quantizers {
  const float* scales;
  const float* zeros;
  size_t run;  // so many neighbours share one of each: 1, or more
};
inline constexpr size_t kOneForAll = SIZE_MAX;

// codes[i] = x[i] / scale, rounded to float32 and then to an integer, both to nearest even, + zero, saturated to the format of
// at most 16 bits: in the low bits of one byte, or in two. `digits` below 24 round the quotient to so many significant bits
// instead; then neither x nor the scales may have more. Zeros are numbers of the format. A NaN becomes the least integer; returns
// whether there was one.
bool quantize_floats(const float* x, size_t count, const Quantizers& by, int digits, IntegerFormat format, void* codes);

// out[i] = x[i] / scale, rounded to float32, + zero, which is 0 of either sign.
void divide_floats(const float* x, size_t count, const Quantizers& by, float* out);

// out[i] = (x[i] - zero) * scale: the difference must be a float32, the product is rounded once. For doubles it must fit 53 bits.
void dequantize_floats(const float* x, size_t count, const Quantizers& by, float* out);
void dequantize_floats(const float* x, size_t count, const Quantizers& by, double* out);

// Whether every number of the format is a float32.
bool fits_float32(const Format& format);
// Exact; sub-byte codes take a byte each. A NaN keeps its sign. The format must fit.
void decode_to_floats(const Format& format, const void* codes, size_t count, float* out);
// Exact up to 16 bits, else rounded to nearest even. Integers of whole bytes.
void decode_to_floats(IntegerFormat format, const void* codes, size_t count, float* out);

// The codes that encode_exact_many() gives for nearest even, of a format of at most 32 bits with zero and subnormals. Returns
// whether some value is NaN or infinite.
bool encode_floats(const Format& format, const float* values, size_t count, void* codes, Overflow overflow);

// Every NaN becomes the canonical one.
void canonize_nans(float* values, size_t count);

// As doubles; a NaN is the canonical one.
void widen_floats(const float* values, size_t count, double* out);

// Integers in the order of the floats, -0 below +0; the key of a NaN lies beyond all others on the side that is looked for.
// Key of the greatest or the least of some.
int32_t extreme_float(const float* values, size_t count, bool greatest);
// best[j] takes values[j], values[stride + j], … of `rows` rows.
void extreme_floats(const float* values, size_t stride, size_t rows, size_t count, bool greatest, int32_t* best);
constexpr int32_t worst_key(bool greatest) { return greatest ? INT32_MIN : INT32_MAX; }
// NaN for the key of one.
float float_of_key(int32_t key);

// Cuts toward zero, to integers of whole bytes. False where some number does not fit, NaN for one: the codes are nobody's then.
bool truncate_floats(const float* values, size_t count, IntegerFormat format, void* codes);

}  // namespace onnxv
