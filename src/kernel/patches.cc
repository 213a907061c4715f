#include "src/kernel/patches.h"

#include <algorithm>
#include <type_traits>

#include "src/tensor/lines.h"

namespace onnxv {

namespace {

template <class T>
void read_windows(const T* values, std::span<const int64_t> windows, std::span<const int64_t> elements, double* out) {
  if (windows.size() == 1) {
    const T* from = values + windows[0];
    for (const int64_t e : elements) *out++ = static_cast<double>(from[e]);
    return;
  }
  for (const int64_t e : elements) {
    for (const int64_t window : windows) *out++ = static_cast<double>(values[e + window]);
  }
}

}  // namespace

void OffsetVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  const auto windows = vector_offsets_.subspan(first, vectors), taps = element_offsets_.subspan(from, elements);
  if (floats_ != nullptr) return read_windows(floats_, windows, taps, out);
  read_windows(doubles_, windows, taps, out);
}

Tensor padded_channels(const Tensor& x, size_t first, size_t channels, const WindowOffsets& offsets, double zero_point,
                       std::span<const double> around) {
  Shape shape = offsets.padded;
  shape.insert(0, static_cast<int64_t>(channels));
  Tensor padded(DType::kDouble, shape);  // +0 everywhere
  const size_t cells = offsets.cells;
  const auto size = static_cast<size_t>(offsets.padded.elements());
  double* values = padded.mutable_as<double>().data();
  for (size_t c = 0; c < channels; ++c, values += size) {
    if (!around.empty()) std::copy(around.begin(), around.end(), values);
    for (const WindowOffsets::Run& run : offsets.runs) {
      decode_elements(x, first + c * cells + run.cell, run.length, values + run.offset);
      // Without a zero point even -0 stays what it is.
      for (size_t i = 0; zero_point != 0 && i < run.length; ++i) values[run.offset + i] -= zero_point;
    }
  }
  return padded;
}

namespace {

constexpr int64_t kMostPhases = 8;

}  // namespace

PatchLayout::PatchLayout(const WindowOffsets& offsets) : cells_(offsets.cells) {
  row_ = std::max<int64_t>(offsets.padded.back(), 1);
  // A step to the next row is a row at least.
  const int64_t step = offsets.windows.size() < 2 ? 1 : offsets.windows[1] - offsets.windows[0];
  stride_ = step < row_ && step <= kMostPhases ? step : 1;
  phase_ = (row_ + stride_ - 1) / stride_;
  size_ = static_cast<size_t>(offsets.padded.elements() / row_ * stride_ * phase_);
  move_windows(offsets.windows, step);
  for (const int64_t tap : offsets.taps) taps_.push_back(moved(tap));
  for (const WindowOffsets::Run& run : offsets.runs) {
    for (size_t done = 0; done < run.length;) {
      const size_t left = static_cast<size_t>(row_) - (run.offset + done) % static_cast<size_t>(row_);
      const size_t some = stride_ == 1 ? run.length : std::min(run.length - done, left);
      runs_.push_back({run.cell + done, run.offset + done, some});
      done += some;
    }
  }
}

// Neighbours in a row stay neighbours.
void PatchLayout::move_windows(const std::vector<int64_t>& windows, int64_t step) {
  windows_ = windows;
  int64_t row_end = 0;
  for (size_t i = 0; i < windows.size() && stride_ > 1; ++i) {
    if (windows[i] < row_end && windows[i] - windows[i - 1] == step) {
      windows_[i] = windows_[i - 1] + 1;
    } else {
      windows_[i] = moved(windows[i]);
      row_end = (windows[i] / row_ + 1) * row_;
    }
  }
}

// The row and the cell in it; a window's first cell is s · o, and s · o + t lies o behind t.
int64_t PatchLayout::moved(int64_t offset) const {
  const int64_t cell = offset % row_;
  return offset / row_ * stride_ * phase_ + cell % stride_ * phase_ + cell / stride_;
}

