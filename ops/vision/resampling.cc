// The sum over the taps of every axis, the last axis first.
#ifndef ONNXV_LANES
#include "ops/vision/resampling.h"
#endif

#include "src/number/formula.h"

namespace onnxv {
namespace {

// options: the number of axes, then the taps of each. data: row-major over the taps; weights: the numerators of each axis, one
// after the other; denominator: the product of all.
constexpr auto weighted_taps = []<class Real>(Options taps, In<Real> data, In<Real> weights, In<Real> denominator,
                                              Out<Real> y) {
  std::vector<Real> left(data.begin(), data.end());
  size_t weights_end = weights.size();
  for (int64_t axis = taps[0]; axis > 0; --axis) {
    const size_t count = static_cast<size_t>(taps[static_cast<size_t>(axis)]);
    const In<Real> weight = weights.part(weights_end - count, count);
    weights_end -= count;
    const size_t rows = left.size() / count;
    std::vector<Real> sums(rows);
    for (size_t row = 0; row < rows; ++row) sums[row] = dot(In<Real>{left.data() + row * count, count}, weight);
    left = sums;
  }
  y[0] = left[0] / denominator[0];
};

}  // namespace
LINE_FORMULA(kWeightedTapsFormula, weighted_taps, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <map>

#include "src/number/exact_operands.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// Decomposes an element number of `shape` into one index per axis.
void index_of(size_t element, const Shape& shape, std::vector<size_t>* index) {
  for (int64_t axis = shape.rank(); axis-- > 0;) {
    const size_t dim = static_cast<size_t>(shape[axis]);
    (*index)[static_cast<size_t>(axis)] = element % dim;
    element /= dim;
  }
}

Shape sampled_shape(const std::vector<AxisSampling>& axes) {
  Shape shape;
  for (const AxisSampling& axis : axes) shape.push_back(static_cast<int64_t>(axis.positions.size()));
  return shape;
}

// The axes that really mix neighbours; the others are only looked up.
std::vector<size_t> mixing_axes(const std::vector<AxisSampling>& axes) {
  std::vector<size_t> mixing;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    const bool identity = std::all_of(axes[axis].positions.begin(), axes[axis].positions.end(), [](const AxisSample& s) {
      return s.indices.size() == 1 && s.numerators[0] == BigInt(1) && s.denominator == BigInt(1);
    });
    if (!identity) mixing.push_back(axis);
  }
  return mixing;
}

}  // namespace

size_t AxisSampling::taps() const {
  size_t most = 1;
  for (const AxisSample& sample : positions) most = std::max(most, sample.indices.size());
  return most;
}

AxisSampling identity_sampling(int64_t length) {
  AxisSampling sampling;
  for (int64_t i = 0; i < length; ++i) sampling.positions.push_back({{i}, {BigInt(1)}, BigInt(1), false});
  return sampling;
}

AxisSample joined_sample(const std::vector<int64_t>& indices, const std::vector<Rational>& weights) {
  std::map<int64_t, Rational> joined;
  for (size_t k = 0; k < indices.size(); ++k) {
    const auto [at, fresh] = joined.emplace(indices[k], weights[k]);
    if (!fresh) at->second = at->second + weights[k];
  }
  AxisSample sample;
  Rational denominator(1);
  for (const auto& [index, weight] : joined) {
    if (weight.sign() == 0) continue;
    // The least common multiple: denominator * d / gcd, read off the denominator of denominator / d in lowest terms.
    const Rational ratio = denominator / Rational(weight.denominator(), BigInt(1));
    denominator = denominator * Rational(ratio.denominator(), BigInt(1));
  }
  sample.denominator = denominator.numerator();
  for (const auto& [index, weight] : joined) {
    if (weight.sign() == 0) continue;
    sample.indices.push_back(index);
    sample.numerators.push_back((weight * denominator).numerator());
  }
  if (sample.indices.empty() && !joined.empty()) {
    sample.indices.push_back(joined.begin()->first);
    sample.numerators.push_back(BigInt(0));
  }
  return sample;
}

