// Compiled once per instruction set, with the optimizer's own vectors: plain loops without branches. Where a choice is made of bits
// rather than of numbers, it is written as arithmetic: the compiler makes jumps of the other form.
#include "src/number/lane_loops.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

inline uint32_t bits_of(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float from_bits(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
inline uint32_t chosen(bool first, uint32_t a, uint32_t b) { return b ^ ((a ^ b) & -static_cast<uint32_t>(first)); }
// Of numbers below 2^31, which vectors compare as signed ones.
inline bool above(uint32_t a, uint32_t b) { return static_cast<int32_t>(a) > static_cast<int32_t>(b); }

// One for all elements, or one beside each.
template <bool shared>
struct Parameter {
  const float* values;
  float first;
  explicit Parameter(const float* given) : values(given), first(*given) {}
  float operator[](size_t i) const { return shared ? first : values[i]; }
};

// Rounds away the low bits, to nearest even. A NaN stays one: the bits that are dropped of it are 0, for it comes from an operand.
inline float with_fewer_digits(float x, int dropped) {
  const uint32_t bits = bits_of(x), half = (1U << (dropped - 1)) - 1;
  return from_bits((bits + half + ((bits >> dropped) & 1)) & (~0U << dropped));
}

// A number of at most 2^18 in magnitude plus this is rounded to an integer, which stands in the low bits of the sum.
constexpr float kUnits = 0x1.8p23f;

// Clamping comes before the rounding to an integer: the ends are integers, so the order makes no difference. What is clamped first
// lies above any number of 17 bits that `dropped` could round to it.
template <class Code, bool shared, bool drops>
bool quantized(const QuantizeLoop& loop) {
  // Copies: the codes might lie over everything else, for all that the compiler knows.
  const size_t count = loop.count;
  const float* const x = loop.x;
  const float least = loop.least, most = loop.most;
  const Parameter<shared> scales(loop.by.scales), zeros(loop.by.zeros);
  const int dropped = drops ? loop.dropped : 1;
  Code* const codes = static_cast<Code*>(loop.codes);
  uint32_t nans = 0;
  for (size_t i = 0; i < count; ++i) {
    float q = x[i] / scales[i];
    nans |= q != q ? 1U : 0U;
    if constexpr (drops) q = with_fewer_digits(q, dropped);
    const float zero = zeros[i], low = least - zero, high = most - zero;
    q = q > low ? q : low;  // NaN too
    q = q < high ? q : high;
    codes[i] = static_cast<Code>(bits_of((q + kUnits) + zero));
  }
  return nans != 0;
}

template <class Code>
bool quantize(const QuantizeLoop& loop) {
  if (loop.dropped == 0) return loop.by.run != 1 ? quantized<Code, true, false>(loop) : quantized<Code, false, false>(loop);
  return loop.by.run != 1 ? quantized<Code, true, true>(loop) : quantized<Code, false, true>(loop);
}

template <bool shared>
void divided(const float* x, size_t count, const Quantizers& by, float* out) {
  const Parameter<shared> scales(by.scales), zeros(by.zeros);
  for (size_t i = 0; i < count; ++i) out[i] = x[i] / scales[i] + zeros[i];
}
void divide(const float* x, size_t count, const Quantizers& by, float* out) {
  by.run != 1 ? divided<true>(x, count, by, out) : divided<false>(x, count, by, out);
}

template <bool shared>
void dequantized(const float* x, size_t count, const Quantizers& by, float* out) {
  const Parameter<shared> scales(by.scales), zeros(by.zeros);
  for (size_t i = 0; i < count; ++i) out[i] = (x[i] - zeros[i]) * scales[i];
}
void dequantize(const float* x, size_t count, const Quantizers& by, float* out) {
  by.run != 1 ? dequantized<true>(x, count, by, out) : dequantized<false>(x, count, by, out);
}
template <bool shared>
void widely_dequantized(const float* x, size_t count, const Quantizers& by, double* out) {
  const Parameter<shared> scales(by.scales), zeros(by.zeros);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<double>(x[i] - zeros[i]) * static_cast<double>(scales[i]);
}
void dequantize_wide(const float* x, size_t count, const Quantizers& by, double* out) {
  by.run != 1 ? widely_dequantized<true>(x, count, by, out) : widely_dequantized<false>(x, count, by, out);
}

template <class Code>
bool encode(const EncodeLoop& loop) {
  const EncodeLoop by = loop;
  Code* const codes = static_cast<Code*>(by.codes);
  const uint32_t half = (1U << (by.shift - 1)) - 1, subnormal = bits_of(by.to_subnormal);
  const uint32_t keeps = by.keeps_minus_zero ? 1 : 0;
  uint32_t specials = 0;
  for (size_t i = 0; i < by.count; ++i) {
    const uint32_t bits = bits_of(by.values[i]), magnitude = bits & 0x7fffffff;
    specials |= above(magnitude, 0x7f7fffff) ? 1U : 0U;
    const uint32_t normal = ((magnitude + half + ((magnitude >> by.shift) & 1)) >> by.shift) - by.rebias;
    const uint32_t small = bits_of(from_bits(magnitude) + by.to_subnormal) - subnormal;
    uint32_t code = chosen(above(by.smallest, magnitude), small, normal);
    code = chosen(above(code, by.largest), by.beyond, code);
    const uint32_t sign = chosen((code | keeps) != 0, (bits ^ magnitude) >> by.sign_shift, 0);
    codes[i] = static_cast<Code>(chosen(above(magnitude, 0x7f800000), by.canonical_nan, code | sign));
  }
  return specials != 0;
}

bool encode32(const float* values, size_t count, uint32_t canonical_nan, void* codes) {
  uint32_t* const to = static_cast<uint32_t*>(codes);
  uint32_t specials = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = bits_of(values[i]), magnitude = bits & 0x7fffffff;
    specials |= above(magnitude, 0x7f7fffff) ? 1U : 0U;
    to[i] = chosen(above(magnitude, 0x7f800000), canonical_nan, bits);
  }
  return specials != 0;
}

void canonize(float* values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = bits_of(values[i]);
    values[i] = from_bits(chosen(above(bits & 0x7fffffff, 0x7f800000), 0x7fc00000, bits));
  }
}