template <class T, class Source>
void PatchLayout::place(const Source* x, T* image) const {
  for (const WindowOffsets::Run& run : runs_) {
    if (stride_ == 1) {
      std::copy_n(x + run.cell, run.length, image + run.offset);
      continue;
    }
    const auto step = static_cast<size_t>(stride_);
    for (size_t i = 0; i < std::min(step, run.length); ++i) {
      T* to = image + moved(static_cast<int64_t>(run.offset + i));
      for (size_t k = i; k < run.length; k += step) *to++ = static_cast<T>(x[run.cell + k]);
    }
  }
}

namespace {

// Padded images are of one size in most nodes, and fresh memory costs as much as it takes to fill it. A tensor, because its size is
// checked before it is taken.
std::vector<Tensor>& free_images() {
  static thread_local std::vector<Tensor> images;
  return images;
}

Tensor taken_image(size_t doubles) {
  Tensor image;
  if (!free_images().empty()) {
    image = std::move(free_images().back());
    free_images().pop_back();
  }
  const bool serves = image.size() >= doubles && image.dtype() == DType::kDouble;
  return serves ? image : Tensor::unfilled(DType::kDouble, {static_cast<int64_t>(doubles)});
}

constexpr size_t kSlack = 8;  // numbers behind an image that a register may hold

template <class T>
void place_channels(const Tensor& x, size_t first, size_t channels, const PatchLayout& layout, double zero_point, T* image) {
  std::vector<double> values;
  for (size_t c = 0; c < channels; ++c, image += layout.size(), first += layout.cells()) {
    if constexpr (std::is_same_v<T, float>) {
      if (x.dtype() == DType::kFloat && zero_point == 0) {
        layout.place(x.as<float>().data() + first, image);
        continue;
      }
    }
    values.resize(layout.cells());
    decode_elements(x, first, values.size(), values.data());
    // Without a zero point even -0 stays what it is.
    if (zero_point != 0) {
      for (double& value : values) value -= zero_point;
    }
    layout.place(values.data(), image);
  }
}

}  // namespace

PatchVectors::PatchVectors(const Tensor& x, size_t first, size_t channels, const PatchLayout& layout, double zero_point, size_t images)
    : x_(x), channels_(channels * images), layout_(layout), zero_point_(zero_point), size_(channels_ * layout.size()),
      small_integers_(zero_point == 0 && is_small_integer(x.dtype())),
      memory_(taken_image((is_narrow(x.dtype()) ? size_ / 2 + 1 : size_) + kSlack)) {
  double* memory = memory_.mutable_as<double>().data();
  element_offsets_.reserve(channels * layout.taps().size());
  for (size_t c = 0; c < channels; ++c) {
    for (const int64_t tap : layout.taps()) element_offsets_.push_back(static_cast<int64_t>(c * layout.size()) + tap);
  }
  for (size_t image = 0; image < images && images > 1; ++image) {
    for (const int64_t window : layout.windows()) windows_.push_back(static_cast<int64_t>(image * channels * layout.size()) + window);
  }
  const std::span<const int64_t> windows = images > 1 ? std::span<const int64_t>(windows_) : layout.windows();
  // Every narrow number is a float.
  if (is_narrow(x.dtype())) {
    float* image = reinterpret_cast<float*>(memory);
    std::fill_n(image, size_ + kSlack, 0.0F);
    vectors_.emplace(image, windows, element_offsets_);
  } else {
    std::fill_n(memory, size_ + kSlack, 0.0);
    vectors_.emplace(memory, windows, element_offsets_, false);
  }
  move_to(first);
}

// The padding stays what it is.
void PatchVectors::move_to(size_t first) {
  double* memory = memory_.mutable_as<double>().data();
  if (vectors_->floats() != nullptr) {
    place_channels(x_, first, channels_, layout_, zero_point_, reinterpret_cast<float*>(memory));
  } else {
    place_channels(x_, first, channels_, layout_, zero_point_, memory);
  }
}

PatchVectors::~PatchVectors() { free_images().push_back(std::move(memory_)); }

}  // namespace onnxv
