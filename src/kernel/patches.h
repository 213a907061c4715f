// Patches of an image as vectors: the im2col of a convolution, never materialised.
#pragma once

#include <cstdint>
#include <memory>
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
      : values_(values), vector_offsets_(vector_offsets), element_offsets_(element_offsets), narrow_(narrow) {}
  size_t count() const override { return vector_offsets_.size(); }
  size_t length() const override { return element_offsets_.size(); }
  void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const override;
  bool narrow() const override { return narrow_; }

  const double* values() const { return values_; }
  std::span<const int64_t> vector_offsets() const { return vector_offsets_; }
  std::span<const int64_t> element_offsets() const { return element_offsets_; }

 private:
  const double* values_;
  std::span<const int64_t> vector_offsets_, element_offsets_;
  bool narrow_;
};

// `channels` channels of spatial cells, the first of them element `first` of x, decoded into [channels, padded...]:
// cells of x hold x - zero_point, all others what `around` holds for the cells of one channel (empty: +0).
Tensor padded_channels(const Tensor& x, size_t first, size_t channels, const WindowOffsets& offsets,
                       double zero_point = 0.0, std::span<const double> around = {});

// The patches of one image: vector w is window w (row-major), its elements run over [channel, taps...].
class PatchVectors : public Vectors {
 public:
  // `offsets` must outlive it. narrow: as for Vectors, of x - zero_point.
  PatchVectors(const Tensor& x, size_t first, size_t channels, const WindowOffsets& offsets, double zero_point = 0.0);
  size_t count() const override { return vectors_->count(); }
  size_t length() const override { return vectors_->length(); }
  void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const override {
    vectors_->read(first, vectors, from, elements, out);
  }
  bool narrow() const override { return vectors_->narrow(); }
  const OffsetVectors* offsets() const override { return vectors_.get(); }
  bool patches() const override { return true; }

 private:
  Tensor padded_;
  std::vector<int64_t> element_offsets_;
  std::unique_ptr<OffsetVectors> vectors_;
};

}  // namespace onnxv
