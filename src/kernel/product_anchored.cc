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

constexpr size_t kMostLength = size_t{1} << 20;
constexpr size_t kMostPacked = size_t{1} << 22;   // doubles of a that are packed at a time
constexpr size_t kMostRows = 4096, kLeastRows = 96;
constexpr size_t kBlockOfA = size_t{1} << 14;     // doubles of a block of a, which stays in the second cache beside as many of b
constexpr size_t kTogether = 8;                   // panels of b that are packed at a time
constexpr size_t kWide = 4;                       // panels of a that are packed as one: four numbers of a row are read together
constexpr double kSmallNorm = 0x1p-480, kLargeNorm = 0x1p480;  // squares of elements inside are far from both ends of double

const AnchoredKernels& anchored_kernels() {
  static const AnchoredKernels& kernels = ONNXV_OF_SET(anchored_kernels)();
  return kernels;
}

size_t divided_up(size_t count, size_t by) { return (count + by - 1) / by; }

// Packed vectors, each scaled to a norm just below 1. Elements that underflow there lose less than 2^-1074 each.
struct Scaled {
  const double* panels;
  std::vector<double> norms;
  std::vector<double> factors;  // undo the scaling
};

// The factors of `count` vectors of norms[at...], panel after panel; what scales them, into `inverse`.
void choose_factors(const double* panels, size_t length, size_t wide, size_t at, size_t count, Scaled* all, std::vector<double>* inverse) {
  const auto is_zero = [&](size_t v) {
    const double* x = panels + v / wide * wide * length + v % wide;
    for (size_t k = 0; k < length; ++k, x += wide) {
      if (*x != 0) return false;
    }
    return true;
  };
  std::fill(inverse->begin(), inverse->end(), 1.0);
  for (size_t v = 0; v < count; ++v) {
    const double norm = all->norms[at + v];
    if (norm == 0 && is_zero(v)) continue;
    if (!(norm > kSmallNorm && norm < kLargeNorm)) {
      all->factors[at + v] = std::nan("");
      (*inverse)[v] = 0;
      continue;
    }
    int exponent;
    if (std::frexp(norm, &exponent) > 1 - 0x1p-20) ++exponent;
    all->factors[at + v] = std::ldexp(1.0, exponent);
    (*inverse)[v] = std::ldexp(1.0, -exponent);
  }
}

// In panels of `width`, packed in panels of `wide`, some of them at a time.
Scaled scaled(const Vectors& vectors, VectorPart part, size_t wide, size_t width, Scratch& memory) {
  static thread_local Scratch packed;
  const size_t together = wide == width ? divided_up(part.count, width) * width : wide, padded = divided_up(part.count, together) * together;
  Scaled result{memory.take(padded * part.length), std::vector<double>(padded), std::vector<double>(padded, 1.0)};
  double* panels = const_cast<double*>(result.panels);  // `memory` is ours
  std::vector<double> inverse(together);
  for (size_t v = 0; v < part.count; v += together, panels += together * part.length) {
    double* from = wide == width ? panels : packed.take(together * part.length);
    const size_t some = std::min(together, part.count - v);
    pack_part(vectors, {part.first + v, some, 0, part.length}, wide, from, result.norms.data() + v);
    for (size_t i = v; i < v + together; ++i) result.norms[i] = std::sqrt(result.norms[i]);
    choose_factors(from, part.length, wide, v, some, &result, &inverse);
    for (size_t i = 0; i < together; i += wide) {
      anchored_kernels().scale({from + i * part.length, part.length, wide, width, inverse.data() + i, panels + i * part.length});
    }
  }
  return result;
}
Scaled scaled_rows(const Vectors& a, size_t first, size_t count, Scratch& memory) {
  const size_t width = anchored_kernels().rows;
  return scaled(a, {first, count, 0, a.length()}, kWide * width, width, memory);
}
Scaled scaled_columns(const Vectors& b, size_t first, size_t count, Scratch& memory) {
  const size_t width = anchored_kernels().columns;
  return scaled(b, {first, count, 0, b.length()}, width, width, memory);
}

// Quanta of single vectors.
struct SomeQuanta {
  SomeQuanta(const Vectors& vectors, size_t first, size_t count) : all(vectors, first, count, product_kernels().columns, nullptr) {}
  double of(size_t v) {
    const size_t width = product_kernels().columns, panel = v / width * width;
    return all.of(panel, 1)[v - panel];
  }
  LateQuanta all;
};

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

// Rows of a, packed, and all that is done with them.
class AnchoredRows {
 public:
  AnchoredRows(const ProductTask& task, const ProductOutput& out, size_t first, size_t count, Scratch& memory)
      : task_(task), out_(out), first_(first), count_(count), length_(task.a.length()),
        block_(divided_up(kBlockOfA / std::min(length_, kBlockOfA), kernels_.rows) * kernels_.rows),
        base_(out.tensor->mutable_bytes().data()), a_(scaled_rows(task.a, first, count, memory)), quanta_a_(task.a, first, count) {}
  void multiply();

 private:
  void multiply_columns(size_t column, size_t columns);
  // `at`: the tile's first element.
  struct At {
    size_t row, column, panel;  // of those that are packed
  };
  void multiply_tile(const Scaled& b, At at, size_t rows, size_t columns, SomeQuanta& quanta_b, ExactElements& exact);
  std::byte* place(size_t row, size_t column) const {
    const int64_t at = out_.offset + static_cast<int64_t>(first_ + row) * out_.row_stride + static_cast<int64_t>(column) * out_.column_stride;
    return base_ + at * static_cast<int64_t>(sizeof(double));
  }

