// FlexAttention (ai.onnx.preview): Y = prob_mod(softmax(score_mod(scale Q K^T))) V, head by head.
//   since 1
//
// Spec: rounds the scores and the probabilities to softmax_precision, the type that the modifiers
// see.
#include "ops/attention/formulas.h"

namespace onnxv {
namespace {

// A row of -infinity alone has no softmax: NaN, as the formula says.
constexpr auto flex_softmax = []<class Real>(In<Real> x, Out<Real> y) {
  const Real c = shift_of(x);
  for (size_t i = 0; i < x.size(); ++i) y[i] = exp(x[i] - c);
  const Real total = sum(y);
  for (Real& yi : y) yi = yi / total;
};

}  // namespace
LINE_FORMULA(kFlexSoftmaxFormula, flex_softmax, 1, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/attention/softmax_precision.h"
#include "src/kernel/product.h"
#include "src/kernel/scaled_products.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr size_t kMostProducts = size_t{1} << 20;  // of queries and keys, at a time

struct FlexShape {
  size_t batch, q_heads, kv_heads, q_length, k_length, head_size, value_size;
  size_t kv_head(size_t head) const { return head / (q_heads / kv_heads); }
  Shape scores() const {
    return {static_cast<int64_t>(batch), static_cast<int64_t>(q_heads),
            static_cast<int64_t>(q_length), static_cast<int64_t>(k_length)};
  }
};

FlexShape flex_shape(const Tensor& q, const Tensor& k, const Tensor& v) {
  const std::string shapes =
      q.shape().text() + ", " + k.shape().text() + " and " + v.shape().text();
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4) {
    fail_schema("rank", "Q, K and V are " + shapes, "must have four dimensions");
  }
  const auto dim = [](const Tensor& tensor, int64_t axis) {
    return static_cast<size_t>(tensor.shape()[axis]);
  };
  const FlexShape shape{dim(q, 0), dim(q, 1), dim(k, 1), dim(q, 2),
                        dim(k, 2), dim(q, 3), dim(v, 3)};
  const bool fits = dim(k, 0) == shape.batch && dim(v, 0) == shape.batch &&
                    dim(v, 1) == shape.kv_heads && dim(v, 2) == shape.k_length &&
                    dim(k, 3) == shape.head_size;
  if (!fits)
    fail_schema("shape-mismatch", "Q, K and V are " + shapes,
                "batch, heads, lengths and head size must agree");
  if (shape.kv_heads == 0 ? shape.q_heads != 0 : shape.q_heads % shape.kv_heads != 0) {
    fail_schema("shape-mismatch", std::to_string(shape.q_heads) + " heads of queries",
                "must be a multiple of the " + std::to_string(shape.kv_heads) + " heads of keys");
  }
  return shape;
}

Tensor flex_scores(const OpCall& call, const FlexShape& shape, DType precision) {
  const Tensor& q = call.tensor("Q");
  const Tensor& k = call.tensor("K");
  const bool given = call.has_attribute("scale");
  const double scale = given ? call.real("scale") : static_cast<double>(shape.head_size);
  Tensor scores(precision, shape.scores());
  const int64_t size = static_cast<int64_t>(shape.head_size);
  const size_t step = std::max<size_t>(8, kMostProducts / std::max<size_t>(shape.k_length, 1));
  for (size_t matrix = 0; matrix < shape.batch * shape.q_heads; ++matrix) {
    const size_t kv =
        matrix / shape.q_heads * shape.kv_heads + shape.kv_head(matrix % shape.q_heads);
    const StridedVectors keys(k, shape.k_length, shape.head_size,
                              static_cast<int64_t>(kv * shape.k_length) * size, size, 1);
    for (size_t first = 0; first < shape.q_length; first += step) {
      const size_t count = std::min(step, shape.q_length - first),
                   row = matrix * shape.q_length + first;
      const StridedVectors queries(q, count, shape.head_size, static_cast<int64_t>(row) * size,
                                   size, 1);
      Tensor part(precision, {static_cast<int64_t>(count), static_cast<int64_t>(shape.k_length)});
      LineJob(kAttentionScoreFormula, part.size())
          .source(scaled_products(queries, keys, false, {scale, !given}, float_format(q.dtype())))
          .constants({0})
          .constants({scale})
          .constants({0})
          .option(given ? 1 : 0)
          .option(0)
          .option(0)
          .computed_in(narrower_type(precision, q.dtype()))
          .lines_to(&part, LineLayout::elements(part.size()))
          .run();
      copy_elements(part, 0, part.size(), scores, row * shape.k_length);
    }
  }
  return scores;
}

Tensor modified(const OpCall& call, const char* modifier, const Tensor& given) {
  if (!call.has_attribute(modifier)) return given;
  const Value argument(given);
  const Outputs results = call.body(modifier).run({&argument, 1});
  if (results.size() != 1 || !results[0].is_tensor()) {
    fail_schema("body-outputs",
                std::string(modifier) + " has " + std::to_string(results.size()) + " outputs",
                "must have one tensor");
  }
  const Tensor& result = results[0].tensor();
  if (result.dtype() != given.dtype() || result.shape() != given.shape()) {
    const auto text = [](const Tensor& tensor) {
      return std::string(dtype_display_name(tensor.dtype())) + tensor.shape().text();
    };
    fail_schema("body-outputs", std::string(modifier) + " makes " + text(result),
                "must keep " + text(given));
  }
  return result;
}

Tensor flex_attention_1(const OpCall& call) {
  const Tensor& q = call.tensor("Q");
  const Tensor& v = call.tensor("V");
  const FlexShape shape = flex_shape(q, call.tensor("K"), v);
  const DType otherwise = q.dtype() == DType::kDouble ? DType::kDouble : DType::kFloat;
  const DType precision = softmax_precision(call).value_or(otherwise);
  const Tensor scores = modified(call, "score_mod", flex_scores(call, shape, precision));
  const Tensor softmax =
      map_lines(kFlexSoftmaxFormula, scores, LineLayout::along(scores.shape(), 3), precision);
  const Tensor weights = modified(call, "prob_mod", softmax);
  Shape y_shape = q.shape();
  y_shape[3] = static_cast<int64_t>(shape.value_size);
  Tensor y(q.dtype(), y_shape);
  const int64_t keys = static_cast<int64_t>(shape.k_length),
                columns = static_cast<int64_t>(shape.value_size);
  for (size_t matrix = 0; matrix < shape.batch * shape.q_heads && y.size() != 0; ++matrix) {
    const size_t kv =
        matrix / shape.q_heads * shape.kv_heads + shape.kv_head(matrix % shape.q_heads);
    const int64_t first = static_cast<int64_t>(matrix * shape.q_length);
    const StridedVectors a(weights, shape.q_length, shape.k_length, first * keys, keys, 1);
    const StridedVectors b(v, shape.value_size, shape.k_length,
                           static_cast<int64_t>(kv) * keys * columns, 1, columns);
    multiply(a, b, {&y, first * columns, columns, 1, target_of(y.dtype())});
  }
  return y;
}

}  // namespace

extern const Operator kFlexAttention;
const Operator kFlexAttention{
    "ai.onnx.preview", "FlexAttention", {{.since = 1, .run = flex_attention_1}}};

}  // namespace onnxv
#endif
