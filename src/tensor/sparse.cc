#include "src/tensor/sparse.h"

#include "src/base/error.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// The row-major position of the k-th value.
int64_t position(const SparseTensor& sparse, std::span<const int64_t> indices, size_t k) {
  if (sparse.indices.rank() == 1) return indices[k];
  const size_t rank = sparse.shape.size();
  int64_t linear = 0;
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t at = indices[k * rank + axis];
    const int64_t dim = sparse.shape[static_cast<int64_t>(axis)];
    if (at < 0 || at >= dim) {
      fail_schema("sparse-indices",
                  "index " + std::to_string(at) + " of axis " + std::to_string(axis),
                  "must be in [0, " + std::to_string(dim - 1) + "]");
    }
    linear = linear * dim + at;
  }
  return linear;
}

}  // namespace

Tensor dense(const SparseTensor& sparse) {
  Tensor result(sparse.values.dtype(), sparse.shape);
  const auto count = static_cast<int64_t>(sparse.values.size());
  const Shape linear{count};
  const Shape coordinates{count, sparse.shape.rank()};
  if (sparse.indices.shape() != linear && sparse.indices.shape() != coordinates) {
    fail_schema("sparse-indices", "indices have shape " + sparse.indices.shape().text(),
                "must be " + linear.text() + " or " + coordinates.text());
  }
  const std::vector<int64_t> indices = int64_values(sparse.indices);
  int64_t last = -1;
  for (size_t k = 0; k < sparse.values.size(); ++k) {
    const int64_t at = position(sparse, indices, k);
    if (at <= last || at >= static_cast<int64_t>(result.size())) {
      fail_schema("sparse-indices",
                  "position " + std::to_string(at) + " follows " + std::to_string(last),
                  "must ascend below " + std::to_string(result.size()));
    }
    copy_elements(sparse.values, k, 1, result, static_cast<size_t>(at));
    last = at;
  }
  return result;
}

}  // namespace onnxv