void widen(const float* values, size_t count, double* out) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = bits_of(values[i]);
    out[i] = static_cast<double>(from_bits(chosen(above(bits & 0x7fffffff, 0x7f800000), 0x7fc00000, bits)));
  }
}

template <class Code>
void decode(const DecodeLoop& loop) {
  const DecodeLoop by = loop;
  const Code* const codes = static_cast<const Code*>(by.codes);
  for (size_t i = 0; i < by.count; ++i) {
    const uint32_t code = codes[i], magnitude = code & by.magnitude;
    uint32_t bits = bits_of(from_bits(magnitude << by.shift) * by.rescale);
    bits |= chosen(above(by.top, magnitude), 0, by.top_bits);
    bits = chosen(code == by.nan_code, 0x7fc00000, bits | (code & by.sign) << by.sign_shift);
    by.out[i] = from_bits(bits);
  }
}

// Float16 by the machine's own conversions, where it has them. False where some value is infinite or NaN: the codes are nobody's
// then.
#ifdef __F16C__
constexpr size_t kHalves = 8;

bool encode_half(const float* values, size_t count, void* codes) {
  char* const to = static_cast<char*>(codes);
  __m256i most = _mm256_setzero_si256();
  const auto encoded = [&](__m256 x) {
    most = _mm256_max_epi32(most, _mm256_and_si256(_mm256_castps_si256(x), _mm256_set1_epi32(INT32_MAX)));
    return _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
  };
  size_t i = 0;
  for (; i + kHalves <= count; i += kHalves) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 2 * i), encoded(_mm256_loadu_ps(values + i)));
  }
  float last[kHalves] = {};
  if (i < count) {
    __builtin_memcpy(last, values + i, (count - i) * sizeof *values);
    const __m128i rest = encoded(_mm256_loadu_ps(last));
    __builtin_memcpy(to + 2 * i, &rest, (count - i) * 2);
  }
  const __m256i special = _mm256_cmpgt_epi32(most, _mm256_set1_epi32(0x7f7fffff));
  return _mm256_testz_si256(special, special) != 0;
}

// A NaN keeps its sign, and is made a quiet one.
void decode_half(const void* codes, size_t count, float* out) {
  const char* const from = static_cast<const char*>(codes);
  size_t i = 0;
  for (; i + kHalves <= count; i += kHalves) {
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 2 * i))));
  }
  if (i == count) return;
  __m128i last = _mm_setzero_si128();
  __builtin_memcpy(&last, from + 2 * i, (count - i) * 2);
  float rest[kHalves];
  _mm256_storeu_ps(rest, _mm256_cvtph_ps(last));
  __builtin_memcpy(out + i, rest, (count - i) * sizeof *out);
}
#else
constexpr bool (*encode_half)(const float* values, size_t count, void* codes) = nullptr;
constexpr void (*decode_half)(const void* codes, size_t count, float* out) = nullptr;
#endif

