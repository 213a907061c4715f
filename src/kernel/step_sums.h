// The sums of a recurrence's gate: w_j · x_t + r_j · h_t + constants, where the inputs x are known for all steps and the state h
// comes step by step.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "src/kernel/packing.h"
#include "src/tensor/tensor.h"

namespace onnxv {

// The rows of a matrix that stays: read where they lie in a float32 tensor, which it must outlive, else decoded once.
class FloatRows {
 public:
  FloatRows() = default;  // none: a term that is left out
  // Rows of `length` elements from element `first` on, of a type whose every value is a float32.
  FloatRows(const Tensor& tensor, size_t first, size_t rows, size_t length);
  bool exist() const { return rows_ != 0; }
  size_t rows() const { return rows_; }
  size_t length() const { return length_; }
  // sums[v * rows() + j] += row j · vector v, of `count` vectors [count][length()].
  void add_products(const double* vectors, size_t count, double* sums) const;
  // squares[j] += |row j|^2.
  void add_squares(double* squares) const;

 private:
  const float* matrix() const { return decoded_.empty() ? lying_ : decoded_.data(); }
  const float* lying_ = nullptr;
  std::shared_ptr<const VectorMeasures> measures_;  // kept of a model's weights; else null
  std::vector<float> decoded_;
  size_t rows_ = 0, length_ = 0;
};

// True for the types that FloatRows takes.
bool is_float32_or_narrower(DType dtype);

class StepSums {
 public:
  // Either family may be missing. `constants`: arrays of one exact number per sum, each a term of its own.
  StepSums(size_t count, FloatRows of_inputs, FloatRows of_state, const std::vector<std::vector<double>>& constants);
  size_t count() const { return count_; }

  // The inputs of the steps that come next, [inputs][length], exact doubles.
  void set_inputs(const std::vector<double>& x, size_t inputs);

  // What a step adds for some of the inputs: states [inputs.size()][length], exact where `radii` is null.
  struct States {
    const std::vector<size_t>& inputs;  // each one's place among set_inputs
    const double* values;
    const double* radii;
  };
  // [inputs][count]: midpoints, and radii that bound every error (see step_sums.cc); radius infinity where nothing is known.
  void balls(const States& states, double* midpoints, double* radii) const;

 private:
  size_t count_;
  FloatRows of_inputs_, of_state_;
  std::vector<double> start_;               // the constants added up; -0 where there are none
  std::vector<double> norms_, state_norms_;  // of all that multiplies, and of r_j alone
  double constants_norm_ = 0;               // of the ones that the constants multiply
  double factor_ = 0;
  Scratch memory_;
  double* input_sums_ = nullptr;
  std::vector<double> input_norms_;
};

}  // namespace onnxv
