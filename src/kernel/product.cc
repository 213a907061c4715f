#include "src/kernel/product.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string_view>

#include "src/base/error.h"
#include "src/base/parallel.h"
#include "src/kernel/product_counts.h"
#include "src/kernel/product_tile.h"
#include "src/number/interval.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr size_t kRowBlock = 96;                 // rows of a tile: a block of a stays in L2
constexpr size_t kPackedRows = size_t{1} << 22;  // doubles of a that are packed at a time

struct TileFunctions {
  void (*tile)(const ProductTile&);
  void (*check)(const ProductCheck&);
};

const TileFunctions& tile_functions() {
  static const TileFunctions functions = [] {
    const std::string_view set = instruction_set();
#ifdef ONNXV_SET_avx512
    if (set == "avx512") return TileFunctions{product_tile_avx512, product_check_avx512};
#endif
#ifdef ONNXV_SET_avx2
    if (set == "avx2") return TileFunctions{product_tile_avx2, product_check_avx2};
#endif
#ifdef ONNXV_SET_none
    return TileFunctions{product_tile_none, product_check_none};
#endif
    fail_internal("simd", "no product kernel for " + std::string(set));
  }();
  return functions;
}

// ---- packing: panels of vectors, their norms and quanta ----

struct Packed {
  std::vector<double> panels;  // panel after panel, each [length][width]
  std::vector<double> norms;   // Euclidean, rounded up by less than (length / 8 + 4) u
  std::vector<double> quanta;  // smallest lowest set bit of the vector's elements; infinity for an all-zero vector
};

// At most the value of the lowest set bit of a nonzero finite double. (Clearing the lowest bit of a power of two changes its
// exponent instead: what is left over is smaller than the power, which is on the safe side.)
double lowest_bit(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits &= ~(uint64_t{1} << 63);
  const uint64_t cleared = bits & (bits - 1);
  double size, rest;
  std::memcpy(&size, &bits, sizeof size);
  std::memcpy(&rest, &cleared, sizeof rest);
  return size - rest;
}

void pack_panel(const Vectors& vectors, size_t first, size_t width, double* panel, double* norms, double* quanta) {
  const size_t length = vectors.length();
  const size_t present = std::min(width, vectors.count() - first);
  if (present == width) {
    vectors.read(first, width, 0, length, panel);
  } else {
    std::vector<double> part(present * length + 1);
    vectors.read(first, present, 0, length, part.data());
    for (size_t k = 0; k < length; ++k) {
      for (size_t v = 0; v < width; ++v) panel[k * width + v] = v < present ? part[k * present + v] : 0.0;
    }
  }
  for (size_t v = 0; v < width; ++v) {
    double squares = 0, quantum = std::numeric_limits<double>::infinity();
    for (size_t k = 0; k < length; ++k) {
      const double x = panel[k * width + v];
      squares += x * x;
      if (x != 0 && x - x == 0) quantum = std::min(quantum, lowest_bit(x));
    }
    norms[v] = std::sqrt(squares);
    quanta[v] = quantum;
  }
}

Packed pack(const Vectors& vectors, size_t first, size_t count, size_t width) {
  Packed packed;
  const size_t panels = (count + width - 1) / width;
  packed.panels.resize(panels * width * vectors.length() + 1);
  packed.norms.resize(panels * width);
  packed.quanta.resize(panels * width);
  for (size_t p = 0; p < panels; ++p) {
    pack_panel(vectors, first + p * width, width, packed.panels.data() + p * width * vectors.length(),
               packed.norms.data() + p * width, packed.quanta.data() + p * width);
  }
  return packed;
}

// 0: every partial sum in any order is exact. Infinite or NaN where a norm is.
double bound_of(double depth, double norm_a, double norm_b, double quantum_a, double quantum_b) {
  const double norms = norm_a * norm_b;
  if (norms < 0x1p52 * quantum_a * quantum_b && norms < 0x1p900 && (norms == 0 || quantum_a * quantum_b > 0x1p-900)) return 0;
  // The last term covers products and sums that underflow.
  return (depth + 8) * kUnit * norms + 0x1p-1000;
}

// ---- writing results ----

void put_code(const ProductOutput& out, std::byte* base, size_t width, int64_t at, uint64_t code) {
  if (width == 1 && dtype_bits(out.tensor->dtype()) < 8) {
    out.tensor->set_code(static_cast<size_t>(at), code);
    return;
  }
  std::memcpy(base + static_cast<size_t>(at) * width, &code, width);
}

// ---- the exact rungs ----

struct Compensated {
  double head, rest, bound;
};

