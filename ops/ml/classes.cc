#include "ops/ml/classes.h"

#include "src/tensor/index.h"

namespace onnxv {

PostTransform post_transform_of(const OpCall& call) {
  const std::string& name = call.text("post_transform");
  if (name == "NONE") return PostTransform::kNone;
  if (name == "SOFTMAX") return PostTransform::kSoftmax;
  if (name == "LOGISTIC") return PostTransform::kLogistic;
  if (name == "SOFTMAX_ZERO") return PostTransform::kSoftmaxZero;
  if (name == "PROBIT") return PostTransform::kProbit;
  fail_schema("attribute-value", "post_transform is \"" + name + "\"",
              "must be NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT");
}

size_t top_class(std::span<const float> rounded, const ExactScore& exact) {
  size_t top = 0;
  for (size_t k = 1; k < rounded.size(); ++k) {
    const bool better = rounded[k] > rounded[top] || (is_nan_value(rounded[top]) && !is_nan_value(rounded[k]));
    if (better || (rounded[k] == rounded[top] && exact(k) > exact(top))) top = k;
  }
  return top;
}

Tensor labels_at(const Tensor& labels, const std::vector<int64_t>& classes) {
  return gather_elements(labels, Shape{static_cast<int64_t>(classes.size())}, classes);
}

}  // namespace onnxv
