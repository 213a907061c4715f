// Lines that one bound settles, against MPFR by the texts' own formulas.
#include "src/number/float_lines.h"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace onnxv {
namespace {

class Number {
 public:
  Number() { mpfr_init2(value_, 400); }
  explicit Number(double value) : Number() { mpfr_set_d(value_, value, MPFR_RNDN); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }  // NOLINT: as MPFR's functions take it
  float rounded() { return mpfr_get_flt(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

bool same(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b); }

std::vector<float> softmax_of(const float* x, size_t length) {
  std::vector<Number> terms(length);
  Number total(0.0);
  for (size_t i = 0; i < length; ++i) {
    mpfr_set_flt(terms[i], x[i], MPFR_RNDN);
    mpfr_exp(terms[i], terms[i], MPFR_RNDN);
    mpfr_add(total, total, terms[i], MPFR_RNDN);
  }
  std::vector<float> y;
  for (Number& term : terms) {
    mpfr_div(term, term, total, MPFR_RNDN);
    y.push_back(term.rounded());
  }
  return y;
}

std::vector<float> log_softmax_of(const float* x, size_t length) {
  Number total(0.0), term;
  for (size_t i = 0; i < length; ++i) {
    mpfr_set_flt(term, x[i], MPFR_RNDN);
    mpfr_exp(term, term, MPFR_RNDN);
    mpfr_add(total, total, term, MPFR_RNDN);
  }
  mpfr_log(total, total, MPFR_RNDN);
  std::vector<float> y;
  for (size_t i = 0; i < length; ++i) {
    mpfr_d_sub(term, x[i], total, MPFR_RNDN);
    y.push_back(term.rounded());
  }
  return y;
}

// Data of several kinds: a line's kind is its number modulo 6.
std::vector<float> lines_of(size_t lines, size_t length, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> x;
  for (size_t line = 0; line < lines; ++line) {
    for (size_t i = 0; i < length; ++i) {
      const float draw = normal(random);
      switch (line % 6) {
        case 0: x.push_back(draw * 3); break;
        case 1: x.push_back(random() % 2 == 0 ? -std::numeric_limits<float>::infinity() : draw); break;
        case 2: x.push_back(draw * 60); break;
        case 3: x.push_back(std::ldexp(draw, static_cast<int>(random() % 60) - 50)); break;
        case 4: x.push_back(1000 + draw); break;
        default: x.push_back(static_cast<float>(random() % 5)); break;
      }
    }
  }
  return x;
}

TEST_CASE("softmax: every line that one bound settles is rounded right") {
  for (const size_t length : {size_t{1}, size_t{15}, size_t{16}, size_t{17}, size_t{30}, size_t{131}, size_t{1027}}) {
    constexpr size_t kLines = 12;
    const std::vector<float> x = lines_of(kLines, length, length);
    std::vector<float> y(x.size());
    const std::vector<size_t> open = softmax_lines(x.data(), kLines, length, y.data());
    CHECK(open.size() == (length < kShortLine ? kLines : 0));
    for (size_t line = 0; line < kLines; ++line) {
      if (std::binary_search(open.begin(), open.end(), line)) continue;
      const std::vector<float> exact = softmax_of(x.data() + line * length, length);
      size_t wrong = 0;
      for (size_t i = 0; i < length; ++i) wrong += same(y[line * length + i], exact[i]) ? 0 : 1;
      CHECK_MESSAGE(wrong == 0, "line " << line << " of " << length);
    }
  }
}

TEST_CASE("log_softmax: every line that one bound settles is rounded right") {
  size_t settled = 0;
  for (const size_t length : {size_t{16}, size_t{17}, size_t{131}, size_t{1027}}) {
    constexpr size_t kLines = 12;
    const std::vector<float> x = lines_of(kLines, length, length + 7);
    std::vector<float> y(x.size());
    const std::vector<size_t> open = log_softmax_lines(x.data(), kLines, length, y.data());
    settled += kLines - open.size();
    for (size_t line = 0; line < kLines; ++line) {
      if (std::binary_search(open.begin(), open.end(), line)) continue;
      size_t wrong = 0;
      const std::vector<float> exact = log_softmax_of(x.data() + line * length, length);
      for (size_t i = 0; i < length; ++i) wrong += same(y[line * length + i], exact[i]) ? 0 : 1;
      CHECK_MESSAGE(wrong == 0, "line " << line << " of " << length);
    }
  }
  CHECK(settled > 30);  // of 48
}

TEST_CASE("softmax: NaN, +inf and lines of -inf are left to the ladder") {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<float> x(4 * 20, 1.0f);
  x[3] = std::nanf("");
  x[20 + 19] = kInf;
  std::fill_n(x.begin() + 40, 20, -kInf);
  std::vector<float> y(x.size());
  CHECK(softmax_lines(x.data(), 4, 20, y.data()) == std::vector<size_t>{0, 1, 2});
  CHECK(y[79] == 0.05f);
}

struct Exact {
  std::vector<float> y;
  float mean, inverse;
};
Exact normalized(const LineNormalization& job, size_t line) {
  const float* x = job.x + line * job.length;
  const size_t first = line % job.groups * (job.length / job.run);
  Number mean(0.0), variance(0.0), d, deviation;
  for (size_t i = 0; job.centered && i < job.length; ++i) mpfr_add_d(mean, mean, x[i], MPFR_RNDN);
  mpfr_div_ui(mean, mean, job.length, MPFR_RNDN);
  for (size_t i = 0; i < job.length; ++i) {
    mpfr_d_sub(d, x[i], mean, MPFR_RNDN);
    mpfr_sqr(d, d, MPFR_RNDN);
    mpfr_add(variance, variance, d, MPFR_RNDN);
  }
  mpfr_div_ui(variance, variance, job.length, MPFR_RNDN);
  mpfr_add_d(variance, variance, job.epsilon, MPFR_RNDN);
  mpfr_sqrt(deviation, variance, MPFR_RNDN);
  Exact exact;
  exact.mean = mean.rounded();
  for (size_t i = 0; i < job.length; ++i) {
    mpfr_d_sub(d, x[i], mean, MPFR_RNDN);
    mpfr_div(d, d, deviation, MPFR_RNDN);
    if (job.rounds_quotient) mpfr_set_flt(d, d.rounded(), MPFR_RNDN);
    mpfr_mul_d(d, d, job.scale[first + i / job.run], MPFR_RNDN);
    mpfr_add_d(d, d, job.bias == nullptr ? -0.0 : job.bias[first + i / job.run], MPFR_RNDN);
    exact.y.push_back(d.rounded());
  }
  mpfr_ui_div(deviation, 1, deviation, MPFR_RNDN);
  exact.inverse = deviation.rounded();
  return exact;
}

constexpr size_t kLines = 18;

// Returns the number of lines that are settled.
size_t check_settled(const LineNormalization& job) {
  const std::vector<size_t> open = normalize_lines(job);
  for (size_t line = 0; line < job.lines; ++line) {
    if (std::binary_search(open.begin(), open.end(), line)) continue;
    const Exact exact = normalized(job, line);
    size_t wrong = 0;
    for (size_t i = 0; i < job.length; ++i) wrong += same(job.y[line * job.length + i], exact.y[i]) ? 0 : 1;
    CHECK_MESSAGE(wrong == 0, "line " << line << " of " << job.length);
    if (job.mean == nullptr) continue;
    CHECK(same(job.mean[line], exact.mean));
    CHECK(same(job.inverse[line], exact.inverse));
  }
  return job.lines - open.size();
}

struct Parameters {
  std::vector<float> scale, bias;
};
// scale_bits: how many significant bits the scales have; few make products that are ties of float32.
Parameters parameters_of(size_t count, int scale_bits) {
  std::mt19937_64 random(count);
  Parameters parameters;
  for (size_t i = 0; i < count; ++i) {
    parameters.scale.push_back(std::ldexp(static_cast<float>(random() % (1U << scale_bits)), -scale_bits + 1));
    parameters.bias.push_back(random() % 4 == 0 ? 0.0f : std::ldexp(static_cast<float>(random() % 4096), -12));
  }
  return parameters;
}

size_t check_normalization(size_t length, bool centered, bool biased, int scale_bits) {
  const std::vector<float> x = lines_of(kLines, length, length + 100);
  const Parameters parameters = parameters_of(length, scale_bits);
  std::vector<float> y(x.size()), mean(kLines), inverse(kLines);
  return check_settled({.x = x.data(), .lines = kLines, .length = length, .scale = parameters.scale.data(),
                        .bias = biased ? parameters.bias.data() : nullptr, .epsilon = 1e-5, .centered = centered, .y = y.data(),
                        .mean = centered ? mean.data() : nullptr, .inverse = centered ? inverse.data() : nullptr});
}

TEST_CASE("normalization: every line that one bound settles is rounded right") {
  size_t settled = 0;
  for (const size_t length : {size_t{16}, size_t{19}, size_t{64}, size_t{770}}) {
    for (const bool centered : {false, true}) {
      settled += check_normalization(length, centered, true, 24);
      settled += check_normalization(length, centered, false, 24);
      settled += check_normalization(length, centered, true, 2);
    }
  }
  CHECK(settled > 200);  // of 432; a sixth has infinities, some have elements that are the mean
}

TEST_CASE("normalization with scales that neighbours share, the quotient rounded or not") {
  size_t settled = 0;
  for (const auto& [run, runs] : {std::pair<size_t, size_t>{16, 4}, {37, 1}, {19, 9}, {1, 53}, {400, 2}}) {
    for (const bool rounds : {false, true}) {
      const size_t length = run * runs;
      const std::vector<float> x = lines_of(kLines, length, length + 31);
      const Parameters parameters = parameters_of(3 * runs, rounds ? 3 : 24);
      std::vector<float> y(x.size());
      settled += check_settled({.x = x.data(), .lines = kLines, .length = length, .scale = parameters.scale.data(),
                                .bias = parameters.bias.data(), .run = run, .groups = 3, .epsilon = 1e-5,
                                .rounds_quotient = rounds, .y = y.data()});
    }
  }
  CHECK(settled > 90);  // of 180
}

// The plain mean of numbers near 2^20 is known to some 2^-27 of the deviation, too little for any line.
TEST_CASE("normalization of long lines far from zero, by long sums") {
  constexpr size_t kLength = 2999;
  std::mt19937_64 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> x(kLines * kLength), y(x.size()), mean(kLines), inverse(kLines);
  for (float& xi : x) xi = 0x1p20F + 3 * normal(random);
  const Parameters parameters = parameters_of(kLength, 24);
  CHECK(check_settled({.x = x.data(), .lines = kLines, .length = kLength, .scale = parameters.scale.data(), .bias = parameters.bias.data(),
                       .epsilon = 1e-5, .y = y.data(), .mean = mean.data(), .inverse = inverse.data()}) >= kLines - 2);
  CHECK(check_settled({.x = x.data(), .lines = kLines, .length = kLength, .scale = parameters.scale.data(), .bias = parameters.bias.data(),
                       .run = kLength, .epsilon = 0, .rounds_quotient = false, .y = y.data()}) >= kLines - 2);
}

}  // namespace
}  // namespace onnxv
