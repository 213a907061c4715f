// Compiled once per instruction set.
#include "src/kernel/softmax_tile.h"

#include "src/kernel/product_lanes.h"
#include "src/kernel/softmax_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

constexpr size_t kTogether = 64;  // keys whose numerators are added before they join the total

Native magnitude(Native x) { return (Native)((NativeMask)x & INT64_MAX); }

// Logits in place; their maxima, NaN apart.
template <bool capped, bool biased>
void logits(const SoftmaxColumns& job, Native* most) {
  const Native scale = spread(job.scale), cap = spread(job.softcap);
  for (size_t v = 0; v < kPanelVectors; ++v) most[v] = spread(-__builtin_inf());
  for (size_t at = 0; at < job.keys * kPanelColumns; at += kPanelColumns) {
    for (size_t v = 0; v < kPanelVectors; ++v) {
      const size_t place = at + v * kWidth;
      Native x = load_native(job.products + place);
      if constexpr (capped) {
        x = cap * vector_tanh((scale * x) / cap);
        if constexpr (biased) x = x + load_native(job.bias + place);
      } else if constexpr (biased) {
        x = fma(scale, x, load_native(job.bias + place));
      } else {
        x = scale * x;
      }
      store_native(job.products + place, x);
      most[v] = choose((NativeMask)(x > most[v]), x, most[v]);
    }
  }
}

void softmax(const SoftmaxColumns& job) {
  Native most[kPanelVectors], totals[kPanelVectors] = {}, squares[kPanelVectors] = {};
  if (job.softcap != 0) {
    job.bias != nullptr ? logits<true, true>(job, most) : logits<true, false>(job, most);
  } else {
    job.bias != nullptr ? logits<false, true>(job, most) : logits<false, false>(job, most);
  }
  for (size_t key = 0; key < job.keys; key += kTogether) {
    const size_t end = job.keys - key < kTogether ? job.keys : key + kTogether;
    Native sums[kPanelVectors] = {};
    for (double* at = job.products + key * kPanelColumns; at != job.products + end * kPanelColumns; at += kPanelColumns) {
      for (size_t v = 0; v < kPanelVectors; ++v) {
        const Native x = load_native(at + v * kWidth) - most[v];
        const Native p = choose((NativeMask)(x < -700.0), Native{}, lane_exp(x));
        store_native(at + v * kWidth, p);
        sums[v] = sums[v] + p;
        squares[v] = added_product(p, p, squares[v]);
      }
    }
    for (size_t v = 0; v < kPanelVectors; ++v) totals[v] = totals[v] + sums[v];
  }
  for (size_t v = 0; v < kPanelVectors; ++v) {
    store_native(job.shifts + v * kWidth, most[v]);
    store_native(job.totals + v * kWidth, totals[v]);
    store_native(job.norms + v * kWidth, root(squares[v]));
  }
}

struct Ends {
  Native low, high;
  NativeMask known;
};
Ends ends_of(const MeanColumns& job, size_t row, size_t column) {
  const Native mean = load_native(job.sums + row * kPanelColumns + column) * load_native(job.inverses + column);
  const Native bound = load_native(job.by_norm + column) * job.norms[row] + load_native(job.by_mean + column) * magnitude(mean);
  return {mean - bound, mean + bound, (NativeMask)(bound < __builtin_inf())};
}

size_t round_to_float32(const MeanColumns& job, size_t columns, float* out, size_t stride, uint32_t* open) {
  size_t count = 0;
  for (size_t row = 0; row < job.rows; ++row) {
    for (size_t column = 0; column < columns; column += kWidth) {
      const Ends ends = ends_of(job, row, column);
      const NativeFloat low = __builtin_convertvector(ends.low, NativeFloat), high = __builtin_convertvector(ends.high, NativeFloat);
      const NativeFloatBits apart = (NativeFloatBits)low ^ (NativeFloatBits)high;
      const size_t present = columns - column < kWidth ? columns - column : kWidth;
      for (size_t i = 0; i < present; ++i) {
        out[(column + i) * stride + row] = low[i];
        if (apart[i] == 0 && ends.known[i] != 0) continue;
        open[count++] = static_cast<uint32_t>(row * kPanelColumns + column + i);
      }
    }
  }
  return count;
}

