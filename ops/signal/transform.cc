// The discrete Fourier transform by its definition: a dot product with roots of unity for each bin.
#ifndef ONNXV_LANES
#include "ops/signal/transform.h"
#endif

#include "src/number/formula.h"

namespace onnxv {
namespace {

// Options: N, bins, +1 or -1 (the sign of the exponent), then flags.
enum : size_t { kLength, kBins, kSign, kComplex, kWindowed, kSymmetric, kDivide, kMeans };

// The factors of the samples: cosine and signed sine of every multiple of 1/N turn.
template <class Real>
struct Circle {
  std::vector<Real> cosine, sine;
};

template <class Real>
Circle<Real> circle_of(Options options) {
  const size_t n = static_cast<size_t>(options[kLength]);
  Circle<Real> circle{std::vector<Real>(n), std::vector<Real>(n)};
  for (size_t j = 0; j < n; ++j) {
    turn(options[kSign] * static_cast<int64_t>(j), options[kLength], circle.cosine[j],
         circle.sine[j]);
  }
  return circle;
}

// Real parts of the windowed samples, then the imaginary ones. In a symmetric spectrum each bin but
// the first and the middle one stands for two.
template <class Real>
std::vector<Real> samples_of(Options options, In<Real> re, In<Real> im, In<Real> window) {
  std::vector<Real> x(re.begin(), re.end());
  if (options[kComplex] != 0) {
    x.insert(x.end(), im.begin(), im.end());
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t n = i % re.size();
    if (options[kWindowed] != 0) x[i] = x[i] * window[n];
    const bool twice =
        options[kSymmetric] != 0 && n != 0 && 2 * static_cast<int64_t>(n) != options[kLength];
    if (twice) x[i] = x[i] * Real(2.0);
  }
  return x;
}

// use(result number, sum) for every part of every bin.
template <class Real, class Use>
void each_sum(Options options, const std::vector<Real>& x, size_t count, const Circle<Real>& circle,
              const Use& use) {
  std::vector<Real> factors(x.size());
  const size_t n = static_cast<size_t>(options[kLength]), parts = options[kSymmetric] != 0 ? 1 : 2;
  for (size_t bin = 0; bin < static_cast<size_t>(options[kBins]); ++bin) {
    for (size_t part = 0; part < parts; ++part) {
      size_t j = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        if (i == count) j = 0;
        const bool imaginary = i >= count;
        if (part == 0) factors[i] = imaginary ? -circle.sine[j] : circle.cosine[j];
        if (part == 1) factors[i] = imaginary ? circle.cosine[j] : circle.sine[j];
        j = (j + bin) % n;
      }
      use(bin * parts + part,
          dot(In<Real>{x.data(), x.size()}, In<Real>{factors.data(), factors.size()}));
    }
  }
}

// known: 1 where `value` is the exact sum.
constexpr auto transform = []<class Real>(Options options, In<Real> re, In<Real> im,
                                          In<Real> window, In<Real> known, In<Real> value,
                                          Out<Real> y) {
  const std::vector<Real> x = samples_of(options, re, im, window);
  each_sum(options, x, re.size(), circle_of<Real>(options), [&](size_t at, const Real& sum) {
    Real total = sum + Real(0.0);
    // A backend adds what is known to be rational like all else.
    if constexpr (!reads_every_form<Real>) total = select(known[at] == Real(1.0), value[at], sum) + Real(0.0);
    y[at] = options[kDivide] != 0 ? total / Real(static_cast<double>(options[kLength])) : total;
  });
};

// 1 where a sum is close to the rational that it is if it is rational at all: the sum of each
// root's mean over its conjugates. Options from kMeans on: the means of every cosine and sine,
// numerators and denominators.
constexpr auto near_rational = []<class Real>(Options options, In<Real> re, In<Real> im,
                                              In<Real> window, Out<Real> y) {
  const std::vector<Real> x = samples_of(options, re, im, window);
  std::vector<Real> sizes(x.size());
  for (size_t i = 0; i < x.size(); ++i) sizes[i] = abs(x[i]);
  const Real little = sum(In<Real>{sizes.data(), sizes.size()}) * Real(0x1p-30);
  Circle<Real> circle = circle_of<Real>(options);
  const auto number = [&](size_t at) { return Real(static_cast<double>(options[kMeans + at])); };
  for (size_t j = 0; j < circle.cosine.size(); ++j) {
    circle.cosine[j] = circle.cosine[j] - number(4 * j) / number(4 * j + 1);
    circle.sine[j] = circle.sine[j] - number(4 * j + 2) / number(4 * j + 3);
  }
  each_sum(options, x, re.size(), circle, [&](size_t at, const Real& sum) {
    y[at] = select(abs(sum) < little, Real(1.0), Real(0.0));
  });
};

// A sum that is known, within a bound: zeros are +0.
constexpr auto known_sum = []<class Real>(Real sum) -> Real { return sum + Real(0.0); };

}  // namespace
ELEMENTWISE_FORMULA(kKnownSumFormula, known_sum, 1)
LINE_FORMULA(kTransformFormula, transform, 5, 1)
LINE_FORMULA(kNearRationalFormula, near_rational, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "src/kernel/fourier_lines.h"
#include "src/number/exact_operands.h"
#include "src/number/roots_of_unity.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// The circle that sines stand on as cosines: a multiple of N and of 4.
int64_t fine_circle(const Transform& t) { return std::lcm<int64_t>(t.length, 4); }
int64_t sign_of(const Transform& t) { return t.inverse ? 1 : -1; }

std::vector<int64_t> options_of(const Transform& t) {
  return {t.length,
          static_cast<int64_t>(t.bins),
          sign_of(t),
          t.imaginary != nullptr ? 1 : 0,
          t.window != nullptr ? 1 : 0,
          t.symmetric ? 1 : 0,
          t.inverse ? 1 : 0};
}

void add_samples(const Transform& t, LineJob* job) {
  job->gathered(*t.signal, t.samples, t.real);
  if (t.imaginary != nullptr) {
    job->gathered(*t.signal, t.samples, t.imaginary);
  } else {
    job->constants({0.0});
  }
  if (t.window != nullptr) {
    job->shared(*t.window);
  } else {
    job->constants({1.0});
  }
}

// Angles of cos and signed sin at j turns of 1/N, on the fine circle.
int64_t cosine_angle(const Transform& t, int64_t j) { return j * (fine_circle(t) / t.length); }
int64_t sine_angle(const Transform& t, int64_t j) {
  return cosine_angle(t, j) - sign_of(t) * fine_circle(t) / 4;
}

// The results that may be rational, [lines, bins * parts].
Tensor candidates(const Transform& t) {
  Tensor near(DType::kBool,
              {static_cast<int64_t>(t.lines), static_cast<int64_t>(t.bins * t.parts())});
  // Every root is rational: nothing is left to prove.
  if (4 % t.length == 0) return near;
  std::map<int64_t, RootMean> means;
  const auto mean = [&](int64_t angle) {
    const int64_t order = fine_circle(t) / std::gcd(angle, fine_circle(t));
    const auto [at, fresh] = means.try_emplace(order);
    if (fresh) at->second = mean_of_root(order);
    return at->second;
  };
  LineJob job(kNearRationalFormula, t.lines);
  add_samples(t, &job);
  job.options(options_of(t));
  for (int64_t j = 0; j < t.length; ++j) {
    for (const RootMean& root : {mean(cosine_angle(t, j)), mean(sine_angle(t, j))})
      job.option(root.moebius).option(root.totient);
  }
  job.lines_to(&near, {t.lines, t.bins * t.parts(), 1}).run();
  return near;
}

// The samples of one line as integers: real, then imaginary.
class ExactLines {
 public:
  explicit ExactLines(const Transform& t) : t_(t), values_(t.signal->size()) {
    decode_elements(*t.signal, 0, values_.size(), values_.data());
    if (t.window == nullptr) return;
    std::vector<double> window(t.window->size());
    decode_elements(*t.window, 0, window.size(), window.data());
    window_ = scaled_integers(window);
  }

  std::optional<ScaledIntegers> line(size_t number) const {
    std::vector<int64_t> at(t_.samples);
    std::vector<double> line;
    for (const LineJob::Positions* positions : {&t_.real, &t_.imaginary}) {
      if (*positions == nullptr) continue;
      (*positions)(number, at.data());
      for (const int64_t position : at)
        line.push_back(position < 0 ? 0.0 : values_[static_cast<size_t>(position)]);
    }
    std::optional<ScaledIntegers> scaled = scaled_integers(line);
    if (!scaled || (t_.window != nullptr && !window_)) return std::nullopt;
    for (size_t i = 0; i < line.size(); ++i) {
      const size_t n = i % t_.samples;
      if (window_) scaled->integers[i] *= window_->integers[n];
      if (t_.symmetric && n != 0 && 2 * static_cast<int64_t>(n) != t_.length)
        scaled->integers[i] *= BigInt(2);
    }
    if (window_) scaled->exponent += window_->exponent;
    return scaled;
  }

 private:
  const Transform& t_;
  std::vector<double> values_;
  std::optional<ScaledIntegers> window_;
};

std::optional<BigInt> doubled_result(const Transform& t, const ScaledIntegers& line, size_t bin,
                                     bool imaginary_part) {
  std::vector<CosineTerm> terms;
  terms.reserve(line.integers.size());
  for (size_t i = 0; i < line.integers.size(); ++i) {
    if (line.integers[i].sign() == 0) continue;
    const int64_t j = static_cast<int64_t>(bin) * static_cast<int64_t>(i % t.samples) % t.length;
    const bool imaginary = i >= t.samples;
    int64_t angle = imaginary == imaginary_part ? cosine_angle(t, j) : sine_angle(t, j);
    if (imaginary && !imaginary_part) angle += fine_circle(t) / 2;
    terms.push_back({&line.integers[i], angle});
  }
  return doubled_cosine_sum(terms, fine_circle(t));
}

// The exact sums among the candidates, by line * results + result.
std::map<size_t, Rational> rational_results(const Transform& t) {
  std::map<size_t, Rational> known;
  const Tensor near = candidates(t);
  const std::span<const uint8_t> marks = near.as<uint8_t>();
  const size_t results = t.bins * t.parts();
  std::optional<ExactLines> exact;
  for (size_t line = 0; line < t.lines; ++line) {
    const std::span<const uint8_t> row = marks.subspan(line * results, results);
    if (std::find(row.begin(), row.end(), 1) == row.end()) continue;
    if (!exact) exact.emplace(t);
    const std::optional<ScaledIntegers> samples = exact->line(line);
    for (size_t result = 0; samples && result < results; ++result) {
      if (row[result] == 0) continue;
      const bool imaginary_part = t.parts() == 2 && result % 2 == 1;
      const std::optional<BigInt> doubled =
          doubled_result(t, *samples, result / t.parts(), imaginary_part);
      if (doubled) known.emplace(line * results + result, scaled(*doubled, samples->exponent - 1));
    }
  }
  return known;
}

// The results that no enclosure settles, asked for line by line.
class RationalResults {
 public:
  explicit RationalResults(const Transform& t) : t_(t), exact_(t) {}
  std::optional<Rational> operator()(size_t line, size_t bin, bool imaginary) {
    const std::lock_guard lock(mutex_);
    if (!samples_ || line != line_) {
      line_ = line;
      samples_ = exact_.line(line);
    }
    if (!samples_) return std::nullopt;
    const std::optional<BigInt> doubled = doubled_result(t_, *samples_, bin, imaginary);
    if (!doubled) return std::nullopt;
    return scaled(*doubled, samples_->exponent - 1);
  }

 private:
  const Transform& t_;
  ExactLines exact_;
  std::mutex mutex_;
  size_t line_ = 0;
  std::optional<ScaledIntegers> samples_;
};

// By fast transforms; false where a line has to be summed up by the definition.
bool transform_fast(const Transform& t, Tensor* y) {
  FourierProblem problem;
  problem.lines = t.lines;
  problem.samples = t.samples;
  problem.bins = t.bins;
  problem.parts = t.parts();
  problem.length = t.length;
  problem.sign = static_cast<int>(sign_of(t));
  problem.divisor = t.inverse ? static_cast<double>(t.length) : 1.0;
  problem.complex = t.imaginary != nullptr;
  problem.symmetric = t.symmetric;
  if (t.window != nullptr) {
    problem.window.resize(t.window->size());
    decode_elements(*t.window, 0, problem.window.size(), problem.window.data());
  }
  std::vector<double> values(t.signal->size());
  decode_elements(*t.signal, 0, values.size(), values.data());
  problem.read = [&](size_t line, double* out) {
    std::vector<int64_t> at(t.samples);
    for (const LineJob::Positions* positions : {&t.real, &t.imaginary}) {
      if (*positions == nullptr) continue;
      (*positions)(line, at.data());
      for (const int64_t position : at) *out++ = position < 0 ? 0.0 : values[static_cast<size_t>(position)];
    }
  };
  RationalResults rational(t);
  problem.rational = [&](size_t line, size_t bin, bool imaginary) { return rational(line, bin, imaginary); };
  std::unique_ptr<LineSource> lines = fourier_lines(std::move(problem));
  if (lines == nullptr) return false;
  LineJob(kKnownSumFormula, y->size()).source(std::move(lines)).lines_to(y, LineLayout::elements(y->size())).run();
  return true;
}

}  // namespace