// Ogita, Rump, Oishi: Dot2 with its a priori bound (n²u²·Σ|ab| beside the last rounding, which is kept in `rest`).
Compensated compensated_dot(const double* a, const double* b, size_t count) {
  double head = -0.0, rest = 0, size = 0;
  for (size_t k = 0; k < count; ++k) {
    const double product = a[k] * b[k];
    const double low = std::fma(a[k], b[k], -product);
    const double sum = head + product;
    const double t = sum - head;
    rest += ((head - (sum - t)) + (product - t)) + low;
    head = sum;
    size += std::fabs(product);
  }
  const double n = static_cast<double>(count) + 4;
  return {head, rest, 1.01 * n * n * kUnit * kUnit * size + 0x1p-1000};
}

bool settle_compensated(const Target& target, const Compensated& sum, uint64_t* code) {
  const double value = sum.head + sum.rest;
  if (!(std::fabs(value) < 0x1p1000) || !(sum.bound < 0x1p1000)) return false;
  if (target.format == &kFloat64) {
    if (std::fabs(value) < 0x1p-900) return false;
    const double slack = sum.bound + std::fabs(sum.rest) * 0x1p-50;
    const double low = sum.head + (sum.rest - slack), high = sum.head + (sum.rest + slack);
    if (low != high) return false;
    std::memcpy(code, &low, sizeof low);
    return true;
  }
  const double slack = sum.bound + std::fabs(value) * 0x1p-51;
  return settle(target, value - slack, value + slack, false, code);
}

uint64_t settle_exactly(const Target& target, const std::function<Interval()>& value) {
  uint64_t code = 0;
  for (long bits = 128; bits <= 8192; bits *= 2) {
    const PrecisionScope scope(bits);
    const Interval x = value();
    if (x.is_nan_point()) return settle_exact(target, std::nan(""));
    if (x.is_infinite_point()) return settle_exact(target, x.negative() ? -HUGE_VAL : HUGE_VAL);
    code = encode_mpfr(target, x.low());
    if (x.is_point() || code == encode_mpfr(target, x.high())) return code;
  }
  return code;  // unreachable: a sum of doubles has at most 4,300 bits, and its ends meet there
}

std::vector<Interval> points(const double* values, size_t count) {
  std::vector<Interval> points;
  points.reserve(count);
  for (size_t i = 0; i < count; ++i) points.emplace_back(values[i]);
  return points;
}

}  // namespace

uint64_t exact_dot(const Target& target, const double* a, const double* b, size_t count) {
  uint64_t code = 0;
  if (count == 0) return settle_exact(target, 0.0);
  if (settle_compensated(target, compensated_dot(a, b, count), &code)) {
    count_products({0, 1, 0});
    return code;
  }
  count_products({0, 0, 1});
  return settle_exactly(target, [&] {
    const std::vector<Interval> x = points(a, count), y = points(b, count);
    return dot(In<Interval>{x.data(), count}, In<Interval>{y.data(), count});
  });
}

uint64_t exact_sum(const Target& target, const double* terms, size_t count) {
  return settle_exactly(target, [&] {
    const std::vector<Interval> x = points(terms, count);
    return sum(In<Interval>{x.data(), count});
  });
}

// ---- multiply ----