template <class Integer>
void decode_integers(const void* codes, size_t count, float* out) {
  const Integer* const values = static_cast<const Integer*>(codes);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(values[i]);
}

// What lies between the ends is cut toward zero by way of `Wide`, an integer that the machine converts to. Each end is a float32 that
// lies just outside, or, where it is an integer of 31 bits or more, the first that fits.
template <class Integer, class Wide>
bool truncate(const float* values, size_t count, void* codes) {
  constexpr bool is_signed = static_cast<Integer>(-1) < Integer{};
  constexpr int kDigits = sizeof(Integer) * 8 - (is_signed ? 1 : 0);
  constexpr float kEnd = kDigits < 63 ? static_cast<float>(int64_t{1} << (kDigits % 63)) : kDigits == 63 ? 0x1p63f : 0x1p64f;
  constexpr float kLeast = !is_signed ? -1.0f : kDigits < 24 ? -kEnd - 1.0f : -kEnd;
  Integer* const to = static_cast<Integer*>(codes);
  uint32_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    const float x = values[i];
    const bool above = is_signed && kDigits >= 24 ? x >= kLeast : x > kLeast;
    const uint32_t fits = -static_cast<uint32_t>(above) & -static_cast<uint32_t>(x < kEnd);
    outside |= ~fits;
    to[i] = static_cast<Integer>(static_cast<Wide>(from_bits(bits_of(x) & fits)));
  }
  return outside == 0;
}

// An integer that orders floats, -0 below +0. A NaN is the extreme that is looked for.
template <bool greatest>
int32_t key_of(float x) {
  const uint32_t bits = bits_of(x), magnitude = bits & 0x7fffffff;
  const uint32_t key = bits ^ (static_cast<uint32_t>(static_cast<int32_t>(bits) >> 31) & 0x7fffffff);
  return static_cast<int32_t>(chosen(above(magnitude, 0x7f800000), greatest ? 0x7fffffff : 0x80000000, key));
}
template <bool greatest>
int32_t better(int32_t a, int32_t b) {
  return greatest ? (a > b ? a : b) : (a < b ? a : b);
}

template <bool greatest>
int32_t extreme_of(const float* values, size_t count) {
  int32_t best = greatest ? INT32_MIN : INT32_MAX;
  for (size_t i = 0; i < count; ++i) best = better<greatest>(best, key_of<greatest>(values[i]));
  return best;
}
int32_t extreme(const float* values, size_t count, bool greatest) {
  return greatest ? extreme_of<true>(values, count) : extreme_of<false>(values, count);
}

template <bool greatest>
void extremes_of(const float* values, size_t stride, size_t rows, size_t count, int32_t* best) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t j = 0; j < count; ++j) best[j] = better<greatest>(best[j], key_of<greatest>(values[r * stride + j]));
  }
}
void extreme_rows(const float* values, size_t stride, size_t rows, size_t count, bool greatest, int32_t* best) {
  greatest ? extremes_of<true>(values, stride, rows, count, best) : extremes_of<false>(values, stride, rows, count, best);
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_JOIN_(a, b) a##b
#define ONNXV_JOIN(a, b) ONNXV_JOIN_(a, b)
const FloatLoops ONNXV_JOIN(kFloatLoops_, ONNXV_LANES){
    quantize<uint8_t>, quantize<uint16_t>, divide, dequantize, dequantize_wide,
    encode<uint8_t>, encode<uint16_t>, encode32, canonize, widen, decode<uint8_t>, decode<uint16_t>,
    {decode_integers<int8_t>, decode_integers<int16_t>, decode_integers<int32_t>, decode_integers<int64_t>},
    {decode_integers<uint8_t>, decode_integers<uint16_t>, decode_integers<uint32_t>, decode_integers<uint64_t>},
    {truncate<int8_t, int32_t>, truncate<int16_t, int32_t>, truncate<int32_t, int32_t>, truncate<int64_t, int64_t>},
    {truncate<uint8_t, int32_t>, truncate<uint16_t, int32_t>, truncate<uint32_t, int64_t>, truncate<uint64_t, uint64_t>},
    extreme, extreme_rows, encode_half, decode_half};

}  // namespace onnxv