Tensor transformed(const Transform& t) {
  constexpr int64_t kMostLength = int64_t{1} << 22;
  if (t.length > kMostLength) {
    fail_limit("dft-length", "the transform has " + std::to_string(t.length) + " points",
               "must be at most 4194304");
  }
  Tensor y(t.signal->dtype(), {static_cast<int64_t>(t.lines), static_cast<int64_t>(t.bins),
                               static_cast<int64_t>(t.parts())});
  if (y.size() == 0 || t.samples == 0) return y;
  // A tolerance is that of the definition's sums.
  if (ToleranceScope::current() == nullptr && transform_fast(t, &y)) return y;
  const size_t results = t.bins * t.parts();
  const std::map<size_t, Rational> known = rational_results(t);
  LineJob job(kTransformFormula, t.lines);
  add_samples(t, &job);
  if (known.empty()) {
    job.constants(std::vector<double>(results, 0.0)).constants(std::vector<double>(results, 0.0));
  } else {
    job.computed(results, [&](size_t line, double* out) {
      for (size_t i = 0; i < results; ++i) out[i] = known.contains(line * results + i) ? 1 : 0;
    });
    job.source(rational_source(results, [&](size_t line, Rational* out) {
      for (size_t i = 0; i < results; ++i) {
        const auto at = known.find(line * results + i);
        out[i] = at == known.end() ? Rational(0) : at->second;
      }
    }));
  }
  job.options(options_of(t)).lines_to(&y, {t.lines, results, 1}).run();
  return y;
}

}  // namespace onnxv
#endif
