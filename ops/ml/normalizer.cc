// Normalizer: each row divided by its norm.
//   MAX  y = x / max(x)     L1  y = x / sum |x|     L2  y = x / sqrt(sum x^2)
//   since 1
// Erratum: the text's L1 divides by sum x and its L2 is sqrt(x^2 / sum x^2), which loses the sign; upstream has
// corrected both.
// Spec: MAX is the signed maximum, not that of the magnitudes.
#include "src/number/formula.h"

namespace onnxv {
namespace {

enum class Norm : int64_t { kMax = 0, kL1 = 1, kL2 = 2 };

template <class Real>
Real greatest(In<Real> x) {
  Real most = x[0];
  for (size_t i = 1; i < x.size(); ++i) most = max(most, x[i]);
  return most;
}

template <class Real>
Real sum_of_magnitudes(In<Real> x) {
  Real total = abs(x[0]);
  for (size_t i = 1; i < x.size(); ++i) total += abs(x[i]);
  return total;
}

template <class Real>
Real norm_of(Norm norm, In<Real> x) {
  switch (norm) {
    case Norm::kMax: return greatest(x);
    case Norm::kL1: return sum_of_magnitudes(x);
    case Norm::kL2: break;
  }
  return sqrt(dot(x, x));
}

// Spec: a zero divisor leaves the row as it is.
constexpr auto normalized = []<class Real>(Options options, In<Real> x, Out<Real> y) {
  const Real divisor = norm_of(static_cast<Norm>(options[0]), x);
  const auto nothing = divisor == Real(0.0);
  for (size_t i = 0; i < x.size(); ++i) y[i] = select(nothing, x[i], x[i] / divisor);
};

}  // namespace
LINE_FORMULA(kNormalized, normalized, 1, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Norm norm_named(const std::string& name) {
  if (name == "MAX") return Norm::kMax;
  if (name == "L1") return Norm::kL1;
  if (name == "L2") return Norm::kL2;
  fail_schema("attribute-value", "norm is \"" + name + "\"", "must be MAX, L1 or L2");
}

Tensor normalizer_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Norm norm = norm_named(call.text("norm"));
  rows_of(x);  // [N,C] or [C]
  return map_lines(kNormalized, x, LineLayout::along(x.shape(), x.rank() - 1), DType::kFloat, {},
                   {static_cast<int64_t>(norm)});
}

}  // namespace

const Operator kNormalizer{"ai.onnx.ml", "Normalizer", {
    {.since = 1, .run = normalizer_1},
}};

}  // namespace onnxv
#endif
