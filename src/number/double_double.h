// Pairs of doubles whose unevaluated sum is the number: about 106 bits. u = 2^-53 throughout.
#pragma once

#include <cmath>

namespace onnxv {

struct DoubleDouble {
  double head = 0, tail = 0;  // head is head + tail rounded to nearest
};

// a + b and a · b without any error, unless something overflows (the sum) or vanishes below 2^-1022 (the product; |a · b| >= 2^-960
// is enough).
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}
// two_sum for |a| >= |b|, or a = 0.
inline DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

inline DoubleDouble operator-(DoubleDouble x) { return {-x.head, -x.tail}; }

// Relative errors of at most 4 u² and 5 u² (Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks
// of double-word arithmetic", 2017, algorithms 6 and 11), if nothing overflows or vanishes.
inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble heads = two_sum(a.head, b.head), tails = two_sum(a.tail, b.tail);
  const DoubleDouble sum = fast_two_sum(heads.head, heads.tail + tails.head);
  return fast_two_sum(sum.head, sum.tail + tails.tail);
}
inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble heads = two_product(a.head, b.head);
  return fast_two_sum(heads.head, heads.tail + (a.head * b.tail + a.tail * b.head));
}
// At most 15 u² (ibid., algorithm 17).
inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double quotient = a.head / b.head;
  const DoubleDouble product = two_product(quotient, b.head);
  const DoubleDouble back = fast_two_sum(product.head, product.tail + quotient * b.tail);
  return fast_two_sum(quotient, ((a.head - back.head) + (a.tail - back.tail)) / b.head);
}

}  // namespace onnxv
