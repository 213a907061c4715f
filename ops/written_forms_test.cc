// Every way that a formula is written, as the text has it or a function body, is the same real function as the formula itself: else
// a slip of the pen would silently widen the tolerance `derived`, which is the hull of them all.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ops/pch/written_forms.h"
#include "src/number/format.h"
#include "src/number/interval.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr long kBits = 300;

// What two readings of one real may be: within each other, and to these many bits.
constexpr double kNarrow = 0x1p-80;

// Written with the constants of a function body, which are float32.
constexpr double kFloat32Constants = 0x1p-18;
// Rounded to float64 in different places.
constexpr double kRoundedSteps = 0x1p-44;

// The numbers of one operand: given, or drawn from a range.
struct Operand {
  size_t count;
  double low, high;
  std::vector<double> given = {};
};
Operand exactly(std::vector<double> given) { return {given.size(), 0, 0, given}; }

struct Row {
  std::string formula;
  std::vector<Operand> operands;
  std::vector<std::vector<int64_t>> options = {{}};
  std::vector<size_t> results = {1};
  // What the other forms may differ by, in their order, for one of the reasons above; else nothing.
  std::vector<double> apart = {};
};

double magnitude(const Interval& x) { return std::max(std::fabs(mpfr_get_d(x.low(), MPFR_RNDA)), std::fabs(mpfr_get_d(x.high(), MPFR_RNDA))); }
double width(const Interval& x) {
  const PrecisionScope enough(2 * kBits);
  Interval ends;
  mpfr_sub(ends.low(), x.high(), x.low(), MPFR_RNDU);
  return mpfr_get_d(ends.low(), MPFR_RNDU);
}
double distance(const Interval& a, const Interval& b) {
  if (mpfr_lessequal_p(a.low(), b.high()) != 0 && mpfr_lessequal_p(b.low(), a.high()) != 0) return 0;
  Interval gap;
  mpfr_sub(gap.low(), a.low(), b.low(), MPFR_RNDA);
  return std::fabs(mpfr_get_d(gap.low(), MPFR_RNDA));
}
bool is_number(const Interval& x) { return !x.is_open() && mpfr_number_p(x.low()) != 0 && mpfr_number_p(x.high()) != 0; }

bool agree(const Interval& a, const Interval& b, double apart) {
  if (!is_number(a) || !is_number(b)) return false;
  const double narrow = std::max(kNarrow, apart) * std::max(magnitude(a), apart > 0 ? 1.0 : 0.0);
  return width(a) <= narrow && width(b) <= narrow && distance(a, b) <= (apart > 0 ? narrow : 0);
}

// What was compared since the last reset, joins within formulas included.
struct Comparisons {
  size_t made = 0, failed = 0;
};
Comparisons g_comparisons;

void compare(const Interval& a, const Interval& b, double apart) {
  ++g_comparisons.made;
  if (!agree(a, b, apart)) ++g_comparisons.failed;
}

// One application: its operands' numbers, and the results of each form.
class Application {
 public:
  Application(const WrittenFormula& formula, const Row& row, const std::vector<int64_t>& options, std::mt19937_64& random)
      : formula_(formula), row_(row), options_(options) {
    for (const Operand& operand : row.operands) {
      numbers_.emplace_back();
      for (size_t i = 0; i < operand.count; ++i) {
        const double drawn = std::uniform_real_distribution<double>(operand.low, operand.high)(random);
        numbers_.back().push_back(operand.given.empty() ? drawn : operand.given[i]);
      }
    }
  }

  std::vector<std::vector<Interval>> results(Reading form) const {
    std::vector<std::vector<Interval>> operands, results;
    for (const auto& numbers : numbers_) operands.emplace_back(numbers.begin(), numbers.end());
    for (const size_t count : row_.results) results.emplace_back(count);
    std::vector<const void*> in;
    std::vector<size_t> in_count, out_count = row_.results;
    std::vector<void*> out;
    for (const auto& operand : operands) in.push_back(operand.data()), in_count.push_back(operand.size());
    for (auto& result : results) out.push_back(result.data());
    const bool shared[16] = {};
    form({in.data(), in_count.data(), shared, out.data(), out_count.data(), {options_.data()}, 1});
    return results;
  }

