#include "src/kernel/product.h"

#include <bit>
#include <cstring>
#include <vector>

#include "src/base/parallel.h"
#include "src/kernel/product_counts.h"
#include "src/kernel/product_grid.h"

namespace onnxv {
namespace {

void put_code(const ProductOutput& out, std::byte* base, size_t width, int64_t at, uint64_t code) {
  if (width == 1 && dtype_bits(out.tensor->dtype()) < 8) {
    out.tensor->set_code(static_cast<size_t>(at), code);
    return;
  }
  std::memcpy(base + static_cast<size_t>(at) * width, &code, width);
}

// One element by the exact rungs; the vectors of a row are read once.
class ExactElements {
 public:
  ExactElements(const ProductTask& task, const Target& target) : task_(task), target_(target), length_(task.a.length()) {}
  uint64_t code(size_t row, size_t column) {
    const size_t terms = length_ + (task_.start == nullptr ? 0 : 1);
    x_.resize(terms + 1);
    y_.resize(terms + 1);
    if (row != row_) {
      task_.a.read(row, 1, 0, length_, x_.data());
      row_ = row;
      if (task_.start != nullptr) x_[length_] = task_.start[row];
    }
    task_.b.read(column, 1, 0, length_, y_.data());
    if (task_.start != nullptr) y_[length_] = 1;
    return exact_dot(target_, x_.data(), y_.data(), terms);
  }

 private:
  const ProductTask& task_;
  const Target& target_;
  const size_t length_;
  size_t row_ = SIZE_MAX;
  std::vector<double> x_, y_;
};

void multiply_one_by_one(const ProductTask& task, const ProductOutput& out, std::byte* base) {
  const size_t width = out.target.width();
  // Sub-byte outputs share bytes, so they stay on one thread.
  const size_t grain = dtype_bits(out.tensor->dtype()) < 8 ? task.a.count() : 1;
  parallel_for(task.a.count(), grain, [&](size_t begin, size_t end) {
    ExactElements exact(task, out.target);
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = 0; j < task.b.count(); ++j) {
        const int64_t at = out.offset + static_cast<int64_t>(i) * out.row_stride + static_cast<int64_t>(j) * out.column_stride;
        put_code(out, base, width, at, exact.code(i, j));
      }
    }
  });
}

// ---- tiles of sums to codes ----

bool is_plain_float32(const ProductOutput& out) {
  return out.target.format == &kFloat32 && out.target.rounding == Rounding::kNearestEven && out.target.overflow == Overflow::kInfinity;
}

// Codes of `values` by the target, each of target.width() bytes.
template <class Code>
void encode_all(const Target& target, const std::vector<double>& values, size_t count, Code* codes) {
  if (target.format != nullptr) {
    return encode_exact_many(*target.format, values.data(), count, codes, target.rounding, target.overflow);
  }
  const bool simple = target.rounding == Rounding::kTowardZero || target.rounding == Rounding::kNearestEven;
  if (!target.boolean && simple && target.overflow == Overflow::kInfinity && target.integer.bits >= 8) {
    encode_integers_many(target.integer, values.data(), count, codes, target.rounding, nullptr);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    codes[i] = static_cast<Code>(settle_exact(target, values[i]));
  }
}

class Rounder {
 public:
  Rounder(const ProductTask& task, const ProductOutput& out)
      : task_(task), out_(out), base_(out.tensor->mutable_bytes().data()), width_(out.target.width()) {}
  void operator()(const SumsOfTile& tile, size_t row, size_t column) const {
    if (is_plain_float32(out_) && out_.column_stride == 1) return round_in_place(tile, row, column);
    switch (width_) {
      case 1: return round_by_target<uint8_t>(tile, row, column);
      case 2: return round_by_target<uint16_t>(tile, row, column);
      case 4: return round_by_target<uint32_t>(tile, row, column);
      default: return round_by_target<uint64_t>(tile, row, column);
    }
  }

 private:
  std::byte* place(size_t row, size_t column) const {
    return base_ + (out_.offset + static_cast<int64_t>(row) * out_.row_stride + static_cast<int64_t>(column) * out_.column_stride) *
                       static_cast<int64_t>(width_);
  }
  void round_in_place(const SumsOfTile& tile, size_t row, size_t column) const {
    static thread_local std::vector<uint32_t> open;
    open.resize(tile.rows * tile.columns);
    const size_t count = product_kernels().round_to_float32(tile, reinterpret_cast<float*>(place(row, column)), out_.row_stride, open.data());
    settle(tile, row, column, open.data(), count);
  }
  template <class Code>
  void round_by_target(const SumsOfTile& tile, size_t row, size_t column) const;
  void settle(const SumsOfTile& tile, size_t row, size_t column, const uint32_t* open, size_t count) const {
    if (count == 0) return;
    ExactElements exact(task_, out_.target);
    for (size_t n = 0; n < count; ++n) {
      const size_t i = row + open[n] / tile.columns, j = column + open[n] % tile.columns;
      const uint64_t code = exact.code(i, j);
      std::memcpy(place(i, j), &code, width_);
    }
  }

  const ProductTask& task_;
  const ProductOutput& out_;
  std::byte* base_;
  size_t width_;
};

// Where both ends of an interval have one code, that is the element's.
template <class Code>
void Rounder::round_by_target(const SumsOfTile& tile, size_t row, size_t column) const {
  static thread_local std::vector<double> low, high;
  static thread_local std::vector<Code> codes, codes_high;
  static thread_local std::vector<uint32_t> open;
  const size_t count = tile.rows * tile.columns;
  low.resize(count);
  high.resize(count);
  codes.resize(count);
  codes_high.resize(count);
  open.clear();
  product_kernels().ends(tile, low.data(), high.data());
  encode_all(out_.target, low, count, codes.data());
  const bool exact = std::memcmp(low.data(), high.data(), count * sizeof(double)) == 0;
  if (!exact) encode_all(out_.target, high, count, codes_high.data());
  const Code* other = exact ? codes.data() : codes_high.data();
  // A double can hold neither end of a float64 decision, and the interval of a Bool may hold 0 inside.
  const bool undecidable = !exact && out_.target.format == &kFloat64;
  for (size_t n = 0; n < count; ++n) {
    const bool apart = codes[n] != other[n] || low[n] != low[n] ||
                       (undecidable && std::bit_cast<uint64_t>(low[n]) != std::bit_cast<uint64_t>(high[n])) ||
                       (out_.target.boolean && low[n] < 0 && high[n] > 0);
    if (apart) open.push_back(static_cast<uint32_t>(n));
  }
  for (size_t i = 0; i < tile.rows; ++i) {
    std::byte* to = place(row + i, column);
    const int64_t stride = out_.column_stride * static_cast<int64_t>(sizeof(Code));
    for (size_t j = 0; j < tile.columns; ++j, to += stride) std::memcpy(to, &codes[i * tile.columns + j], sizeof(Code));
  }
  settle(tile, row, column, open.data(), open.size());
}

}  // namespace

void multiply(const Vectors& a, const Vectors& b, const ProductOutput& out) {
  if (a.count() == 0 || b.count() == 0) return;
  count_products({a.count() * b.count(), 0, 0});
  const ProductTask task{a, b, out.start};
  if (!fits_tiles(task) || dtype_bits(out.tensor->dtype()) < 8) {
    return multiply_one_by_one(task, out, out.tensor->mutable_bytes().data());
  }
  for_each_tile(task, Rounder(task, out));
}

}  // namespace onnxv
