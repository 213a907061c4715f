#include "src/kernel/packing.h"

#include <algorithm>
#include <new>

#include "src/kernel/product_tile.h"

namespace onnxv {
namespace {

constexpr std::align_val_t kAlignment{64};

size_t rounded_up(size_t count, size_t width) { return (count + width - 1) / width * width; }

// A panel with fewer vectors than its width: zeros fill it up.
void read_part(const Vectors& vectors, size_t first, size_t present, size_t width, double* panel) {
  const size_t length = vectors.length();
  std::vector<double> part(present * length + 1);
  vectors.read(first, present, 0, length, part.data());
  for (size_t k = 0; k < length; ++k) {
    for (size_t v = 0; v < width; ++v) panel[k * width + v] = v < present ? part[k * present + v] : 0.0;
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
  for (size_t v = 0; v < count; v += width) {
    double* panel = panels + v * length;
    const size_t present = std::min(width, count - v);
    if (present == width) {
      vectors.read(first + v, width, 0, length, panel);
    } else {
      read_part(vectors, first + v, present, width, panel);
    }
    product_kernels().measure({panel, length, width, norms + v, quanta + v});
  }
  return {panels, norms, quanta};
}

}  // namespace onnxv
