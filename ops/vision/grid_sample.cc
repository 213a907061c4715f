// GridSample: X read at positions that a grid gives, by nearest, N-linear or N-cubic interpolation.
//   since 16  images only; modes nearest, bilinear, bicubic
//   since 20  any number of spatial axes; modes nearest, linear, cubic (22: more types)
#include "src/number/formula.h"

namespace onnxv {
namespace {

// w[i]: the weight of tap i for a point at t in [0, 1) behind the second of four taps, or the first
// of two. Cubic: Keys' kernel with a = -3/4, factored; a weight of 0 is +0, as 1 - 1 is in the kernel.
template <class Real>
void weigh(const Real& t, std::vector<Real>* w) {
  const Real u = Real(1.0) - t;
  if (w->size() == 2) {
    (*w)[0] = u;
    (*w)[1] = t;
    return;
  }
  (*w)[0] = Real(0.0) - Real(0.75) * t * u * u;
  (*w)[1] = u * (Real(1.0) + t - Real(1.25) * t * t);
  (*w)[2] = t * (Real(1.0) + u - Real(1.25) * u * u);
  (*w)[3] = Real(0.0) - Real(0.75) * u * t * t;
}

// Options: taps per axis. data: row-major over the taps of all axes; t: one per axis.
constexpr auto interpolate = []<class Real>(Options options, In<Real> data, In<Real> t,
                                            Out<Real> y) {
  const size_t taps = static_cast<size_t>(options[0]);
  std::vector<Real> left(data.begin(), data.end()), weights(taps);
  for (size_t axis = t.size(); axis-- > 0;) {
    weigh(t[axis], &weights);
    std::vector<Real> sums(left.size() / taps);
    for (size_t row = 0; row < sums.size(); ++row) {
      sums[row] = dot(In<Real>{left.data() + row * taps, taps}, In<Real>{weights.data(), taps});
    }
    left = sums;
  }
  y[0] = left[0];
};

}  // namespace
LINE_FORMULA(kInterpolateFormula, interpolate, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <array>
#include <limits>

#include "ops/operator.h"
#include "ops/vision/positions.h"
#include "src/kernel/remaining_bounds.h"
#include "src/number/exact_operands.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

enum class Mode { kNearest, kLinear, kCubic };
enum class Padding { kZeros, kBorder, kReflection };

struct Sampler {
  Mode mode;
  Padding padding;
  bool align_corners;
  size_t taps() const { return mode == Mode::kNearest ? 1 : mode == Mode::kLinear ? 2 : 4; }
};

Sampler sampler_of(const OpCall& call) {
  Sampler sampler{};
  const std::string mode = call.text("mode"), padding = call.text("padding_mode");
  // The names of both versions mean the same.
  if (mode == "nearest") {
    sampler.mode = Mode::kNearest;
  } else if (mode == "linear" || mode == "bilinear") {
    sampler.mode = Mode::kLinear;
  } else if (mode == "cubic" || mode == "bicubic") {
    sampler.mode = Mode::kCubic;
  } else {
    fail_schema("attribute-value", "mode is \"" + mode + "\"", "must be nearest, linear or cubic");
  }
  if (padding == "zeros") {
    sampler.padding = Padding::kZeros;
  } else if (padding == "border") {
    sampler.padding = Padding::kBorder;
  } else if (padding == "reflection") {
    sampler.padding = Padding::kReflection;
  } else {
    fail_schema("attribute-value", "padding_mode is \"" + padding + "\"",
                "must be zeros, border or reflection");
  }
  const int64_t corners = call.integer("align_corners");
  if (corners != 0 && corners != 1)
    fail_schema("attribute-value", "align_corners is " + std::to_string(corners), "must be 0 or 1");
  sampler.align_corners = corners == 1;
  return sampler;
}

// One coordinate on one axis: the taps' indices (-1: a padded zero) and the distance behind the tap
// before it.
struct Place {
  std::array<int64_t, 4> at{-1, -1, -1, -1};
  Rational t{0};
  bool nan = false;
};

// The index that a tap outside reads. Reflection turns at the outermost pixels' centres
// (align_corners) or outer edges.
int64_t padded(int64_t index, int64_t dim, const Sampler& sampler) {
  if (index >= 0 && index < dim) return index;
  if (sampler.padding == Padding::kZeros) return -1;
  if (sampler.padding == Padding::kBorder) return std::clamp<int64_t>(index, 0, dim - 1);
  const int64_t period = sampler.align_corners ? 2 * (dim - 1) : 2 * dim;
  if (period == 0) return 0;
  const int64_t at = ((index % period) + period) % period;
  if (at < dim) return at;
  return sampler.align_corners ? period - at : period - 1 - at;
}

// The same pixels near the input: far away zeros and borders go on for ever, and reflections
// repeat.
Rational brought_near(const Rational& x, int64_t dim, const Sampler& sampler) {
  if (sampler.padding != Padding::kReflection) {
    const Rational least(-8), most(dim + 8);
    return x < least ? least : x > most ? most : x;
  }
  const int64_t period = sampler.align_corners ? 2 * (dim - 1) : 2 * dim;
  if (period == 0) return x - Rational(x.floor(), BigInt(1));
  return x - Rational((x / Rational(period)).floor() * BigInt(period), BigInt(1));
}

Place place_of(double g, int64_t dim, const Sampler& sampler) {
  Place place;
  // Choice: an infinite position has no reflection.
  if (g != g || (!is_finite(g) && sampler.padding == Padding::kReflection)) {
    place.nan = true;
    return place;
  }
  if (dim == 0) return place;
  Rational x(g < 0 ? -8 : dim + 8);
  if (is_finite(g)) {
    const Rational shifted = Rational::from_double(g) + Rational(1), half(BigInt(1), BigInt(2));
    x = sampler.align_corners ? shifted * half * Rational(dim - 1)
                              : (shifted * Rational(dim) - Rational(1)) * half;
    x = brought_near(x, dim, sampler);
  }
  if (sampler.mode == Mode::kNearest) {
    place.at[0] = padded(static_cast<int64_t>(x.nearest_even().low_bits()), dim, sampler);
    return place;
  }
  const int64_t below = x.floor_int64();
  place.t = x - Rational(below);
  const int64_t before = sampler.mode == Mode::kCubic ? 1 : 0;
  // Choice: every neighbour is a term of the sum, also where its weight is 0: an infinity there makes NaN.
  for (int64_t i = 0; i < static_cast<int64_t>(sampler.taps()); ++i) {
    place.at[static_cast<size_t>(i)] = padded(below + i - before, dim, sampler);
  }
  return place;
}

// Nearest mode under a ToleranceScope: all that a backend may pick, its position rounded as it computes it.
struct NearPlace {
  std::vector<int64_t> at;
  double to_step = std::numeric_limits<double>::infinity();
  bool likely = false;
};

ModelReal computed_position(double g, int64_t dim, const Sampler& sampler) {
  const ModelReal one(1.0), half(0.5), shifted = ModelReal::operand(g) + one;
  if (!sampler.align_corners) return (shifted * ModelReal(static_cast<double>(dim)) - one) * half;
  const ModelReal last(static_cast<double>(dim - 1));
  ModelReal x = shifted * half * last;
  join(&x, shifted * last * half);
  return x;
}

NearPlace near_place_of(double g, int64_t dim, const Sampler& sampler) {
  const Place exact = place_of(g, dim, sampler);
  NearPlace place{{exact.at[0]}};
  if (exact.nan || !is_finite(g) || dim == 0) return place;
  // Reflections repeat; zeros and borders go on for ever.
  const int64_t far = sampler.padding == Padding::kReflection ? int64_t{1} << 53 : dim;
  const Steps steps = steps_of(nearest_even(computed_position(g, dim, sampler)), -far, far);
  place.to_step = steps.to_step;
  place.likely = steps.likely;
  for (int64_t index = steps.low; index <= std::min(steps.high, steps.low + 2 * dim); ++index) {
    const int64_t at = padded(index, dim, sampler);
    if (std::find(place.at.begin(), place.at.end(), at) == place.at.end()) place.at.push_back(at);
  }
  return place;
}

struct Geometry {
  Shape out;                 // N, C, spatial
  int64_t channels, points;  // points of one image
  size_t axes;
  std::vector<int64_t> strides;  // of X
  std::vector<Place> places;     // [N][points][axes], outermost axis first
  bool nan(int64_t image, int64_t point) const {
    const auto first = places.begin() + (image * points + point) * static_cast<int64_t>(axes);
    return std::any_of(first, first + static_cast<int64_t>(axes),
                       [](const Place& place) { return place.nan; });
  }
  // The position in X of one tap of an output element; -1 for a padded zero.
  int64_t position(int64_t image, int64_t channel, int64_t point, const size_t* taps) const {
    const Place* place = &places[static_cast<size_t>(image * points + point) * axes];
    int64_t at = image * strides[0] + channel * strides[1];
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t index = place[axis].nan ? -1 : place[axis].at[taps[axis]];
      if (index < 0) return -1;
      at += index * strides[axis + 2];
    }
    return at;
  }
};

void check_shapes(const Shape& x, const Shape& grid, int since) {
  const int64_t rank = x.rank();
  if (since < 20 && rank != 4) fail_schema("rank", "X is " + x.text(), "must have rank 4");
  if (rank < 3) fail_schema("rank", "X is " + x.text(), "must have rank 3 or more");
  if (grid.rank() != rank || grid[0] != x[0] || grid.back() != rank - 2) {
    fail_schema("shape-mismatch", "grid is " + grid.text() + " for X " + x.text(),
                "must be [" + std::to_string(x[0]) + ", …, " + std::to_string(rank - 2) + "]");
  }
}

Geometry geometry_of(const Tensor& x, const Tensor& grid, const Sampler& sampler) {
  Geometry geometry;
  const int64_t rank = x.rank();
  geometry.axes = static_cast<size_t>(rank - 2);
  geometry.channels = x.shape()[1];
  geometry.points = grid.shape().elements(1, rank - 1);
  geometry.strides = strides_of(x.shape());
  geometry.out = grid.shape();
  geometry.out.insert(1, geometry.channels);
  geometry.out.erase(rank);
  if (geometry.out.elements() == 0) return geometry;
  if (x.shape().elements(2, rank) == 0 && sampler.padding != Padding::kZeros) {
    fail_schema("shape-mismatch", "X is " + x.shape().text(), "padding needs a pixel");
  }
  std::vector<double> values(grid.size());
  decode_elements(grid, 0, values.size(), values.data());
  geometry.places.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t axis = i % geometry.axes, first = i - axis;
    // The grid names the innermost axis first.
    geometry.places.push_back(place_of(values[first + geometry.axes - 1 - axis],
                                       x.shape()[static_cast<int64_t>(axis) + 2], sampler));
  }
  return geometry;
}

