// Loops over arrays of float32 that need nothing wider: the compiler makes vectors of them, and they run at the speed of memory.
// What they cannot do goes through doubles (format_many.cc, the ladder).
#pragma once

#include <cstddef>

#include "src/number/format.h"

namespace onnxv {

// What the elements of a quantizer are divided or multiplied by, and moved by.
struct Quantizers {
  const float* scales;
  const float* zeros;
  bool shared;  // one of each serves all elements; else each element has its own beside it
};

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
// Exact up to 16 bits, else rounded to nearest even; at most 32 bits.
void decode_to_floats(IntegerFormat format, const void* codes, size_t count, float* out);

// The codes that encode_exact_many() gives for nearest even, of a format of at most 32 bits with zero and subnormals. Returns
// whether some value is NaN or infinite.
bool encode_floats(const Format& format, const float* values, size_t count, void* codes, Overflow overflow);

}  // namespace onnxv
