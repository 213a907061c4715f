// Compiled once per instruction set: one vector against the windows of an image, where they lie.
#include "src/kernel/panel_lanes.h"
#include "src/kernel/product_tile.h"
#include "src/kernel/rounding_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

Native magnitude(Native x) { return (Native)((NativeMask)x & (NativeMask{} + INT64_MAX)); }

// `registers` registers of windows from v on that stand side by side, the last one filled up with whatever follows. Calls
// use(window, sum, size, windows present).
template <bool sized, size_t registers, class Use>
void neighbours(const DirectSums& job, size_t v, size_t present, const Use& use) {
  Native sums[registers], sizes[registers];
  for (size_t n = 0; n < registers; ++n) {
    sums[n] = spread(job.start);
    sizes[n] = magnitude(sums[n]);
  }
  for (size_t e = 0; e < job.length; ++e) {
    const float* at = job.image + job.elements[e] + job.windows[v];
    const Native weight = spread(job.weights[e]), size = magnitude(weight);
    for (size_t n = 0; n < registers; ++n) {
      const Native x = numbers(at + n * kWidth);
      sums[n] = added_product(weight, x, sums[n]);
      if constexpr (sized) sizes[n] = added_product(size, magnitude(x), sizes[n]);
    }
  }
  for (size_t n = 0; n < registers; ++n) {
    const size_t left = present - n * kWidth;
    use(v + n * kWidth, sums[n], sizes[n], left < kWidth ? left : kWidth);
  }
}

template <bool sized, class Use>
void apart(const DirectSums& job, size_t v, size_t present, const Use& use) {
  Native sum = spread(job.start), size = magnitude(sum);
  for (size_t e = 0; e < job.length; ++e) {
    Native x{};
    for (size_t i = 0; i < present; ++i) x[i] = number(job.image[job.elements[e] + job.windows[v + i]]);
    const Native product = spread(job.weights[e]) * x;
    sum = sum + product;
    if constexpr (sized) size = size + magnitude(product);
  }
  use(v, sum, size, present);
}

// How many windows from v on, at most `most`, stand side by side: as a rule all of a row, or one.
size_t run_from(const DirectSums& job, size_t v, size_t most) {
  const int64_t* windows = job.windows + v;
  size_t run = job.count - v < most ? job.count - v : most;
  if (windows[run - 1] - windows[0] == static_cast<int64_t>(run) - 1) return run;
  for (size_t i = 1; i < run; ++i) {
    if (windows[i] - windows[0] != static_cast<int64_t>(i)) return i;
  }
  return run;
}

template <bool sized, class Use>
void for_each_register(const DirectSums& job, const Use& use) {
  for (size_t v = 0; v < job.count;) {
    const size_t run = run_from(job, v, 4 * kWidth);
    if (run == 1) {
      const size_t left = job.count - v < kWidth ? job.count - v : kWidth;
      apart<sized>(job, v, left, use);
      v += left;
      continue;
    }
    if (run > 3 * kWidth) {
      neighbours<sized, 4>(job, v, run, use);
    } else if (run > 2 * kWidth) {
      neighbours<sized, 3>(job, v, run, use);
    } else if (run > kWidth) {
      neighbours<sized, 2>(job, v, run, use);
    } else {
      neighbours<sized, 1>(job, v, run, use);
    }
    v += run;
  }
}

template <class Narrow>
bool direct_rounded(const DirectSums& job, double bound, void* to) {
  typename Narrow::Code* out = static_cast<typename Narrow::Code*>(to);
  unsigned unclear = 0;
  for_each_register<false>(job, [&](size_t v, Native sum, Native, size_t present) {
    const typename Narrow::Codes low = Narrow::rounded(sum - bound), high = Narrow::rounded(sum + bound);
    unclear |= ~clear_bits(low, high) & ((1U << present) - 1);
    if (present == kWidth) {
      __builtin_memcpy(out + v, &low, sizeof low);
    } else {
      __builtin_memcpy(out + v, &low, present * sizeof *out);
    }
  });
  return unclear == 0;
}

}  // namespace

void direct_sums(const DirectSums& job) {
  for_each_register<true>(job, [&](size_t v, Native sum, Native size, size_t present) {
    for (size_t i = 0; i < present; ++i) {
      job.sums[v + i] = sum[i];
      job.sizes[v + i] = size[i];
    }
  });
}

bool direct_float32(const DirectSums& job, double bound, void* codes) { return direct_rounded<Float32>(job, bound, codes); }
bool direct_bfloat16(const DirectSums& job, double bound, void* codes) { return direct_rounded<Bfloat16>(job, bound, codes); }
#if defined(__F16C__)
bool direct_float16(const DirectSums& job, double bound, void* codes) { return direct_rounded<Float16>(job, bound, codes); }
#endif

// Magnitudes are ordered as their bits are.
double largest_magnitude(const float* x, size_t count) {
  NativeFloatBits most[4] = {};
  const NativeFloatBits magnitude = NativeFloatBits{} + INT32_MAX;
  size_t i = 0;
  for (; i + 4 * kWidth <= count; i += 4 * kWidth) {
    for (size_t n = 0; n < 4; ++n) {
      NativeFloatBits bits;
      __builtin_memcpy(&bits, x + i + n * kWidth, sizeof bits);
      bits &= magnitude;
      most[n] = bits > most[n] ? bits : most[n];
    }
  }
  int32_t largest = 0;
  for (size_t n = 0; n < 4; ++n) {
    for (size_t lane = 0; lane < kWidth; ++lane) largest = most[n][lane] > largest ? most[n][lane] : largest;
  }
  for (; i < count; ++i) {
    int32_t bits;
    __builtin_memcpy(&bits, x + i, sizeof bits);
    bits &= INT32_MAX;
    largest = bits > largest ? bits : largest;
  }
  if (largest >= 0x7f800000) return __builtin_inf();
  float value;
  __builtin_memcpy(&value, &largest, sizeof value);
  return static_cast<double>(value);
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
