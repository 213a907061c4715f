// Which scale and zero point belong to which element: per tensor, per axis, or in blocks.
#pragma once

#include <span>

#include "ops/operator.h"

namespace onnxv {

// What versions allow: 10 one scale per tensor; 13 one per slice of an axis; 21 one per block of an axis.
enum class Granularity : uint8_t { kTensor, kAxis, kBlocks };

// A scale, or a zero point, of the shape `given` as a tensor that broadcasts to x.
class ScaleLayout {
 public:
  // Reads axis and block_size where the version has them. Schema errors "shape-mismatch", "attribute-range".
  ScaleLayout(const OpCall& call, const Shape& x, const Shape& scale, Granularity finest);
  Tensor spread(const Tensor& parameter) const;
  // The parameters of the elements [first, first + count) of x, out of all in their own order.
  // Where the elements [first, first + count) take their parameters one after the other, from `parameter` on, each for `length` of
  // them; length 0 where they lie otherwise.
  struct Runs {
    size_t parameter, length;
  };
  Runs runs_from(size_t first, size_t count) const;
  void repeat(std::span<const float> parameters, size_t first, size_t count, float* out) const;

 private:
  Tensor repeated_blocks(const Tensor& parameter) const;
  struct Run {
    size_t parameter, length;
    bool beside;  // a parameter for each element; else one for all
  };
  Run run_from(size_t element) const;

  Shape x_;
  Granularity granularity_ = Granularity::kTensor;
  int64_t axis_ = 0, block_ = 0;
};

// Schema error unless the zero point has the shape of the scale; two single elements of different rank only get a warning.
void check_zero_point(const OpCall& call, const Shape& scale, const Shape& zero_point, std::string_view names);

}  // namespace onnxv