struct Element {
  int64_t image, channel, point;
};
Element element_of(const Geometry& geometry, size_t number) {
  const int64_t at = static_cast<int64_t>(number), channel = at / geometry.points;
  return {channel / geometry.channels, channel % geometry.channels, at % geometry.points};
}

Tensor picked(const Tensor& x, const Geometry& geometry) {
  std::vector<int64_t> source(static_cast<size_t>(geometry.out.elements()));
  const std::vector<size_t> taps(geometry.axes, 0);
  for (size_t i = 0; i < source.size(); ++i) {
    const Element e = element_of(geometry, i);
    source[i] = geometry.position(e.image, e.channel, e.point, taps.data());
  }
  return gather_elements(x, geometry.out, source);
}

// What a backend may pick whose positions are rounded by the grid's own arithmetic.
void bound_picked(Tensor* y, const Tensor& x, const Tensor& grid, const Geometry& geometry, const Sampler& sampler) {
  const ToleranceModel* tolerance = ToleranceScope::current();
  if (tolerance == nullptr) return;
  const Target target = target_of(grid.dtype());
  const ArithmeticScope arithmetic(*tolerance, compute_type_of(*tolerance, std::span(&target, 1)));
  std::vector<double> values(grid.size());
  decode_elements(grid, 0, values.size(), values.data());
  const size_t axes = geometry.axes;
  bound_choices(y, x, 0, [&](size_t number, Choices* choices) {
    const Element e = element_of(geometry, number);
    const size_t first = static_cast<size_t>(e.image * geometry.points + e.point) * axes;
    choices->positions = {e.image * geometry.strides[0] + e.channel * geometry.strides[1]};
    for (size_t axis = 0; axis < axes; ++axis) {
      const NearPlace place = near_place_of(values[first + axes - 1 - axis], x.shape()[static_cast<int64_t>(axis) + 2], sampler);
      if (place.at.size() > 1) choices->to_step = std::min(choices->to_step, place.to_step);
      choices->likely = choices->likely || (place.likely && place.at.size() > 1);
      std::vector<int64_t> next;
      for (const int64_t at : place.at) {
        for (const int64_t position : choices->positions) {
          next.push_back(at < 0 || position < 0 ? -1 : position + at * geometry.strides[axis + 2]);
        }
      }
      choices->positions = std::move(next);
    }
  });
}

