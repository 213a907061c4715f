#include "src/tensor/combine.h"

#include <algorithm>

#include "src/base/parallel.h"
#include "src/number/bound.h"
#include "src/number/settled_lines.h"

namespace onnxv {
namespace {

constexpr size_t kGrain = size_t{1} << 15;  // elements of a thread's block

// Both operands as seen from the result: axes of length 1 dropped, and axes joined that both step alike. The last axis is a run
// in which each operand steps by 1 or stays.
struct Pair {
  std::vector<size_t> dims, a, b;

  void add(int64_t dim, int64_t a_stride, int64_t b_stride) {
    if (dim == 1) return;
    const auto length = static_cast<size_t>(dim), a_step = static_cast<size_t>(a_stride), b_step = static_cast<size_t>(b_stride);
    if (!dims.empty() && a.back() == a_step * length && b.back() == b_step * length) {
      dims.back() *= length;
      a.back() = a_step;
      b.back() = b_step;
      return;
    }
    dims.push_back(length);
    a.push_back(a_step);
    b.push_back(b_step);
  }
};

Pair pair_of(const Tensor& a, const Tensor& b, const Shape& shape) {
  Pair pair;
  const std::vector<int64_t> a_strides = broadcast_strides(a.shape(), shape), b_strides = broadcast_strides(b.shape(), shape);
  for (size_t axis = 0; axis < shape.size(); ++axis) pair.add(shape.dims()[axis], a_strides[axis], b_strides[axis]);
  if (pair.dims.empty()) pair.dims = pair.a = pair.b = {1};
  return pair;
}

}  // namespace

bool are_combined(const Tensor& a, const Tensor& b) {
  return a.dtype() == DType::kFloat && b.dtype() == DType::kFloat && ToleranceScope::current() == nullptr;
}

Tensor combined(FloatOperation operation, const Tensor& a, const Tensor& b) {
  Tensor result = Tensor::unfilled(DType::kFloat, broadcast_shape(a.shape(), b.shape()));
  if (result.size() == 0) return result;
  count_settled(result.size(), result.size());
  const Pair pair = pair_of(a, b, result.shape());
  const float* x = a.as<float>().data();
  const float* y = b.as<float>().data();
  float* out = result.mutable_as<float>().data();
  const size_t run = pair.dims.back(), runs = result.size() / run, a_step = pair.a.back(), b_step = pair.b.back();
  if (runs == 1) {
    parallel_for(run, kGrain, [&](size_t begin, size_t end) {
      combine_floats(operation, {x + begin * a_step, a_step}, {y + begin * b_step, b_step}, end - begin, out + begin);
    });
    return result;
  }
  parallel_for(runs, std::max<size_t>(1, kGrain / run), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      size_t rest = i, from_a = 0, from_b = 0;
      for (size_t axis = pair.dims.size() - 1; axis-- > 0; rest /= pair.dims[axis]) {
        from_a += rest % pair.dims[axis] * pair.a[axis];
        from_b += rest % pair.dims[axis] * pair.b[axis];
      }
      combine_floats(operation, {x + from_a, a_step}, {y + from_b, b_step}, run, out + i * run);
    }
  });
  return result;
}

}  // namespace onnxv
