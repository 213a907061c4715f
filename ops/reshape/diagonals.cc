// EyeLike: a matrix of the input's shape with y[i, i + k] = 1, else 0. (22: bfloat16 too.)
// Trilu: of each matrix the elements with j - i >= k (upper) or j - i <= k (lower); the others
// become zero.
#include <algorithm>

#include "ops/reshape/family.h"
#include "src/number/format.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

uint64_t one_of(DType dtype) {
  if (!is_float(dtype)) return 1;
  return encode(float_format(dtype), {1.0, 0}, Rounding::kNearestEven, Overflow::kInfinity);
}

DType eye_type(const OpCall& call) {
  if (!call.has_attribute("dtype")) return call.tensor("input").dtype();
  const int64_t number = call.integer("dtype");
  const DType dtype = dtype_from_number(number).value_or(DType::kUndefined);
  switch (dtype) {
    case DType::kBfloat16:
      if (call.since_version() >= 22) return dtype;
      break;
    case DType::kFloat16:
    case DType::kFloat:
    case DType::kDouble:
    case DType::kBool:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64: return dtype;
    default: break;
  }
  fail_schema("attribute-range", "dtype is " + std::to_string(number),
              "must be one of the output's types");
}

Tensor eye_like_9(const OpCall& call) {
  const Shape& shape = call.tensor("input").shape();
  if (shape.rank() != 2)
    fail_schema("rank-mismatch", "input has shape " + shape.text(), "must have rank 2");
  Tensor out(eye_type(call), shape);
  // A k beyond the matrix has no elements; cut there it cannot overflow.
  const int64_t k = std::clamp(call.integer("k"), -shape[0], shape[1]);
  const uint64_t one = one_of(out.dtype());
  for (int64_t i = std::max<int64_t>(0, -k); i < shape[0] && i + k < shape[1]; ++i) {
    out.set_code(static_cast<size_t>(i * shape[1] + i + k), one);
  }
  return out;
}

Tensor trilu_14(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const Shape& shape = input.shape();
  if (shape.rank() < 2)
    fail_schema("rank-mismatch", "input has shape " + shape.text(), "must have rank 2 or more");
  const int64_t rows = shape[shape.rank() - 2], columns = shape.back();
  const bool upper = call.integer("upper") != 0;
  // j - i lies in (-rows, columns); a k beyond keeps all or nothing as its end does, and cannot
  // overflow.
  const int64_t k =
      std::clamp(call.has_input("k") ? int64_value(call.tensor("k"), "k") : 0, -rows, columns);
  Tensor out(input.dtype(), shape);
  if (out.size() == 0) return out;
  const int64_t all_rows = shape.elements(0, shape.rank() - 1);
  for (int64_t row = 0; row < all_rows; ++row) {
    const int64_t diagonal = row % rows + k;
    const int64_t first = upper ? std::clamp<int64_t>(diagonal, 0, columns) : 0;
    const int64_t last = upper ? columns : std::clamp<int64_t>(diagonal + 1, 0, columns);
    const auto at = static_cast<size_t>(row * columns + first);
    copy_elements(input, at, static_cast<size_t>(last - first), out, at);
  }
  return out;
}

}  // namespace

const Operator kEyeLike{"ai.onnx", "EyeLike", {
    {.since = 9, .also = {22}, .run = eye_like_9},
}};

const Operator kTrilu{"ai.onnx", "Trilu", {
    {.since = 14, .run = trilu_14},
}};

}  // namespace onnxv
