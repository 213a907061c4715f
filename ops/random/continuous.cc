// RandomUniform, RandomNormal, RandomUniformLike, RandomNormalLike (1, 22): draws of our generator (draws.h), turned into the
// distribution by one formula, rounded once to the output's type.
//   since 1   float16, float, double; 22 adds bfloat16
#include "src/number/formula.h"

namespace onnxv {
namespace {

// low + (high - low) k / 2^53, held within [smallest, largest]: those are numbers of the output's type, so that what is held is
// as well the rounded value.
constexpr auto uniform = []<class Real>(In<Real> k, In<Real> range, Out<Real> y) {
  const Real drawn = range[0] + (range[1] - range[0]) * (k[0] * Real(0x1p-53));
  y[0] = min(max(drawn, range[2]), range[3]);
};

// mean + scale sqrt(2) erfinv(2u - 1) with 2u - 1 = k / 2^53, k odd.
constexpr auto normal = []<class Real>(In<Real> k, In<Real> shape, Out<Real> y) {
  y[0] = shape[0] + shape[1] * (sqrt(Real(2.0)) * erfinv(k[0] * Real(0x1p-53)));
};

}  // namespace
LINE_FORMULA(kUniformFormula, uniform, 2, 1)
LINE_FORMULA(kNormalFormula, normal, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <limits>

#include "ops/random/draws.h"
#include "src/number/format.h"

namespace onnxv {
namespace {

bool drawable(DType dtype, int since_version) {
  return dtype == DType::kFloat || dtype == DType::kFloat16 || dtype == DType::kDouble ||
         (dtype == DType::kBfloat16 && since_version >= 22);
}

DType type_of(const OpCall& call, DType otherwise) {
  return drawn_type(call, otherwise, drawable,
                    call.since_version() >= 22 ? "float16, bfloat16, float or double"
                                               : "float16, float or double");
}

// The number of the format just below a finite one, by its code.
uint64_t code_below(const Format& format, uint64_t code) {
  const uint64_t sign = uint64_t{1} << (format.bits - 1);
  if ((code & ~sign) == 0) return sign | 1;
  return (code & sign) != 0 ? code + 1 : code - 1;
}

// low, high, and the smallest and largest numbers of the type in [low, high).
// Choice: rounding never leaves the range: a draw that would round to `high`, or below `low`, or to an infinity, becomes the
// nearest number within. Where low == high, or where the type has no number in the range, it is rounded alone.
std::vector<double> range_of(const OpCall& call, DType dtype) {
  const double low = finite_attribute(call, "low"), high = finite_attribute(call, "high");
  if (low > high) {
    fail_schema("attribute-range", "low is " + std::to_string(low) + " and high is " + std::to_string(high),
                "low must not exceed high");
  }
  const Format& format = float_format(dtype);
  const double smallest = decode(format, encode(format, {low, 0}, Rounding::kUp, Overflow::kSaturate));
  uint64_t code = encode(format, {high, 0}, Rounding::kDown, Overflow::kSaturate);
  if (decode(format, code) >= high) code = code_below(format, code);
  const double largest = decode(format, code);
  if (low < high && low <= smallest && smallest <= largest && largest < high) return {low, high, smallest, largest};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {low, high, -kInfinity, kInfinity};
}

Tensor uniform_values(const OpCall& call, DType dtype, const Shape& shape) {
  const std::vector<double> range = range_of(call, dtype);
  const Draws draws(call);
  Tensor y(dtype, shape);
  LineJob(kUniformFormula, y.size())
      .computed(1, [&draws](size_t line, double* k) { *k = draws.uniform(line); })
      .constants(range)
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

Tensor normal_values(const OpCall& call, DType dtype, const Shape& shape) {
  const double mean = finite_attribute(call, "mean"), scale = finite_attribute(call, "scale");
  if (scale < 0) {
    fail_schema("attribute-range", "scale is " + std::to_string(scale), "must be 0 or more");
  }
  const Draws draws(call);
  Tensor y(dtype, shape);
  LineJob(kNormalFormula, y.size())
      .computed(1, [&draws](size_t line, double* k) { *k = draws.symmetric(line); })
      .constants({mean, scale})
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

using Values = Tensor (*)(const OpCall& call, DType dtype, const Shape& shape);

template <Values values>
Tensor of_attribute_1(const OpCall& call) {
  const Shape shape(call.integers("shape"));
  for (const int64_t dim : shape) {
    if (dim < 0) fail_schema("attribute-range", "shape is " + shape.text(), "must not be negative");
  }
  return values(call, type_of(call, DType::kFloat), shape);
}

template <Values values>
Tensor like_1(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  return values(call, type_of(call, input.dtype()), input.shape());
}

}  // namespace

extern const Operator kRandomNormal, kRandomNormalLike, kRandomUniform, kRandomUniformLike;
const Operator kRandomNormal{"ai.onnx", "RandomNormal",
                             {{.since = 1, .also = {22}, .run = of_attribute_1<normal_values>}}};
const Operator kRandomNormalLike{"ai.onnx", "RandomNormalLike",
                                 {{.since = 1, .also = {22}, .run = like_1<normal_values>}}};
const Operator kRandomUniform{"ai.onnx", "RandomUniform",
                              {{.since = 1, .also = {22}, .run = of_attribute_1<uniform_values>}}};
const Operator kRandomUniformLike{"ai.onnx", "RandomUniformLike",
                                  {{.since = 1, .also = {22}, .run = like_1<uniform_values>}}};

}  // namespace onnxv
#endif
