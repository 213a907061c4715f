#include "src/tensor/pieces.h"

#include <string>
#include <vector>

#include "src/base/checked.h"
#include "src/base/error.h"
#include "src/tensor/rows.h"

namespace onnxv {
namespace {

void check_alike(const Tensor& first, const Tensor& part, int64_t axis) {
  if (part.dtype() != first.dtype()) {
    fail_schema("type-mismatch", "a part is " + std::string(dtype_name(part.dtype())),
                "must be " + std::string(dtype_name(first.dtype())) + " as the first");
  }
  bool alike = part.rank() == first.rank();
  for (int64_t i = 0; alike && i < first.rank(); ++i) {
    alike = i == axis || part.shape()[i] == first.shape()[i];
  }
  if (!alike) {
    fail_schema("shape-mismatch", "a part has shape " + part.shape().text(),
                "must equal " + first.shape().text() + " but for axis " + std::to_string(axis));
  }
}

Shape with_axis(Shape shape, int64_t axis) {
  shape.insert(axis, 1);
  return shape;
}

}  // namespace

Tensor cut(const Tensor& data, int64_t axis, int64_t from, int64_t count) {
  Shape shape = data.shape();
  const int64_t length = shape[axis];
  shape[axis] = count;
  Tensor piece = Tensor::unfilled(data.dtype(), shape);
  const auto outer = static_cast<size_t>(shape.elements(0, axis)), inner = static_cast<size_t>(shape.elements(axis + 1, shape.rank()));
  if (piece.size() == 0) return piece;
  const size_t run = static_cast<size_t>(count) * inner;
  copy_runs(data, {static_cast<size_t>(from) * inner, static_cast<size_t>(length) * inner}, piece, {0, run}, run, outer);
  return piece;
}

Tensor item_at(const Tensor& data, int64_t axis, int64_t index) {
  Shape shape = data.shape();
  shape.erase(axis);
  return cut(data, axis, index, 1).reshaped(shape);
}

Tensor concatenate(std::span<const Tensor> parts, int64_t axis) {
  if (parts.empty()) fail_internal("no-parts", "there is nothing to concatenate");
  Shape shape = parts[0].shape();
  shape[axis] = 0;
  for (const Tensor& part : parts) {
    check_alike(parts[0], part, axis);
    shape[axis] = checked_add(shape[axis], part.shape()[axis]);
  }
  Tensor whole = Tensor::unfilled(parts[0].dtype(), shape);
  if (whole.size() == 0) return whole;
  const auto outer = static_cast<size_t>(shape.elements(0, axis)), inner = static_cast<size_t>(shape.elements(axis + 1, shape.rank()));
  const size_t row = static_cast<size_t>(shape[axis]) * inner;
  size_t at = 0;
  for (const Tensor& part : parts) {
    const size_t run = static_cast<size_t>(part.shape()[axis]) * inner;
    copy_runs(part, {0, run}, whole, {at, row}, run, outer);
    at += run;
  }
  return whole;
}

Tensor stack(std::span<const Tensor> parts, int64_t axis) {
  std::vector<Tensor> widened;
  widened.reserve(parts.size());
  for (const Tensor& part : parts) {
    if (part.shape() != parts[0].shape()) {
      fail_schema("shape-mismatch", "a part has shape " + part.shape().text(),
                  "must be " + parts[0].shape().text() + " as the first");
    }
    widened.push_back(part.reshaped(with_axis(part.shape(), axis)));
  }
  return concatenate(widened, axis);
}

}  // namespace onnxv
