// Compiled once per instruction set.
#include "src/number/lane_settle.h"

#include "src/number/ball_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {

// One element of any target; false where it cannot be decided.
static bool settle_lane(const Target& target, Lane x, uint64_t* code) {
  const LaneEnds ends = ends_of(x);
  return x.r < kInf && settle(target, ends.low, ends.high, x.r == 0, code);
}

void settle_float32_slowly(Vec m, Vec r, uint32_t* codes, uint8_t* open) {
  const Target target = Target::of(kFloat32);
  for (int i = 0; i < kLanes; ++i) {
    uint64_t code = 0;
    if (settle_lane(target, {m[i], r[i]}, &code)) {
      codes[i] = static_cast<uint32_t>(code);
    } else {
      open[i] = 1;
    }
  }
}

namespace {

void put(void* codes, size_t width, size_t at, uint64_t code) {
  switch (width) {
    case 1: static_cast<uint8_t*>(codes)[at] = static_cast<uint8_t>(code); break;
    case 2: static_cast<uint16_t*>(codes)[at] = static_cast<uint16_t>(code); break;
    case 4: static_cast<uint32_t*>(codes)[at] = static_cast<uint32_t>(code); break;
    default: static_cast<uint64_t*>(codes)[at] = code; break;
  }
}

bool same_code(const void* a, const void* b, size_t width, size_t at) {
  return __builtin_memcmp(static_cast<const char*>(a) + at * width, static_cast<const char*>(b) + at * width, width) == 0;
}

// Whether encode_many() knows the target: nearest even, or toward zero for integers.
bool encodes_many(const Target& target) {
  if (target.boolean) return false;
  if (target.format != nullptr) return target.format != &kFloat64;
  if (target.rounding != Rounding::kNearestEven && target.rounding != Rounding::kTowardZero) return false;
  // The limits of 64 bits are no doubles.
  return target.overflow == Overflow::kInfinity || target.integer.bits <= 32;
}

constexpr size_t kEnds = 256;

void encode_saturating(const Target& target, const double* values, size_t count, void* codes) {
  alignas(64) double clamped[kEnds];
  const Vec least = broadcast(static_cast<double>(smallest_integer(target.integer)));
  const Vec most = broadcast(static_cast<double>(largest_integer(target.integer)));
  char* to = static_cast<char*>(codes);
  for (size_t first = 0; first < count; first += kEnds, to += kEnds * target.width()) {
    const size_t some = count - first < kEnds ? count - first : kEnds;
    for (size_t i = 0; i < some; i += kLanes) {
      const Vec value = load(values + first + i);
      const Vec above = value > least ? value : least;  // NaN is the smallest
      store(clamped + i, (Vec)(above < most ? above : most));
    }
    encode_integers_many(target.integer, clamped, some, to, target.rounding, nullptr);
  }
}

void encode_many(const Target& target, const double* values, size_t count, void* codes) {
  if (target.format != nullptr) {
    encode_exact_many(*target.format, values, count, codes, target.rounding, target.overflow);
  } else if (target.overflow == Overflow::kSaturate) {
    encode_saturating(target, values, count, codes);
  } else {
    encode_integers_many(target.integer, values, count, codes, target.rounding, nullptr);
  }
}

// Rounding is monotone: where both ends round to m, everything between does. (The float64 sum of m and a radius is such a rounding.)
void settle_float64_run(const double* m, const double* r, size_t count, uint64_t* codes, uint8_t* open) {
  settle_exact_run(Target::of(kFloat64), m, count, codes);
  for (size_t i = 0; i < count; ++i) {
    const double reach = r[i] * (1.0 + 0x1p-20);
    if (r[i] == 0 || (m[i] + reach == m[i] && m[i] - reach == m[i] && r[i] < kInf)) continue;
    codes[i] = 0;
    open[i] = 1;
  }
}

bool is_plain_float64(const Target& target) {
  return target.format == &kFloat64 && target.overflow == Overflow::kInfinity && target.rounding == Rounding::kNearestEven;
}

void settle_one_by_one(const Target& target, const double* m, const double* r, size_t count, void* codes, uint8_t* open) {
  const size_t width = target.width();
  for (size_t i = 0; i < count; ++i) {
    uint64_t code = 0;
    if (!settle_lane(target, {m[i], r[i]}, &code)) {
      code = 0;
      open[i] = 1;
    }
    put(codes, width, i, code);
  }
}

bool all_exact(const double* r, size_t count) {
  Vec most = broadcast(0.0);
  for (size_t i = 0; i < count; i += kLanes) most = most + load(r + i);  // none is negative
  return !any(~(Mask)(most == 0.0));
}

// Both ends of a few hundred elements at once.
void settle_ends(const Target& target, const double* m, const double* r, size_t count, void* codes, uint8_t* open) {
  alignas(64) double low[kEnds], high[kEnds];
  uint64_t high_codes[kEnds];
  for (size_t i = 0; i < count; i += kLanes) {
    const Vec reach = slack({load(m + i), load(r + i)});
    store(low + i, load(m + i) - reach);
    store(high + i, load(m + i) + reach);
  }
  encode_many(target, low, count, codes);
  encode_many(target, high, count, high_codes);
  const size_t width = target.width();
  for (size_t i = 0; i < count; ++i) {
    if (r[i] < kInf && (r[i] == 0 || same_code(codes, high_codes, width, i))) continue;
    uint64_t code = 0;
    if (!settle_lane(target, {m[i], r[i]}, &code)) {
      code = 0;
      open[i] = 1;
    }
    put(codes, width, i, code);
  }
}

constexpr size_t kTogether = 4 * kLanes;  // elements of one test

// kTogether elements, or fewer whole registers of them.
void settle_some_float32(const double* m, const double* r, size_t count, uint32_t* codes, uint8_t* open) {
  FloatMask unclear = {};
  for (size_t i = 0; i < count; i += kLanes) {
    const FloatMask bits = float32_codes(load(m + i), load(r + i), &unclear);
    __builtin_memcpy(codes + i, &bits, sizeof bits);
  }
  for (size_t i = 0; any(unclear) && i < count; i += kLanes) settle_float32_slowly(load(m + i), load(r + i), codes + i, open + i);
}

void settle_float32_run(const double* m, const double* r, size_t count, uint32_t* codes, uint8_t* open) {
  size_t i = 0;
  for (; i + kTogether <= count; i += kTogether) {
    ClearlyRounded clearly;
    for (size_t k = i; k < i + kTogether; k += kLanes) {
      const Vec value = load(m + k);
      clearly.add(value, load(r + k));
      const FloatVec rounded = as_floats(value);
      __builtin_memcpy(codes + k, &rounded, sizeof rounded);
    }
    if (!clearly.all_are()) settle_some_float32(m + i, r + i, kTogether, codes + i, open + i);
  }
  const size_t whole = (count - i) / kLanes * kLanes;
  settle_some_float32(m + i, r + i, whole, codes + i, open + i);
  i += whole;
  if (i == count) return;
  uint32_t last[kLanes] = {};
  uint8_t unclear[kLanes] = {};
  settle_float32_slowly(load(m + i), load(r + i), last, unclear);
  for (size_t k = 0; i < count; ++i, ++k) {
    codes[i] = last[k];
    open[i] |= unclear[k];
  }
}

void encode_float32(const double* m, size_t count, uint32_t* codes) {
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const FloatVec rounded = as_floats(load(m + i));
    const FloatMask canonical = FloatMask{} + static_cast<int32_t>(kFloat32.canonical_nan);
    const FloatMask bits = rounded == rounded ? (FloatMask)rounded : canonical;
    __builtin_memcpy(codes + i, &bits, sizeof bits);
  }
  if (i < count) encode_exact_many(kFloat32, m + i, count - i, codes + i, Rounding::kNearestEven, Overflow::kInfinity);
}

}  // namespace

