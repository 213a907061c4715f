// Normalizer: each row divided by its norm.
//   MAX  y = x / max(x)     L1  y = x / sum |x|     L2  y = x / sqrt(sum x^2)
//   since 1
// Erratum: the text's L1 divides by sum x and its L2 is sqrt(x^2 / sum x^2), which loses the sign; upstream has
// corrected both.
// Spec: MAX is the signed maximum, not that of the magnitudes.
#include "ops/ml/columns.h"
#include "ops/ml/ml.h"

namespace onnxv {
namespace {

using Row = std::span<const Extended>;

Extended signed_maximum(Row row) {
  Extended most = row[0];
  for (const Extended& value : row) {
    if (value.is_nan()) return value;
    if (value > most) most = value;
  }
  return most;
}

Extended sum_of_magnitudes(Row row) {
  Extended sum;
  for (const Extended& value : row) sum = sum + value.absolute();
  return sum;
}

Extended sum_of_squares(Row row) {
  Extended sum;
  for (const Extended& value : row) sum = sum + value * value;
  return sum;
}

// x / sqrt(squares) = sign(x) sqrt(x^2 / squares) for finite values: one rounding of an exact root.
uint64_t over_root(const Extended& x, const Extended& squares) {
  if (squares.is_zero()) return x.encode(kFloat32);
  // An infinite or NaN sum of squares has itself as root.
  if (!x.is_finite() || !squares.is_finite()) return (x / squares).encode(kFloat32);
  return encode_square_root((x * x / squares).rational(), x.is_negative(), kFloat32);
}

// Spec: a zero divisor leaves the row as it is.
uint64_t over(const Extended& x, const Extended& divisor) {
  return (divisor.is_zero() ? x : x / divisor).encode(kFloat32);
}

Tensor normalizer_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const std::string& norm = call.text("norm");
  if (norm != "MAX" && norm != "L1" && norm != "L2") {
    fail_schema("attribute-value", "norm is \"" + norm + "\"", "must be MAX, L1 or L2");
  }
  const auto width = static_cast<size_t>(rows_of(x).width);
  const std::vector<Extended> values = exact_values(x);
  Tensor y(DType::kFloat, x.shape());
  const std::span<uint32_t> codes = y.mutable_as<uint32_t>();
  for (size_t start = 0; start < values.size(); start += width) {
    const Row row(values.data() + start, width);
    const Extended divisor = norm == "MAX" ? signed_maximum(row)
                             : norm == "L1" ? sum_of_magnitudes(row)
                                            : sum_of_squares(row);
    for (size_t i = 0; i < width; ++i) {
      codes[start + i] = static_cast<uint32_t>(norm == "L2" ? over_root(row[i], divisor) : over(row[i], divisor));
    }
  }
  return y;
}

}  // namespace

const Operator kNormalizer{"ai.onnx.ml", "Normalizer", {
    {.since = 1, .run = normalizer_1},
}};

}  // namespace onnxv
