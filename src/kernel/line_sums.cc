#include "src/kernel/line_sums.h"

#include <algorithm>
#include <cmath>

#include "src/base/parallel.h"
#include "src/tensor/floats.h"

namespace onnxv {
namespace {

constexpr size_t kChunk = 1024;  // elements of a line that are added together, or neighbouring lines
constexpr size_t kRows = 64;     // elements of neighbouring lines that are added together

struct Enclosed {
  double m, r;
};

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
  float buffer[kChunk];
  PlainSum total;
  size_t depth = 0;
  for (size_t i = 0; i < length; i += kChunk) {
    const size_t count = std::min(kChunk, length - i);
    const PlainSum part = plain_sum(float_elements(x, first + i, count, buffer), count, term_of(what));
    total.sum += part.sum;
    total.mass += part.mass;
    ++depth;
  }
  return enclosed(what, total.sum, total.mass, depth + kChunk / 8 + 8, length);
}

// The lines [inner, inner + count) of one block: their elements stand side by side.
void line_block(LineSum what, const Tensor& x, LineLayout layout, size_t block, size_t inner, size_t count, Enclosed* out) {
  alignas(64) double sums[kChunk], masses[kChunk];
  std::fill_n(sums, count, -0.0);
  std::fill_n(masses, count, 0.0);
  const size_t first = block * layout.length * layout.inner + inner;
  if (x.dtype() == DType::kFloat) {
    for (size_t i = 0; i < layout.length; i += kRows) {
      const float* rows = x.as<float>().data() + first + i * layout.inner;
      add_rows(rows, layout.inner, std::min(kRows, layout.length - i), count, term_of(what), sums, masses);
    }
  } else {
    float row[kChunk];
    for (size_t i = 0; i < layout.length; ++i) {
      add_rows(float_elements(x, first + i * layout.inner, count, row), 0, 1, count, term_of(what), sums, masses);
    }
  }
  for (size_t k = 0; k < count; ++k) out[k] = enclosed(what, sums[k], masses[k], layout.length + 1, layout.length);
}

void put(EnclosedLines* lines, size_t line, Enclosed value) {
  lines->m[line] = value.m;
  lines->r[line] = value.r;
}

}  // namespace

std::vector<size_t> settle_lines(const EnclosedLines& lines, Tensor* y) {
  std::vector<uint8_t> open(y->size(), 0);
  settle_sums(target_of(y->dtype()), lines.m.data(), lines.r.data(), y->size(), y->mutable_bytes().data(), open.data());
  std::vector<size_t> left;
  for (size_t line = 0; line < open.size(); ++line) {
    if (open[line] != 0) left.push_back(line);
  }
  return left;
}

EnclosedLines line_sums(LineSum what, const Tensor& x, LineLayout layout) {
  EnclosedLines results(layout.lines());
  if (layout.inner == 1) {
    const size_t grain = std::max<size_t>(1, (size_t{1} << 15) / std::max<size_t>(layout.length, 1));
    parallel_for(layout.outer, grain, [&](size_t begin, size_t end) {
      for (size_t line = begin; line < end; ++line) put(&results, line, whole_line(what, x, line * layout.length, layout.length));
    });
    return results;
  }
  const size_t pieces = (layout.inner + kChunk - 1) / kChunk;
  parallel_for(layout.outer * pieces, 1, [&](size_t begin, size_t end) {
    Enclosed block[kChunk];
    for (size_t piece = begin; piece < end; ++piece) {
      const size_t outer = piece / pieces, inner = piece % pieces * kChunk, count = std::min(kChunk, layout.inner - inner);
      line_block(what, x, layout, outer, inner, count, block);
      for (size_t k = 0; k < count; ++k) put(&results, outer * layout.inner + inner + k, block[k]);
    }
  });
  return results;
}

}  // namespace onnxv
