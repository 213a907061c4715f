#include "ops/convolution/weights.h"

#include "src/base/checked.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

void check_ranks(const Shape& x, const Shape& w) {
  if (x.rank() < 3) fail_schema("rank", "X is " + x.text(), "must have a batch, channels and at least one spatial axis");
  if (w.rank() != x.rank()) fail_schema("rank", "X is " + x.text() + " and W is " + w.text(), "must have equal ranks");
}

void check_kernel_shape(const std::vector<int64_t>& given, const std::vector<int64_t>& kernel) {
  if (given.empty() || given == kernel) return;
  fail_schema("attribute-value", "kernel_shape is " + Shape(given).text(), "W's is " + Shape(kernel).text());
}

int64_t divided(int64_t count, int64_t groups, const std::string& what) {
  if (count % groups == 0) return count / groups;
  fail_schema("group", what + " is " + std::to_string(count), "must be a multiple of group, " + std::to_string(groups));
}

}  // namespace

Shape ConvolutionShape::output(const Shape& counts) const {
  std::vector<int64_t> dims{batch, filters()};
  dims.insert(dims.end(), counts.begin(), counts.end());
  return Shape(dims);
}

ConvolutionShape convolution_shape(const OpCall& call, WeightLayout layout) {
  const Shape& x = call.tensor("X").shape();
  const Shape& w = call.tensor("W").shape();
  check_ranks(x, w);
  ConvolutionShape shape;
  shape.batch = x[0];
  shape.groups = call.integer_or("group", 1);
  if (shape.groups < 1) fail_schema("group", "group is " + std::to_string(shape.groups), "must be 1 or more");
  shape.spatial.assign(x.begin() + 2, x.end());
  shape.kernel.assign(w.begin() + 2, w.end());
  const bool filter_first = layout == WeightLayout::kFilterFirst;
  shape.in = divided(x[1], shape.groups, "the number of X's channels");
  shape.out = filter_first ? divided(w[0], shape.groups, "W's first dimension") : w[1];
  if (filter_first ? w[1] != shape.in : w[0] != x[1]) {
    fail_schema("shape-mismatch",
                "X is " + x.text() + " and W is " + w.text() + ", group is " + std::to_string(shape.groups),
                "the channels of W must be those of X");
  }
  checked_multiply(shape.groups, shape.out);
  check_kernel_shape(call.integers("kernel_shape"), shape.kernel);
  const Tensor* bias = call.optional_tensor("B");
  if (bias != nullptr && bias->shape() != Shape{shape.filters()}) {
    fail_schema("shape-mismatch", "B is " + bias->shape().text(), "must be " + Shape{shape.filters()}.text());
  }
  return shape;
}

WindowAttributes window_attributes(const OpCall& call, const ConvolutionShape& shape) {
  return {call.text_or("auto_pad", "NOTSET"), shape.kernel, call.integers("strides"), call.integers("dilations"),
          call.integers("pads"), false};
}

Tensor exact_doubles(const Tensor& tensor, size_t first, size_t count) {
  Tensor values(DType::kDouble, Shape{static_cast<int64_t>(count)});
  decode_elements(tensor, first, count, values.mutable_as<double>().data());
  return values;
}

std::vector<int64_t> sums_of(const std::vector<std::vector<int64_t>>& lists) {
  std::vector<int64_t> sums{0};
  for (const std::vector<int64_t>& list : lists) {
    std::vector<int64_t> next;
    next.reserve(sums.size() * list.size());
    for (const int64_t base : sums) {
      for (const int64_t term : list) next.push_back(base + term);
    }
    sums = std::move(next);
  }
  return sums;
}

}  // namespace onnxv
