// The loops of float_loops.h, compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/number/float_loops.h"

namespace onnxv {

// Quantizers and the ends of an integer format, for one- and two-byte codes.
struct QuantizeLoop {
  const float* x;
  size_t count;
  Quantizers by;
  int dropped;  // low bits of the quotient that are rounded away
  float least, most;
  void* codes;
};

// How encode_floats() finds a code from the bits of a float32 (encode_nearest() of format_many.cc, with 23 mantissa bits).
struct EncodeLoop {
  const float* values;
  size_t count;
  int shift;           // 23 - mantissa bits
  int sign_shift;      // 32 - bits
  uint32_t rebias;     // what the exponent field loses, in the place of the code
  uint32_t smallest;   // the least normal magnitude, as a float32
  float to_subnormal;  // adding it leaves a subnormal magnitude's code in the low bits
  uint32_t largest, beyond, canonical_nan;  // codes; beyond: of a magnitude above the largest
  bool keeps_minus_zero;
  void* codes;
};

// How decode_to_floats() finds a float32: the code's magnitude, shifted to where a float32 has it, times a power of two.
struct DecodeLoop {
  const void* codes;
  size_t count;
  int shift, sign_shift;
  uint32_t sign;      // the sign's bit, or 0
  uint32_t magnitude; // its bits
  float rescale;
  uint32_t top;       // from this magnitude on all are infinite or NaN
  uint32_t top_bits;  // what is set then
  uint32_t nan_code;  // a code that is NaN by itself; more than any code: none
  float* out;
};

struct FloatLoops {
  bool (*quantize8)(const QuantizeLoop&);
  bool (*quantize16)(const QuantizeLoop&);
  void (*divide)(const float* x, size_t count, const Quantizers& by, float* out);
  void (*dequantize)(const float* x, size_t count, const Quantizers& by, float* out);
  void (*dequantize_wide)(const float* x, size_t count, const Quantizers& by, double* out);
  bool (*encode8)(const EncodeLoop&);
  bool (*encode16)(const EncodeLoop&);
  bool (*encode32)(const float* values, size_t count, uint32_t canonical_nan, void* codes);
  void (*canonize)(float* values, size_t count);
  void (*widen)(const float* values, size_t count, double* out);
  void (*decode8)(const DecodeLoop&);
  void (*decode16)(const DecodeLoop&);
  // Of 8, 16, 32 and 64 bits, signed and unsigned.
  void (*decode_signed[4])(const void* codes, size_t count, float* out);
  void (*decode_unsigned[4])(const void* codes, size_t count, float* out);
  // False where some number does not fit: the codes are nobody's then. To 8, 16, 32 and 64 bits, signed and unsigned.
  bool (*truncate_signed[4])(const float* values, size_t count, void* codes);
  bool (*truncate_unsigned[4])(const float* values, size_t count, void* codes);
  int32_t (*extreme)(const float* values, size_t count, bool greatest);
  void (*extreme_rows)(const float* values, size_t stride, size_t rows, size_t count, bool greatest, int32_t* best);
  // Float16; null where the machine has no conversions of its own.
  bool (*encode_half)(const float* values, size_t count, void* codes);
  void (*decode_half)(const void* codes, size_t count, float* out);
};

extern const FloatLoops kFloatLoops_none, kFloatLoops_avx2, kFloatLoops_avx512;

}  // namespace onnxv
