// MelWeightMatrix: triangles over the bins of a spectrum, equally wide on the mel scale.
//   since 17
#include <algorithm>
#include <string>
#include <vector>

#include "ops/operator.h"
#include "ops/signal/output_type.h"
#include "src/kernel/remaining_bounds.h"
#include "src/number/roots_of_unity.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

BigInt power(const BigInt& base, int64_t exponent) {
  BigInt result(1), square = base;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= square;
    if (exponent > 1) square *= square;
  }
  return result;
}

// mel(f) is linear in ln(700 + f). So with m = num_mel_bins + 2 edge i lies at
//   700 + f_i = (700 + low)^((m-i)/m) * (700 + high)^(i/m),
// and the bin that it falls into, floor((dft_length + 1) * f_i / sample_rate), is at least b
// exactly when
//   (700 + high)^i * (700 + low)^(m-i) >= (700 + b * sample_rate / (dft_length + 1))^m.
// Choice: m is num_mel_bins + 2, as the official data has it; the text leaves the number of edges
// open.
class Edges {
 public:
  Edges(double low, double high, int64_t mel_bins, int64_t dft_length, int64_t sample_rate)
      : steps_(mel_bins + 2), points_(dft_length + 1), sample_rate_(sample_rate) {
    const std::vector<double> hertz{low, high, 1.0};
    const ScaledIntegers scaled =
        *scaled_integers(hertz);  // 1 is among them: the exponent is not above 0
    unit_ = scaled.integers[2];
    low_ = scaled.integers[0] + unit_ * BigInt(700);
    high_ = scaled.integers[1] + unit_ * BigInt(700);
    const int64_t bits =
        std::max(high_.bit_length(), unit_.bit_length()) + BigInt(points_).bit_length() + 11;
    // Each of the edges is a number of steps_ * bits bits.
    if (steps_ > (int64_t{1} << 15) || steps_ * steps_ > (int64_t{1} << 30) / bits) {
      fail_limit("mel-bins", "num_mel_bins is " + std::to_string(mel_bins),
                 "exact edges would need too many digits");
    }
  }

  // The bin of edge i, or `beyond` where it is that or more; -1 below 0.
  int64_t bin(int64_t i, int64_t beyond) const {
    const BigInt edge = power(high_, i) * power(low_, steps_ - i) * power(BigInt(points_), steps_);
    int64_t least = -1, most = beyond;  // the bin is in [least, most]
    while (least < most) {
      const int64_t middle = least + (most - least + 1) / 2;
      if (reaches(edge, middle)) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    return least;
  }

 private:
  bool reaches(const BigInt& edge, int64_t bin) const {
    const BigInt hertz =
        unit_ * (BigInt(700) * BigInt(points_) + BigInt(bin) * BigInt(sample_rate_));
    return hertz.sign() <= 0 || !(edge < power(hertz, steps_));
  }
  int64_t steps_, points_, sample_rate_;
  BigInt unit_, low_, high_;
};

class Matrix {
 public:
  Matrix(DType dtype, int64_t rows, int64_t columns)
      : tensor_(dtype, {rows, columns}), columns_(columns) {}
  void set(int64_t row, int64_t column, const Rational& value) {
    const DType dtype = tensor_.dtype();
    // A weight lies in [0, 1]: as an integer it is 1 at the peak alone.
    const uint64_t code =
        is_float(dtype)
            ? value.encode(float_format(dtype), Rounding::kNearestEven, Overflow::kInfinity)
            : static_cast<uint64_t>(value.floor_int64());
    tensor_.set_code(static_cast<size_t>(row * columns_ + column), code);
  }
  Tensor& tensor() { return tensor_; }

 private:
  Tensor tensor_;
  int64_t columns_;
};

void draw_triangle(Matrix* matrix, int64_t column, int64_t left, int64_t centre, int64_t right) {
  const auto ratio = [](int64_t a, int64_t b) { return Rational(BigInt(a), BigInt(b)); };
  if (left == centre) matrix->set(centre, column, Rational(1));
  for (int64_t row = left; left != centre && row <= centre; ++row)
    matrix->set(row, column, ratio(row - left, centre - left));
  for (int64_t row = centre; row < right; ++row)
    matrix->set(row, column, ratio(right - row, right - centre));
}

int64_t count(const OpCall& call, std::string_view port, int64_t least) {
  const int64_t value = int64_value(call.tensor(port), port);
  if (value < least)
    fail_undefined("mel-range", std::string(port) + " is " + std::to_string(value),
                   "must be at least " + std::to_string(least));
  return value;
}

double edge(const OpCall& call, std::string_view port) {
  const double value = double_value(call.tensor(port), port);
  if (!is_finite(value) || value <= -700.0)
    fail_undefined("mel-range", std::string(port) + " is not above -700 Hz",
                   "the mel scale begins there");
  return value;
}

Tensor mel_weight_matrix_17(const OpCall& call) {
  const int64_t mel_bins = count(call, "num_mel_bins", 0),
                dft_length = count(call, "dft_length", 1);
  const int64_t sample_rate = count(call, "sample_rate", 1);
  const double low = edge(call, "lower_edge_hertz"), high = edge(call, "upper_edge_hertz");
  if (low > high)
    fail_undefined("mel-range", "lower_edge_hertz is above upper_edge_hertz", "must not be");
  const int64_t rows = dft_length / 2 + 1;
  Matrix matrix(output_type(call), rows, mel_bins);
  if (mel_bins == 0) return matrix.tensor();
  const Edges edges(low, high, mel_bins, dft_length, sample_rate);
  std::vector<int64_t> bins;
  for (int64_t i = 0; i < mel_bins + 2; ++i) bins.push_back(edges.bin(i, rows + 1));
  for (int64_t i = 0; i < mel_bins; ++i) {
    const size_t at = static_cast<size_t>(i);
    const int64_t left = bins[at], centre = bins[at + 1], right = bins[at + 2];
    if (left < 0 || centre >= rows || right > rows) {
      fail_undefined("mel-range", "triangle " + std::to_string(i) + " reaches beyond the spectrum",
                     "must end at dft_length / 2");
    }
    draw_triangle(&matrix, i, left, centre, right);
  }
  bound_roundings(&matrix.tensor(), 2);  // a quotient of whole numbers
  return matrix.tensor();
}

}  // namespace

extern const Operator kMelWeightMatrix;
const Operator kMelWeightMatrix{
    "ai.onnx", "MelWeightMatrix", {{.since = 17, .run = mel_weight_matrix_17}}};

}  // namespace onnxv