  // The formula against each other form; its own joins compare themselves.
  void compare_forms() const {
    const auto first = results(formula_.forms[0]);
    for (size_t form = 1; form < formula_.forms.size(); ++form) {
      const auto other = results(formula_.forms[form]);
      const double apart = row_.apart.empty() ? 0 : row_.apart.at(form - 1);
      for (size_t k = 0; k < first.size(); ++k) {
        for (size_t i = 0; i < first[k].size(); ++i) compare(first[k][i], other[k][i], apart);
      }
    }
  }

  std::string text() const {
    std::string text;
    for (const auto& numbers : numbers_) {
      for (const double number : numbers) text += std::to_string(number) + " ";
      text += "| ";
    }
    for (const int64_t option : options_) text += std::to_string(option) + " ";
    return text;
  }

 private:
  const WrittenFormula& formula_;
  const Row& row_;
  const std::vector<int64_t>& options_;
  std::vector<std::vector<double>> numbers_;
};

const Operand kX{1, -6, 6}, kPositive{1, 0.25, 3}, kAnySign{1, -3, 3};
constexpr size_t kLine = 7;
const Operand kLineOfX{kLine, -6, 6}, kLineOfFactors{kLine, -2, 2};
const Operand kCount = exactly({kLine}), kCountAndEpsilon = exactly({kLine, 1e-5});

// The activation functions that a recurrence joins two forms of, and one that it does not: ops/recurrent/activations.h.
constexpr int64_t kTanh = 1, kSigmoid = 2, kElu = 8, kSoftplus = 10;
// A clip, and for each function its alpha and beta.
Operand parameters(size_t functions) { return {1 + 2 * functions, 0.5, 3}; }

std::vector<Row> elementwise_rows() {
  return {{"kSigmoidFormula", {kX}},
          {"kEluFormula", {kX, kAnySign}},
          {"kSeluFormula", {kX, kAnySign, kAnySign}},
          {"kCeluFormula", {kX, kPositive}},
          {"kCeluFormula", {kX, {1, -3, -0.25}}},
          {"kHardSwishFormula", {kX}, {{}}, {1}, {0, kFloat32Constants}},
          {"kSoftplusFormula", {kX}},
          {"kSwishFormula", {kX, kAnySign}},
          {"kSwiGLUFormula", {kX, kX, kAnySign}},
          {"kMishFormula", {kX}},
          {"kGeluFormula", {kX}},
          {"kGeluTanhFormula", {kX}, {{}}, {1}, {0, kFloat32Constants}},
          {"kParametricSoftplusFormula", {kX, kAnySign, kAnySign}},
          {"kGruUnitFormula", {kX, kX, kX}},
          {"kBatchNormalizationFormula", {kX, kAnySign, kAnySign, kAnySign, kPositive, exactly({1e-5})}}};
}

std::vector<Row> line_rows() {
  const int64_t wide = format_number(kFloat64);
  const std::vector<Operand> layer = {kLineOfX, kLineOfFactors, kLineOfFactors, kCountAndEpsilon};
  return {{"kSoftmaxFormula", {kLineOfX}, {{}}, {kLine}},
          {"kLogSoftmaxFormula", {kLineOfX}, {{}}, {kLine}},
          {"kReduceLogSumExpFormula", {kLineOfX, kCount}},
          {"kLpPoolFormula", {kLineOfX, exactly({1})}, {{1}, {0}}},
          {"kLpPoolFormula", {kLineOfX, exactly({2})}, {{2}, {0}}},
          {"kLpPoolFormula", {kLineOfX, exactly({3})}, {{3}, {0}}},
          {"kLpPoolFormula", {kLineOfX, exactly({17})}, {{17}, {0}}},
          {"kLpPoolFormula", {kLineOfX, kPositive}, {{0}}},
          {"kCausalConvFormula", {kLineOfX, kLineOfFactors}, {{0}, {1}}},
          {"kInstanceNormalizationFormula", {kLineOfX, {2, -2, 2}, kCountAndEpsilon}, {{}}, {kLine}},
          {"kGroupNormalizationFormula", layer, {{kNoFormat, kNoFormat}}, {kLine}},
          {"kGroupNormalizationFormula", layer, {{wide, wide}}, {kLine}, {kRoundedSteps}},
          {"kMeanVarianceFormula", {kLineOfX, kCount}, {{0}, {1}}, {kLine}},
          {"kLayerNormalizationFormula", layer, {{wide, wide}}, {kLine, 1, 1}, {kRoundedSteps, kRoundedSteps}}};
}

