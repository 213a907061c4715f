// The kernels of a support vector machine, for formulas.
#pragma once

#include "src/number/formula.h"

namespace onnxv {

enum class Kernel : int64_t { kLinear = 0, kPoly = 1, kRbf = 2, kSigmoid = 3 };

template <class Real>
Real squared_distance(In<Real> a, In<Real> b) {
  Real total(0.0);
  for (size_t i = 0; i < a.size(); ++i) {
    const Real difference = a[i] - b[i];
    total += difference * difference;
  }
  return total;
}

// LINEAR x.v, POLY (gamma x.v + c)^degree, RBF e^(-gamma |x - v|^2), SIGMOID tanh(gamma x.v + c).
// Choice: `parameters` are gamma, c, degree as the text says, and degree is a real exponent.
template <class Real>
Real kernel_value(int64_t kernel, In<Real> x, In<Real> v, In<Real> parameters) {
  switch (static_cast<Kernel>(kernel)) {
    case Kernel::kLinear: break;
    case Kernel::kPoly: return pow(parameters[0] * dot(x, v) + parameters[1], parameters[2]);
    case Kernel::kRbf: return exp(-(parameters[0] * squared_distance(x, v)));
    case Kernel::kSigmoid: return tanh(parameters[0] * dot(x, v) + parameters[1]);
  }
  return dot(x, v);
}

}  // namespace onnxv
