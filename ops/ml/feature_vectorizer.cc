// FeatureVectorizer: the inputs' rows one behind the other, as float32.
//   since 1
#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

// [F] is one row of F features.
Tensor as_float_rows(const Tensor& x) {
  const Rows rows = rows_of(x);
  const Tensor floats = x.dtype() == DType::kFloat ? x : rounded_to_float(x.shape(), exact_values(x));
  return floats.reshaped({rows.count, rows.width});
}

// Choice: a declared size that differs from the input's cuts it off or fills up with zeros.
Tensor with_width(const Tensor& rows, int64_t width) {
  const int64_t given = rows.shape()[1];
  if (width <= given) return cut(rows, 1, 0, width);
  const Tensor filling(DType::kFloat, Shape{rows.shape()[0], width - given});
  return concatenate(std::vector<Tensor>{rows, filling}, 1);
}

Tensor feature_vectorizer_1(const OpCall& call) {
  const std::vector<Tensor> inputs = call.variadic_tensors("X");
  const std::vector<int64_t> widths = call.integers("inputdimensions");
  if (call.has_attribute("inputdimensions") && widths.size() != inputs.size()) {
    fail_schema("list-length", "inputdimensions has " + std::to_string(widths.size()) + " entries",
                "must have one for each of the " + std::to_string(inputs.size()) + " inputs");
  }
  std::vector<Tensor> parts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    parts.push_back(as_float_rows(inputs[i]));
    if (widths.empty()) continue;
    if (widths[i] < 0) {
      fail_schema("attribute-range", "inputdimensions holds " + std::to_string(widths[i]), "must be at least 0");
    }
    parts[i] = with_width(parts[i], widths[i]);
  }
  return concatenate(parts, 1);
}

}  // namespace

const Operator kFeatureVectorizer{"ai.onnx.ml", "FeatureVectorizer", {
    {.since = 1, .run = feature_vectorizer_1},
}};

}  // namespace onnxv
