// NonZero: the indices of the elements that are not zero, row-major, one row for each axis. NaN is
// not zero, -0 is; a string is zero when it is empty, a complex number when both parts are zero.
#include "ops/index/family.h"
#include "src/tensor/index.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

// Positions of the elements that are not zero, ascending.
std::vector<int64_t> nonzero_positions(const Tensor& x) {
  std::vector<int64_t> positions;
  if (x.is_string()) {
    for (size_t i = 0; i < x.size(); ++i) {
      if (!x.strings()[i].empty()) positions.push_back(static_cast<int64_t>(i));
    }
    return positions;
  }
  // The keys of zeros are equal to each other, and to those of a tensor of zero bits.
  const std::vector<int64_t> keys = order_keys(x);
  const int64_t zero = order_keys(Tensor(x.dtype(), Shape{})).front();
  const auto parts = static_cast<size_t>(order_keys_per_element(x.dtype()));
  for (size_t i = 0; i < x.size(); ++i) {
    if (keys[i * parts] != zero || keys[(i + 1) * parts - 1] != zero)
      positions.push_back(static_cast<int64_t>(i));
  }
  return positions;
}

// Spec: a scalar has no index, so its output has shape (0, N); NumPy's would have (1, N).
Tensor non_zero_9(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const std::vector<int64_t> positions = nonzero_positions(x);
  const auto count = static_cast<int64_t>(positions.size());
  Tensor out(DType::kInt64, Shape{x.rank(), count});
  const std::vector<int64_t> strides = strides_of(x.shape());
  const std::span<int64_t> indices = out.mutable_as<int64_t>();
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    for (size_t i = 0; i < positions.size(); ++i) {
      indices[axis * positions.size() + i] =
          positions[i] / strides[axis] % x.shape()[static_cast<int64_t>(axis)];
    }
  }
  return out;
}

}  // namespace

const Operator kNonZero{"ai.onnx", "NonZero", {
    {.since = 9, .run = non_zero_9},
}};

}  // namespace onnxv
