// Numbers to integers and Bool.
#include "ops/cast/conversion.h"
#include "src/base/parallel.h"
#include "src/tensor/lines.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

constexpr size_t kBlock = 4096;  // a multiple of 8: sub-byte elements of two blocks share no byte

void pack(const uint8_t* codes, int bits, size_t first, size_t count, std::byte* out) {
  for (size_t i = 0; i < count; ++i) write_code(out, bits, first + i, codes[i]);
}

// 64-bit integers, which doubles cannot carry: the low bits.
void keep_low_bits(const Tensor& x, Tensor* y) {
  const std::span<const uint64_t> codes = x.as<uint64_t>();
  const IntegerFormat format = integer_format_of(y->dtype());
  for (size_t i = 0; i < codes.size(); ++i) {
    y->set_code(i, wrap_integer(format, static_cast<int128>(codes[i])));
  }
}

}  // namespace

// Choice: a float that the integer type does not hold, undefined by the text, is rounded and taken modulo 2^n; NaN and infinities are 0.
// Spec: the technical pages of the 4- and 2-bit integers ask for round to nearest even where wider integers truncate.
void numbers_to_integers(const Tensor& x, Tensor* y, std::vector<Open>* open) {
  if (is_integer(x.dtype()) && dtype_bits(x.dtype()) == 64) return keep_low_bits(x, y);
  const IntegerFormat format = integer_format_of(y->dtype());
  const Rounding rounding = format.bits < 8 ? Rounding::kNearestEven : Rounding::kTowardZero;
  const bool from_float = is_float(x.dtype());
  std::byte* out = y->mutable_bytes().data();
  parallel_for(x.size(), kBlock, [&](size_t begin, size_t end) {
    double values[kBlock];
    uint8_t unpacked[kBlock], beyond[kBlock] = {};
    const size_t count = end - begin;
    decode_elements(x, begin, count, values);
    void* codes = format.bits < 8 ? static_cast<void*>(unpacked) : out + begin * static_cast<size_t>(format.bits / 8);
    const size_t outside = encode_integers_many(format, values, count, codes, rounding, beyond);
    if (format.bits < 8) pack(unpacked, format.bits, begin, count, out);
    if (outside == 0 || !from_float) return;
    for (size_t i = 0; i < count; ++i) {
      if (beyond[i] != 0) (*open)[begin + i] = Open::kIntegerRange;
    }
  });
}

// Spec: "converting an integer 36 to Boolean may produce 1 because we truncate bits" means nonzero; NaN is not zero.
void numbers_to_bools(const Tensor& x, Tensor* y) {
  const std::span<uint8_t> out = y->mutable_as<uint8_t>();
  parallel_for(x.size(), kBlock, [&](size_t begin, size_t end) {
    double values[kBlock];
    decode_elements(x, begin, end - begin, values);
    for (size_t i = begin; i < end; ++i) out[i] = values[i - begin] != 0 ? 1 : 0;
  });
}

}  // namespace onnxv
