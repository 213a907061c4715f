#include "ops/quantize/granularity.h"

#include <algorithm>

#include "src/base/checked.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// Rank-1 scales stand along `axis`; anything else of more than one element fits no rule.
void check_axis_scale(const Shape& x, const Shape& scale, int64_t axis) {
  if (scale[0] == x[axis]) return;
  fail_schema("shape-mismatch", "the scale is " + scale.text() + " for x " + x.text(),
              "must have " + std::to_string(x[axis]) + " elements, the length of axis " + std::to_string(axis));
}

// Spec: the accepted block sizes, [ceil(D / S), ceil(D / (S - 1)) - 1], are those with S = ceil(D / B).
void check_block_scale(const Shape& x, const Shape& scale, int64_t axis, int64_t block) {
  Shape expected = x;
  expected[axis] = ceil_divide(x[axis], block);
  if (scale == expected) return;
  fail_schema("shape-mismatch",
              "the scale is " + scale.text() + " for x " + x.text() + " in blocks of " + std::to_string(block) +
                  " along axis " + std::to_string(axis),
              "must be " + expected.text());
}

}  // namespace

ScaleLayout::ScaleLayout(const OpCall& call, const Shape& x, const Shape& scale, Granularity finest) : x_(x) {
  block_ = finest == Granularity::kBlocks ? call.integer_or("block_size", 0) : 0;
  if (block_ < 0) fail_schema("attribute-range", "block_size is " + std::to_string(block_), "must be at least 0");
  if (scale.elements() == 1) return;
  if (finest == Granularity::kTensor) {
    fail_schema("shape-mismatch", "the scale is " + scale.text(), "must be a scalar");
  }
  granularity_ = block_ > 0 ? Granularity::kBlocks : Granularity::kAxis;
  if (scale.rank() != (block_ > 0 ? x.rank() : 1)) {
    fail_schema("shape-mismatch", "the scale is " + scale.text() + " for x " + x.text(),
                block_ > 0 ? "must have the rank of x" : "must be a scalar or have rank 1");
  }
  axis_ = call.axis(x.rank());
  if (block_ > 0) {
    check_block_scale(x, scale, axis_, block_);
  } else {
    check_axis_scale(x, scale, axis_);
  }
}

Tensor ScaleLayout::spread(const Tensor& parameter) const {
  switch (granularity_) {
    case Granularity::kTensor: return parameter.reshaped({});
    case Granularity::kAxis: {
      Shape shape(std::vector<int64_t>(static_cast<size_t>(x_.rank()), 1));
      shape[axis_] = x_[axis_];
      return parameter.reshaped(shape);
    }
    case Granularity::kBlocks: break;
  }
  return repeated_blocks(parameter);
}

Tensor ScaleLayout::repeated_blocks(const Tensor& parameter) const {
  const int64_t outer = x_.elements(0, axis_), length = x_[axis_], inner = x_.elements(axis_ + 1, x_.rank());
  const int64_t blocks = ceil_divide(length, block_);
  std::vector<int64_t> source;
  if (x_.elements() == 0) return gather_elements(parameter, x_, source);
  source.reserve(static_cast<size_t>(x_.elements()));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < length; ++i) {
      const int64_t row = (o * blocks + i / block_) * inner;
      for (int64_t j = 0; j < inner; ++j) source.push_back(row + j);
    }
  }
  return gather_elements(parameter, x_, source);
}

// Neighbours from `element` on whose parameters are one, or neighbours.
ScaleLayout::Run ScaleLayout::run_from(size_t element) const {
  const auto length = static_cast<size_t>(x_[axis_]), inner = static_cast<size_t>(x_.elements(axis_ + 1, x_.rank()));
  const size_t j = element % inner, i = element / inner % length, o = element / inner / length;
  if (granularity_ == Granularity::kAxis) {
    return inner == 1 ? Run{i, length - i, true} : Run{i, inner - j, false};
  }
  const auto block = static_cast<size_t>(block_);
  const size_t row = o * ((length - 1) / block + 1) + i / block;
  return inner == 1 ? Run{row, std::min(block - i % block, length - i), false} : Run{row * inner + j, inner - j, true};
}

ScaleLayout::Runs ScaleLayout::runs_from(size_t first, size_t count) const {
  if (granularity_ == Granularity::kTensor) return {0, count};
  const Run run = run_from(first);
  if (run.beside) return {0, 0};
  if (run.length >= count) return {run.parameter, count};
  // Whole blocks of the last axis.
  const auto block = static_cast<size_t>(block_), length = static_cast<size_t>(x_[axis_]);
  const bool even = granularity_ == Granularity::kBlocks && length % block == 0 && run.length == block;
  return even ? Runs{run.parameter, block} : Runs{0, 0};
}

void ScaleLayout::repeat(std::span<const float> parameters, size_t first, size_t count, float* out) const {
  if (granularity_ == Granularity::kTensor) {
    std::fill_n(out, count, parameters[0]);
    return;
  }
  for (size_t done = 0; done < count;) {
    const Run run = run_from(first + done);
    const size_t length = std::min(run.length, count - done);
    if (run.beside) {
      std::copy_n(parameters.data() + run.parameter, length, out + done);
    } else {
      std::fill_n(out + done, length, parameters[run.parameter]);
    }
    done += length;
  }
}

void check_zero_point(const OpCall& call, const Shape& scale, const Shape& zero_point, std::string_view names) {
  if (scale == zero_point) return;
  const std::string got = std::string(names) + " are " + scale.text() + " and " + zero_point.text();
  if (scale.elements() != 1 || zero_point.elements() != 1) {
    fail_schema("shape-mismatch", got, "a scale and its zero point must have the same shape");
  }
  call.warn(got + ": their shapes should be the same");
}

}  // namespace onnxv
