#include "ops/quantize/requantize.h"

#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto scaled = []<class Real>(Real product, Real a_scale, Real b_scale, Real y_scale) -> Real {
  return product * a_scale * b_scale / y_scale;
};

// Spec: "for (x / y_scale), it is rounding to nearest ties to even": the zero point is added behind that.
constexpr auto requantized_integer = []<class Real>(Real product, Real a_scale, Real b_scale, Real y_scale,
                                                    Real zero) -> Real {
  return nearest_even(scaled(product, a_scale, b_scale, y_scale)) + zero;
};
constexpr auto requantized_float = []<class Real>(Real product, Real a_scale, Real b_scale, Real y_scale,
                                                  Real zero) -> Real {
  return scaled(product, a_scale, b_scale, y_scale) + zero;
};
constexpr auto requantized_nan = []<class Real>(Real product, Real a_scale, Real b_scale, Real y_scale, Real) -> Real {
  return select(is_nan(scaled(product, a_scale, b_scale, y_scale)), Real(1.0), Real(0.0));
};
constexpr auto difference = []<class Real>(Real quantized, Real zero) -> Real { return quantized - zero; };

}  // namespace
ELEMENTWISE_FORMULA(kRequantizedInteger, requantized_integer, 5)
ELEMENTWISE_FORMULA(kRequantizedFloat, requantized_float, 5)
ELEMENTWISE_FORMULA(kRequantizedNan, requantized_nan, 5)
IEEE_FORMULA(kCentredFormula, difference, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/quantize/centred.h"
#include "ops/quantize/quantized.h"
#include "src/kernel/product.h"
#include "src/kernel/scaled_integers.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const Formula& formula_for(DType out) { return is_float(out) ? kRequantizedFloat : kRequantizedInteger; }

void add_scales(LineJob& job, const Requantization& by, const Shape& shape) {
  job.broadcast(by.a_scale, shape).broadcast(by.b_scale, shape).broadcast(by.y_scale, shape).broadcast(by.zero_point, shape);
}

template <class Integer>
Tensor centred_integers(const Tensor& quantized, const Tensor* zero_point) {
  Tensor result(DType::kInt16, quantized.shape());
  const std::span<const Integer> q = quantized.as<Integer>();
  const std::span<int16_t> out = result.mutable_as<int16_t>();
  const Tensor zeros = zero_point == nullptr ? Tensor(quantized.dtype(), {})
                       : zero_point->size() == 1 ? *zero_point
                                                 : broadcast_to(*zero_point, quantized.shape());
  const std::span<const Integer> z = zeros.as<Integer>();
  const size_t step = z.size() == q.size() ? 1 : 0;
  for (size_t i = 0; i < q.size(); ++i) out[i] = static_cast<int16_t>(q[i] - z[i * step]);
  return result;
}

bool is_all_zero(const Tensor& tensor) {
  std::vector<double> values(tensor.size());
  decode_elements(tensor, 0, values.size(), values.data());
  for (const double value : values) {
    if (value != 0) return false;
  }
  return true;
}

// One element per channel, [1, M, 1, …], or one for all.
bool is_per_channel(const Tensor& scale, const Shape& shape) {
  if (scale.size() == 1) return true;
  if (scale.rank() != shape.rank() || shape.rank() < 2) return false;
  return scale.shape()[1] == shape[1] && static_cast<int64_t>(scale.size()) == shape[1];
}

// Where doubles decide nearly every element: bytes from narrow scales, of which only b's may differ from channel to channel.
bool is_quick(const Requantization& by, const Shape& shape) {
  const DType out = by.zero_point.dtype();
  const bool single = by.a_scale.size() == 1 && by.y_scale.size() == 1 && by.zero_point.size() == 1;
  for (const Tensor* scale : {&by.a_scale, &by.b_scale, &by.y_scale}) {
    if (!is_float(scale->dtype()) || !is_narrow(scale->dtype())) return false;
  }
  return single && (out == DType::kInt8 || out == DType::kUint8) && is_per_channel(by.b_scale, shape) && ToleranceScope::current() == nullptr &&
         all_finite(by.a_scale, false) && all_finite(by.b_scale, false) && all_finite(by.y_scale, true);
}

Tensor element_of(const Tensor& tensor, size_t at) {
  Tensor element(tensor.dtype(), {});
  element.set_code(0, tensor.code(at));
  return element;
}
double only_number(const Tensor& tensor, size_t at = 0) {
  double value;
  decode_elements(tensor, at, 1, &value);
  return value;
}

// Elements that stayed open, by the formula.
void settle_open(const Tensor& products, size_t first, const std::vector<uint32_t>& open, const Requantization& by, Tensor* y) {
  const auto count = static_cast<int64_t>(open.size());
  Tensor some(DType::kInt32, {count}), codes(y->dtype(), {count});
  for (size_t i = 0; i < open.size(); ++i) some.set_code(i, products.code(first + open[i]));
  LineJob job(kRequantizedInteger, open.size());
  job.broadcast(some, some.shape());
  add_scales(job, by, some.shape());
  job.lines_to(&codes, LineLayout::elements(open.size()), quantized_target(y->dtype(), true)).run();
  for (size_t i = 0; i < open.size(); ++i) y->set_code(first + open[i], codes.code(i));
}

Tensor requantized_quickly(const Tensor& products, const Requantization& by) {
  const Shape& shape = products.shape();
  Tensor y = Tensor::unfilled(by.zero_point.dtype(), shape);
  if (y.size() == 0) return y;
  uint8_t* codes = y.mutable_as<uint8_t>().data();
  const size_t channels = by.b_scale.size(), run = channels == 1 ? size_t{1} << 16 : static_cast<size_t>(shape.elements(2, shape.rank()));
  const IntegerFormat type{8, y.dtype() == DType::kInt8};
  for (size_t first = 0, k = 0; first < y.size(); first += run, ++k) {
    Requantization one = by;
    const size_t channel = channels == 1 ? 0 : k % channels;
    if (channels != 1) one.b_scale = element_of(by.b_scale, channel);
    const IntegerScale scale{only_number(by.a_scale), only_number(by.b_scale, channel), only_number(by.y_scale),
                             static_cast<int64_t>(decode_integer(type, by.zero_point.code(0)))};
    const int32_t* values = products.as<int32_t>().data() + first;
    const std::vector<uint32_t> open = scale_integers(values, std::min(run, y.size() - first), scale, type, codes + first);
    if (!open.empty()) settle_open(products, first, open, one, &y);
  }
  return y;
}

}  // namespace

