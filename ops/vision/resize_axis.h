// How an axis is resized, and where its output positions lie in the input.
#pragma once

#include <cstdint>
#include <string>

#include "ops/vision/positions.h"
#include "src/number/rational.h"

namespace onnxv {

inline const Rational kHalf(BigInt(1), BigInt(2));

// How one axis is resized.
struct Axis {
  int64_t in = 0, out = 0;
  Rational scale{1};
  Rational fractional_out;  // in * scale where scales are given, else out
  Rational roi_start{0}, roi_end{1};
  bool resized = false;
};

struct Modes {
  std::string mode = "nearest", coordinates = "half_pixel", nearest = "round_prefer_floor";
  Rational cubic_a;
  bool exclude_outside = false, antialias = false;
};

inline bool is_identity(const Axis& axis, const Modes& modes) {
  const bool crops = modes.coordinates == "tf_crop_and_resize";
  const bool whole_roi = axis.roi_start == Rational(0) && axis.roi_end == Rational(1);
  return !axis.resized || (axis.scale == Rational(1) && axis.in == axis.out && (!crops || whole_roi));
}

// x_original of output index x, read as the exact number or as what a backend may make of it.
template <class Number>
Number coordinate(const Axis& axis, const Modes& modes, int64_t index) {
  const auto number = [](const Rational& exact) { return as<Number>(exact); };
  const Number x = number(index), in = number(axis.in), scale = number(axis.scale), half = number(kHalf), one = number(1);
  const std::string& mode = modes.coordinates;
  if (mode == "half_pixel") return (x + half) / scale - half;
  if (mode == "half_pixel_symmetric") {
    // Spec: the length that a scale makes of the axis may be a fraction, be the scale given or that of an aspect ratio.
    const Number adjustment = number(axis.out) / (in * scale);
    return in * half * (one - adjustment) + (x + half) / scale - half;
  }
  if (mode == "pytorch_half_pixel") return axis.out > 1 ? (x + half) / scale - half : number(0);
  if (mode == "asymmetric") return x / scale;
  if (mode == "tf_half_pixel_for_nn") return (x + half) / scale;
  // Official data: with scales the resized length is the fractional one.
  const bool single = axis.fractional_out == Rational(1);
  const Number rest = number(axis.fractional_out) - one;
  if (mode == "align_corners") return axis.out <= 1 || single ? number(0) : x * (in - one) / rest;
  // tf_crop_and_resize
  const Number last = in - one, start = number(axis.roi_start), end = number(axis.roi_end);
  if (axis.out > 1 && !single) return start * last + x * (end - start) * last / rest;
  return half * (start + end) * last;
}

}  // namespace onnxv
