// Random operators: two samples of one distribution look alike, element by element they do not.
#include <algorithm>
#include <cmath>

#include "conformance/compare/elements.h"
#include "src/number/format.h"
#include "src/number/rational.h"

namespace onnxv {
namespace {

// Below this many elements a sample says little of its distribution.
constexpr size_t kSmallest = 1000;

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values(tensor.size());
  const DType dtype = tensor.dtype();
  const IntegerFormat integer{dtype_bits(dtype), is_signed_integer(dtype)};
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = is_float(dtype) ? decode(float_format(dtype), tensor.code(i))
                                : static_cast<double>(decode_integer(integer, tensor.code(i)));
  }
  return values;
}

// Two-sample Kolmogorov-Smirnov: the largest distance of the two empirical distribution functions.
double distance(std::vector<double>& a, std::vector<double>& b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const double value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= value) ++i;
    while (j < b.size() && b[j] <= value) ++j;
    largest = std::max(largest, std::fabs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                          static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return largest;
}

// The distance that equal distributions exceed once in a million: P(D > d) <= 2 exp(-2 d^2 n/2),
// two samples of n.
double allowed_distance(size_t n) { return std::sqrt(std::log(2e6) / static_cast<double>(n)); }

void out_of_support(const Tensor& expected, const Tensor& actual, size_t element,
                    const std::string& support, Comparison& comparison) {
  comparison.matches = false;
  ++comparison.mismatched;
  if (comparison.first_mismatch) return;
  comparison.first_mismatch =
      Mismatch{index_at(expected.shape(), element), support, element_text(actual, element)};
}

std::string support_text(const Tolerance& tolerance) {
  const auto end = [](const std::optional<double>& value) {
    return value
               ? shortest_text(kFloat64, Rational::from_double(*value).encode(
                                             kFloat64, Rounding::kNearestEven, Overflow::kInfinity))
               : std::string("any");
  };
  return "a value in [" + end(tolerance.minimum) + ", " + end(tolerance.maximum) + "]";
}

}  // namespace

void compare_samples(const Tensor& expected, const Tensor& actual, const CompareRequest& request,
                     Comparison& comparison) {
  comparison.elements += expected.size();
  const DType dtype = expected.dtype();
  const bool numbers = is_float(dtype) || is_integer(dtype) || dtype == DType::kBool;
  if (!numbers || request.all_unspecified) return;
  std::vector<double> a = values_of(actual);
  const Tolerance& tolerance = request.tolerance;
  for (size_t i = 0; i < a.size(); ++i) {
    const bool inside = (!tolerance.minimum || a[i] >= *tolerance.minimum) &&
                        (!tolerance.maximum || a[i] <= *tolerance.maximum);
    if (!inside) out_of_support(expected, actual, i, support_text(tolerance), comparison);
  }
  if (!tolerance.identical || a.size() < kSmallest) return;
  std::vector<double> e = values_of(expected);
  const double found = distance(e, a), allowed = allowed_distance(a.size());
  if (found <= allowed) return;
  comparison.matches = false;
  if (comparison.problem.empty()) {
    comparison.problem = "the values are not distributed as expected: distribution functions are " +
                         std::to_string(found) + " apart, allowed " + std::to_string(allowed);
  }
}

}  // namespace onnxv
