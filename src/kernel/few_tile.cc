// Compiled once per instruction set: few vectors against many, which are read where they lie.
#include "src/kernel/few_tile.h"

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

Native widened(const double* p) { return load_native(p); }
Native widened(const float* p) { return load_floats(p); }

// Rows of elements of one number are read as they lie, a few at a time: memory gives its best in long runs.
constexpr size_t kTogether = 8;
template <size_t rows, class T>
void add_rows(const double* few, const T* many, int64_t stride, size_t count, double* sums) {
  size_t v = 0;
  // What is read next starts on pages of its own, which the machine does not foresee.
  for (; v + 4 * kWidth <= count; v += 4 * kWidth) {
    Native s[4];
    for (Native& sum : s) sum = spread(-0.0);
    for (size_t r = 0; r < rows; ++r) {
      const T* from = many + static_cast<int64_t>(r) * stride + static_cast<int64_t>(v);
      __builtin_prefetch(from + static_cast<int64_t>(rows) * stride);
      const Native factor = spread(few[r]);
      for (size_t n = 0; n < 4; ++n) s[n] = added_product(factor, widened(from + n * kWidth), s[n]);
    }
    for (size_t n = 0; n < 4; ++n) store_native(sums + v + n * kWidth, load_native(sums + v + n * kWidth) + s[n]);
  }
  for (; v + kWidth <= count; v += kWidth) {
    Native s = spread(-0.0);
    for (size_t r = 0; r < rows; ++r) {
      s = added_product(spread(few[r]), widened(many + static_cast<int64_t>(r) * stride + static_cast<int64_t>(v)), s);
    }
    store_native(sums + v, load_native(sums + v) + s);
  }
  for (; v < count; ++v) {
    double s = -0.0;
    for (size_t r = 0; r < rows; ++r) {
      s = s + few[r] * static_cast<double>(many[static_cast<int64_t>(r) * stride + static_cast<int64_t>(v)]);
    }
    sums[v] = sums[v] + s;
  }
}

template <class T>
void across(const FewSums& job, const T* many) {
  size_t k = 0;
  for (; k + kTogether <= job.depth; k += kTogether, many += kTogether * job.many_stride) {
    for (size_t f = 0; f < job.few_count; ++f) {
      add_rows<kTogether>(job.few + f * job.few_stride + k, many, job.many_stride, job.count, job.sums + f * job.sums_stride);
    }
  }
  for (; k < job.depth; ++k, many += job.many_stride) {
    for (size_t f = 0; f < job.few_count; ++f) {
      add_rows<1>(job.few + f * job.few_stride + k, many, job.many_stride, job.count, job.sums + f * job.sums_stride);
    }
  }
}

// The sums of one vector with some of the few, each in several partial sums: an addition takes some cycles. What is read of the many
// is widened once.
template <size_t few, class T>
void sums_along(const FewSums& job, size_t first, const T* many, size_t v) {
  constexpr size_t kStep = few > 2 ? 8 : 16, kParts = kStep / kWidth;
  const double* vectors = job.few + first * job.few_stride;
  Native s[few][kParts];
  for (auto& parts : s) {
    for (Native& sum : parts) sum = spread(-0.0);
  }
  size_t k = 0;
  for (; k + kStep <= job.depth; k += kStep) {
    for (size_t part = 0; part < kParts; ++part) {
      const Native x = widened(many + k + part * kWidth);
      for (size_t f = 0; f < few; ++f) s[f][part] = added_product(load_native(vectors + f * job.few_stride + k + part * kWidth), x, s[f][part]);
    }
  }
  for (size_t f = 0; f < few; ++f) {
    Native all = s[f][0];
    for (size_t part = 1; part < kParts; ++part) all = all + s[f][part];
    double sum = all[0];
    for (size_t i = 1; i < kWidth; ++i) sum = sum + all[i];
    for (size_t rest = k; rest < job.depth; ++rest) sum = sum + vectors[f * job.few_stride + rest] * static_cast<double>(many[rest]);
    double* to = job.sums + (first + f) * job.sums_stride + v;
    *to = *to + sum;
  }
}

template <class T>
void along(const FewSums& job, const T* many) {
  for (size_t v = 0; v < job.count; ++v, many += job.many_stride) {
    size_t f = 0;
    for (; f + 4 <= job.few_count; f += 4) sums_along<4>(job, f, many, v);
    switch (job.few_count - f) {
      case 3: sums_along<3>(job, f, many, v); break;
      case 2: sums_along<2>(job, f, many, v); break;
      case 1: sums_along<1>(job, f, many, v); break;
      default: break;
    }
  }
}

void few_sums(const FewSums& job) {
  if (job.is_across) return job.floats != nullptr ? across(job, job.floats) : across(job, job.doubles);
  return job.floats != nullptr ? along(job, job.floats) : along(job, job.doubles);
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

void ONNXV_TILE_JOIN(few_sums_, ONNXV_LANES)(const FewSums& job) { few_sums(job); }

}  // namespace onnxv
