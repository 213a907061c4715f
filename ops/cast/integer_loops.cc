#include "ops/cast/integer_loops.h"

namespace onnxv {
namespace {

template <class From, class To>
void convert(const From* from, size_t count, To* to) {
  for (size_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
}
template <class From>
void convert(const From* from, size_t count, int bits, std::byte* to) {
  switch (bits) {
    case 16: return convert(from, count, reinterpret_cast<uint16_t*>(to));
    case 32: return convert(from, count, reinterpret_cast<uint32_t*>(to));
    case 64: return convert(from, count, reinterpret_cast<uint64_t*>(to));
    default: return convert(from, count, reinterpret_cast<uint8_t*>(to));
  }
}

template <class Code>
void mark(const std::byte* codes, bool has_sign, size_t begin, size_t end, uint8_t* out) {
  const Code* from = reinterpret_cast<const Code*>(codes);
  const Code mask = static_cast<Code>(has_sign ? static_cast<Code>(~Code{}) >> 1 : ~Code{});
  for (size_t i = begin; i < end; ++i) out[i] = (from[i] & mask) != 0 ? 1 : 0;
}

}  // namespace

void keep_low_bits(const std::byte* integers, IntegerFormat format, size_t first, size_t count, int bits, std::byte* out) {
  const auto as = [&]<class Signed, class Unsigned>(Signed, Unsigned) {
    if (format.is_signed) return convert(reinterpret_cast<const Signed*>(integers) + first, count, bits, out);
    convert(reinterpret_cast<const Unsigned*>(integers) + first, count, bits, out);
  };
  switch (format.bits) {
    case 8: return as(int8_t{}, uint8_t{});
    case 16: return as(int16_t{}, uint16_t{});
    case 32: return as(int32_t{}, uint32_t{});
    default: return as(int64_t{}, uint64_t{});
  }
}

void mark_nonzero(const std::byte* codes, int bits, bool has_sign, size_t begin, size_t end, uint8_t* out) {
  switch (bits) {
    case 8: return mark<uint8_t>(codes, has_sign, begin, end, out);
    case 16: return mark<uint16_t>(codes, has_sign, begin, end, out);
    case 32: return mark<uint32_t>(codes, has_sign, begin, end, out);
    default: return mark<uint64_t>(codes, has_sign, begin, end, out);
  }
}

}  // namespace onnxv
