// Compiled once per instruction set.
#include "src/kernel/row_tile.h"

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

constexpr size_t kRows = 4;  // at a time: they share the vectors

// The sum of each of four registers.
struct Four {
  double sums[kRows];
};
#if defined(__AVX2__) && !defined(__AVX512F__)
Four totals(const Native* s) {
  const __m256d low = _mm256_hadd_pd((__m256d)s[0], (__m256d)s[1]), high = _mm256_hadd_pd((__m256d)s[2], (__m256d)s[3]);
  Four four;
  store_native(four.sums, (Native)_mm256_permute2f128_pd(low, high, 0x20) + (Native)_mm256_permute2f128_pd(low, high, 0x31));
  return four;
}
#else
Four totals(const Native* s) {
  Four four;
  for (size_t row = 0; row < kRows; ++row) {
    double sum = s[row][0];
    for (size_t i = 1; i < kWidth; ++i) sum = sum + s[row][i];
    four.sums[row] = sum;
  }
  return four;
}
#endif

// Four rows against `few` vectors. One alone runs in two halves: an addition takes some cycles.
template <size_t few>
void four_rows(const float* const* rows, const double* vectors, size_t length, Four* out) {
  constexpr size_t kParts = few == 1 ? 2 : 1;
  Native s[few][kParts][kRows];
  for (auto& vector : s) {
    for (auto& part : vector) {
      for (Native& sum : part) sum = spread(-0.0);
    }
  }
  size_t k = 0;
  for (; k + kParts * kWidth <= length; k += kParts * kWidth) {
    for (size_t part = 0; part < kParts; ++part) {
      const size_t at = k + part * kWidth;
      Native x[few];
      for (size_t f = 0; f < few; ++f) x[f] = load_native(vectors + f * length + at);
      for (size_t row = 0; row < kRows; ++row) {
        const Native w = load_floats(rows[row] + at);
        for (size_t f = 0; f < few; ++f) s[f][part][row] = added_product(w, x[f], s[f][part][row]);
      }
    }
  }
  for (size_t f = 0; f < few; ++f) {
    for (size_t row = 0; kParts == 2 && row < kRows; ++row) s[f][0][row] = s[f][0][row] + s[f][kParts - 1][row];
    out[f] = totals(s[f][0]);
    for (size_t rest = k; rest < length; ++rest) {
      for (size_t row = 0; row < kRows; ++row) {
        out[f].sums[row] = out[f].sums[row] + static_cast<double>(rows[row][rest]) * vectors[f * length + rest];
      }
    }
  }
}

void row_products(const RowProducts& job) {
  constexpr size_t kFew = 2;
  for (size_t row = 0; row < job.rows; row += kRows) {
    const size_t present = job.rows - row < kRows ? job.rows - row : kRows;
    const float* rows[kRows];
    for (size_t i = 0; i < kRows; ++i) rows[i] = job.matrix + (row + (i < present ? i : present - 1)) * job.length;
    Four four[kFew];
    for (size_t v = 0; v < job.count;) {
      const size_t few = job.count - v < kFew ? 1 : kFew;
      const double* vectors = job.vectors + v * job.length;
      few == 1 ? four_rows<1>(rows, vectors, job.length, four) : four_rows<kFew>(rows, vectors, job.length, four);
      for (size_t f = 0; f < few; ++f, ++v) {
        double* sums = job.sums + v * job.sums_stride + row;
        for (size_t i = 0; i < present; ++i) sums[i] = sums[i] + four[f].sums[i];
      }
    }
  }
}

void row_squares(const RowSquares& job) {
  const float* row = job.matrix;
  for (size_t j = 0; j < job.rows; ++j, row += job.length) {
    Native s[4] = {};
    size_t k = 0;
    for (; k + 4 * kWidth <= job.length; k += 4 * kWidth) {
      for (size_t n = 0; n < 4; ++n) {
        const Native x = load_floats(row + k + n * kWidth);
        s[n] = added_product(x, x, s[n]);
      }
    }
    const Native all = (s[0] + s[1]) + (s[2] + s[3]);
    double sum = job.squares[j];
    for (size_t i = 0; i < kWidth; ++i) sum = sum + all[i];
    for (; k < job.length; ++k) sum = sum + static_cast<double>(row[k]) * static_cast<double>(row[k]);
    job.squares[j] = sum;
  }
}

void row_radii(const RowRadii& job) {
  const Native infinity = spread(__builtin_inf()), scale = spread(job.factor * job.vector_norm);
  const auto settle = [&](Native sum, Native norm, Native state_norm, Native* radius) {
    const Native size = scale * norm + job.radii_norm * state_norm;
    const Native bound = choose((NativeMask)(size == 0.0), Native{}, size + 0x1p-1000);
    const NativeMask known = (NativeMask)(bound < infinity);
    *radius = choose(known, bound, infinity);
    return choose(known, sum, Native{});
  };
  size_t j = 0;
  for (; j + kWidth <= job.count; j += kWidth) {
    Native radius;
    store_native(job.sums + j, settle(load_native(job.sums + j), load_native(job.norms + j), load_native(job.state_norms + j), &radius));
    store_native(job.radii + j, radius);
  }
  for (; j < job.count; ++j) {
    Native radius;
    job.sums[j] = settle(spread(job.sums[j]), spread(job.norms[j]), spread(job.state_norms[j]), &radius)[0];
    job.radii[j] = radius[0];
  }
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

void ONNXV_TILE_JOIN(row_products_, ONNXV_LANES)(const RowProducts& job) { row_products(job); }
void ONNXV_TILE_JOIN(row_squares_, ONNXV_LANES)(const RowSquares& job) { row_squares(job); }
void ONNXV_TILE_JOIN(row_radii_, ONNXV_LANES)(const RowRadii& job) { row_radii(job); }

}  // namespace onnxv
