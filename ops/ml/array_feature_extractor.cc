// ArrayFeatureExtractor: z[…, k] = x[…, y_k] for the flattened indices y.
//   since 1
#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

Tensor array_feature_extractor_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const std::vector<int64_t> indices = int64_values(call.tensor("Y"));
  const int64_t width = feature_count(x);
  if (indices.empty()) fail_schema("shape-mismatch", "Y has no elements", "must have at least one index");
  for (int64_t index : indices) {
    // Spec: "0 as the first index": a negative one does not count from the back.
    if (index >= 0 && index < width) continue;
    fail_undefined("index-range", "Y holds " + std::to_string(index),
                   "must be in [0, " + std::to_string(width - 1) + "]");
  }
  Shape shape = x.shape();
  shape[x.rank() - 1] = static_cast<int64_t>(indices.size());
  const int64_t rows = x.shape().elements(0, x.rank() - 1);
  // Choice: of rank 1, X is one row, and the result is a row as well.
  if (x.rank() == 1) shape.insert(0, 1);
  std::vector<int64_t> source;
  source.reserve(static_cast<size_t>(shape.elements()));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t index : indices) source.push_back(row * width + index);
  }
  return gather_elements(x, shape, source);
}

}  // namespace

const Operator kArrayFeatureExtractor{"ai.onnx.ml", "ArrayFeatureExtractor", {
    {.since = 1, .run = array_feature_extractor_1},
}};

}  // namespace onnxv
