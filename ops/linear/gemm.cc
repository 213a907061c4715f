// Gemm: Y = alpha * A' * B' + beta * C, rounded once; integers: the exact value toward zero, modulo 2^n.
//   since 1   C is [M,N], or broadcast by the attribute `broadcast` (6: no change of meaning)
//   since 7   C broadcasts to [M,N] (9: 32- and 64-bit integers, 11: C is optional, 13: bfloat16)
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto scaled_product = []<class Real>(Real product, Real alpha) -> Real { return alpha * product; };
// beta = 0 is no special case of the text: 0 times an infinity is NaN.
constexpr auto gemm = []<class Real>(Real product, Real alpha, Real beta, Real c) -> Real { return alpha * product + beta * c; };
constexpr auto scaled_bias = []<class Real>(Real beta, Real c) -> Real { return beta * c; };

}  // namespace
ELEMENTWISE_FORMULA(kScaledProduct, scaled_product, 2)
ELEMENTWISE_FORMULA(kGemmFormula, gemm, 4)
ELEMENTWISE_FORMULA(kScaledBias, scaled_bias, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "src/kernel/product.h"
#include "src/number/rational.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// A matrix operand, read as it stands or transposed.
struct Operand {
  size_t rows, columns;
  int64_t row_stride, column_stride;
};

Operand operand(const Tensor& matrix, bool transposed, std::string_view port) {
  const Shape& shape = matrix.shape();
  if (shape.rank() != 2) fail_schema("rank", std::string(port) + " is " + shape.text(), "must have rank 2");
  const size_t height = static_cast<size_t>(shape[0]), width = static_cast<size_t>(shape[1]);
  if (transposed) return {width, height, 1, shape[1]};
  return {height, width, shape[1], 1};
}

struct Gemm {
  const Tensor& a;
  const Tensor& b;
  Operand left, right;
  double alpha, beta;
  const Tensor* c;  // null: absent
  Shape shape;      // [M, N]
};

// C where it is one number per row or column of Y: those numbers; empty otherwise.
std::vector<double> bias_of(const Tensor& c, const Shape& shape, bool of_columns) {
  const size_t count = static_cast<size_t>(shape[of_columns ? 1 : 0]);
  const bool along = c.size() == 1 || (c.rank() > 0 && c.size() == count && c.shape()[of_columns ? c.rank() - 1 : 0] == shape[of_columns ? 1 : 0] &&
                                       (of_columns || c.rank() == 2));
  if (!along) return {};
  std::vector<double> values(c.size());
  decode_elements(c, 0, values.size(), values.data());
  values.resize(count, values[0]);
  return values;
}

// alpha * A' * B' + C as one sum: false where it is none, or where a tolerance must know of its parts.
bool multiply_with_bias(const Gemm& g, const Vectors& rows, const Vectors& columns, Tensor* y) {
  if (g.alpha != 1 || (g.c != nullptr && g.beta != 1)) return false;
  ProductOutput out{y, 0, g.shape[1], 1, target_of(y->dtype())};
  std::vector<double> bias;
  if (g.c != nullptr) {
    if (ToleranceScope::current() != nullptr) return false;
    bias = bias_of(*g.c, g.shape, true);
    const bool of_columns = !bias.empty();
    if (!of_columns) bias = bias_of(*g.c, g.shape, false);
    if (bias.empty()) return false;
    (of_columns ? out.start_of_b : out.start) = bias.data();
  }
  multiply(rows, columns, out);
  return true;
}

Tensor gemm_of_floats(const Gemm& g) {
  Tensor y = Tensor::unfilled(g.a.dtype(), g.shape);
  if (y.size() == 0) return y;
  const LineLayout elements = LineLayout::elements(y.size());
  // An empty product is no addend: its +0 would hide the sign of beta * C.
  if (g.left.columns == 0 && g.c != nullptr) {
    LineJob(kScaledBias, y.size()).constants({g.beta}).broadcast(*g.c, g.shape).lines_to(&y, elements).run();
    return y;
  }
  const StridedVectors rows(g.a, g.left.rows, g.left.columns, 0, g.left.row_stride, g.left.column_stride);
  const StridedVectors columns(g.b, g.right.columns, g.right.rows, 0, g.right.column_stride, g.right.row_stride);
  if (multiply_with_bias(g, rows, columns, &y)) return y;
  LineJob job(g.c == nullptr ? kScaledProduct : kGemmFormula, y.size());
  job.source(product_lines(rows, columns)).constants({g.alpha});
  if (g.c != nullptr) job.constants({g.beta}).broadcast(*g.c, g.shape);
  job.lines_to(&y, elements).run();
  return y;
}

bool is_integral(const Rational& value) { return value.denominator() == BigInt(1); }

Rational exact_factor(double value, std::string_view name) {
  if (!double_is_finite(value)) {
    fail_undefined("integer-factor", std::string(name) + " is not finite", "must be a number where the elements are integers");
  }
  return Rational::from_double(value);
}

// Integral factors: everything modulo 2^64.
Tensor gemm_modular(const Gemm& g, uint64_t alpha, uint64_t beta) {
  const std::vector<uint64_t> a = extended_integers(g.a), b = extended_integers(g.b);
  Tensor y(g.a.dtype(), g.shape);
  const std::vector<uint64_t> c = g.c == nullptr ? std::vector<uint64_t>(y.size()) : extended_integers(broadcast_to(*g.c, g.shape));
  std::vector<uint64_t> products(y.size());
  multiply_integers(g.left.rows, g.right.columns, g.left.columns, {a.data(), g.left.row_stride, g.left.column_stride},
                    {b.data(), g.right.row_stride, g.right.column_stride}, products.data());
  for (size_t i = 0; i < products.size(); ++i) y.set_code(i, alpha * products[i] + beta * c[i]);
  return y;
}

BigInt element(const Tensor& tensor, int64_t at) {
  const IntegerFormat format{dtype_bits(tensor.dtype()), is_signed_integer(tensor.dtype())};
  return BigInt::from_int128(decode_integer(format, tensor.code(static_cast<size_t>(at))));
}

// Choice: a fractional alpha or beta of integer matrices gives a real number, which is cut toward zero.
Tensor gemm_truncated(const Gemm& g, const Rational& alpha, const Rational& beta) {
  Tensor y(g.a.dtype(), g.shape);
  const Tensor c = g.c == nullptr ? Tensor(y.dtype(), g.shape) : broadcast_to(*g.c, g.shape);
  for (int64_t i = 0; i < g.shape[0]; ++i) {
    for (int64_t j = 0; j < g.shape[1]; ++j) {
      BigInt product;
      for (int64_t k = 0; k < static_cast<int64_t>(g.left.columns); ++k) {
        product += element(g.a, i * g.left.row_stride + k * g.left.column_stride) *
                   element(g.b, k * g.right.row_stride + j * g.right.column_stride);
      }
      const int64_t at = i * g.shape[1] + j;
      const Rational value = alpha * Rational(product, 1) + beta * Rational(element(c, at), 1);
      y.set_code(static_cast<size_t>(at), value.truncated().low_bits());
    }
  }
  return y;
}

Tensor gemm_of_integers(const Gemm& g) {
  const Rational alpha = exact_factor(g.alpha, "alpha"), beta = g.c == nullptr ? Rational(0) : exact_factor(g.beta, "beta");
  if (!is_integral(alpha) || !is_integral(beta)) return gemm_truncated(g, alpha, beta);
  return gemm_modular(g, alpha.floor().low_bits(), beta.floor().low_bits());
}

Tensor evaluated(const OpCall& call, const Tensor* c, bool c_broadcasts) {
  const Tensor& a = call.tensor("A");
  const Tensor& b = call.tensor("B");
  const Operand left = operand(a, call.integer_or("transA", 0) != 0, "A");
  const Operand right = operand(b, call.integer_or("transB", 0) != 0, "B");
  if (left.columns != right.rows) {
    fail_schema("shape-mismatch", "A' has " + std::to_string(left.columns) + " columns and B' " + std::to_string(right.rows) + " rows",
                "must be equal");
  }
  const Shape shape{static_cast<int64_t>(left.rows), static_cast<int64_t>(right.columns)};
  if (c != nullptr && !(c_broadcasts ? broadcasts_to(c->shape(), shape) : c->shape() == shape)) {
    fail_schema("shape-mismatch", "C is " + c->shape().text(), (c_broadcasts ? "must broadcast to " : "must be ") + shape.text());
  }
  const Gemm g{a, b, left, right, call.real_or("alpha", 1), call.real_or("beta", 1), c, shape};
  return is_integer(a.dtype()) ? gemm_of_integers(g) : gemm_of_floats(g);
}

Tensor gemm_1(const OpCall& call) {
  const bool broadcasts = call.integer_or("broadcast", 0) != 0;
  const Tensor& c = call.tensor("C");
  // One element broadcasts whatever its rank.
  const Tensor single = broadcasts && c.size() == 1 ? c.reshaped({}) : c;
  return evaluated(call, &single, broadcasts);
}
Tensor gemm_7(const OpCall& call) { return evaluated(call, call.optional_tensor("C"), true); }

}  // namespace

extern const Operator kGemm;
const Operator kGemm{"ai.onnx", "Gemm", {
    {.since = 1, .also = {6}, .run = gemm_1},
    {.since = 7, .also = {9, 11, 13}, .run = gemm_7},
}};

}  // namespace onnxv
#endif
