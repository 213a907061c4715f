// Binarizer: 1 where x > threshold as real numbers, else 0 (NaN too).
//   since 1
#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

uint64_t code_of_one(DType dtype) {
  return is_float(dtype) ? Extended(1).encode(float_format(dtype)) : 1;
}

Tensor binarizer_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const double threshold = call.real("threshold");
  Tensor y(x.dtype(), x.shape());
  const uint64_t one = code_of_one(x.dtype());
  if (x.dtype() == DType::kInt64) {
    // A 64-bit integer may have no double: compared exactly.
    const Extended limit = Extended::from_double(threshold);
    const std::vector<Extended> values = exact_values(x);
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] > limit) y.set_code(i, one);
    }
    return y;
  }
  const std::vector<double> values = double_values(x);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] > threshold) y.set_code(i, one);
  }
  return y;
}

}  // namespace

const Operator kBinarizer{"ai.onnx.ml", "Binarizer", {
    {.since = 1, .run = binarizer_1},
}};

}  // namespace onnxv
