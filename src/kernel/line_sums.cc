#include "src/kernel/line_sums.h"

#include <algorithm>
#include <cmath>

#include "src/base/parallel.h"
#include "src/number/plain_sums.h"

namespace onnxv {
namespace {

constexpr size_t kChunk = 1024;  // elements that are decoded together

Term term_of(LineSum what) {
  if (what == LineSum::kMagnitudes) return Term::kMagnitude;
  return what == LineSum::kSquares || what == LineSum::kNorm ? Term::kSquare : Term::kItself;
}

// depth · u · mass, twice over: for the terms of higher order, the rounding of the mass and of this product.
Enclosed enclosed(LineSum what, double sum, double mass, size_t depth, size_t length) {
  const double radius = static_cast<double>(depth) * 0x1p-52 * mass;
  switch (what) {
    case LineSum::kMean: {
      const double count = static_cast<double>(length), mean = sum / count;
      return {mean, radius / count + std::fabs(mean) * 0x1p-52};
    }
    case LineSum::kNorm: {
      // |sqrt(s + d) - sqrt(s)| <= |d| / sqrt(s).
      const double norm = std::sqrt(sum);
      return {norm, sum == 0 ? 0.0 : radius / norm + norm * 0x1p-52};
    }
    default: return {sum, radius};
  }
}

Enclosed whole_line(LineSum what, const Tensor& x, size_t first, size_t length) {
  alignas(64) double values[kChunk];
  PlainSum total;
  size_t depth = 0;
  for (size_t i = 0; i < length; i += kChunk) {
    const size_t count = std::min(kChunk, length - i);
    decode_elements(x, first + i, count, values);
    const PlainSum part = plain_sum(values, count, term_of(what));
    total.sum += part.sum;
    total.mass += part.mass;
    ++depth;
  }
  return enclosed(what, total.sum, total.mass, depth + kChunk / 8 + 8, length);
}

// The lines [inner, inner + count) of one block: elements side by side, added row by row.
void line_block(LineSum what, const Tensor& x, LineLayout layout, size_t block, size_t inner, size_t count, Enclosed* out) {
  alignas(64) double values[kChunk], sums[kChunk], masses[kChunk];
  std::fill_n(sums, count, -0.0);
  std::fill_n(masses, count, 0.0);
  for (size_t i = 0; i < layout.length; ++i) {
    decode_elements(x, (block * layout.length + i) * layout.inner + inner, count, values);
    add_columns(values, count, term_of(what), sums, masses);
  }
  for (size_t k = 0; k < count; ++k) out[k] = enclosed(what, sums[k], masses[k], layout.length + 1, layout.length);
}

}  // namespace

bool settle_enclosed(const Target& target, Enclosed value, uint64_t* code) {
  if (!(value.r < HUGE_VAL)) return false;
  // m ± r alone could round the radius away and decide a tie falsely.
  const double reach = value.r == 0 ? 0.0 : value.r * (1.0 + 0x1p-20) + std::fabs(value.m) * 0x1p-52;
  return settle(target, value.m - reach, value.m + reach, value.r == 0, code);
}

std::vector<Enclosed> line_sums(LineSum what, const Tensor& x, LineLayout layout) {
  std::vector<Enclosed> results(layout.lines());
  if (layout.inner == 1) {
    const size_t grain = std::max<size_t>(1, (size_t{1} << 15) / std::max<size_t>(layout.length, 1));
    parallel_for(layout.outer, grain, [&](size_t begin, size_t end) {
      for (size_t line = begin; line < end; ++line) {
        results[line] = whole_line(what, x, line * layout.length, layout.length);
      }
    });
    return results;
  }
  const size_t pieces = (layout.inner + kChunk - 1) / kChunk;
  parallel_for(layout.outer * pieces, 1, [&](size_t begin, size_t end) {
    for (size_t piece = begin; piece < end; ++piece) {
      const size_t block = piece / pieces, inner = piece % pieces * kChunk;
      line_block(what, x, layout, block, inner, std::min(kChunk, layout.inner - inner),
                 results.data() + block * layout.inner + inner);
    }
  });
  return results;
}

}  // namespace onnxv
