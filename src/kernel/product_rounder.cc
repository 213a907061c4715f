#include "src/kernel/product_rounder.h"

#include <bit>
#include <cstring>

namespace onnxv {
namespace {

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

}  // namespace

NarrowKernels narrow_kernels(const Target& target) {
  if (target.rounding != Rounding::kNearestEven || target.overflow != Overflow::kInfinity) return {};
  if (target.format == &kFloat32) return product_kernels().float32;
  if (target.format == &kFloat16) return product_kernels().float16;
  return target.format == &kBfloat16 ? product_kernels().bfloat16 : NarrowKernels{};
}

Rounder::Rounder(const ProductTask& task, const ProductOutput& out)
    : task_(task), out_(out), base_(out.tensor->mutable_bytes().data()), width_(out.target.width()),
      kernel_(out.column_stride == 1 ? narrow_kernels(out.target).round : nullptr) {}

void Rounder::operator()(const SumsOfTile& tile, size_t row, size_t column) const {
  if (kernel_ != nullptr) return round_in_place(tile, row, column);
  switch (width_) {
    case 1: return round_by_target<uint8_t>(tile, row, column);
    case 2: return round_by_target<uint16_t>(tile, row, column);
    case 4: return round_by_target<uint32_t>(tile, row, column);
    default: return round_by_target<uint64_t>(tile, row, column);
  }
}

void Rounder::round_in_place(const SumsOfTile& tile, size_t row, size_t column) const {
  static thread_local std::vector<uint32_t> open;
  open.resize(tile.rows * tile.columns);
  size_t count = kernel_(tile, place(row, column), out_.row_stride, open.data());
  // To measure quanta is to read all vectors of the tile once more: for a few elements their own sums are cheaper.
  if (count > (tile.rows + tile.columns) / 8 && tile.quanta_a == nullptr) {
    count = kernel_(with_quanta(tile), place(row, column), out_.row_stride, open.data());
  }
  settle(tile, row, column, open.data(), count);
}

void Rounder::settle(const SumsOfTile& tile, size_t row, size_t column, const uint32_t* open, size_t count) const {
  if (count == 0) return;
  ExactElements exact(task_, out_.target);
  for (size_t n = 0; n < count; ++n) {
    const size_t i = row + open[n] / tile.columns, j = column + open[n] % tile.columns;
    const uint64_t code = exact.code(i, j);
    std::memcpy(place(i, j), &code, width_);
  }
}

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
  product_kernels().ends(with_quanta(tile), low.data(), high.data());
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

}  // namespace onnxv
