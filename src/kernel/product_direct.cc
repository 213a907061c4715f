#include "src/kernel/product_direct.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/kernel/patches.h"
#include "src/kernel/product_rounder.h"

namespace onnxv {
namespace {

constexpr size_t kMostVectors = 7;    // of a: from 8 on packing pays
constexpr size_t kMostElements = size_t{1} << 14;  // of each, since the sums run through all of them
constexpr size_t kTogether = 480, kLeastTogether = 48;  // windows: multiples of every panel's width
constexpr size_t kLong = 64;

// The smallest quantum of a padded image.
double image_quantum(const float* image, size_t cells) {
  const ProductKernels& kernels = product_kernels();
  const size_t width = kernels.columns, rows = cells / width;
  std::vector<double> panel(rows * width), squares(width), quanta(width, std::numeric_limits<double>::infinity());
  std::copy_n(image, panel.size(), panel.begin());
  kernels.measure({panel.data(), rows, width, squares.data(), quanta.data()});
  double quantum = *std::min_element(quanta.begin(), quanta.end());
  for (size_t i = rows * width; i < cells; ++i) kernels.measure_more(static_cast<double>(image[i]), squares.data(), &quantum);
  return quantum;
}

// One product of all vectors of a with one image.
class Direct {
 public:
  Direct(const ProductTask& task, const ProductOutput& out, const OffsetVectors& windows, size_t image_size)
      : task_(task), out_(out), windows_(windows), size_(image_size), length_(task.a.length()), round_(task, out),
        kernel_(out.column_stride == 1 ? narrow_kernels(out.target).direct : nullptr),
        factor_(static_cast<double>(length_ + (task.start == nullptr ? 0 : 1) + 8) * 0x1p-53),
        largest_(kernel_ == nullptr ? 0 : product_kernels().largest(windows.floats(), image_size)) {}
  void run();

 private:
  DirectSums sums_of(double start, size_t from, size_t some) const {
    return {weights_.data(), windows_.floats(), windows_.vector_offsets().data() + from, windows_.element_offsets().data(),
            some, length_, start, nullptr, nullptr};
  }
  void round_by_sizes(DirectSums job, size_t row, size_t from);
  double quantum_of_row(size_t row) const;
  std::byte* place(size_t row, size_t column) const {
    const int64_t at = out_.offset + static_cast<int64_t>(row) * out_.row_stride + static_cast<int64_t>(column);
    return out_.tensor->mutable_bytes().data() + at * static_cast<int64_t>(out_.target.width());
  }

  const ProductTask& task_;
  const ProductOutput& out_;
  const OffsetVectors& windows_;
  const size_t size_, length_;
  const Rounder round_;
  bool (*const kernel_)(const DirectSums&, double bound, void* codes);
  const double factor_, largest_;
  double quantum_ = -1;  // of the image and the 1 behind each window; -1: not measured
  std::vector<double> weights_;  // the row of a that is being multiplied
  std::vector<double> sums_, sizes_;
};

double Direct::quantum_of_row(size_t row) const {
  double norm = 0, quantum = std::numeric_limits<double>::infinity();
  for (const double weight : weights_) product_kernels().measure_more(weight, &norm, &quantum);
  if (task_.start != nullptr) product_kernels().measure_more(task_.start[row], &norm, &quantum);
  return quantum;
}

// The sum of the terms' absolute values bounds every partial sum and stands for the product of the norms; the quantum is one
// for the whole image.
void Direct::round_by_sizes(DirectSums job, size_t row, size_t from) {
  static const std::vector<double> ones(kTogether, 1.0);
  double norm = 0;
  if (quantum_ < 0) {
    quantum_ = image_quantum(windows_.floats(), size_);
    if (task_.start != nullptr) product_kernels().measure_more(1.0, &norm, &quantum_);
  }
  sums_.resize(kTogether);
  sizes_.resize(kTogether);
  job.sums = sums_.data();
  job.sizes = sizes_.data();
  product_kernels().direct(job);
  const double quantum = quantum_of_row(row) * quantum_, one = 1;
  round_({job.sums, kTogether, 1, job.count, &one, &quantum, job.sizes, ones.data(), factor_}, row, from);
}

// First with one bound for all windows: no term exceeds its weight times the image's largest cell. (What its own roundings lose,
// length · u of it, is less than one of the 8 units on top.)
void Direct::run() {
  weights_.resize(length_);
  // Long vectors in small pieces: one open element has all sizes of its piece summed.
  const size_t together = length_ < kLong ? kTogether : kLeastTogether;
  for (size_t i = 0; i < task_.a.count(); ++i) {
    task_.a.read(i, 1, 0, length_, weights_.data());
    const double start = task_.start == nullptr ? -0.0 : task_.start[i];
    double size = std::fabs(start);
    for (const double weight : weights_) size += std::fabs(weight) * largest_;
    const double bound = factor_ * size + 0x1p-1000;
    for (size_t from = 0; from < windows_.count(); from += together) {
      const DirectSums job = sums_of(start, from, std::min(together, windows_.count() - from));
      const bool is_clear = kernel_ != nullptr && std::isfinite(bound) && kernel_(job, bound, place(i, from));
      if (!is_clear) round_by_sizes(job, i, from);
    }
  }
}

}  // namespace

bool is_direct(const ProductTask& task) {
  return task.b.patches() && task.b.offsets() != nullptr && task.a.count() <= kMostVectors && task.a.length() <= kMostElements &&
         task.start_of_b == nullptr;
}

void multiply_directly(const ProductTask& task, const ProductOutput& out) {
  Direct(task, out, *task.b.offsets(), static_cast<const PatchVectors&>(task.b).image_size()).run();
}

}  // namespace onnxv
