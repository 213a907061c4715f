#include "src/kernel/fourier.h"

#include <algorithm>
#include <cmath>

#include "src/number/interval.h"

namespace onnxv {
namespace {

// In units of u² = 2^-106, relative to the magnitude of the exact result. A sum errs in each part by 4 of that part. The parts of
// a product z w err by at most 9.1 (|ac| + |bd|) and 9.1 (|ad| + |bc|), each of those at most |z| |w|: 9.1 sqrt(2) in all.
constexpr double kSum = 4.1, kProduct = 13;
// A root is the product of two that MPFR gave, each off by half a unit in both parts.
constexpr double kRoot = 2 * 0.75 + kProduct;
constexpr int64_t kLargestRadix = 61;

ComplexDouble operator+(const ComplexDouble& a, const ComplexDouble& b) { return {a.re + b.re, a.im + b.im}; }
ComplexDouble operator-(const ComplexDouble& a, const ComplexDouble& b) { return {a.re - b.re, a.im - b.im}; }
ComplexDouble operator*(const ComplexDouble& a, const ComplexDouble& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
ComplexDouble conjugate(const ComplexDouble& x) { return {x.re, -x.im}; }

// ---- roots of unity ----

DoubleDouble nearest(const Interval& x) {
  const double head = mpfr_get_d(x.low(), MPFR_RNDN);
  const Interval rest = x - Interval(head);
  return {head, mpfr_get_d(rest.low(), MPFR_RNDN)};
}

ComplexDouble root(int64_t k, int64_t n, int sign) {
  Interval cosine, sine;
  turn(k, n, cosine, sine);
  const ComplexDouble forward{nearest(cosine), nearest(sine)};
  return sign > 0 ? forward : conjugate(forward);
}

// e^(sign 2 pi j k / n) for k below n: products of a coarse and a fine root.
std::vector<ComplexDouble> roots(int64_t n, int sign) {
  const PrecisionScope scope(128);
  constexpr int64_t kFine = 64;
  std::vector<ComplexDouble> fine, all;
  for (int64_t k = 0; k < std::min(n, kFine); ++k) fine.push_back(root(k, n, sign));
  all.reserve(static_cast<size_t>(n));
  for (int64_t first = 0; first < n; first += kFine) {
    const ComplexDouble coarse = root(first, n, sign);
    for (int64_t k = 0; k < std::min(n - first, kFine); ++k) all.push_back(coarse * fine[static_cast<size_t>(k)]);
  }
  return all;
}

std::vector<int64_t> prime_factors(int64_t n) {
  std::vector<int64_t> primes;
  for (int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

}  // namespace

// ---- mixed radix ----

struct FourierTransform::Radix {
  Radix(int64_t length, int sign) : n(static_cast<size_t>(length)), factors(prime_factors(length)), table(roots(length, sign)) {
    std::reverse(factors.begin(), factors.end());  // the cheap radix 2 works on the long parts
  }

  // ‖error‖ / ‖result‖. A level of radix p multiplies by twiddles, which keeps the norm but for kProduct + kRoot, and mixes p by p,
  // which makes it sqrt(p) times as large. Radix 2 adds: kSum. Otherwise each result is a sum of p products: off by at
  // most kProduct + kRoot + (p - 1) kSum times the sum of p magnitudes, that is sqrt(p) times their norm, in each of p results.
  // What a level has lost stays as it is, in relation to the norm. 1.01: the products of all these.
  double relative_error() const {
    double total = 0;
    for (const int64_t p : factors) {
      const double radix = static_cast<double>(p);
      const double mixing = p == 2 ? kSum : std::sqrt(radix) * (kProduct + kRoot + (radix - 1) * kSum);
      total += kProduct + kRoot + mixing;
    }
    return total * kPairUnit * 1.01;
  }

  void run(ComplexDouble* x) const {
    const std::vector<ComplexDouble> in(x, x + n);
    level(in.data(), 1, x, n, 0);
  }

  // The transform of in[0], in[stride], …, `length` numbers.
  void level(const ComplexDouble* in, size_t stride, ComplexDouble* out, size_t length, size_t depth) const {
    if (length == 1) {
      out[0] = in[0];
      return;
    }
    const size_t p = static_cast<size_t>(factors[depth]), part = length / p;
    for (size_t j = 0; j < p; ++j) level(in + j * stride, stride * p, out + j * part, part, depth + 1);
    if (p == 2) return add_halves(stride, out, part);
    ComplexDouble terms[kLargestRadix];
    for (size_t k = 0; k < part; ++k) {
      for (size_t j = 0; j < p; ++j) terms[j] = j * k == 0 ? out[j * part + k] : out[j * part + k] * table[j * k * stride];
      for (size_t q = 0; q < p; ++q) {
        ComplexDouble sum = terms[0];
        for (size_t j = 1; j < p; ++j) sum = sum + terms[j] * table[j * q % p * (n / p)];
        out[q * part + k] = sum;
      }
    }
  }

  void add_halves(size_t stride, ComplexDouble* out, size_t half) const {
    for (size_t k = 0; k < half; ++k) {
      const ComplexDouble even = out[k], odd = k == 0 ? out[half] : out[half + k] * table[k * stride];
      out[k] = even + odd;
      out[half + k] = even - odd;
    }
  }

  size_t n;
  std::vector<int64_t> factors;
  std::vector<ComplexDouble> table;
};

// ---- chirp (Bluestein) ----

// n k = (n² + k² - (k - n)²) / 2: with c[n] = e^(sign pi j n² / N) the transform is c[k] times the convolution of c x with the
// conjugate of c, which a transform of a power of two computes.
struct FourierTransform::Chirp {
  Chirp(int64_t length, int sign) : n(static_cast<size_t>(length)), size(padded_size(length)), forward(size, -1), backward(size, 1) {
    const std::vector<ComplexDouble> table = roots(2 * length, sign);
    for (int64_t k = 0; k < length; ++k) chirp.push_back(table[static_cast<size_t>(k * k % (2 * length))]);
    spectrum.resize(static_cast<size_t>(size));
    for (size_t k = 0; k < n; ++k) {
      spectrum[k] = conjugate(chirp[k]);
      if (k != 0) spectrum[static_cast<size_t>(size) - k] = spectrum[k];
    }
    forward.run(spectrum.data());
  }

  static int64_t padded_size(int64_t length) {
    int64_t size = 1;
    while (size < 2 * length - 1) size *= 2;
    return size;
  }

  // With e the relative error of a transform of M < 4N points, a = c x and h the 2N - 1 conjugates: the spectrum of a has norm
  // sqrt(M) ‖a‖ and is off by e times that; that of h has entries of at most 2N and is off by e sqrt(M) sqrt(2N). So their product
  // is off by sqrt(M) ‖a‖ (e 2N + e sqrt(2MN) + P 2N), P for the products themselves; the way back adds e 2N, and
  // divides by sqrt(M). sqrt(2MN) < 2.83 N. c x is off by P + kRoot, which the convolution makes at most sqrt(N) times as large,
  // and the last product adds as much. Dividing by M is exact.
  double absolute_error() const {
    const double points = static_cast<double>(n), e = forward.radix_->relative_error();
    const double products = (2 * kProduct + kRoot) * kPairUnit;
    return points * (6.9 * e + 2 * products) * 1.01 + 2 * std::sqrt(points) * products * 1.01;
  }

  void run(ComplexDouble* x) const {
    std::vector<ComplexDouble> line(static_cast<size_t>(size));
    for (size_t k = 0; k < n; ++k) line[k] = x[k] * chirp[k];
    forward.run(line.data());
    for (size_t k = 0; k < line.size(); ++k) line[k] = line[k] * spectrum[k];
    backward.run(line.data());
    const double scale = 1.0 / static_cast<double>(size);
    for (size_t k = 0; k < n; ++k) {
      ComplexDouble y = line[k] * chirp[k];
      for (double* part : {&y.re.head, &y.re.tail, &y.im.head, &y.im.tail}) *part *= scale;
      x[k] = y;
    }
  }

  size_t n;
  int64_t size;
  FourierTransform forward, backward;
  std::vector<ComplexDouble> chirp, spectrum;
};

FourierTransform::FourierTransform(int64_t length, int sign) {
  const std::vector<int64_t> primes = prime_factors(length);
  if (primes.empty() || primes.back() <= kLargestRadix) {
    radix_ = std::make_unique<Radix>(length, sign);
    error_ = radix_->relative_error() * std::sqrt(static_cast<double>(length)) * 1.01;
  } else {
    chirp_ = std::make_unique<Chirp>(length, sign);
    error_ = chirp_->absolute_error();
  }
}
FourierTransform::~FourierTransform() = default;

void FourierTransform::run(ComplexDouble* x) const {
  if (radix_ != nullptr) return radix_->run(x);
  chirp_->run(x);
}

}  // namespace onnxv