Tensor pick(const Tensor& x, const std::vector<AxisSampling>& axes, double extrapolation_value) {
  const Shape shape = sampled_shape(axes);
  const std::vector<int64_t> strides = strides_of(x.shape());
  std::vector<int64_t> source(static_cast<size_t>(shape.elements()));
  std::vector<size_t> index(axes.size());
  for (size_t element = 0; element < source.size(); ++element) {
    index_of(element, shape, &index);
    int64_t at = 0;
    bool outside = false;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      const AxisSample& sample = axes[axis].positions[index[axis]];
      outside = outside || sample.outside;
      if (!sample.outside) at += sample.indices[0] * strides[axis];
    }
    source[element] = outside ? -1 : at;
  }
  if (x.is_string() || is_complex(x.dtype())) return gather_elements(x, shape, source);
  Tensor fill(x.dtype(), {1});
  fill.set_code(0, settle_exact(target_of(x.dtype()), extrapolation_value));
  return gather_elements(x, shape, source, &fill);
}

Tensor resample(const Tensor& x, const std::vector<AxisSampling>& axes, Target target, double extrapolation_value) {
  const Shape shape = sampled_shape(axes);
  Tensor y(x.dtype(), shape);
  if (y.size() == 0) return y;
  const std::vector<int64_t> strides = strides_of(x.shape());
  const std::vector<size_t> mixing = mixing_axes(axes);
  size_t taps = 1, weights = 0;
  std::vector<size_t> counts;
  for (const size_t axis : mixing) {
    counts.push_back(axes[axis].taps());
    taps *= counts.back();
    weights += counts.back();
  }
  const auto outside = [&](size_t element, std::vector<size_t>* index) {
    index_of(element, shape, index);
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis].positions[(*index)[axis]].outside) return true;
    }
    return false;
  };
  LineJob job(kWeightedTapsFormula, y.size());
  // A tap that is not there is -0 times +0: it changes no sum, the sign of a zero included.
  job.gathered(x, taps, [&](size_t element, int64_t* at) {
    std::vector<size_t> index(axes.size());
    if (outside(element, &index)) return static_cast<void>(std::fill_n(at, taps, -1));
    int64_t base = 0;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      if (std::find(mixing.begin(), mixing.end(), axis) == mixing.end()) {
        base += axes[axis].positions[index[axis]].indices[0] * strides[axis];
      }
    }
    for (size_t tap = 0; tap < taps; ++tap) {
      size_t rest = tap;
      int64_t position = base;
      for (size_t k = mixing.size(); k-- > 0;) {
        const AxisSample& sample = axes[mixing[k]].positions[index[mixing[k]]];
        const size_t i = rest % counts[k];
        rest /= counts[k];
        if (i >= sample.indices.size()) {
          position = -1;
          break;
        }
        position += sample.indices[i] * strides[mixing[k]];
      }
      at[tap] = position;
    }
  }, -0.0);
  job.source(big_integer_source(weights, [&](size_t element, BigInt* out) {
    std::vector<size_t> index(axes.size());
    const bool none = outside(element, &index);
    for (size_t k = 0; k < mixing.size(); ++k) {
      const AxisSample& sample = axes[mixing[k]].positions[index[mixing[k]]];
      for (size_t i = 0; i < counts[k]; ++i) *out++ = !none && i < sample.numerators.size() ? sample.numerators[i] : BigInt(0);
    }
  }));
  job.source(big_integer_source(1, [&](size_t element, BigInt* out) {
    std::vector<size_t> index(axes.size());
    *out = BigInt(1);
    if (outside(element, &index)) return;
    for (const size_t axis : mixing) *out *= axes[axis].positions[index[axis]].denominator;
  }));
  job.option(static_cast<int64_t>(mixing.size()));
  for (const size_t count : counts) job.option(static_cast<int64_t>(count));
  job.lines_to(&y, LineLayout::elements(y.size()), target).run();
  const uint64_t fill = settle_exact(target, extrapolation_value);
  std::vector<size_t> index(axes.size());
  for (size_t element = 0; element < y.size(); ++element) {
    if (outside(element, &index)) y.set_code(element, fill);
  }
  return y;
}

}  // namespace onnxv
#endif