void settle_exact_run(const Target& target, const double* m, size_t count, void* codes) {
  if (is_plain_float32(target)) return encode_float32(m, count, static_cast<uint32_t*>(codes));
  if (encodes_many(target) || target.format != nullptr) return encode_many(target, m, count, codes);
  const size_t width = target.width();
  for (size_t i = 0; i < count; ++i) put(codes, width, i, settle_exact(target, m[i]));
}

void settle_run(const Target& target, const double* m, const double* r, size_t count, void* codes, uint8_t* open) {
  if (is_plain_float32(target)) return settle_float32_run(m, r, count, static_cast<uint32_t*>(codes), open);
  const size_t width = target.width();
  for (size_t first = 0; first < count; first += kEnds) {
    const size_t some = count - first < kEnds ? count - first : kEnds;
    char* to = static_cast<char*>(codes) + first * width;
    if (all_exact(r + first, some)) {
      settle_exact_run(target, m + first, some, to);
    } else if (is_plain_float64(target)) {
      settle_float64_run(m + first, r + first, some, static_cast<uint64_t*>(codes) + first, open + first);
    } else if (encodes_many(target)) {
      settle_ends(target, m + first, r + first, some, to, open + first);
    } else {
      settle_one_by_one(target, m + first, r + first, some, to, open + first);
    }
  }
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
