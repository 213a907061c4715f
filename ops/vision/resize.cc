// Resize (10, 11, 13, 18, 19) and Upsample (1, 7, 9, 10): every coordinate and weight is an exact rational.
//   since 10  scales only; asymmetric coordinates, nearest or linear
//   since 11  roi, scales or sizes; coordinate and nearest modes, cubic, exclude_outside, extrapolation
//   since 18  antialias, axes, keep_aspect_ratio_policy (19: half_pixel_symmetric)
#include <algorithm>
#include <optional>

#include "ops/operator.h"
#include "ops/vision/nearest_choices.h"
#include "ops/vision/resampling.h"
#include "ops/vision/resize_axis.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Rational exact(int64_t value) { return Rational(value); }

int64_t nearest_index(const Rational& x, const std::string& mode) {
  if (mode == "floor") return x.floor_int64();
  if (mode == "ceil") return x.ceil_int64();
  if (mode == "round_prefer_floor") return (x - kHalf).ceil_int64();
  return (x + kHalf).floor_int64();  // round_prefer_ceil
}

Rational magnitude(const Rational& t) { return t.sign() < 0 ? -t : t; }

Rational kernel(const Rational& distance, const Modes& modes) {
  const Rational t = magnitude(distance), one(1), zero(0);
  if (modes.mode == "linear") return t < one ? one - t : zero;
  const Rational& a = modes.cubic_a;
  if (t <= one) return ((a + Rational(2)) * t - (a + Rational(3))) * t * t + one;
  if (t < Rational(2)) return ((a * t - Rational(5) * a) * t + Rational(8) * a) * t - Rational(4) * a;
  return zero;
}

AxisSample mixed_sample(const Axis& axis, const Modes& modes, const Rational& x) {
  const Rational one(1);
  const bool stretched = modes.antialias && axis.scale < one;
  const Rational shrink = stretched ? axis.scale : one;
  const Rational support = Rational(modes.mode == "linear" ? 1 : 2) / shrink;
  // A scale may be far smaller than what a region of interest leaves of the axis says.
  if (support > Rational(int64_t{1} << 24)) fail_limit("resize-taps", "an element mixes more than 2^24 neighbours");
  std::vector<int64_t> indices;
  std::vector<Rational> weights;
  Rational total(0);
  for (int64_t j = (x - support).ceil_int64(); j <= (x + support).floor_int64(); ++j) {
    const Rational weight = kernel((exact(j) - x) * shrink, modes);
    if (weight.sign() == 0) continue;
    indices.push_back(j);
    weights.push_back(weight);
    total = total + weight;
  }
  if (stretched && total.sign() != 0) {
    for (Rational& weight : weights) weight = weight / total;
  }
  if (modes.exclude_outside) {
    Rational inside(0);
    for (size_t k = 0; k < indices.size(); ++k) {
      if (indices[k] < 0 || indices[k] >= axis.in) weights[k] = Rational(0);
      inside = inside + weights[k];
    }
    if (inside.sign() != 0) {
      for (Rational& weight : weights) weight = weight / inside;
    }
  }
  for (int64_t& j : indices) j = std::clamp<int64_t>(j, 0, axis.in - 1);
  // Choice: a neighbour whose weight is exactly 0 takes no part, so that an infinity beside a pixel that is hit stays there. Those
  // that are clamped to one pixel stay terms of their own: infinity under cubic weights of both signs is NaN.
  return joined_sample(indices, weights, Weightless::kLeftOut);
}

// Every position keeps its weights while the others are made.
void check_positions(const Axis& axis) {
  constexpr int64_t kMost = int64_t{1} << 24;
  if (axis.out <= kMost) return;
  fail_limit("resized-length", "an axis is resized to " + std::to_string(axis.out), "must be at most " + std::to_string(kMost));
}

