// The numerators of softmax against MPFR.
#include <doctest/doctest.h>
#include <mpfr.h>

#include <cmath>
#include <vector>

#include "src/kernel/product_tile.h"
#include "src/kernel/softmax_tile.h"

using namespace onnxv;  // NOLINT

namespace {

// |(head + rest) / e^(x - shift) - 1|.
double relative_error(double x, double shift, double head, double rest) {
  mpfr_t exact, found;
  mpfr_inits2(300, exact, found, nullptr);
  mpfr_set_d(exact, x, MPFR_RNDN);
  mpfr_sub_d(exact, exact, shift, MPFR_RNDN);
  mpfr_exp(exact, exact, MPFR_RNDN);
  mpfr_set_d(found, head, MPFR_RNDN);
  mpfr_add_d(found, found, rest, MPFR_RNDN);
  mpfr_div(found, found, exact, MPFR_RNDN);
  mpfr_sub_ui(found, found, 1, MPFR_RNDN);
  const double error = std::fabs(mpfr_get_d(found, MPFR_RNDA));
  mpfr_clears(exact, found, nullptr);
  return error;
}

// Of few digits, so that a product with 1 is exact: tiny ones, those around the steps of ln 2 / 2, and all over the range.
std::vector<double> logits() {
  std::vector<double> x{0};
  for (int exponent = -60; exponent <= 9; ++exponent) x.push_back(-std::ldexp(1.37, exponent));
  for (int n = 0; n < 2019; ++n) {
    const double step = -(n + 0.5) * 0x1.62e42fefa39efp-2;
    x.push_back(step);
    x.push_back(std::nextafter(step, 0));
    x.push_back(std::nextafter(step, -1e9));
  }
  for (int n = 0; n < 20000; ++n) x.push_back(-n * 0.0349987654321);
  std::erase_if(x, [](double value) { return value < -700; });
  return x;
}

}  // namespace

TEST_CASE("numerators are within their constant relative error") {
  const std::vector<double> x = logits();
  const size_t columns = product_kernels().columns;
  std::vector<double> products(x.size() * columns), shifts(columns), totals(columns), norms(columns);
  for (size_t i = 0; i < products.size(); ++i) products[i] = x[i / columns];
  softmax_kernels().softmax({products.data(), nullptr, x.size(), 1, 0, shifts.data(), totals.data(), norms.data()});
  CHECK(shifts[0] == 0);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, relative_error(x[i], 0, products[i * columns + columns - 1], 0));
  CHECK(worst < kNumeratorError / 2);
}

TEST_CASE("numerators below e^-700 are 0, and so are those of disallowed keys") {
  const size_t columns = product_kernels().columns;
  const double x[] = {2, -698.5, -1e300, -HUGE_VAL};
  std::vector<double> products(4 * columns, 0.0), bias(4 * columns), shifts(columns), totals(columns), norms(columns);
  for (size_t i = 0; i < bias.size(); ++i) bias[i] = x[i / columns];
  softmax_kernels().softmax({products.data(), bias.data(), 4, 1, 0, shifts.data(), totals.data(), norms.data()});
  CHECK(shifts[0] == 2);
  CHECK(totals[0] == 1);
  for (size_t i = columns; i < products.size(); ++i) CHECK(products[i] == 0);
}

TEST_CASE("precise numerators are within theirs") {
  const std::vector<double> x = logits();
  const size_t rows = product_kernels().rows, padded = (x.size() + rows - 1) / rows * rows;
  std::vector<double> keys(padded), heads(padded), rests(padded);
  const double query = 1;
  for (const double shift : {0.0, 0.25, -0.1}) {
    for (size_t i = 0; i < x.size(); ++i) keys[i] = static_cast<float>(x[i] + shift);
    softmax_kernels().precise_row({&query, keys.data(), 1, x.size(), 1, 0, 0, nullptr, shift, heads.data(), rests.data()});
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      // Below, the rests are subnormal and lose digits: that is of the order of 2^-1074.
      if (keys[i] - shift >= -660) worst = std::max(worst, relative_error(keys[i], shift, heads[i], rests[i]));
    }
    CHECK(worst < kPreciseNumeratorError);
  }
}

TEST_CASE("precise numerators of capped logits are within 2^-90 of the cap") {
  const size_t rows = product_kernels().rows, count = 400 * rows;
  std::vector<double> keys(count), heads(count), rests(count);
  for (size_t i = 0; i < count; ++i) keys[i] = static_cast<float>(std::ldexp(1.7, static_cast<int>(i % 40) - 30) * (i % 2 == 0 ? -1 : 1));
  const double query = 1;
  for (const double cap : {0.125, 3.0, 20.0}) {
    softmax_kernels().precise_row({&query, keys.data(), 1, count, 1, 0, cap, nullptr, cap, heads.data(), rests.data()});
    mpfr_t x;
    mpfr_init2(x, 300);
    double worst = 0;
    for (size_t i = 0; i < count; ++i) {
      mpfr_set_d(x, keys[i], MPFR_RNDN);
      mpfr_div_d(x, x, cap, MPFR_RNDN);
      mpfr_tanh(x, x, MPFR_RNDN);
      mpfr_mul_d(x, x, cap, MPFR_RNDN);
      mpfr_sub_d(x, x, cap, MPFR_RNDN);
      mpfr_exp(x, x, MPFR_RNDN);
      mpfr_ui_div(x, 1, x, MPFR_RNDN);
      mpfr_t found;
      mpfr_init2(found, 300);
      mpfr_set_d(found, heads[i], MPFR_RNDN);
      mpfr_add_d(found, found, rests[i], MPFR_RNDN);
      mpfr_mul(found, found, x, MPFR_RNDN);
      mpfr_sub_ui(found, found, 1, MPFR_RNDN);
      worst = std::max(worst, std::fabs(mpfr_get_d(found, MPFR_RNDA)));
      mpfr_clear(found);
    }
    mpfr_clear(x);
    CHECK(worst < cap * 0x1p-90 + kPreciseNumeratorError);
  }
}
