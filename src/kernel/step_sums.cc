#include "src/kernel/step_sums.h"

#include <algorithm>
#include <cmath>

#include "src/kernel/row_tile.h"
#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct RowKernels {
  void (*products)(const RowProducts&);
  void (*squares)(const RowSquares&);
  void (*radii)(const RowRadii&);
};
const RowKernels& row_kernels() {
  static const RowKernels kernels{ONNXV_OF_SET(row_products), ONNXV_OF_SET(row_squares), ONNXV_OF_SET(row_radii)};
  return kernels;
}

double sum_of_squares(const double* x, size_t count) {
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t k = 0; k < 4; ++k) sums[k] += x[i + k] * x[i + k];
  }
  for (; i < count; ++i) sums[0] += x[i] * x[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

bool all_zero(const double* x, size_t count) {
  return std::all_of(x, x + count, [](double value) { return value == 0; });
}

}  // namespace

bool is_float32_or_narrower(DType dtype) {
  return dtype == DType::kFloat || dtype == DType::kFloat16 || dtype == DType::kBfloat16;
}

FloatRows::FloatRows(const Tensor& tensor, size_t first, size_t rows, size_t length) : rows_(rows), length_(length) {
  if (tensor.dtype() == DType::kFloat) {
    lying_ = tensor.as<float>().data() + first;
    const auto offset = static_cast<int64_t>(first), stride = static_cast<int64_t>(length);
    measures_ = StridedVectors(tensor, rows, length, offset, stride, 1).measures();
    return;
  }
  std::vector<double> values(rows * length + 1);
  decode_elements(tensor, first, rows * length, values.data());
  decoded_.assign(values.begin(), values.end());
}

void FloatRows::add_products(const double* vectors, size_t count, double* sums) const {
  if (exist()) row_kernels().products({matrix(), rows_, length_, vectors, count, sums, rows_});
}

void FloatRows::add_squares(double* squares) const {
  if (measures_ == nullptr) {
    if (exist()) row_kernels().squares({matrix(), rows_, length_, squares});
    return;
  }
  for (size_t j = 0; j < rows_; ++j) squares[j] += measures_->norms[j] * measures_->norms[j];
}

// The products of floats are exact in double, and so is everything but the additions: at most row_depth() of them on the way of a
// term through its row, one per constant, and the two that join the parts. By the bound of src/kernel/product.h the computed
// sum is off by at most
//   (depth + 8) u |(x, h, 1…)| |(w_j, r_j, constants_j)|
// in Euclidean norms. They are computed in double: relative errors of (length + 4) u, with lengths below 2^20, change the bound by
// less than one of the 8 units on top. The caller sees to those lengths.
StepSums::StepSums(size_t count, FloatRows of_inputs, FloatRows of_state, const std::vector<std::vector<double>>& constants)
    : count_(count), of_inputs_(std::move(of_inputs)), of_state_(std::move(of_state)), start_(count, -0.0), norms_(count, 0.0),
      state_norms_(count, 0.0), constants_norm_(std::sqrt(static_cast<double>(constants.size()))) {
  of_state_.add_squares(state_norms_.data());
  norms_ = state_norms_;
  of_inputs_.add_squares(norms_.data());
  for (const std::vector<double>& constant : constants) {
    for (size_t j = 0; j < count; ++j) {
      start_[j] += constant[j];
      norms_[j] += constant[j] * constant[j];
    }
  }
  for (size_t j = 0; j < count; ++j) {
    norms_[j] = std::sqrt(norms_[j]);
    state_norms_[j] = std::sqrt(state_norms_[j]);
  }
  const size_t depth = row_depth(of_inputs_.length()) + row_depth(of_state_.length()) + constants.size() + 2;
  factor_ = static_cast<double>(depth + 8) * 0x1p-53;
}

void StepSums::set_inputs(const std::vector<double>& x, size_t inputs) {
  input_sums_ = memory_.take(inputs * count_);
  input_norms_.assign(inputs, 0.0);
  for (size_t i = 0; i < inputs; ++i) std::copy(start_.begin(), start_.end(), input_sums_ + i * count_);
  if (!of_inputs_.exist()) return;
  of_inputs_.add_products(x.data(), inputs, input_sums_);
  const size_t length = of_inputs_.length();
  for (size_t i = 0; i < inputs; ++i) input_norms_[i] = std::sqrt(sum_of_squares(x.data() + i * length, length));
}

// States that are balls m + d, |d| <= radius: the sum of r (m + d) is off by |radii| |r_j| more (Cauchy and Schwarz), and where
// m has more digits than a float each product rounds once more, by at most u |m| |r_j| in all, for which a unit of the factor
// is reserved (twice). Midpoints below 2^-500, whose squares vanish, count as 2^-480 each at the least.
void StepSums::balls(const States& states, double* midpoints, double* radii) const {
  const size_t some = states.inputs.size(), length = of_state_.length();
  for (size_t i = 0; i < some; ++i) {
    std::copy_n(input_sums_ + states.inputs[i] * count_, count_, midpoints + i * count_);
  }
  of_state_.add_products(states.values, some, midpoints);
  for (size_t i = 0; i < some; ++i) {
    const double* h = states.values + i * length;
    double squares = sum_of_squares(h, length), radii_norm = 0, factor = factor_;
    if (states.radii != nullptr) {
      const double* r = states.radii + i * length;
      radii_norm = all_zero(r, length) ? 0 : (std::sqrt(sum_of_squares(r, length)) + 0x1p-480) * (1 + 0x1p-20);
      if (!all_zero(h, length)) squares += static_cast<double>(length) * 0x1p-960;
      factor += 0x1p-52;
    }
    const double input = input_norms_[states.inputs[i]];
    const double norm = std::sqrt(squares + input * input + constants_norm_ * constants_norm_);
    double* r = radii + i * count_;
    row_kernels().radii({midpoints + i * count_, r, norms_.data(), state_norms_.data(), count_, factor, norm, radii_norm});
  }
}

}  // namespace onnxv
