#include "src/kernel/product_direct.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "src/kernel/patches.h"
#include "src/kernel/product_rounder.h"

namespace onnxv {
namespace {

constexpr size_t kMostVectors = 2;    // of a: from 3 on packing pays
constexpr size_t kMostElements = 256; // of each, since the sums run through all of them
constexpr size_t kTogether = 480;     // windows: a multiple of every panel's width

// The smallest quantum of everything between the first and the last cell that a window sees.
double image_quantum(const OffsetVectors& b) {
  const int64_t first = b.vector_offsets().front() + b.element_offsets().front();
  const double* image = b.values() + first;
  const auto cells = static_cast<size_t>(b.vector_offsets().back() + b.element_offsets().back() - first + 1);
  const ProductKernels& kernels = product_kernels();
  const size_t width = kernels.columns, rows = cells / width;
  std::vector<double> squares(width), quanta(width, std::numeric_limits<double>::infinity());
  kernels.measure({image, rows, width, squares.data(), quanta.data()});
  double quantum = *std::min_element(quanta.begin(), quanta.end());
  for (size_t i = rows * width; i < cells; ++i) kernels.measure_more(image[i], squares.data(), &quantum);
  return quantum;
}

struct OneVector {
  std::vector<double> elements;
  double quantum = std::numeric_limits<double>::infinity();
};
OneVector read_vector(const Vectors& a, size_t i) {
  OneVector vector;
  vector.elements.resize(a.length());
  a.read(i, 1, 0, a.length(), vector.elements.data());
  double norm = 0;
  for (const double x : vector.elements) product_kernels().measure_more(x, &norm, &vector.quantum);
  return vector;
}

}  // namespace

bool is_direct(const ProductTask& task) {
  return task.b.offsets() != nullptr && task.a.count() <= kMostVectors && task.a.length() <= kMostElements;
}

// The sum of the terms' absolute values bounds every partial sum and stands for the product of the norms; the quantum is one
// for the whole image.
void multiply_directly(const ProductTask& task, const ProductOutput& out) {
  const OffsetVectors& b = *task.b.offsets();
  const size_t length = task.a.length(), count = task.b.count();
  const bool starts = task.start != nullptr;
  const double factor = static_cast<double>(length + (starts ? 1 : 0) + 8) * 0x1p-53, one = 1;
  double of_image = image_quantum(b), norm = 0;
  if (starts) product_kernels().measure_more(1.0, &norm, &of_image);
  std::vector<double> sums(kTogether), sizes(kTogether);
  const std::vector<double> ones(kTogether, 1.0);
  const Rounder round(task, out);
  for (size_t i = 0; i < task.a.count(); ++i) {
    OneVector weights = read_vector(task.a, i);
    if (starts) product_kernels().measure_more(task.start[i], &norm, &weights.quantum);
    const double quantum = weights.quantum * of_image;
    for (size_t from = 0; from < count; from += kTogether) {
      const size_t some = std::min(kTogether, count - from);
      product_kernels().direct({weights.elements.data(), b.values(), b.vector_offsets().data() + from, b.element_offsets().data(),
                                some, length, starts ? task.start[i] : -0.0, sums.data(), sizes.data()});
      round({sums.data(), kTogether, 1, some, &one, &quantum, sizes.data(), ones.data(), factor}, i, from);
    }
  }
}

}  // namespace onnxv
