// Range: start, start + delta, … below limit; every element is start + i * delta, rounded once.
//   since 11  float, double, int16, int32, int64
//   since 27  float16 and bfloat16 too.  Spec: rounds each element of those to the stash type first.
#include "src/number/formula.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

// options: [format of the stash type, or kNoFormat].
constexpr auto element = []<class Real>(Options stash, Real index, Real start, Real delta) -> Real {
  const Real exact = start + index * delta;
  return stash[0] == kNoFormat ? exact : round_to(stash[0], exact);
};

}  // namespace
ELEMENTWISE_FORMULA(kRangeFormula, element, 3)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "src/base/int128.h"
#include "src/number/rational.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const Tensor& scalar(const OpCall& call, std::string_view port) {
  const Tensor& value = call.tensor(port);
  if (value.size() != 1) {
    fail_schema("not-one-element", std::string(port) + " is " + value.shape().text(), "must be a scalar");
  }
  return value;
}

Tensor integer_range(const Tensor& start, const Tensor& limit, const Tensor& delta) {
  const int128 from = int64_values(start)[0], to = int64_values(limit)[0], step = int64_values(delta)[0];
  if (step == 0) fail_undefined("range-delta", "delta is 0", "must not be");
  const int128 distance = to - from;
  const int128 whole = distance / step;
  const int128 count = whole + (distance % step != 0 && (distance < 0) == (step < 0) ? 1 : 0);
  const int64_t elements = static_cast<int64_t>(std::clamp<int128>(count, 0, INT64_MAX));
  Tensor y = Tensor::unfilled(start.dtype(), {elements});
  if (y.dtype() == DType::kInt64) {
    uint64_t* to = y.mutable_as<uint64_t>().data();
    for (uint64_t i = 0; i < y.size(); ++i) to[i] = static_cast<uint64_t>(from) + i * static_cast<uint64_t>(step);
    return y;
  }
  for (int64_t i = 0; i < elements; ++i) {
    y.set_code(static_cast<size_t>(i), static_cast<uint64_t>(from + static_cast<int128>(i) * step));
  }
  return y;
}

int64_t element_count(double start, double limit, double delta) {
  for (const double value : {start, limit, delta}) {
    if (!is_finite(value)) fail_undefined("range-operand", "an operand is not finite", "must be");
  }
  if (delta == 0) fail_undefined("range-delta", "delta is 0", "must not be");
  const Rational exact = (Rational::from_double(limit) - Rational::from_double(start)) / Rational::from_double(delta);
  return exact.sign() <= 0 ? 0 : exact.ceil_int64();
}

Tensor real_range(const OpCall& call, const Tensor& start, const Tensor& limit, const Tensor& delta) {
  const DType dtype = start.dtype();
  const int64_t count = element_count(double_value(start, "start"), double_value(limit, "limit"), double_value(delta, "delta"));
  int64_t stash = kNoFormat;
  if (dtype == DType::kFloat16 || dtype == DType::kBfloat16) {
    const int64_t number = call.integer_or("stash_type", 1);
    const std::optional<DType> type = dtype_from_number(number);
    if (!type || !is_float(*type)) {
      fail_schema("attribute-value", "stash_type is " + std::to_string(number), "must be a float type");
    }
    stash = format_number(float_format(*type));
  }
  Tensor y(dtype, {count});
  LineJob(kRangeFormula, y.size())
      .computed(1, [](size_t line, double* index) { *index = static_cast<double>(line); })
      .shared(start)
      .shared(delta)
      .option(stash)
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

Tensor range_11(const OpCall& call) {
  const Tensor& start = scalar(call, "start");
  const Tensor& limit = scalar(call, "limit");
  const Tensor& delta = scalar(call, "delta");
  if (is_integer(start.dtype())) return integer_range(start, limit, delta);
  return real_range(call, start, limit, delta);
}

}  // namespace

extern const Operator kRange;
const Operator kRange{"ai.onnx", "Range", {{.since = 11, .also = {27}, .run = range_11}}};

}  // namespace onnxv
#endif
