#include "src/kernel/product_anchored.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "src/base/parallel.h"
#include "src/kernel/anchored_tile.h"
#include "src/kernel/ball_product.h"
#include "src/kernel/packing.h"
#include "src/kernel/product_rounder.h"
#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr size_t kRows = 96;                            // of a tile
constexpr size_t kMostLength = size_t{1} << 20;
constexpr size_t kMostPacked = size_t{1} << 22;         // doubles of a that are packed at a time
constexpr double kSmallNorm = 0x1p-480, kLargeNorm = 0x1p480;  // squares of elements inside are far from both ends of double

struct AnchoredKernels {
  size_t (*tile)(const AnchoredTile&);
  void (*balls)(const AnchoredBalls&);
};
const AnchoredKernels& anchored_kernels() {
  static const AnchoredKernels kernels{ONNXV_OF_SET(anchored_tile), ONNXV_OF_SET(anchored_balls)};
  return kernels;
}

// A packed family, each vector scaled to a norm just below 1. Elements that underflow there lose less than 2^-1074 each.
struct Scaled {
  Packed packed;
  std::vector<double> factors;
};

Scaled scaled(const Vectors& vectors, size_t first, size_t count, size_t width, Scratch& memory) {
  const Packed packed = pack(vectors, first, count, width, memory);
  const size_t length = vectors.length(), padded = (count + width - 1) / width * width;
  Scaled result{packed, std::vector<double>(padded, 1.0)};
  std::vector<double> inverse(padded, 1.0);
  for (size_t v = 0; v < count; ++v) {
    const double norm = packed.norms[v];
    if (norm == 0 && packed.quanta[v] == std::numeric_limits<double>::infinity()) continue;  // all zeros
    if (!(norm > kSmallNorm && norm < kLargeNorm)) {
      result.factors[v] = std::nan("");
      inverse[v] = 0;
      continue;
    }
    int exponent;
    if (std::frexp(norm, &exponent) > 1 - 0x1p-20) ++exponent;
    result.factors[v] = std::ldexp(1.0, exponent);
    inverse[v] = std::ldexp(1.0, -exponent);
  }
  double* panels = const_cast<double*>(packed.panels);  // `memory` is ours
  for (size_t v = 0; v < padded; v += width, panels += length * width) {
    for (size_t k = 0; k < length; ++k) {
      for (size_t i = 0; i < width; ++i) panels[k * width + i] *= inverse[v + i];
    }
  }
  return result;
}

// Every partial sum is exact.
bool is_plain(double norms, double quanta) {
  return norms < 0x1p52 * quanta && norms < 0x1p900 && (norms == 0 || quanta > 0x1p-900);
}

// An element that the tile left open. Where all partial sums are exact, plain additions are right, and know the sign of a zero.
uint64_t settled(const ProductTask& task, const ProductOutput& out, ExactElements& exact, size_t row, size_t column, bool plain) {
  if (!plain) return exact.code(row, column);
  const size_t length = task.a.length();
  std::vector<double> x(length + 1), y(length + 1);
  task.a.read(row, 1, 0, length, x.data());
  task.b.read(column, 1, 0, length, y.data());
  double sum = -0.0;
  for (size_t k = 0; k < length; ++k) sum += x[k] * y[k];
  return settle_exact(out.target, sum);
}

void copy_row(const double* values, size_t count, std::byte* to, int64_t stride) {
  if (stride == 1) {
    std::memcpy(to, values, count * sizeof(double));
    return;
  }
  for (size_t j = 0; j < count; ++j, to += stride * static_cast<int64_t>(sizeof(double))) std::memcpy(to, &values[j], sizeof(double));
}

