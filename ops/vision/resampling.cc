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

#include "src/kernel/remaining_bounds.h"
#include "src/number/exact_operands.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

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

AxisSample joined_sample(const std::vector<int64_t>& indices, const std::vector<Rational>& weights, Weightless weightless) {
  std::map<std::pair<int64_t, int>, Rational> joined;  // by index and sign
  for (size_t k = 0; k < indices.size(); ++k) {
    if (weights[k].sign() == 0 && weightless == Weightless::kLeftOut) continue;
    const auto [at, fresh] = joined.emplace(std::pair(indices[k], weights[k].sign()), weights[k]);
    if (!fresh) at->second = at->second + weights[k];
  }
  AxisSample sample;
  Rational denominator(1);
  for (const auto& [at, weight] : joined) {
    // The least common multiple: denominator * d / gcd, read off the denominator of denominator / d in lowest terms.
    const Rational ratio = denominator / Rational(weight.denominator(), BigInt(1));
    denominator = denominator * Rational(ratio.denominator(), BigInt(1));
  }
  sample.denominator = denominator.numerator();
  for (const auto& [at, weight] : joined) {
    sample.indices.push_back(at.first);
    sample.numerators.push_back((weight * denominator).numerator());
  }
  if (sample.indices.empty() && !indices.empty()) {
    sample.indices.push_back(*std::min_element(indices.begin(), indices.end()));
    sample.numerators.push_back(BigInt(0));
  }
  return sample;
}

Tensor pick(const Tensor& x, const std::vector<AxisSampling>& axes, double extrapolation_value) {
  std::vector<AxisMap> maps;
  for (const AxisSampling& axis : axes) {
    const auto source = [&axis](int64_t i) {
      const AxisSample& sample = axis.positions[static_cast<size_t>(i)];
      return sample.outside ? -1 : sample.indices[0];
    };
    maps.push_back({static_cast<int64_t>(axis.positions.size()), source});
  }
  if (x.is_string() || is_complex(x.dtype())) return map_axes(x, maps);
  Tensor fill(x.dtype(), {1});
  fill.set_code(0, settle_exact(target_of(x.dtype()), extrapolation_value));
  return map_axes(x, maps, &fill);
}

namespace {

// What an output element needs of one axis, position by position: no big number is touched on the way.
struct AxisTable {
  bool mixes = false;
  size_t taps = 1;
  std::vector<uint8_t> outside;
  std::vector<int64_t> offsets;      // positions * taps, in elements of the data; -1: no such tap
  std::vector<double> numerators;    // positions * taps
  std::vector<double> denominators;  // positions
};

double double_of(const BigInt& value) { return Rational(value, BigInt(1)).to_double(); }

AxisTable table_of(const AxisSampling& axis, bool mixes, int64_t stride) {
  AxisTable table;
  table.mixes = mixes;
  table.taps = mixes ? axis.taps() : 1;
  for (const AxisSample& sample : axis.positions) {
    table.outside.push_back(sample.outside ? 1 : 0);
    table.denominators.push_back(double_of(sample.denominator));
    for (size_t i = 0; i < table.taps; ++i) {
      const bool has = !sample.outside && i < sample.indices.size();
      table.offsets.push_back(has ? sample.indices[i] * stride : -1);
      table.numerators.push_back(has ? double_of(sample.numerators[i]) : 0.0);
    }
  }
  return table;
}

// Whether the tables and every product of denominators are exact.
bool fits_doubles(const std::vector<AxisSampling>& axes) {
  unsigned denominator_bits = 0;
  for (const AxisSampling& axis : axes) {
    unsigned most = 0;
    for (const AxisSample& sample : axis.positions) {
      most = std::max(most, sample.denominator.bit_length());
      for (const BigInt& numerator : sample.numerators) {
        if (numerator.bit_length() > 53) return false;
      }
    }
    denominator_bits += most;
  }
  return denominator_bits <= 53;
}

// The taps of output elements, from the tables.
class Taps {
 public:
  Taps(const Tensor& x, const std::vector<AxisSampling>& axes) : axes_(axes), shape_(sampled_shape(axes)) {
    const std::vector<int64_t> strides = strides_of(x.shape());
    const std::vector<size_t> mixing = mixing_axes(axes);
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      const bool mixes = std::find(mixing.begin(), mixing.end(), axis) != mixing.end();
      tables_.push_back(table_of(axes[axis], mixes, strides[axis]));
      if (!mixes) continue;
      counts_.push_back(tables_.back().taps);
      taps_ *= counts_.back();
      weights_ += counts_.back();
    }
  }
  const Shape& shape() const { return shape_; }
  const std::vector<size_t>& counts() const { return counts_; }
  size_t taps() const { return taps_; }
  size_t weights() const { return weights_; }

  bool outside(size_t element) const {
    bool any = false;
    each_axis(element, [&](size_t axis, size_t at) { any |= tables_[axis].outside[at] != 0; });
    return any;
  }

