// Class labels and the class with the greatest score.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "ops/ml/columns.h"
#include "ops/ml/post_transform.h"
#include "ops/operator.h"

namespace onnxv {

// The transform that a string attribute names; schema error "attribute-value" for another word.
PostTransform post_transform_of(const OpCall& call);

// The exact value of score `k` of the row in question.
using ExactScore = std::function<Extended(size_t k)>;

// The place of the greatest score: NaN ranks lowest, of equal ones the first is taken. `rounded` are the scores as
// nearest float32s, which are in the same order; where two of them are equal, `exact` decides.
size_t top_class(std::span<const float> rounded, const ExactScore& exact);

// The label of each row by its class; `labels` is 1-D, of int64 or strings.
Tensor labels_at(const Tensor& labels, const std::vector<int64_t>& classes);

}  // namespace onnxv
