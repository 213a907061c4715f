#include "src/kernel/product_integers.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "src/base/parallel.h"
#include "src/kernel/packing.h"

namespace onnxv {
namespace {

constexpr size_t kLeastVectors = 8;             // of each family: fewer are read where they lie
constexpr size_t kMostLength = size_t{1} << 20;
constexpr size_t kMostPaired = size_t{1} << 23; // pairs of a that are packed at a time
constexpr size_t kBlockOfA = size_t{1} << 15;   // pairs of a block of a: it stays in the second cache
constexpr size_t kTogether = 4;                 // panels of b that are multiplied by a block of a
constexpr size_t kPart = 256;                   // elements that are packed as doubles before they are paired; even

size_t divided_up(size_t count, size_t by) { return (count + by - 1) / by; }

// Vectors [first, first + count) in panels of `width`, panel after panel, each [pairs][width].
void pack_pairs(const Vectors& vectors, size_t first, size_t count, size_t width, std::vector<int32_t>* paired) {
  static thread_local Scratch memory;
  const size_t length = vectors.length(), pairs = divided_up(length, 2), panels = divided_up(count, width);
  paired->resize(panels * width * pairs);
  for (size_t k = 0; k < length; k += kPart) {
    const size_t some = std::min(kPart, length - k);
    double* part = memory.take(panels * width * some);
    pack_part(vectors, {first, count, k, some}, width, part, nullptr);
    for (size_t panel = 0; panel < panels; ++panel) {
      product_kernels().pair_up(part + panel * width * some, some, width, paired->data() + (panel * pairs + k / 2) * width);
    }
  }
}

// Rows [first, first + count) of a.
struct Rows {
  size_t first, count, pairs;
  std::vector<int32_t> paired;
};

void write_rows(const ProductOutput& out, const int32_t* sums, size_t row, size_t rows, size_t column, size_t columns) {
  std::byte* base = out.tensor->mutable_bytes().data();
  for (size_t i = 0; i < rows; ++i, sums += kIntegerColumns) {
    const int64_t at = out.offset + static_cast<int64_t>(row + i) * out.row_stride + static_cast<int64_t>(column) * out.column_stride;
    std::byte* to = base + static_cast<size_t>(at) * sizeof(int32_t);
    if (out.column_stride == 1) {
      std::memcpy(to, sums, columns * sizeof(int32_t));
      continue;
    }
    for (size_t j = 0; j < columns; ++j, to += out.column_stride * static_cast<int64_t>(sizeof(int32_t))) std::memcpy(to, sums + j, sizeof(int32_t));
  }
}

// All rows against columns [column, column + columns) of b.
void multiply_columns(const Rows& rows, const Vectors& b, size_t column, size_t columns, const ProductOutput& out) {
  static thread_local std::vector<int32_t> paired;
  pack_pairs(b, column, columns, kIntegerColumns, &paired);
  const size_t block = std::max<size_t>(1, kBlockOfA / (kIntegerRows * rows.pairs)) * kIntegerRows;
  std::vector<int32_t> sums(block * kIntegerColumns);
  for (size_t row = 0; row < rows.count; row += block) {
    const size_t some = std::min(block, rows.count - row);
    for (size_t j = 0; j < columns; j += kIntegerColumns) {
      product_kernels().integer_tile({rows.paired.data() + row * rows.pairs, paired.data() + j * rows.pairs,
                                      divided_up(some, kIntegerRows), rows.pairs, sums.data()});
      write_rows(out, sums.data(), rows.first + row, some, column + j, std::min(kIntegerColumns, columns - j));
    }
  }
}

}  // namespace

bool is_integral(const ProductTask& task, const ProductOutput& out) {
  const Target& target = out.target;
  const bool wraps = target.format == nullptr && !target.boolean && target.integer.bits == 32 && target.overflow == Overflow::kInfinity;
  return wraps && !task.starts() && product_kernels().integer_tile != nullptr && task.a.small_integers() && task.b.small_integers() &&
         std::min(task.a.count(), task.b.count()) >= kLeastVectors && task.a.length() != 0 && task.a.length() <= kMostLength;
}

void multiply_integrally(const ProductTask& task, const ProductOutput& out) {
  const size_t pairs = divided_up(task.a.length(), 2), width = kTogether * kIntegerColumns, count = task.b.count();
  const size_t together = std::max<size_t>(1, kMostPaired / pairs / kIntegerRows) * kIntegerRows;
  for (size_t first = 0; first < task.a.count(); first += together) {
    Rows rows{first, std::min(together, task.a.count() - first), pairs, {}};
    pack_pairs(task.a, first, rows.count, kIntegerRows, &rows.paired);
    parallel_for(divided_up(count, width), 1, [&](size_t begin, size_t end) {
      for (size_t column = begin * width; column < std::min(count, end * width); column += width) {
        multiply_columns(rows, task.b, column, std::min(width, count - column), out);
      }
    });
  }
}

}  // namespace onnxv