  // Row-major over the taps; -1 where one is not there.
  void positions(size_t element, int64_t* out) const {
    int64_t base = 0;
    size_t filled = 1;
    bool any_outside = false;
    out[0] = 0;
    // The last axis first: what is there already is repeated for each tap of the axis before it.
    each_axis(element, [&](size_t axis, size_t at) {
      const AxisTable& table = tables_[axis];
      any_outside |= table.outside[at] != 0;
      const int64_t* offsets = table.offsets.data() + at * table.taps;
      if (!table.mixes) {
        base += offsets[0];
        return;
      }
      for (size_t i = table.taps; i-- > 0;) {
        for (size_t k = 0; k < filled; ++k) {
          out[i * filled + k] = out[k] < 0 || offsets[i] < 0 ? -1 : out[k] + offsets[i];
        }
      }
      filled *= table.taps;
    });
    for (size_t k = 0; k < taps_; ++k) out[k] = any_outside || out[k] < 0 ? -1 : out[k] + base;
  }

  void weights(size_t element, double* out) const {
    const bool none = outside(element);
    double* end = out + weights_;
    each_axis(element, [&](size_t axis, size_t at) {
      const AxisTable& table = tables_[axis];
      if (!table.mixes) return;
      end -= table.taps;
      for (size_t i = 0; i < table.taps; ++i) end[i] = none ? 0.0 : table.numerators[at * table.taps + i];
    });
  }
  void weights(size_t element, BigInt* out) const {
    const bool none = outside(element);
    BigInt* end = out + weights_;
    each_axis(element, [&](size_t axis, size_t at) {
      if (!tables_[axis].mixes) return;
      const AxisSample& sample = axes_[axis].positions[at];
      end -= tables_[axis].taps;
      for (size_t i = 0; i < tables_[axis].taps; ++i) {
        end[i] = !none && i < sample.numerators.size() ? sample.numerators[i] : BigInt(0);
      }
    });
  }

  // Products of integers below 2^53: exact, as fits_doubles() has found.
  double denominator(size_t element) const {
    int64_t product = 1;
    if (outside(element)) return 1.0;
    each_axis(element, [&](size_t axis, size_t at) {
      if (tables_[axis].mixes) product *= static_cast<int64_t>(tables_[axis].denominators[at]);
    });
    return static_cast<double>(product);
  }
  BigInt big_denominator(size_t element) const {
    BigInt product(1);
    if (outside(element)) return product;
    each_axis(element, [&](size_t axis, size_t at) {
      if (tables_[axis].mixes) product *= axes_[axis].positions[at].denominator;
    });
    return product;
  }

 private:
  // use(axis, position on it), the last axis first.
  template <class Use>
  void each_axis(size_t element, const Use& use) const {
    for (size_t axis = tables_.size(); axis-- > 0;) {
      const size_t dim = tables_[axis].outside.size();
      use(axis, element % dim);
      element /= dim;
    }
  }

  const std::vector<AxisSampling>& axes_;
  Shape shape_;
  std::vector<AxisTable> tables_;
  std::vector<size_t> counts_;
  size_t taps_ = 1, weights_ = 0;
};

}  // namespace

Tensor resample(const Tensor& x, const std::vector<AxisSampling>& axes, Target target, double extrapolation_value) {
  const Taps taps(x, axes);
  Tensor y(x.dtype(), taps.shape());
  if (y.size() == 0) return y;
  LineJob job(kWeightedTapsFormula, y.size());
  // A tap that is not there is -0 times +0: it changes no sum, the sign of a zero included.
  job.gathered(x, taps.taps(), [&](size_t element, int64_t* at) { taps.positions(element, at); }, -0.0);
  if (fits_doubles(axes)) {
    job.computed(taps.weights(), [&](size_t element, double* out) { taps.weights(element, out); });
    job.computed(1, [&](size_t element, double* out) { *out = taps.denominator(element); });
  } else {
    job.source(big_integer_source(taps.weights(), [&](size_t element, BigInt* out) { taps.weights(element, out); }));
    job.source(big_integer_source(1, [&](size_t element, BigInt* out) { *out = taps.big_denominator(element); }));
  }
  job.option(static_cast<int64_t>(taps.counts().size()));
  for (const size_t count : taps.counts()) job.option(static_cast<int64_t>(count));
  job.lines_to(&y, LineLayout::elements(y.size()), target).run();
  if (!mixing_axes(axes).empty()) bound_positions(&y, x);
  const uint64_t fill = settle_exact(target, extrapolation_value);
  const bool any_outside = std::any_of(axes.begin(), axes.end(), [](const AxisSampling& axis) {
    return std::any_of(axis.positions.begin(), axis.positions.end(), [](const AxisSample& s) { return s.outside; });
  });
  for (size_t element = 0; any_outside && element < y.size(); ++element) {
    if (taps.outside(element)) y.set_code(element, fill);
  }
  return y;
}

}  // namespace onnxv
#endif