AxisSampling sampling_of(const Axis& axis, const Modes& modes) {
  const bool crops = modes.coordinates == "tf_crop_and_resize";
  if (is_identity(axis, modes)) return identity_sampling(axis.out);
  AxisSampling sampling;
  check_positions(axis);
  const Rational last = exact(axis.in - 1);
  for (int64_t i = 0; i < axis.out; ++i) {
    const Rational x = coordinate<Rational>(axis, modes, i);
    AxisSample sample;
    if (crops && (x.sign() < 0 || x > last)) {
      sample.outside = true;
    } else if (modes.mode == "nearest") {
      sample = {{std::clamp<int64_t>(nearest_index(x, modes.nearest), 0, axis.in - 1)}, {BigInt(1)}, BigInt(1), false};
    } else {
      sample = mixed_sample(axis, modes, x);
    }
    sampling.positions.push_back(std::move(sample));
  }
  return sampling;
}

// A complex tensor componentwise: the parts are one more axis.
Tensor parts_of(const Tensor& x) {
  Shape shape = x.shape();
  shape.push_back(2);
  Tensor parts(x.dtype() == DType::kComplex64 ? DType::kFloat : DType::kDouble, shape);
  std::copy(x.bytes().begin(), x.bytes().end(), parts.mutable_bytes().begin());
  return parts;
}
Tensor joined_parts(const Tensor& parts, DType dtype) {
  Shape shape = parts.shape();
  shape.erase(shape.rank() - 1);
  Tensor y(dtype, shape);
  std::copy(parts.bytes().begin(), parts.bytes().end(), y.mutable_bytes().begin());
  if (parts.bounds() != nullptr) y.mutable_bounds() = *parts.bounds();
  return y;
}

// Picks by positions; one set of nearest modes for each axis.
Tensor picked(const Tensor& x, const std::vector<Axis>& axes, const std::vector<Modes>& modes, double extrapolation_value) {
  std::vector<AxisSampling> samplings;
  for (size_t k = 0; k < axes.size(); ++k) samplings.push_back(sampling_of(axes[k], modes[k]));
  Tensor y = pick(x, samplings, extrapolation_value);
  if (is_complex(x.dtype()) && ToleranceScope::current() != nullptr) {
    std::vector<Axis> with_parts = axes;
    std::vector<Modes> each = modes;
    with_parts.push_back({.in = 2, .out = 2, .fractional_out = Rational(2)});
    each.emplace_back();
    Tensor parts = parts_of(y);
    bound_nearest(&parts, parts_of(x), with_parts, each, 0);
    return joined_parts(parts, x.dtype());
  }
  bound_nearest(&y, x, axes, modes, extrapolation_value);
  return y;
}

// Integers round to nearest even and saturate; floats as always.
Target resize_target(DType dtype) {
  if (!is_float(dtype) && !is_integer(dtype)) return {};  // only picked
  Target target = target_of(dtype);
  if (is_integer(dtype)) {
    target.rounding = Rounding::kNearestEven;
    target.overflow = Overflow::kSaturate;
  }
  return target;
}

Tensor resized(const Tensor& x, const std::vector<Axis>& axes, const Modes& modes, Target target, double extrapolation_value) {
  std::vector<AxisSampling> samplings;
  Shape out;
  for (const Axis& axis : axes) out.push_back(axis.out);
  const bool empty = out.elements() == 0;
  for (const Axis& axis : axes) {
    if (!empty && axis.in == 0) fail_undefined("size", "an empty axis is resized to " + std::to_string(axis.out), "needs an element");
  }
  if (empty) return Tensor(x.dtype(), out);
  const bool mixes = modes.mode != "nearest";
  const bool number = is_float(x.dtype()) || is_integer(x.dtype());
  if (mixes && !number && !is_complex(x.dtype())) {
    fail_schema("attribute-value", "mode is \"" + modes.mode + "\" for " + std::string(dtype_name(x.dtype())), "must be nearest");
  }
  if (!mixes) return picked(x, axes, std::vector<Modes>(axes.size(), modes), extrapolation_value);
  for (const Axis& axis : axes) samplings.push_back(sampling_of(axis, modes));
  if (!is_complex(x.dtype())) return resample(x, samplings, target, extrapolation_value);
  samplings.push_back(identity_sampling(2));
  return joined_parts(resample(parts_of(x), samplings, target_of(parts_of(x).dtype()), extrapolation_value), x.dtype());
}

