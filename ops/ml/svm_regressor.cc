// SVMRegressor: s = sum_j coefficient_j K(x, vector_j) + rho, then the one-class sign, then post_transform.
//   since 1
#include "ops/ml/post_transform.h"
#include "ops/ml/svm_kernel.h"

namespace onnxv {
namespace {

// Options: the kernel, the transform, whether it is a one-class machine.
constexpr auto svm_score = []<class Real>(Options options, In<Real> x, In<Real> vectors, In<Real> coefficients,
                                          In<Real> parameters, In<Real> rho, Out<Real> y) {
  Real score = rho[0];
  for (size_t j = 0; j < coefficients.size(); ++j) {
    const In<Real> vector = vectors.part(j * x.size(), x.size());
    score += coefficients[j] * kernel_value(options[0], x, vector, parameters);
  }
  const bool one_class = options[2] != 0;
  y[0] = score;
  if (one_class) {
    y[0] = select(score > Real(0.0), Real(1.0), Real(-1.0));
  }
  post_transform(options[1], y);
};

}  // namespace
LINE_FORMULA(kSvmScore, svm_score, 5, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/ml/ml.h"
#include "ops/ml/svm_machine.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// Without support vectors the coefficients are those of a linear model, whatever kernel_type says.
SupportVectors machine_of(const OpCall& call) {
  const int64_t count = call.integer("n_supports");
  if (count < 0 || count > INT32_MAX) {
    fail_schema("attribute-range", "n_supports is " + std::to_string(count), "must be in [0, 2^31)");
  }
  SupportVectors machine = support_vectors_of(call, static_cast<size_t>(count));
  if (machine.rho.empty()) fail_schema("attribute-missing", "rho is absent or empty", "must have one entry");
  if (count > 0) {
    check_list("coefficients", machine.coefficients.size(), static_cast<size_t>(count));
    return machine;
  }
  check_list("coefficients", machine.coefficients.size(), machine.width());
  machine.vectors = std::move(machine.coefficients);
  machine.coefficients = {1.0};
  machine.kernel = Kernel::kLinear;
  return machine;
}

Tensor svm_regressor_1(const OpCall& call) {
  const SupportVectors machine = machine_of(call);
  Tensor y(DType::kFloat, Shape{machine.x.shape()[0], 1});
  if (y.size() == 0) return y;
  LineJob(kSvmScore, machine.rows())
      .lines_of(machine.x, LineLayout::along(machine.x.shape(), 1))
      .constants(machine.vectors)
      .constants(machine.coefficients)
      .constants(machine.parameters)
      .constants({machine.rho[0]})
      .option(static_cast<int64_t>(machine.kernel))
      .option(static_cast<int64_t>(post_transform_of(call)))
      .option(call.integer("one_class"))
      .lines_to(&y, LineLayout::along(y.shape(), 1))
      .run();
  return y;
}

}  // namespace

const Operator kSVMRegressor{"ai.onnx.ml", "SVMRegressor", {
    {.since = 1, .run = svm_regressor_1},
}};

}  // namespace onnxv
#endif