void ends(const MeanColumns& job, double* low, double* high) {
  const Native unknown = spread(__builtin_nan(""));
  for (size_t row = 0; row < job.rows; ++row) {
    for (size_t column = 0; column < kPanelColumns; column += kWidth) {
      const Ends ends = ends_of(job, row, column);
      store_native(low + row * kPanelColumns + column, choose(ends.known, ends.low, unknown));
      store_native(high + row * kPanelColumns + column, choose(ends.known, ends.high, unknown));
    }
  }
}

// ---- one row, precisely ----

// How far it may be off: SoftmaxPanel::settle_precisely.
Double precise_logit(const PreciseRow& job, const double* panel, size_t first) {
  Native sum = {}, rest = {};
  for (size_t k = 0; k < job.length; ++k) {
    // Products of floats are exact.
    const Native product = job.query[k] * load_native(panel + k * kPanelRows), s = sum + product;
    rest = rest + sum_residual(sum, product, s);
    sum = s;
  }
  Double logit = product_of(quick_sum(sum, rest), {spread(job.scale), spread(job.scale_rest)});
  if (job.softcap != 0) logit = precise_cap(logit, job.softcap);
  if (job.bias != nullptr) {
    Native bias;
    for (size_t i = 0; i < kWidth; ++i) bias[i] = first + i < job.count ? job.bias[first + i] : -__builtin_inf();
    logit = sum_of(logit, bias);
  }
  return sum_of(logit, spread(-job.shift));
}

void precise_row(const PreciseRow& job) {
  for (size_t key = 0; key < job.count; key += kPanelRows) {
    for (size_t i = 0; i < kPanelRows; i += kWidth) {
      const Double x = precise_logit(job, job.keys + key * job.length + i, key + i);
      Double p = precise_exp(x);
      const NativeMask gone = ~(NativeMask)(x.head >= -700.0);  // a bias of -infinity leaves NaN
      p = {choose(gone, Native{}, p.head), choose(gone, Native{}, p.rest)};
      for (size_t lane = 0; lane < kWidth; ++lane) {
        const bool there = key + i + lane < job.count;
        job.heads[key + i + lane] = there ? p.head[lane] : 0;
        job.rests[key + i + lane] = there ? p.rest[lane] : 0;
      }
    }
  }
}

void precise_sums(const PreciseSums& job) {
  for (size_t i = 0; i < kPanelRows; i += kWidth) {
    Native sum = {}, rest = {}, size = {};
    for (size_t key = 0; key < job.count; ++key) {
      const Native value = job.values == nullptr ? spread(1.0) : load_native(job.values + key * kPanelRows + i);
      const Native head = spread(job.heads[key]), product = head * value, s = sum + product;
      rest = rest + (sum_residual(sum, product, s) + (fma(head, value, -product) + job.rests[key] * value));
      sum = s;
      size = size + magnitude(product);
    }
    store_native(job.sums + i, sum);
    store_native(job.sum_rests + i, rest);
    store_native(job.sizes + i, size);
  }
}

PreciseMean precise_mean(double sum, double sum_rest, double total, double total_rest) {
  const Double mean = quotient_of({spread(sum), spread(sum_rest)}, {spread(total), spread(total_rest)});
  return {mean.head[0], mean.rest[0]};
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

const SoftmaxKernels& ONNXV_TILE_JOIN(softmax_kernels_, ONNXV_LANES)() {
  static constexpr SoftmaxKernels kKernels{softmax, round_to_float32, ends, precise_row, precise_sums, precise_mean};
  return kKernels;
}

}  // namespace onnxv
