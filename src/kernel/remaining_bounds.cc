#include "src/kernel/remaining_bounds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/number/model_rounding.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr double kPositionUnits = 16;

std::vector<double> finite_values(const Tensor& x) {
  std::vector<double> values(x.size());
  decode_elements(x, 0, values.size(), values.data());
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return values;
}

double unit_of(const Tensor& y) {
  const Target target = target_of(y.dtype());
  return std::ldexp(1.0, -compute_type_of(*ToleranceScope::current(), std::span(&target, 1)).bits);
}

void move_apart(Tensor* y, double reach) {
  if (!(reach > 0)) return;
  for (Bound& bound : y->mutable_bounds()) {
    if (!bound.known()) continue;
    bound.low -= reach;
    bound.high += reach;
    bound.deviation += reach / 4;
  }
}

}  // namespace

void bound_positions(Tensor* y, const Tensor& x) {
  if (ToleranceScope::current() == nullptr || y->size() == 0 || !is_float(y->dtype())) return;
  const std::vector<double> values = finite_values(x);
  if (values.empty()) return;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const auto longest = static_cast<double>(*std::max_element(x.shape().begin(), x.shape().end()));
  move_apart(y, kPositionUnits * unit_of(*y) * longest * (*most - *least));
}

void bound_coordinates(Tensor* y, const Tensor& theta, size_t terms) {
  if (ToleranceScope::current() == nullptr || y->size() == 0) return;
  double largest = 0;
  for (const double value : finite_values(theta)) largest = std::max(largest, std::fabs(value));
  move_apart(y, 4 * static_cast<double>(terms) * unit_of(*y) * largest);
}

void bound_roundings(Tensor* y, double units) {
  const ToleranceModel* tolerance = ToleranceScope::current();
  if (tolerance == nullptr || !is_float(y->dtype())) return;
  const Target target = target_of(y->dtype());
  const ArithmeticScope arithmetic(*tolerance, compute_type_of(*tolerance, std::span(&target, 1)));
  std::vector<Bound>& bounds = y->mutable_bounds();
  for (size_t i = 0; i < y->size(); ++i) {
    double value;
    decode_elements(*y, i, 1, &value);
    if (!std::isfinite(value)) continue;
    bounds[i] = written(target, widened(ModelReal(value), units * arithmetic.unit, units * arithmetic.expected_unit));
  }
}

void bound_determinant(Tensor* y, size_t at, const double* matrix, size_t n) {
  const ToleranceModel* tolerance = ToleranceScope::current();
  if (tolerance == nullptr) return;
  const Target target = target_of(y->dtype());
  const ArithmeticScope arithmetic(*tolerance, compute_type_of(*tolerance, std::span(&target, 1)));
  double value, sizes = 1, norms = 1;
  decode_elements(*y, at, 1, &value);
  for (size_t row = 0; row < n; ++row) {
    double sum = 0, squares = 0;
    for (size_t column = 0; column < n; ++column) {
      const double element = matrix[row * n + column];
      sum += std::fabs(element);
      squares += element * element;
    }
    sizes *= sum;
    norms *= std::sqrt(squares);
  }
  const double order = static_cast<double>(n);
  const double reach = n < 2 ? 0 : order * (order + 1) * arithmetic.unit * sizes;
  if (!std::isfinite(value) || !std::isfinite(reach)) return;
  const ModelReal x = ModelReal::between(value, value - reach, value + reach, order * arithmetic.expected_unit * norms);
  y->mutable_bounds()[at] = reach == 0 ? Bound() : written(target, x);
}

}  // namespace onnxv
