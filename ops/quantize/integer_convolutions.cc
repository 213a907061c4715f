// ConvInteger: a convolution of integers less their zero points, in int32.
//   since 10
// QLinearConv: the same plus an int32 bias, scaled and quantized again.
//   since 10
#include <algorithm>

#include "ops/operator.h"
#include "ops/quantize/centred.h"
#include "ops/quantize/granularity.h"
#include "ops/quantize/requantize.h"
#include "src/base/checked.h"
#include "src/kernel/patches.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// One element, or one per output channel: broadcasts to a tensor of rank `rank` whose axis `axis` are the M channels.
Tensor along_channels(const Tensor& parameter, std::string_view port, int64_t channels, int64_t rank, int64_t axis) {
  if (parameter.size() == 1) return parameter.reshaped({});
  if (parameter.rank() != 1 || parameter.shape()[0] != channels) {
    fail_schema("shape-mismatch", std::string(port) + " is " + parameter.shape().text(),
                "must be a scalar or have one element per output channel, " + std::to_string(channels));
  }
  Shape shape(std::vector<int64_t>(static_cast<size_t>(rank), 1));
  shape[axis] = channels;
  return parameter.reshaped(shape);
}

Tensor scalar(const Tensor& parameter, std::string_view port) {
  if (parameter.size() == 1) return parameter.reshaped({});
  fail_schema("shape-mismatch", std::string(port) + " is " + parameter.shape().text(), "must be a scalar");
}

struct Convolution {
  std::vector<WindowAxis> axes;
  int64_t groups = 1;
  int64_t channels = 0, filters = 0;  // in one group
  Shape out;                          // [N, M, spatial…]
};

// x is [N, C, spatial…], w is [M, C / group, kernel…].
Convolution convolution_of(const OpCall& call, const Shape& x, const Shape& w) {
  Convolution result;
  result.groups = call.integer_or("group", 1);
  const std::string got = "x is " + x.text() + ", w is " + w.text() + ", group is " + std::to_string(result.groups);
  if (x.rank() < 3 || w.rank() != x.rank()) fail_schema("rank", got, "x and w must have one rank, 3 or more");
  if (result.groups < 1 || w[0] % result.groups != 0 || checked_multiply(w[1], result.groups) != x[1]) {
    fail_schema("shape-mismatch", got, "x must have group times w's input channels, and group must divide w's filters");
  }
  const std::vector<int64_t> kernel(w.begin() + 2, w.end()), spatial(x.begin() + 2, x.end());
  const std::vector<int64_t> asked = call.integers("kernel_shape");
  if (!asked.empty() && asked != kernel) {
    fail_schema("attribute-value", "kernel_shape differs from w " + w.text(), "must be w's spatial shape");
  }
  result.axes = placed_windows(spatial, {.auto_pad = call.text_or("auto_pad", "NOTSET"), .kernel = kernel,
                                         .strides = call.integers("strides"), .dilations = call.integers("dilations"),
                                         .pads = call.integers("pads")});
  result.channels = w[1];
  result.filters = w[0] / result.groups;
  result.out = {x[0], w[0]};
  for (const WindowAxis& axis : result.axes) result.out.push_back(axis.output);
  return result;
}

// Spec: padding adds nothing: what is padded are the differences from the zero point, so a padded x holds x_zero_point, not 0.
Tensor integer_convolution(const OpCall& call, const Tensor& x, const Tensor* x_zero, const Tensor& w, const Tensor* w_zero) {
  const Convolution conv = convolution_of(call, x.shape(), w.shape());
  const Tensor x_zeros = x_zero == nullptr ? Tensor() : scalar(*x_zero, "x_zero_point");
  const Tensor w_zeros = w_zero == nullptr ? Tensor() : along_channels(*w_zero, "w_zero_point", w.shape()[0], w.rank(), 0);
  const Tensor image = centred(x, x_zero == nullptr ? nullptr : &x_zeros);
  const Tensor kernel = centred(w, w_zero == nullptr ? nullptr : &w_zeros);
  Tensor y(DType::kInt32, conv.out);
  if (y.size() == 0) return y;
  const PatchLayout layout(window_offsets(conv.axes));
  const int64_t outputs = conv.out.elements(2, conv.out.rank()), length = w.shape().elements(1, w.rank());
  const int64_t image_part = conv.channels * x.shape().elements(2, x.rank());
  for (int64_t part = 0; part < x.shape()[0] * conv.groups; ++part) {
    const int64_t group = part % conv.groups;
    const StridedVectors filters(kernel, static_cast<size_t>(conv.filters), static_cast<size_t>(length),
                                 group * conv.filters * length, length, 1);
    const PatchVectors patches(image, static_cast<size_t>(part * image_part), static_cast<size_t>(conv.channels), layout);
    multiply(filters, patches, {&y, part * conv.filters * outputs, outputs, 1, target_of(DType::kInt32)});
  }
  return y;
}

Tensor conv_integer_10(const OpCall& call) {
  return integer_convolution(call, call.tensor("x"), call.optional_tensor("x_zero_point"), call.tensor("w"),
                             call.optional_tensor("w_zero_point"));
}

// The bias, one int32 per output channel, added modulo 2^32: its scale is that of the products, its zero point 0.
void add_bias(const Tensor& bias, Tensor* products) {
  const Shape& shape = products->shape();
  if (bias.shape() != Shape{shape[1]}) {
    fail_schema("shape-mismatch", "B is " + bias.shape().text(), "must be [" + std::to_string(shape[1]) + "]");
  }
  const std::span<const uint32_t> from = bias.as<uint32_t>();
  const std::span<uint32_t> sums = products->mutable_as<uint32_t>();
  const size_t plane = static_cast<size_t>(shape.elements(2, shape.rank()));
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += from[i / plane % from.size()];
}

Tensor qlinear_conv_10(const OpCall& call) {
  const Tensor& x = call.tensor("x");
  const Tensor& w = call.tensor("w");
  for (const char* operand : {"x", "w", "y"}) {
    const std::string scale = std::string(operand) + "_scale", zero = std::string(operand) + "_zero_point";
    check_zero_point(call, call.tensor(scale).shape(), call.tensor(zero).shape(), scale + " and " + zero);
  }
  Tensor products = integer_convolution(call, x, &call.tensor("x_zero_point"), w, &call.tensor("w_zero_point"));
  if (const Tensor* bias = call.optional_tensor("B")) add_bias(*bias, &products);
  return requantized(call, products,
                     {scalar(call.tensor("x_scale"), "x_scale"),
                      along_channels(call.tensor("w_scale"), "w_scale", w.shape()[0], x.rank(), 1),
                      scalar(call.tensor("y_scale"), "y_scale"), scalar(call.tensor("y_zero_point"), "y_zero_point")});
}

}  // namespace

extern const Operator kConvInteger, kQLinearConv;
const Operator kConvInteger{"ai.onnx", "ConvInteger", {{.since = 10, .run = conv_integer_10}}};
const Operator kQLinearConv{"ai.onnx", "QLinearConv", {{.since = 10, .run = qlinear_conv_10}}};

}  // namespace onnxv
