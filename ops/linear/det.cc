// Det: the determinant of each square matrix, exact and rounded once.
//   since 11   (22: bfloat16)
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "ops/operator.h"
#include "src/kernel/remaining_bounds.h"
#include "src/number/rational.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// One matrix, row-major.
struct Matrix {
  size_t n;
  std::vector<double> elements;
  double at(size_t row, size_t column) const { return elements[row * n + column]; }
};

// ---- sums of signed products, for what no elimination sees: infinities and the sign of zero ----

// The sign and kind of one product of the Leibniz formula.
struct Term {
  bool negative = false, zero = false, infinite = false;
};

Term term_of(const Matrix& matrix, const std::vector<size_t>& columns) {
  Term term;
  for (size_t i = 0; i < columns.size(); ++i) {
    const double element = matrix.at(i, columns[i]);
    term.negative ^= double_is_negative(element);
    term.zero |= element == 0;
    term.infinite |= !double_is_finite(element);
    for (size_t j = 0; j < i; ++j) term.negative ^= columns[j] > columns[i];
  }
  return term;
}

template <class Use>
void for_each_term(const Matrix& matrix, const Use& use) {
  std::vector<size_t> columns(matrix.n);
  std::iota(columns.begin(), columns.end(), size_t{0});
  do {
    use(term_of(matrix, columns));
  } while (std::next_permutation(columns.begin(), columns.end()));
}

// From rank 4 on an infinity always makes NaN. Either a zero stands outside its row and column: some product holds both. Or none does:
// the six products of some 3 x 3 minor beside it all count, and both signs are among them, because the three even ones have the same
// product of signs as the three odd ones, whose own signs multiply to minus.
uint64_t infinite_determinant(const Format& format, const Matrix& matrix) {
  if (matrix.n > 3) return format.canonical_nan;
  bool nan = false, plus = false, minus = false;
  for_each_term(matrix, [&](const Term& term) {
    if (!term.infinite) return;
    nan |= term.zero;
    (term.negative ? minus : plus) = true;
  });
  return nan || (plus && minus) ? format.canonical_nan : infinity_or_nan(format, minus);
}

// An exact sum of zeros is -0 only if all of them are: from rank 3 on both signs occur (as above), and a sum of others that cancels is +0.
bool is_negative_zero(const Matrix& matrix) {
  if (matrix.n > 2) return false;
  bool all = true;
  for_each_term(matrix, [&](const Term& term) { all &= term.zero && term.negative; });
  return all;
}

// ---- the exact value ----

// The elements times 2^scale, all integers.
struct Integers {
  std::vector<BigInt> elements;
  unsigned scale = 0;
};

Integers integers_of(const Matrix& matrix) {
  std::vector<Rational> exact;
  Integers result;
  for (const double element : matrix.elements) {
    exact.push_back(Rational::from_double(element));
    result.scale = std::max(result.scale, exact.back().denominator().bit_length() - 1);
  }
  for (const Rational& value : exact) {
    const unsigned has = value.denominator().bit_length() - 1;
    result.elements.push_back(value.numerator().shifted_left(result.scale - has));
  }
  return result;
}

// Elimination without fractions (Bareiss): every division is exact, and the last pivot is the determinant.
BigInt eliminated(std::vector<BigInt> a, size_t n) {
  BigInt previous = 1;
  bool negative = false;
  for (size_t k = 0; k + 1 < n; ++k) {
    size_t pivot = k;
    while (pivot < n && a[pivot * n + k].sign() == 0) ++pivot;
    if (pivot == n) return 0;
    if (pivot != k) {
      std::swap_ranges(a.begin() + static_cast<int64_t>(k * n), a.begin() + static_cast<int64_t>((k + 1) * n),
                       a.begin() + static_cast<int64_t>(pivot * n));
      negative = !negative;
    }
    for (size_t i = k + 1; i < n; ++i) {
      for (size_t j = k + 1; j < n; ++j) {
        a[i * n + j] = (a[i * n + j] * a[k * n + k] - a[i * n + k] * a[k * n + j]) / previous;
      }
    }
    previous = a[k * n + k];
  }
  return negative ? -a.back() : a.back();
}

uint64_t determinant(const Format& format, const Matrix& matrix) {
  const auto constant = [&](int64_t value) {
    return Rational(value).encode(format, Rounding::kNearestEven, Overflow::kInfinity);
  };
  if (matrix.n == 0) return constant(1);
  const auto any = [&](auto test) { return std::any_of(matrix.elements.begin(), matrix.elements.end(), test); };
  if (any(double_is_nan)) return format.canonical_nan;
  if (!any([](double element) { return !double_is_finite(element); })) {
    const Integers integers = integers_of(matrix);
    const BigInt scale = BigInt(1).shifted_left(integers.scale * static_cast<unsigned>(matrix.n));
    const Rational value(eliminated(integers.elements, matrix.n), scale);
    const bool negative_zero = value.sign() == 0 && is_negative_zero(matrix);
    return value.encode(format, Rounding::kNearestEven, Overflow::kInfinity, negative_zero);
  }
  return infinite_determinant(format, matrix);
}

Tensor det_11(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Shape& shape = x.shape();
  const int64_t rank = shape.rank();
  if (rank < 2 || shape[rank - 1] != shape[rank - 2]) {
    fail_schema("shape-mismatch", "X is " + shape.text(), "must end in two equal dimensions");
  }
  const size_t n = static_cast<size_t>(shape[rank - 1]);
  Tensor y(x.dtype(), Shape(std::vector<int64_t>(shape.begin(), shape.end() - 2)));
  for (size_t i = 0; i < y.size(); ++i) {
    Matrix matrix{n, std::vector<double>(n * n)};
    decode_elements(x, i * n * n, n * n, matrix.elements.data());
    y.set_code(i, determinant(float_format(x.dtype()), matrix));
    bound_determinant(&y, i, matrix.elements.data(), n);
  }
  return y;
}

}  // namespace

extern const Operator kDet;
const Operator kDet{"ai.onnx", "Det", {{.since = 11, .also = {22}, .run = det_11}}};

}  // namespace onnxv
