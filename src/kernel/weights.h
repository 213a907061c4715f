// A model's weights: tensors whose bytes never change while a plan of the model lives. What products compute from them is kept
// as long.
#pragma once

#include <cstdint>
#include <memory>

#include "src/kernel/vectors.h"
#include "src/tensor/tensor.h"

namespace onnxv {

// Holds one tensor's bytes, so that nobody can write to them in place, and what is kept of them.
class Weights {
 public:
  explicit Weights(Tensor tensor);
  ~Weights();
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;

 private:
  Tensor tensor_;
};

// How a family of vectors lies in its tensor.
struct WeightView {
  DType dtype;
  size_t count, length;
  int64_t offset, vector_stride, element_stride;
  bool operator==(const WeightView&) const = default;
};
// The measures of `vectors`, which are this view of the tensor; null where the tensor is not among the weights.
std::shared_ptr<const VectorMeasures> kept_measures(const Tensor& tensor, const WeightView& view, const Vectors& vectors);

}  // namespace onnxv
