#include "src/number/roots_of_unity.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>

#include "src/base/int128.h"

namespace onnxv {
namespace {

std::vector<int64_t> prime_factors(int64_t n) {
  std::vector<int64_t> primes;
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) primes.push_back(p);
    while (n % p == 0) n /= p;
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

int64_t modulo(int64_t a, int64_t n) { return ((a % n) + n) % n; }

int128 as_integer(const BigInt& value, int128) { return static_cast<int64_t>(value.low_bits()); }
const BigInt& as_integer(const BigInt& value, const BigInt&) { return value; }
bool is_zero(int128 value) { return value == 0; }
bool is_zero(const BigInt& value) { return value.sign() == 0; }

// Whether sum a_j z^j is 0 for z a primitive n-th root of unity. Multiplied by (1 - z^(n/p)) for
// every prime p of n the polynomial vanishes at each n-th root of unity that is not primitive, and
// the factors are not 0 at those that are. So the sum is 0 exactly when the product is 0 modulo z^n
// - 1: when all its coefficients are.
template <class Integer>
bool vanishes(std::span<const CosineTerm> terms, const BigInt& doubled, int64_t n,
              const std::vector<int64_t>& primes) {
  std::vector<Integer> a(static_cast<size_t>(n), Integer(0));
  for (const CosineTerm& term : terms) {
    a[static_cast<size_t>(modulo(term.angle, n))] += as_integer(*term.coefficient, Integer(0));
    a[static_cast<size_t>(modulo(-term.angle, n))] += as_integer(*term.coefficient, Integer(0));
  }
  a[0] += as_integer(-doubled, Integer(0));
  std::vector<Integer> product(a.size(), Integer(0));
  for (const int64_t p : primes) {
    const size_t step = static_cast<size_t>(n / p);
    for (size_t j = 0; j < a.size(); ++j) product[j] = a[j] - a[(j + a.size() - step) % a.size()];
    std::swap(a, product);
  }
  return std::all_of(a.begin(), a.end(), [](const Integer& value) { return is_zero(value); });
}

}  // namespace

std::optional<ScaledIntegers> scaled_integers(std::span<const double> values) {
  // A double is mantissa * 2^(exponent - 1075), the exponent field 0 standing for 1.
  const auto exponent_of = [](uint64_t bits) {
    return std::max(1, static_cast<int>(bits >> 52 & 0x7FF));
  };
  int least = 2047;
  for (const double value : values) {
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    if (!is_finite(value)) return std::nullopt;
    if (bits << 1 == 0) continue;
    const uint64_t mantissa =
        (bits & 0xFFFFFFFFFFFFF) | ((bits >> 52 & 0x7FF) != 0 ? 1ULL << 52 : 0);
    least = std::min(least, exponent_of(bits) + std::countr_zero(mantissa));
  }
  ScaledIntegers scaled;
  scaled.exponent = least == 2047 ? 0 : least - 1075;
  scaled.integers.reserve(values.size());
  for (const double value : values) {
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    if (bits << 1 == 0) {
      scaled.integers.emplace_back(0);
      continue;
    }
    const uint64_t mantissa =
        (bits & 0xFFFFFFFFFFFFF) | ((bits >> 52 & 0x7FF) != 0 ? 1ULL << 52 : 0);
    const int zeros = std::countr_zero(mantissa);
    const BigInt magnitude =
        BigInt(static_cast<int64_t>(mantissa >> zeros))
            .shifted_left(static_cast<unsigned>(exponent_of(bits) + zeros - least));
    scaled.integers.push_back(bits >> 63 != 0 ? -magnitude : magnitude);
  }
  return scaled;
}

Rational scaled(const BigInt& value, int exponent) {
  const BigInt power = BigInt(1).shifted_left(static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(value, power) : Rational(value * power, BigInt(1));
}

RootMean mean_of_root(int64_t order) {
  RootMean mean{1, order};
  for (const int64_t p : prime_factors(order)) {
    mean.totient = mean.totient / p * (p - 1);
    mean.moebius = order / p % p == 0 ? 0 : -mean.moebius;
  }
  return mean;
}

std::optional<BigInt> doubled_cosine_sum(std::span<const CosineTerm> terms, int64_t n) {
  // A rational sum equals the mean over its conjugates, term by term.
  std::map<int64_t, BigInt> by_order;
  unsigned bits = 1;
  for (const CosineTerm& term : terms) {
    by_order.emplace(n / std::gcd(modulo(term.angle, n), n), BigInt(0)).first->second +=
        *term.coefficient;
    bits = std::max(bits, term.coefficient->bit_length());
  }
  Rational mean(0);
  for (const auto& [order, sum] : by_order) {
    const RootMean root = mean_of_root(order);
    mean = mean + Rational(sum * BigInt(2 * root.moebius), BigInt(root.totient));
  }
  // Twice the sum is an algebraic integer: rational, it is an integer.
  if (!(mean.denominator() == BigInt(1))) return std::nullopt;
  const BigInt doubled = mean.numerator();
  const bool narrow = std::max(bits, doubled.bit_length()) < 63 && terms.size() < (size_t{1} << 40);
  const std::vector<int64_t> primes = prime_factors(n);
  const bool zero = narrow ? vanishes<int128>(terms, doubled, n, primes)
                           : vanishes<BigInt>(terms, doubled, n, primes);
  return zero ? std::optional<BigInt>(doubled) : std::nullopt;
}

}  // namespace onnxv