// Formulas that join two forms in their midst.
std::vector<Row> joining_rows() {
  const Operand one = kX, units{2, -2, 2}, hidden{3, -2, 2}, weights{6, -2, 2};
  const std::vector<std::vector<int64_t>> single = {{0, kElu}, {1, kElu}, {0, kSoftplus}, {1, kSoftplus}};
  const std::vector<std::vector<int64_t>> gates = {
      {0, kSigmoid, kTanh}, {1, kSigmoid, kTanh}, {0, kSigmoid, kElu}, {0, kSoftplus, kTanh}, {1, kElu, kSoftplus}};
  // Behind the functions: the numbers of the units.
  std::vector<std::vector<int64_t>> gates_of_units = gates;
  for (std::vector<int64_t>& options : gates_of_units) options.insert(options.end(), {2, 0});
  // Behind the functions: coupled gates, peepholes, the format of the states.
  const int64_t wide = format_number(kFloat64);
  const std::vector<std::vector<int64_t>> lstm = {{0, kSigmoid, kTanh, kTanh, 1, 0, wide},
                                                  {1, kSigmoid, kTanh, kTanh, 1, 1, wide},
                                                  {0, kSigmoid, kElu, kSoftplus, 0, 1, wide}};
  // Classes; scores; dividing by the weights; samples ignored.
  const std::vector<std::vector<int64_t>> losses = {{4, 1, 0, 0}, {4, 1, 1, 0}, {4, 1, 1, 1}};
  return {{"kRnnFormula", {one, parameters(1)}, single},
          {"kGruResetLastFormula", {one, one, one, one, one, parameters(2)}, gates},
          {"kGruResetFirstFormula", {units, hidden, units, hidden, weights, parameters(2)}, gates_of_units, {2}},
          {"kGruCandidateKnownFormula", {one, one, one, parameters(2)}, gates},
          {"kLstmFormula", {one, one, one, one, one, {3, -2, 2}, parameters(3)}, lstm, {1, 1}},
          {"kLossFormula", {{12, -6, 6}, {3, 0.25, 2}}, losses}};
}

void check_row(const WrittenFormula& formula, const Row& row) {
  CAPTURE(row.formula);
  REQUIRE(row.operands.size() == formula.inputs);
  REQUIRE(row.results.size() == formula.outputs);
  std::mt19937_64 random(20);
  size_t made = 0;
  for (const std::vector<int64_t>& options : row.options) {
    for (size_t trial = 0; trial < 50; ++trial) {
      const Application application(formula, row, options, random);
      CAPTURE(application.text());
      g_comparisons = {};
      application.compare_forms();
      made += g_comparisons.made;
      CHECK(g_comparisons.failed == 0);
    }
  }
  CHECK(made > 0);
}

}  // namespace

std::vector<WrittenFormula>& written_formulas() {
  static std::vector<WrittenFormula> all;
  return all;
}
void join(Interval* x, const Interval& other) { compare(*x, other, 0); }

namespace {

TEST_CASE("all ways to write a formula are one real function") {
  const PrecisionScope scope(kBits);
  std::map<std::string, WrittenFormula> formulas;
  for (const WrittenFormula& formula : written_formulas()) formulas[formula.name] = formula;
  std::set<std::string> checked;
  for (const auto& rows : {elementwise_rows(), line_rows(), joining_rows()}) {
    for (const Row& row : rows) {
      CAPTURE(row.formula);
      REQUIRE(formulas.contains(row.formula));
      check_row(formulas.at(row.formula), row);
      checked.insert(row.formula);
    }
  }
  for (const auto& [name, formula] : formulas) {
    CAPTURE(name);
    CHECK((formula.forms.size() == 1 || checked.contains(name)));
  }
}

}  // namespace
}  // namespace onnxv