[[noreturn]] void fail_value(std::string_view attribute, const std::string& value) {
  fail_schema("attribute-value", std::string(attribute) + " is \"" + value + "\"", "is not one of the values that the text lists");
}

bool is_one_of(const std::string& value, std::initializer_list<const char*> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

Modes modes_of(const OpCall& call) {
  Modes modes;
  modes.mode = call.text("mode");
  modes.coordinates = call.text("coordinate_transformation_mode");
  modes.nearest = call.text("nearest_mode");
  const double cubic_a = call.real("cubic_coeff_a");
  if (!is_finite(cubic_a)) fail_schema("attribute-value", "cubic_coeff_a is " + std::to_string(cubic_a), "must be finite");
  modes.cubic_a = Rational::from_double(cubic_a);
  modes.exclude_outside = call.integer("exclude_outside") != 0;
  modes.antialias = call.integer_or("antialias", 0) != 0;
  if (!is_one_of(modes.mode, {"nearest", "linear", "cubic"})) fail_value("mode", modes.mode);
  if (!is_one_of(modes.nearest, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})) {
    fail_value("nearest_mode", modes.nearest);
  }
  bool known = is_one_of(modes.coordinates, {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"});
  known = known || (modes.coordinates == "tf_half_pixel_for_nn" && call.since_version() == 11);
  known = known || (modes.coordinates == "half_pixel_symmetric" && call.since_version() >= 19);
  if (!known) fail_value("coordinate_transformation_mode", modes.coordinates);
  if (modes.antialias && modes.mode == "nearest") {
    fail_schema("attribute-value", "antialias is 1 with mode nearest", "needs linear or cubic");
  }
  return modes;
}

Rational positive_scale(double scale) {
  if (!(scale > 0) || scale - scale != 0) fail_undefined("scale", "a scale is " + std::to_string(scale), "must be positive and finite");
  return Rational::from_double(scale);
}

// Choice: floor(in * scale) is exact; where the float32 product says otherwise, the user is told.
int64_t scaled_length(const OpCall& call, int64_t in, const Rational& factor, double scale) {
  const int64_t out = (exact(in) * factor).floor_int64();
  const Rational product = Rational::from_double(static_cast<double>(in)) * Rational::from_double(scale);
  const uint64_t rounded = product.encode(kFloat32, Rounding::kNearestEven, Overflow::kInfinity);
  const Rational in_float32 = Rational::from_double(decode(kFloat32, rounded));
  if (product == exact(in) * factor && in_float32.floor_int64() != out) {
    call.warn("an axis of " + std::to_string(in) + " becomes " + std::to_string(out) + "; a float32 product gives " +
              std::to_string(in_float32.floor_int64()));
  }
  return out;
}

const Tensor* given(const OpCall& call, std::string_view port) {
  const Tensor* tensor = call.optional_tensor(port);
  return tensor != nullptr && tensor->size() != 0 ? tensor : nullptr;
}

void check_count(const Tensor& tensor, size_t count, std::string_view port) {
  if (tensor.size() != count) {
    fail_schema("shape-mismatch", std::string(port) + " has " + std::to_string(tensor.size()) + " elements",
                "must have " + std::to_string(count));
  }
}

std::vector<int64_t> resized_axes(const OpCall& call, int64_t rank) {
  std::vector<int64_t> axes = call.has_attribute("axes") ? call.integers("axes") : std::vector<int64_t>{};
  if (axes.empty()) {
    for (int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  for (int64_t& axis : axes) axis = normalized_axis(axis, rank, "axes");
  std::vector<int64_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    fail_schema("attribute-value", "axes names an axis twice", "must name each axis once");
  }
  return axes;
}

void size_by_scales(const OpCall& call, const Tensor& scales, const std::vector<int64_t>& order, bool crops, std::vector<Axis>* axes) {
  check_count(scales, order.size(), "scales");
  const std::vector<double> values = double_values(scales);
  for (size_t k = 0; k < order.size(); ++k) {
    Axis& axis = (*axes)[static_cast<size_t>(order[k])];
    axis.scale = positive_scale(values[k]);
    const Rational roi = crops ? axis.roi_end - axis.roi_start : Rational(1);
    axis.out = std::max<int64_t>(0, scaled_length(call, axis.in, roi * axis.scale, values[k]));
    axis.fractional_out = exact(axis.in) * roi * axis.scale;
  }
}

void size_by_sizes(const OpCall& call, const Tensor& sizes, const std::vector<int64_t>& order, std::vector<Axis>* axes) {
  check_count(sizes, order.size(), "sizes");
  const std::vector<int64_t> values = int64_values(sizes);
  for (const int64_t size : values) {
    if (size < 0) fail_undefined("size", "a size is " + std::to_string(size), "must not be negative");
  }
  const std::string policy = call.text_or("keep_aspect_ratio_policy", "stretch");
  if (!is_one_of(policy, {"stretch", "not_larger", "not_smaller"})) fail_value("keep_aspect_ratio_policy", policy);
  std::optional<Rational> common;
  for (size_t k = 0; k < order.size() && policy != "stretch"; ++k) {
    const Axis& axis = (*axes)[static_cast<size_t>(order[k])];
    if (axis.in == 0) continue;
    const Rational ratio = exact(values[k]) / exact(axis.in);
    if (!common || (policy == "not_larger" ? ratio < *common : ratio > *common)) common = ratio;
  }
  for (size_t k = 0; k < order.size(); ++k) {
    Axis& axis = (*axes)[static_cast<size_t>(order[k])];
    axis.out = common ? (exact(axis.in) * *common + kHalf).floor_int64() : values[k];
    axis.fractional_out = exact(axis.out);
    if (axis.in != 0 && axis.out != 0) axis.scale = common ? *common : exact(axis.out) / exact(axis.in);
  }
}

Tensor resize_11(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Modes modes = modes_of(call);
  const std::vector<int64_t> order = resized_axes(call, x.rank());
  std::vector<Axis> axes(static_cast<size_t>(x.rank()));
  for (int64_t i = 0; i < x.rank(); ++i) {
    Axis& axis = axes[static_cast<size_t>(i)];
    axis.in = axis.out = x.shape()[i];
    axis.fractional_out = exact(axis.in);
  }
  for (const int64_t axis : order) axes[static_cast<size_t>(axis)].resized = true;
  const bool crops = modes.coordinates == "tf_crop_and_resize";
  if (crops) {
    const Tensor* roi = given(call, "roi");
    if (roi == nullptr) fail_schema("input-missing", "roi is absent", "tf_crop_and_resize needs it");
    check_count(*roi, 2 * order.size(), "roi");
    const std::vector<double> values = double_values(*roi);
    for (size_t k = 0; k < order.size(); ++k) {
      Axis& axis = axes[static_cast<size_t>(order[k])];
      const double start = values[k], end = values[k + order.size()];
      if (start - start != 0 || end - end != 0) fail_undefined("roi", "roi is not finite", "must be");
      axis.roi_start = Rational::from_double(start);
      axis.roi_end = Rational::from_double(end);
    }
  }
  const Tensor* scales = given(call, "scales");
  const Tensor* sizes = given(call, "sizes");
  if ((scales != nullptr) == (sizes != nullptr)) {
    if (x.rank() == 0 || order.empty()) return x;
    fail_schema("input-missing", scales != nullptr ? "scales and sizes are both given" : "neither scales nor sizes is given",
                "exactly one is needed");
  }
  if (scales != nullptr) {
    size_by_scales(call, *scales, order, crops, &axes);
  } else {
    size_by_sizes(call, *sizes, order, &axes);
  }
  return resized(x, axes, modes, resize_target(x.dtype()), call.real("extrapolation_value"));
}

// ---- scales alone: Resize-10 and Upsample ----

Tensor scaled(const OpCall& call, const Tensor& x, const std::vector<double>& scales, const std::string& mode, bool shrinks, Target target) {
  if (!is_one_of(mode, {"nearest", "linear"})) fail_value("mode", mode);
  if (scales.size() != static_cast<size_t>(x.rank())) {
    fail_schema("shape-mismatch", "scales has " + std::to_string(scales.size()) + " elements", "must have " + std::to_string(x.rank()));
  }
  Modes modes;
  modes.mode = mode;
  modes.coordinates = "asymmetric";
  std::vector<Axis> axes;
  Shape out;
  for (size_t k = 0; k < scales.size(); ++k) {
    Axis axis;
    axis.in = x.shape()[static_cast<int64_t>(k)];
    axis.scale = positive_scale(scales[k]);
    if (!shrinks && axis.scale < Rational(1)) fail_undefined("scale", "a scale is below 1", "Upsample never shrinks");
    axis.out = scaled_length(call, axis.in, axis.scale, scales[k]);
    axis.fractional_out = exact(axis.in) * axis.scale;
    axis.resized = true;
    axes.push_back(axis);
    out.push_back(axis.out);
  }
  if (mode == "linear") return resized(x, axes, modes, target, 0.0);
  if (out.elements() == 0) return Tensor(x.dtype(), out);
  std::vector<Modes> each;
  for (const Axis& axis : axes) {
    // Official data: Resize-10 rounds down when it enlarges and up when it shrinks.
    modes.nearest = axis.scale < Rational(1) ? "ceil" : "floor";
    each.push_back(modes);
  }
  return picked(x, axes, each, 0.0);
}

std::vector<double> scales_input(const OpCall& call) { return double_values(call.tensor("scales")); }

Tensor resize_10(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  return scaled(call, x, scales_input(call), call.text("mode"), true, resize_target(x.dtype()));
}

std::string upsample_mode(const OpCall& call) {
  const std::string mode = call.text_or("mode", "nearest");
  return mode == "bilinear" ? "linear" : mode;
}

// Integers are truncated toward zero.
Target upsample_target(DType dtype) { return is_float(dtype) || is_integer(dtype) ? target_of(dtype) : Target{}; }

Tensor upsample_1(const OpCall& call) {
  const Tensor& x = call.inputs()[0].tensor();
  if (x.rank() != 4) fail_schema("rank", "X is " + x.shape().text(), "must have rank 4");
  const std::vector<double> scales{1.0, 1.0, call.real("height_scale"), call.real("width_scale")};
  return scaled(call, x, scales, upsample_mode(call), false, upsample_target(x.dtype()));
}
Tensor upsample_7(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const std::vector<float> scales = call.reals("scales");
  return scaled(call, x, std::vector<double>(scales.begin(), scales.end()), upsample_mode(call), false, upsample_target(x.dtype()));
}
Tensor upsample_9(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  return scaled(call, x, scales_input(call), upsample_mode(call), false, upsample_target(x.dtype()));
}

}  // namespace

extern const Operator kResize, kUpsample;
const Operator kResize{"ai.onnx", "Resize",
                       {{.since = 10, .run = resize_10}, {.since = 11, .also = {13, 18, 19}, .run = resize_11}}};
const Operator kUpsample{"ai.onnx", "Upsample",
                         {{.since = 1, .run = upsample_1},
                          {.since = 7, .run = upsample_7},
                          {.since = 9, .also = {10}, .run = upsample_9}}};

}  // namespace onnxv
