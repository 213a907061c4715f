// Patches of an image as vectors: the im2col of a convolution, never materialised.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/kernel/vectors.h"
#include "src/tensor/windows.h"

namespace onnxv {

// Element e of vector v is values[vector_offsets[v] + element_offsets[e]]. Values and offsets must outlive it.
class OffsetVectors : public Vectors {
 public:
  OffsetVectors(const double* values, std::span<const int64_t> vector_offsets, std::span<const int64_t> element_offsets,
                bool narrow)
      : doubles_(values), vector_offsets_(vector_offsets), element_offsets_(element_offsets), narrow_(narrow) {}
  OffsetVectors(const float* values, std::span<const int64_t> vector_offsets, std::span<const int64_t> element_offsets)
      : floats_(values), vector_offsets_(vector_offsets), element_offsets_(element_offsets), narrow_(true) {}
  size_t count() const override { return vector_offsets_.size(); }
  size_t length() const override { return element_offsets_.size(); }
  void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const override;
  bool narrow() const override { return narrow_; }
  const OffsetVectors* offsets() const override { return this; }

  const float* floats() const { return floats_; }  // one of both is null
  const double* doubles() const { return doubles_; }
  std::span<const int64_t> vector_offsets() const { return vector_offsets_; }
  std::span<const int64_t> element_offsets() const { return element_offsets_; }

 private:
  const float* floats_ = nullptr;
  const double* doubles_ = nullptr;
  std::span<const int64_t> vector_offsets_, element_offsets_;
  bool narrow_;
};

// `channels` channels of spatial cells, the first of them element `first` of x, decoded into [channels, padded...]:
// cells of x hold x - zero_point, all others what `around` holds for the cells of one channel (empty: +0).
Tensor padded_channels(const Tensor& x, size_t first, size_t channels, const WindowOffsets& offsets,
                       double zero_point = 0.0, std::span<const double> around = {});

// How the padded channels of an image lie in memory, so that neighbouring windows see neighbouring cells: where windows are s > 1
// cells apart along the last axis, each row holds its cells 0, s, 2s…, then 1, s + 1…
class PatchLayout {
 public:
  explicit PatchLayout(const WindowOffsets& offsets);
  std::span<const int64_t> windows() const { return windows_; }
  std::span<const int64_t> taps() const { return taps_; }
  size_t size() const { return size_; }    // of one channel
  size_t cells() const { return cells_; }  // of one channel of the input
  // x[i] for each cell i of a channel to its place; the rest of `image`, the padding, is left alone.
  template <class T, class Source>
  void place(const Source* x, T* image) const;

 private:
  int64_t moved(int64_t offset) const;
  void move_windows(const std::vector<int64_t>& windows, int64_t step);
  std::vector<int64_t> windows_, taps_;
  std::vector<WindowOffsets::Run> runs_;  // within one row where the stride is not 1
  int64_t row_ = 1, stride_ = 1, phase_ = 1;  // cells of a padded row, of a step, of a phase
  size_t size_, cells_;
};

// The patches of one image, or of some that lie behind one another: windows in row-major order, image after image; the elements
// of each run over [channel, taps...].
class PatchVectors : public Vectors {
 public:
  // `x` and `layout` must outlive it. The patches are those of x - zero_point, narrow as x is.
  PatchVectors(const Tensor& x, size_t first, size_t channels, const PatchLayout& layout, double zero_point = 0.0, size_t images = 1);
  ~PatchVectors() override;
  // Turns to as many images from another element on.
  void move_to(size_t first);
  size_t count() const override { return vectors_->count(); }
  size_t length() const override { return vectors_->length(); }
  void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const override {
    vectors_->read(first, vectors, from, elements, out);
  }
  bool narrow() const override { return vectors_->narrow(); }
  bool small_integers() const override { return small_integers_; }
  const OffsetVectors* offsets() const override { return &*vectors_; }
  bool patches() const override { return true; }
  // Numbers of the padded images that offsets()->floats() points to; a register's width of others follows.
  size_t image_size() const { return size_; }

 private:
  const Tensor& x_;
  const size_t channels_;  // of all images
  const PatchLayout& layout_;
  const double zero_point_;
  size_t size_;
  bool small_integers_;
  Tensor memory_;
  std::vector<int64_t> windows_, element_offsets_;
  std::optional<OffsetVectors> vectors_;
};

}  // namespace onnxv