void multiply_rows(const ProductTask& task, const ProductOutput& out, size_t first, size_t count) {
  static thread_local Scratch memory;
  const size_t length = task.a.length(), width = product_kernels().columns;
  const Scaled a = scaled(task.a, first, count, width, memory);
  std::byte* base = out.tensor->mutable_bytes().data();
  const auto work = [&](size_t begin, size_t end) {
    static thread_local Scratch memory_b, results;
    ExactElements exact(task, out.target);
    std::vector<uint32_t> open(kRows * width);
    for (size_t panel = begin; panel < end; ++panel) {
      const size_t column = panel * width, columns = std::min(width, task.b.count() - column);
      const Scaled b = scaled(task.b, column, columns, width, memory_b);
      for (size_t row = 0; row < count; row += kRows) {
        double* values = results.take(kRows * width);
        const size_t rows = std::min(kRows, count - row);
        const size_t left = anchored_kernels().tile({a.packed.panels + row * length, b.packed.panels, length, rows, columns, a.factors.data() + row,
                                           b.factors.data(), values, static_cast<int64_t>(columns), open.data()});
        for (size_t n = 0; n < left; ++n) {
          const size_t i = open[n] / columns, j = open[n] % columns;
          // A vector that was not scaled has a norm that says nothing: its squares have underflowed, or overflowed.
          const bool measured = std::isfinite(a.factors[row + i] * b.factors[j]);
          const bool plain = measured && is_plain(a.packed.norms[row + i] * b.packed.norms[j], a.packed.quanta[row + i] * b.packed.quanta[j]);
          const uint64_t code = settled(task, out, exact, first + row + i, column + j, plain);
          std::memcpy(&values[open[n]], &code, sizeof code);
        }
        for (size_t i = 0; i < rows; ++i, values += columns) {
          const int64_t at = out.offset + static_cast<int64_t>(first + row + i) * out.row_stride + static_cast<int64_t>(column) * out.column_stride;
          copy_row(values, columns, base + static_cast<size_t>(at) * sizeof(double), out.column_stride);
        }
      }
    }
  };
  const size_t panels = (task.b.count() + width - 1) / width;
  parallel_for(panels, 1, work);
}

}  // namespace

bool is_anchored(const ProductTask& task, const ProductOutput& out) {
  return out.target.format == &kFloat64 && out.target.rounding == Rounding::kNearestEven && out.target.overflow == Overflow::kInfinity &&
         task.a.length() != 0 && task.a.length() <= kMostLength;
}

Balls precise_products(const Vectors& a, const Vectors& b) {
  const size_t columns = b.count(), length = a.length(), width = product_kernels().columns;
  Balls products;
  products.midpoints.resize(a.count() * columns);
  products.radii.resize(products.midpoints.size());
  if (length == 0 || length > kMostLength) {
    // An empty product is 0; of a longer one nothing is said.
    std::fill(products.radii.begin(), products.radii.end(), length == 0 ? 0.0 : HUGE_VAL);
    return products;
  }
  static thread_local Scratch memory;
  const Scaled rows = scaled(a, 0, a.count(), width, memory);
  parallel_for((columns + width - 1) / width, 1, [&](size_t begin, size_t end) {
    static thread_local Scratch memory_b;
    for (size_t column = begin * width; column < std::min(columns, end * width); column += width) {
      const size_t some = std::min(width, columns - column);
      const Scaled b_panel = scaled(b, column, some, width, memory_b);
      anchored_kernels().balls({rows.packed.panels, b_panel.packed.panels, length, a.count(), some, rows.factors.data(),
                                b_panel.factors.data(), products.midpoints.data() + column, products.radii.data() + column,
                                static_cast<int64_t>(columns)});
      for (size_t i = 0; i < a.count(); ++i) {
        for (size_t j = 0; j < some; ++j) {
          const double norms = rows.packed.norms[i] * b_panel.packed.norms[j];
          const double quanta = rows.packed.quanta[i] * b_panel.packed.quanta[j];
          double& radius = products.radii[i * columns + column + j];
          if (is_plain(norms, quanta) && radius < HUGE_VAL) radius = 0;
        }
      }
    }
  });
  return products;
}

void multiply_anchored(const ProductTask& task, const ProductOutput& out) {
  if (task.starts()) {
    const auto extended = [](const Vectors& vectors, const double* more) {
      return ExtendedVectors(vectors, more == nullptr ? std::vector<double>{1.0} : std::vector<double>(more, more + vectors.count()), false);
    };
    return multiply_anchored({extended(task.a, task.start), extended(task.b, task.start_of_b)}, out);
  }
  const size_t together = std::max(kRows, kMostPacked / task.a.length() / kRows * kRows);
  for (size_t first = 0; first < task.a.count(); first += together) {
    multiply_rows(task, out, first, std::min(together, task.a.count() - first));
  }
}

}  // namespace onnxv
