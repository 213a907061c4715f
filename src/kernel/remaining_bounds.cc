#include "src/kernel/remaining_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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

// A sum: each part is a sum of reals. A product: one of two complex numbers is off by at most sqrt(5) u |z| |w| (R. Brent, C. Percival,
// P. Zimmermann, 2007), so n of them by n sqrt(5) u times the product of all sizes; what typical errors add up to, sqrt(n) times that.
void bound_complex(Tensor* y, size_t at, const std::vector<double>& operands, bool product) {
  const ToleranceModel* tolerance = ToleranceScope::current();
  if (tolerance == nullptr) return;
  const Target target = Target::of(y->dtype() == DType::kComplex64 ? kFloat32 : kFloat64);
  const ArithmeticScope arithmetic(*tolerance, compute_type_of(*tolerance, std::span(&target, 1)));
  const size_t count = operands.size() / 2;
  double sizes = 1;
  for (size_t i = 0; i < count; ++i) sizes *= std::hypot(operands[2 * i], operands[2 * i + 1]);
  for (size_t part = 0; part < 2; ++part) {
    std::vector<ModelReal> terms;
    for (size_t i = 0; i < count; ++i) terms.push_back(ModelReal::operand(operands[2 * i + part]));
    ModelReal x = sum(In<ModelReal>{terms.data(), terms.size()});
    if (product) {
      uint64_t code = 0;
      const size_t width = static_cast<size_t>(target.format->bits) / 8;
      std::memcpy(&code, y->bytes().data() + (2 * at + part) * width, width);
      const double value = decode(*target.format, code), steps = static_cast<double>(count - 1);
      const double reach = steps * (std::sqrt(5.0) * arithmetic.unit * sizes + 3 * arithmetic.floor);
      if (!std::isfinite(value) || !std::isfinite(reach)) continue;
      x = ModelReal::between(value, value - reach, value + reach, std::sqrt(steps) * 2 * arithmetic.expected_unit * sizes);
    }
    y->mutable_bounds()[2 * at + part] = written(target, x);
  }
}

void bound_choices(Tensor* y, const Tensor& x, double fill, const std::function<void(size_t element, Choices*)>& choices_of) {
  const DType dtype = y->dtype();
  if (ToleranceScope::current() == nullptr || (!is_float(dtype) && !is_integer(dtype))) return;
  std::vector<double> values(x.size());
  decode_elements(x, 0, values.size(), values.data());
  if (is_float(dtype)) fill = decode(float_format(dtype), settle_exact(target_of(dtype), fill));
  Choices choices;
  for (size_t element = 0; element < y->size(); ++element) {
    choices = {};
    choices_of(element, &choices);
    if (choices.positions.size() < 2) continue;
    Bound bound{HUGE_VAL, -HUGE_VAL, 0, choices.to_step};
    for (const int64_t at : choices.positions) {
      const double value = at < 0 ? fill : values[static_cast<size_t>(at)];
      const bool nan = value != value;
      bound.low = nan ? -HUGE_VAL : std::min(bound.low, value);
      bound.high = nan ? HUGE_VAL : std::max(bound.high, value);
    }
    if (choices.likely) bound.deviation = bound.high - bound.low;
    y->mutable_bounds()[element] = bound;
  }
}

}  // namespace onnxv
