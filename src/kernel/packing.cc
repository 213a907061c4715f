#include "src/kernel/packing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "src/kernel/patches.h"
#include "src/kernel/product_tile.h"

namespace onnxv {
namespace {

constexpr std::align_val_t kAlignment{64};

size_t rounded_up(size_t count, size_t width) { return (count + width - 1) / width * width; }

// A panel with fewer vectors than its width: zeros fill it up.
void read_part(const Vectors& vectors, VectorPart part, size_t width, double* panel) {
  std::vector<double> values(part.count * part.length + 1);
  vectors.read(part.first, part.count, part.from, part.length, values.data());
  for (size_t k = 0; k < part.length; ++k) {
    for (size_t v = 0; v < width; ++v) panel[k * width + v] = v < part.count ? values[k * part.count + v] : 0.0;
  }
}

bool pack_plain(const Vectors& vectors, VectorPart part, size_t width, double* panels) {
  const Vectors::Plain plain = vectors.plain();
  if (plain.stored == Stored::kNowhere) return false;
  const int64_t skipped = static_cast<int64_t>(part.first) * plain.vector_stride + static_cast<int64_t>(part.from) * plain.element_stride;
  const std::byte* values = static_cast<const std::byte*>(plain.values) + skipped * static_cast<int64_t>(stored_bytes(plain.stored));
  return product_kernels().pack({values, plain.stored, plain.vector_stride, plain.element_stride, part.count, part.length, width, panels});
}

bool pack_windows(const Vectors& vectors, VectorPart part, size_t width, double* panels) {
  const OffsetVectors* at = vectors.offsets();
  return at != nullptr &&
         product_kernels().pack_windows({at->floats(), at->doubles(), at->vector_offsets().data() + part.first,
                                         at->element_offsets().data() + part.from, part.count, part.length, width, panels});
}

void pack_panels(const Vectors& vectors, VectorPart part, size_t width, double* panels) {
  if (pack_plain(vectors, part, width, panels) || pack_windows(vectors, part, width, panels)) return;
  for (size_t v = 0; v < part.count; v += width, panels += width * part.length) {
    if (part.count - v >= width) {
      vectors.read(part.first + v, width, part.from, part.length, panels);
    } else {
      read_part(vectors, {part.first + v, part.count - v, part.from, part.length}, width, panels);
    }
  }
}

}  // namespace

void Scratch::Free::operator()(double* p) const { ::operator delete[](p, kAlignment); }

double* Scratch::take(size_t count) {
  if (count > capacity_) {
    data_.reset();
    data_.reset(static_cast<double*>(::operator new[](count * sizeof(double), kAlignment)));
    capacity_ = count;
  }
  return data_.get();
}

size_t packed_doubles(size_t length, size_t count, size_t width) { return rounded_up(count, width) * (length + 2); }

Packed pack(const Vectors& vectors, size_t first, size_t count, size_t width, Scratch& memory) {
  const size_t length = vectors.length(), padded = rounded_up(count, width);
  double* panels = memory.take(packed_doubles(length, count, width));
  double* norms = panels + padded * length;
  double* quanta = norms + padded;
  pack_panels(vectors, {first, count, 0, length}, width, panels);
  std::fill_n(norms, padded, 0.0);
  std::fill_n(quanta, padded, std::numeric_limits<double>::infinity());
  for (size_t v = 0; v < padded; v += width) product_kernels().measure({panels + v * length, length, width, norms + v, quanta + v});
  for (size_t v = 0; v < padded; ++v) norms[v] = std::sqrt(norms[v]);
  return {panels, norms, quanta};
}

// As a panel whose columns share the vector.
VectorMeasure measured_alone(const double* elements, size_t length) {
  constexpr size_t kColumns = 8;  // a multiple of every register's width
  double squares[kColumns] = {}, quanta[kColumns], rest[kColumns] = {};
  std::fill_n(quanta, kColumns, std::numeric_limits<double>::infinity());
  const size_t whole = length / kColumns * kColumns;
  std::copy_n(elements + whole, length - whole, rest);
  product_kernels().measure({elements, length / kColumns, kColumns, squares, quanta});
  product_kernels().measure({rest, 1, kColumns, squares, quanta});
  double sum = 0;
  for (const double square : squares) sum += square;
  return {std::sqrt(sum), *std::min_element(quanta, quanta + kColumns)};
}

void pack_part(const Vectors& vectors, VectorPart part, size_t width, double* panels, double* squares) {
  pack_panels(vectors, part, width, panels);
  for (size_t v = 0; v < part.count && squares != nullptr; v += width) {
    product_kernels().measure({panels + v * part.length, part.length, width, squares + v, nullptr});
  }
}

LateQuanta::LateQuanta(const Vectors& vectors, size_t first, size_t count, size_t width, const double* more)
    : vectors_(vectors), more_(more), first_(first), count_(count), width_(width),
      quanta_(rounded_up(count, width), std::numeric_limits<double>::quiet_NaN()) {}

const double* LateQuanta::of(size_t at, size_t some) {
  static thread_local Scratch memory;
  const std::lock_guard lock(mutex_);
  for (size_t v = at; v < at + some; v += width_) {
    if (quanta_[v] == quanta_[v]) continue;
    const size_t present = std::min(width_, count_ - v);
    const Packed packed = pack(vectors_, first_ + v, present, width_, memory);
    std::copy_n(packed.quanta, width_, quanta_.begin() + static_cast<std::ptrdiff_t>(v));
    double norm = 0;
    for (size_t i = v; more_ != nullptr && i < v + present; ++i) product_kernels().measure_more(more_[i], &norm, &quanta_[i]);
  }
  return quanta_.data() + at;
}

}  // namespace onnxv