  const AnchoredKernels& kernels_ = anchored_kernels();
  const ProductTask& task_;
  const ProductOutput& out_;
  const size_t first_, count_, length_, block_;
  std::byte* const base_;
  const Scaled a_;
  SomeQuanta quanta_a_;
};

void AnchoredRows::multiply_tile(const Scaled& b, At at, size_t rows, size_t columns, SomeQuanta& quanta_b, ExactElements& exact) {
  static thread_local Scratch results;
  static thread_local std::vector<uint32_t> open;
  open.resize(rows * columns);
  const bool in_place = out_.column_stride == 1;
  double* values = in_place ? reinterpret_cast<double*>(place(at.row, at.column)) : results.take(rows * columns);
  const size_t left = kernels_.tile({a_.panels + at.row * length_, b.panels + at.panel * length_, length_, rows, columns, a_.factors.data() + at.row,
                                     b.factors.data() + at.panel, values, in_place ? out_.row_stride : static_cast<int64_t>(columns), open.data()});
  for (size_t i = 0; i < rows && !in_place; ++i) {
    for (size_t j = 0; j < columns; ++j) std::memcpy(place(at.row + i, at.column + j), values + i * columns + j, sizeof(double));
  }
  for (size_t n = 0; n < left; ++n) {
    const size_t i = at.row + open[n] / columns, j = open[n] % columns, of_b = at.panel + j;
    // A vector that was not scaled has a norm that says nothing: its squares have underflowed, or overflowed.
    const bool measured = std::isfinite(a_.factors[i] * b.factors[of_b]);
    const bool plain = measured && is_plain(a_.norms[i] * b.norms[of_b], quanta_a_.of(i) * quanta_b.of(of_b));
    const uint64_t code = settled(task_, out_, exact, first_ + i, at.column + j, plain);
    std::memcpy(place(i, at.column + j), &code, sizeof code);
  }
}

void AnchoredRows::multiply_columns(size_t column, size_t columns) {
  static thread_local Scratch memory;
  const Scaled b = scaled_columns(task_.b, column, columns, memory);
  SomeQuanta quanta_b(task_.b, column, columns);
  ExactElements exact(task_, out_.target);
  for (size_t row = 0; row < count_; row += block_) {
    for (size_t j = 0; j < columns; j += kernels_.columns) {
      multiply_tile(b, {row, column + j, j}, std::min(block_, count_ - row), std::min(kernels_.columns, columns - j), quanta_b, exact);
    }
  }
}

void AnchoredRows::multiply() {
  const size_t panels = divided_up(task_.b.count(), kernels_.columns), threads = static_cast<size_t>(thread_count());
  const size_t width = std::clamp<size_t>(threads == 1 ? kTogether : panels / (4 * threads), 1, kTogether) * kernels_.columns;
  parallel_for(divided_up(task_.b.count(), width), 1, [&](size_t begin, size_t end) {
    for (size_t column = begin * width; column < std::min(task_.b.count(), end * width); column += width) {
      multiply_columns(column, std::min(width, task_.b.count() - column));
    }
  });
}

}  // namespace

bool is_anchored(const ProductTask& task, const ProductOutput& out) {
  return out.target.format == &kFloat64 && out.target.rounding == Rounding::kNearestEven && out.target.overflow == Overflow::kInfinity &&
         task.a.length() != 0 && task.a.length() <= kMostLength;
}

Balls precise_products(const Vectors& a, const Vectors& b) {
  const size_t columns = b.count(), length = a.length(), width = anchored_kernels().columns;
  Balls products;
  products.midpoints.resize(a.count() * columns);
  products.radii.resize(products.midpoints.size());
  if (length == 0 || length > kMostLength) {
    // An empty product is 0; of a longer one nothing is said.
    std::fill(products.radii.begin(), products.radii.end(), length == 0 ? 0.0 : HUGE_VAL);
    return products;
  }
  static thread_local Scratch memory;
  const Scaled rows = scaled_rows(a, 0, a.count(), memory);
  const size_t panel_width = product_kernels().columns;
  LateQuanta late_a(a, 0, a.count(), panel_width, nullptr);
  const double* quanta_a = late_a.of(0, a.count());
  parallel_for(divided_up(columns, width), 1, [&](size_t begin, size_t end) {
    static thread_local Scratch memory_b;
    for (size_t column = begin * width; column < std::min(columns, end * width); column += width) {
      const size_t some = std::min(width, columns - column);
      const Scaled panel = scaled_columns(b, column, some, memory_b);
      LateQuanta late_b(b, column, some, panel_width, nullptr);
      const double* quanta_b = late_b.of(0, some);
      anchored_kernels().balls({rows.panels, panel.panels, length, a.count(), some, rows.factors.data(), panel.factors.data(),
                                products.midpoints.data() + column, products.radii.data() + column, static_cast<int64_t>(columns)});
      for (size_t i = 0; i < a.count(); ++i) {
        for (size_t j = 0; j < some; ++j) {
          double& radius = products.radii[i * columns + column + j];
          if (radius < HUGE_VAL && is_plain(rows.norms[i] * panel.norms[j], quanta_a[i] * quanta_b[j])) radius = 0;
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
  static thread_local Scratch memory;
  const size_t together = std::clamp(kMostPacked / task.a.length(), kLeastRows, kMostRows) / kLeastRows * kLeastRows;
  for (size_t first = 0; first < task.a.count(); first += together) {
    AnchoredRows(task, out, first, std::min(together, task.a.count() - first), memory).multiply();
  }
}

}  // namespace onnxv