namespace {

void multiply_one_by_one(const Vectors& a, const Vectors& b, const ProductOutput& out, std::byte* base) {
  const size_t length = a.length(), width = out.target.width();
  constexpr size_t kTogether = 16;
  // Blocks of columns are read once per block of rows; sub-byte outputs share bytes, so they stay on one thread.
  const bool packed = dtype_bits(out.tensor->dtype()) < 8;
  const size_t grain = packed ? a.count() : 1;
  parallel_for(a.count(), grain, [&](size_t begin, size_t end) {
    std::vector<double> row(length + 1), columns(kTogether * length + 1), column(length + 1);
    for (size_t i = begin; i < end; ++i) {
      a.read(i, 1, 0, length, row.data());
      for (size_t j = 0; j < b.count(); j += kTogether) {
        const size_t present = std::min(kTogether, b.count() - j);
        b.read(j, present, 0, length, columns.data());
        for (size_t c = 0; c < present; ++c) {
          for (size_t k = 0; k < length; ++k) column[k] = columns[k * present + c];
          const int64_t at = out.offset + static_cast<int64_t>(i) * out.row_stride +
                             static_cast<int64_t>(j + c) * out.column_stride;
          put_code(out, base, width, at, exact_dot(out.target, row.data(), column.data(), length));
        }
      }
    }
  });
}

// Blocks of `rows` x one panel of columns: sums and bounds, handed to `use(row, column, count, sums, bounds)` row by row.
template <class Use>
void for_each_row_of_sums(const Vectors& a, const Vectors& b, const Use& use) {
  const size_t length = a.length();
  const double depth = static_cast<double>(std::min(length, kDepth) + (length + kDepth - 1) / kDepth);
  const size_t rows_at_once = std::max(kRowBlock, kPackedRows / std::max<size_t>(length, 1) / kRowBlock * kRowBlock);
  for (size_t first = 0; first < a.count(); first += rows_at_once) {
    const size_t rows = std::min(rows_at_once, a.count() - first);
    const Packed packed_a = pack(a, first, rows, kPanelRows);
    const size_t panels_b = (b.count() + kPanelColumns - 1) / kPanelColumns;
    parallel_for(panels_b, 1, [&](size_t begin, size_t end) {
      std::vector<double> sums(kRowBlock * kPanelColumns), bounds(kPanelColumns);
      for (size_t panel = begin; panel < end; ++panel) {
        const size_t column = panel * kPanelColumns;
        const size_t columns = std::min(kPanelColumns, b.count() - column);
        const Packed packed_b = pack(b, column, columns, kPanelColumns);
        for (size_t row = 0; row < rows; row += kRowBlock) {
          const size_t block = std::min(kRowBlock, rows - row);
          const size_t panels = (block + kPanelRows - 1) / kPanelRows;
          tile_functions().tile({packed_a.panels.data() + row * length, packed_b.panels.data(), panels, length, sums.data()});
          for (size_t i = 0; i < block; ++i) {
            for (size_t j = 0; j < columns; ++j) {
              bounds[j] = bound_of(depth, packed_a.norms[row + i], packed_b.norms[j], packed_a.quanta[row + i], packed_b.quanta[j]);
            }
            use(first + row + i, column, columns, sums.data() + i * kPanelColumns, bounds.data());
          }
        }
      }
    });
  }
}

}  // namespace

void multiply(const Vectors& a, const Vectors& b, const ProductOutput& out) {
  if (a.count() == 0 || b.count() == 0) return;
  count_products({a.count() * b.count(), 0, 0});
  std::byte* base = out.tensor->mutable_bytes().data();
  const size_t length = a.length(), width = out.target.width();
  const bool packed_output = dtype_bits(out.tensor->dtype()) < 8;
  if (!a.narrow() || !b.narrow() || length == 0 || packed_output || length >= (size_t{1} << 24)) {
    return multiply_one_by_one(a, b, out, base);
  }
  const bool float32 = out.target.format == &kFloat32;
  for_each_row_of_sums(a, b, [&](size_t row, size_t column, size_t count, const double* sums, const double* bounds) {
    float codes[kPanelColumns];
    uint8_t open[kPanelColumns];
    uint64_t wide[kPanelColumns];
    if (float32) {
      tile_functions().check({sums, bounds, count, codes, open});
      for (size_t j = 0; j < count; ++j) {
        uint32_t bits;
        std::memcpy(&bits, &codes[j], 4);
        wide[j] = bits;
      }
    } else {
      for (size_t j = 0; j < count; ++j) {
        const bool usable = bounds[j] < HUGE_VAL && std::isfinite(sums[j]);
        open[j] = usable && settle(out.target, sums[j] - bounds[j], sums[j] + bounds[j], bounds[j] == 0, &wide[j]) ? 0 : 1;
      }
    }
    std::vector<double> x, y;
    for (size_t j = 0; j < count; ++j) {
      if (open[j] != 0) {
        if (x.empty()) {
          x.resize(length);
          y.resize(length);
          a.read(row, 1, 0, length, x.data());
        }
        b.read(column + j, 1, 0, length, y.data());
        wide[j] = exact_dot(out.target, x.data(), y.data(), length);
      }
      const int64_t at = out.offset + static_cast<int64_t>(row) * out.row_stride +
                         static_cast<int64_t>(column + j) * out.column_stride;
      std::memcpy(base + static_cast<size_t>(at) * width, &wide[j], width);
    }
  });
}

// ---- integers ----

std::vector<uint64_t> extended_integers(const Tensor& tensor) {
  std::vector<uint64_t> values(tensor.size());
  const IntegerFormat format{dtype_bits(tensor.dtype()), is_signed_integer(tensor.dtype())};
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<uint64_t>(decode_integer(format, tensor.code(i)));
  }
  return values;
}