Tensor centred(const Tensor& quantized, const Tensor* zero_point) {
  if (quantized.dtype() == DType::kInt8) return centred_integers<int8_t>(quantized, zero_point);
  if (quantized.dtype() == DType::kUint8) return centred_integers<uint8_t>(quantized, zero_point);
  if (zero_point == nullptr || is_all_zero(*zero_point)) return quantized;
  const Tensor operands[] = {quantized, *zero_point};
  return map_elements(kCentredFormula, DType::kDouble, operands);
}

Tensor requantized(const OpCall& call, const Tensor& products, const Requantization& by) {
  const Shape& shape = products.shape();
  const DType out = by.zero_point.dtype();
  if (is_quick(by, shape)) return requantized_quickly(products, by);
  const auto run = [&](const Formula& formula, Target target, Tensor* y) {
    LineJob job(formula, products.size());
    job.broadcast(products, shape);
    add_scales(job, by, shape);
    job.lines_to(y, LineLayout::elements(y->size()), target).run();
  };
  Tensor y(out, shape);
  run(formula_for(out), quantized_target(out, true), &y);
  if (holds_nan(out) || (all_finite(by.a_scale, false) && all_finite(by.b_scale, false) && all_finite(by.y_scale, true))) {
    return y;
  }
  Tensor nans(DType::kUint8, shape);
  run(kRequantizedNan, target_of(nans.dtype()), &nans);
  mark_nan_elements(call, nans);
  return y;
}

Tensor requantized(const OpCall& call, const std::vector<VectorPair>& parts, const Shape& shape, const Requantization& by) {
  const DType out = by.zero_point.dtype();
  const Tensor operands[] = {broadcast_to(by.a_scale, shape), broadcast_to(by.b_scale, shape),
                             broadcast_to(by.y_scale, shape), broadcast_to(by.zero_point, shape)};
  const size_t size = static_cast<size_t>(shape.elements(shape.rank() - 2, shape.rank()));
  const auto run = [&](const Formula& formula, Target target, Tensor* y) {
    for (size_t i = 0; i < parts.size(); ++i) {
      Tensor part(y->dtype(), {static_cast<int64_t>(size)});
      LineJob job(formula, size);
      job.source(product_lines(parts[i].rows, parts[i].columns));
      for (const Tensor& operand : operands) {
        job.gathered(operand, 1, [=](size_t line, int64_t* at) { *at = static_cast<int64_t>(i * size + line); });
      }
      job.lines_to(&part, LineLayout::elements(size), target).run();
      copy_elements(part, 0, size, *y, i * size);
    }
  };
  Tensor y(out, shape);
  run(formula_for(out), quantized_target(out, true), &y);
  if (holds_nan(out)) return y;
  Tensor nans(DType::kUint8, shape);
  run(kRequantizedNan, target_of(nans.dtype()), &nans);
  mark_nan_elements(call, nans);
  return y;
}

}  // namespace onnxv
#endif
