// The common cases of a LineJob.
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {

Tensor map_elements(const Formula& formula, Target target, DType out, std::span<const Tensor> inputs,
                    std::vector<double> constants, std::vector<int64_t> options) {
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  Tensor result = Tensor::unfilled(out, broadcast_shape(shapes));
  LineJob job(formula, result.size());
  for (const Tensor& input : inputs) job.broadcast(input, result.shape());
  for (const double constant : constants) job.constants({constant});
  job.options(options).lines_to(&result, LineLayout::elements(result.size()), target).run();
  return result;
}

Tensor map_elements(const Formula& formula, DType out, std::span<const Tensor> inputs,
                    std::vector<double> constants, std::vector<int64_t> options) {
  return map_elements(formula, target_of(out), out, inputs, std::move(constants), std::move(options));
}

Tensor map_lines(const Formula& formula, const Tensor& x, LineLayout layout, DType out,
                 std::vector<double> constants, std::vector<int64_t> options) {
  Tensor result = Tensor::unfilled(out, x.shape());
  if (result.size() == 0) return result;
  LineJob job(formula, layout.lines());
  job.lines_of(x, layout);
  for (const double constant : constants) job.constants({constant});
  job.options(options).lines_to(&result, layout).run();
  return result;
}

Reduction reduced_view(const Tensor& tensor, std::span<const int64_t> axes, bool keepdims) {
  const Shape& shape = tensor.shape();
  std::vector<bool> reduced(static_cast<size_t>(shape.rank()), false);
  for (const int64_t axis : axes) reduced[static_cast<size_t>(axis)] = true;
  const std::vector<int64_t> strides = strides_of(shape);
  Reduction result;
  Shape moved;
  std::vector<int64_t> moved_strides;
  int64_t kept = 1, length = 1;
  for (const bool wanted : {false, true}) {
    for (int64_t axis = 0; axis < shape.rank(); ++axis) {
      if (reduced[static_cast<size_t>(axis)] != wanted) continue;
      moved.push_back(shape[axis]);
      moved_strides.push_back(strides[static_cast<size_t>(axis)]);
      (wanted ? length : kept) *= shape[axis];
    }
  }
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    if (!reduced[static_cast<size_t>(axis)]) {
      result.kept_shape.push_back(shape[axis]);
    } else if (keepdims) {
      result.kept_shape.push_back(1);
    }
  }
  result.moved = strided_copy(tensor, moved, 0, moved_strides).reshaped({kept, length});
  return result;
}

Tensor reduce_lines(const Formula& formula, const Reduction& reduction, DType out,
                    std::vector<double> constants, std::vector<int64_t> options) {
  Tensor result = Tensor::unfilled(out, reduction.kept_shape);
  LineJob job(formula, reduction.lines());
  job.lines_of(reduction.moved, {reduction.lines(), reduction.length(), 1});
  for (const double constant : constants) job.constants({constant});
  job.options(options).lines_to(&result, LineLayout::elements(result.size())).run();
  return result;
}

}  // namespace onnxv