void multiply_integers(size_t m, size_t n, size_t k, IntegerMatrix a, IntegerMatrix b, uint64_t* out) {
  std::fill_n(out, m * n, 0);
  parallel_for(m, 8, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      for (size_t x = 0; x < k; ++x) {
        const uint64_t left = a.data[static_cast<int64_t>(i) * a.row_stride + static_cast<int64_t>(x) * a.column_stride];
        const uint64_t* right = b.data + static_cast<int64_t>(x) * b.row_stride;
        for (size_t j = 0; j < n; ++j) out[i * n + j] += left * right[static_cast<int64_t>(j) * b.column_stride];
      }
    }
  });
}

// ---- operands of formulas ----

namespace {

// A dot product at the current precision. The first rung of a proof has 128 bits: a compensated sum gives as many digits as
// it can use, in a hundredth of the time of an exact one.
Interval enclosed_dot(const double* a, const double* b, size_t count) {
  if (PrecisionScope::bits() <= 128 && count != 0) {
    const Compensated sum = compensated_dot(a, b, count);
    const double value = std::fabs(sum.head + sum.rest);
    if (value < 0x1p1000 && sum.bound < value * 0x1p-80) {
      return Interval(sum.head) + Interval(sum.rest) + Interval::between(-sum.bound, sum.bound);
    }
  }
  const std::vector<Interval> p = points(a, count), q = points(b, count);
  return dot(In<Interval>{p.data(), count}, In<Interval>{q.data(), count});
}

class ProductLines : public LineSource {
 public:
  ProductLines(const Vectors& a, const Vectors& b, size_t elements) : a_(a), b_(b), elements_(elements) {
    const size_t count = a.count() * b.count();
    midpoints_.resize(count);
    radii_.resize(count);
    if (count == 0) return;
    if (a.narrow() && b.narrow() && a.length() != 0) {
      for_each_row_of_sums(a, b, [&](size_t row, size_t column, size_t n, const double* sums, const double* bounds) {
        std::copy_n(sums, n, midpoints_.data() + row * b.count() + column);
        std::copy_n(bounds, n, radii_.data() + row * b.count() + column);
        for (size_t j = 0; j < n; ++j) {
          if (!std::isfinite(sums[j]) || !(bounds[j] < HUGE_VAL)) open(row * b.count() + column + j);
        }
      });
    } else {
      for (size_t line = 0; line < count; ++line) wide(line);
    }
  }
  size_t count() const override { return elements_; }
  bool exact() const override { return false; }
  void read(size_t first, size_t lines, double* out) const override {
    std::copy_n(midpoints_.data() + first * elements_, lines * elements_, out);
  }
  void read_radii(size_t first, size_t lines, double* out) const override {
    std::copy_n(radii_.data() + first * elements_, lines * elements_, out);
  }
  void read_intervals(size_t line, Interval* out) const override {
    if (elements_ == 0) return;
    const size_t length = a_.length(), first = line * elements_;
    std::vector<double> x(length + 1), y(length + 1);
    a_.read(first / b_.count(), 1, 0, length, x.data());
    for (size_t e = 0; e < elements_; ++e) {
      b_.read((first + e) % b_.count(), 1, 0, length, y.data());
      out[e] = enclosed_dot(x.data(), y.data(), length);
    }
  }

 private:
  void open(size_t line) {
    midpoints_[line] = 0;
    radii_[line] = HUGE_VAL;
  }
  void wide(size_t line) {
    const size_t length = a_.length();
    std::vector<double> x(length + 1), y(length + 1);
    a_.read(line / b_.count(), 1, 0, length, x.data());
    b_.read(line % b_.count(), 1, 0, length, y.data());
    const Compensated sum = compensated_dot(x.data(), y.data(), length);
    const double value = length == 0 ? 0.0 : sum.head + sum.rest;
    if (!(std::fabs(value) < 0x1p1000) || !(sum.bound < 0x1p1000)) return open(line);
    midpoints_[line] = value;
    radii_[line] = length == 0 ? 0 : sum.bound + std::fabs(value) * 0x1p-52;
  }
  const Vectors& a_;
  const Vectors& b_;
  size_t elements_;  // of a line: 1, or all products of one vector of a
  std::vector<double> midpoints_, radii_;
};

}  // namespace

std::unique_ptr<LineSource> product_lines(const Vectors& a, const Vectors& b) {
  return std::make_unique<ProductLines>(a, b, 1);
}
std::unique_ptr<LineSource> product_rows(const Vectors& a, const Vectors& b) {
  return std::make_unique<ProductLines>(a, b, b.count());
}

}  // namespace onnxv
