// Numbers to integers and Bool.
#include "ops/cast/conversion.h"
#include "ops/cast/integer_loops.h"
#include "src/base/parallel.h"
#include "src/number/float_loops.h"
#include "src/tensor/floats.h"
#include "src/tensor/lines.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

constexpr size_t kBlock = 4096;  // a multiple of 8: sub-byte elements of two blocks share no byte

// By doubles; marks what the type does not hold.
void round_block(const Tensor& x, size_t first, size_t count, IntegerFormat format, std::byte* codes, OpenElements* open) {
  double values[kBlock];
  uint8_t beyond[kBlock] = {};
  decode_elements(x, first, count, values);
  const Rounding rounding = format.bits < 8 ? Rounding::kNearestEven : Rounding::kTowardZero;
  const size_t outside = encode_integers_many(format, values, count, codes, rounding, beyond);
  if (outside == 0 || !is_float(x.dtype())) return;
  for (size_t i = 0; i < count; ++i) {
    if (beyond[i] != 0) open->mark(first + i, Open::kIntegerRange);
  }
}

bool truncated_by_floats(const Tensor& x, size_t first, size_t count, IntegerFormat format, std::byte* codes) {
  if (!is_float(x.dtype()) || !fits_float32(x.dtype()) || format.bits < 8) return false;
  float buffer[kBlock];
  return truncate_floats(float_elements(x, first, count, buffer), count, format, codes);
}

}  // namespace

// Choice: a float that the integer type does not hold, undefined by the text, is rounded and taken modulo 2^n; NaN and infinities are 0.
// Spec: the technical pages of the 4- and 2-bit integers ask for round to nearest even where wider integers truncate.
void numbers_to_integers(const Tensor& x, Tensor* y, OpenElements* open) {
  const IntegerFormat format = integer_format_of(y->dtype());
  const bool by_bits = is_integer(x.dtype()) && dtype_bits(x.dtype()) >= 8;
  std::byte* out = y->mutable_bytes().data();
  parallel_for(x.size(), kBlock, [&](size_t begin, size_t end) {
    std::byte unpacked[kBlock];
    const size_t count = end - begin;
    std::byte* codes = format.bits < 8 ? unpacked : out + begin * static_cast<size_t>(format.bits / 8);
    if (by_bits) {
      keep_low_bits(x.bytes().data(), integer_format_of(x.dtype()), begin, count, format.bits, codes);
    } else if (!truncated_by_floats(x, begin, count, format, codes)) {
      round_block(x, begin, count, format, codes, open);
    }
    if (format.bits < 8) pack_codes(reinterpret_cast<const uint8_t*>(unpacked), format.bits, begin, count, out);
  });
}

// Spec: "converting an integer 36 to Boolean may produce 1 because we truncate bits" means nonzero; NaN is not zero.
void numbers_to_bools(const Tensor& x, Tensor* y) {
  const std::span<uint8_t> out = y->mutable_as<uint8_t>();
  // Of most types a zero is a code without a bit but the sign.
  const bool by_bits = dtype_bits(x.dtype()) >= 8 && (!is_float(x.dtype()) || float_format(x.dtype()).nan != NanPatterns::kNegativeZero) &&
                       x.dtype() != DType::kFloat8e8m0;
  parallel_for(x.size(), kBlock, [&](size_t begin, size_t end) {
    if (by_bits) return mark_nonzero(x.bytes().data(), dtype_bits(x.dtype()), is_float(x.dtype()), begin, end, out.data());
    double values[kBlock];
    decode_elements(x, begin, end - begin, values);
    for (size_t i = begin; i < end; ++i) out[i] = values[i - begin] != 0 ? 1 : 0;
  });
}

}  // namespace onnxv