// `parts` numbers make one element of X: 2 for complex types, whose parts `x` holds one by one.
Tensor interpolated(const Tensor& x, const Geometry& geometry, const Sampler& sampler,
                    size_t parts) {
  Shape shape = geometry.out;
  if (parts == 2) shape.push_back(2);
  Tensor y(x.dtype(), shape);
  const size_t per_axis = sampler.taps();
  size_t taps = 1;
  for (size_t axis = 0; axis < geometry.axes; ++axis) {
    taps *= per_axis;
    if (taps > (size_t{1} << 20))
      fail_limit("taps", "an element mixes " + std::to_string(taps) + " neighbours",
                 "must be at most 2^20");
  }
  LineJob job(kInterpolateFormula, y.size());
  job.gathered(x, taps, [&](size_t line, int64_t* at) {
    const Element e = element_of(geometry, line / parts);
    std::vector<size_t> tap(geometry.axes);
    for (size_t i = 0; i < taps; ++i) {
      size_t rest = i;
      for (size_t axis = geometry.axes; axis-- > 0; rest /= per_axis) tap[axis] = rest % per_axis;
      const int64_t position = geometry.position(e.image, e.channel, e.point, tap.data());
      at[i] = position < 0
                  ? -1
                  : position * static_cast<int64_t>(parts) + static_cast<int64_t>(line % parts);
    }
  });
  job.source(rational_source(geometry.axes, [&](size_t line, Rational* t) {
    const Element e = element_of(geometry, line / parts);
    const size_t first = static_cast<size_t>(e.image * geometry.points + e.point) * geometry.axes;
    for (size_t axis = 0; axis < geometry.axes; ++axis) t[axis] = geometry.places[first + axis].t;
  }));
  job.option(static_cast<int64_t>(per_axis)).lines_to(&y, LineLayout::elements(y.size())).run();
  return y;
}

// A NaN position gives NaN; types that have none keep their zero.
void write_nans(const Geometry& geometry, size_t parts, Tensor* y) {
  if (!is_float(y->dtype())) return;
  const uint64_t nan =
      settle_exact(target_of(y->dtype()), std::numeric_limits<double>::quiet_NaN());
  for (size_t i = 0; i < y->size(); ++i) {
    const Element e = element_of(geometry, i / parts);
    if (geometry.nan(e.image, e.point)) y->set_code(i, nan);
  }
}

Tensor with_bytes_of(const Tensor& from, DType dtype, const Shape& shape) {
  Tensor to(dtype, shape);
  std::copy(from.bytes().begin(), from.bytes().end(), to.mutable_bytes().begin());
  if (from.bounds() != nullptr) to.mutable_bounds() = *from.bounds();
  return to;
}

Tensor grid_sample_16(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor& grid = call.tensor("grid");
  const Sampler sampler = sampler_of(call);
  check_shapes(x.shape(), grid.shape(), call.since_version());
  const bool number = is_float(x.dtype()) || is_integer(x.dtype());
  if (sampler.mode != Mode::kNearest && !number && !is_complex(x.dtype())) {
    fail_schema("attribute-value",
                "mode is \"" + call.text("mode") + "\" for " + std::string(dtype_name(x.dtype())),
                "must be nearest");
  }
  const Geometry geometry = geometry_of(x, grid, sampler);
  if (geometry.out.elements() == 0) return Tensor(x.dtype(), geometry.out);
  const size_t parts = is_complex(x.dtype()) ? 2 : 1;
  Shape in_parts = x.shape(), out_parts = geometry.out;
  in_parts.push_back(2);
  out_parts.push_back(2);
  const DType part = parts == 1                       ? x.dtype()
                     : x.dtype() == DType::kComplex64 ? DType::kFloat
                                                      : DType::kDouble;
  Tensor y;
  if (sampler.mode == Mode::kNearest) {
    y = picked(x, geometry);
    bound_picked(&y, x, grid, geometry, sampler);
    if (parts == 2) y = with_bytes_of(y, part, out_parts);
  } else {
    const Tensor in = parts == 1 ? x : with_bytes_of(x, part, in_parts);
    y = interpolated(in, geometry, sampler, parts);
    bound_positions(&y, in);
  }
  write_nans(geometry, parts, &y);
  return parts == 1 ? y : with_bytes_of(y, x.dtype(), geometry.out);
}

}  // namespace

extern const Operator kGridSample;
const Operator kGridSample{
    "ai.onnx",
    "GridSample",
    {{.since = 16, .run = grid_sample_16}, {.since = 20, .also = {22}, .run = grid_sample_16}}};

}  // namespace onnxv
#endif
