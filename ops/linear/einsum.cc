// Einsum: sums of products of all operands over the indices that the output does not name; each sum exact and rounded once, integers
// modulo 2^n.
//   since 12   (28: bfloat16)
#include <vector>

#include "src/number/formula.h"

namespace onnxv {
namespace {

// The factors of all addends, operand after operand: an addend is the product of one element of each.
constexpr auto sum_of_products = []<class Real>(Options operands, In<Real> factors, Out<Real> y) {
  const size_t count = factors.size() / static_cast<size_t>(operands[0]);
  std::vector<Real> terms(factors.begin(), factors.begin() + count);
  for (size_t operand = 1; operand < static_cast<size_t>(operands[0]); ++operand) {
    for (size_t i = 0; i < count; ++i) terms[i] = terms[i] * factors[operand * count + i];
  }
  y[0] = sum(In<Real>{terms.data(), terms.size()});
};

}  // namespace
LINE_FORMULA(kSumOfProducts, sum_of_products, 1, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/linear/equation.h"
#include "ops/linear/factored.h"
#include "ops/operator.h"
#include "src/base/checked.h"
#include "src/base/parallel.h"
#include "src/kernel/patches.h"
#include "src/kernel/product.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

using Indices = std::vector<EinsumIndex>;

int64_t positions(const Indices& indices) {
  int64_t product = 1;
  for (const EinsumIndex& index : indices) product = checked_multiply(product, index.length);
  return product;
}

// Offset into an operand for every position of the indices, row-major.
std::vector<int64_t> offsets(const Indices& indices, size_t operand) {
  std::vector<int64_t> result{0};
  for (const EinsumIndex& index : indices) {
    std::vector<int64_t> longer;
    longer.reserve(result.size() * static_cast<size_t>(index.length));
    for (const int64_t offset : result) {
      for (int64_t i = 0; i < index.length; ++i) longer.push_back(offset + i * index.strides[operand]);
    }
    result = std::move(longer);
  }
  return result;
}

std::vector<double> decoded(const Tensor& tensor) {
  std::vector<double> values(tensor.size() + 1);
  decode_elements(tensor, 0, tensor.size(), values.data());
  return values;
}

// The kept indices of two operands as a stack of matrix products: those of both (or of neither), of the first alone, of the second alone.
struct Roles {
  Indices both, rows, columns;
  std::vector<size_t> order;  // axes of the output in the order both, rows, columns
};

Roles roles_of(const Einsum& einsum) {
  Roles roles;
  std::vector<size_t> of_rows, of_columns;
  for (size_t axis = 0; axis < einsum.kept.size(); ++axis) {
    const EinsumIndex& index = einsum.kept[axis];
    if (index.occurs(0) == index.occurs(1)) {
      roles.both.push_back(index);
      roles.order.push_back(axis);
    } else {
      (index.occurs(0) ? roles.rows : roles.columns).push_back(index);
      (index.occurs(0) ? of_rows : of_columns).push_back(axis);
    }
  }
  roles.order.insert(roles.order.end(), of_rows.begin(), of_rows.end());
  roles.order.insert(roles.order.end(), of_columns.begin(), of_columns.end());
  return roles;
}

// A tensor whose dimensions stand in `order`, with the output's.
Tensor in_output_order(const Tensor& products, const Einsum& einsum, const std::vector<size_t>& order) {
  std::vector<int64_t> strides(order.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= einsum.out[static_cast<int64_t>(order[i])];
  }
  return strided_copy(products, einsum.out, 0, strides);
}

struct Operand {
  std::vector<double> values;
  bool narrow;
};

Tensor two_operands(const Einsum& einsum, DType dtype, const Operand& a, const Operand& b) {
  const Roles roles = roles_of(einsum);
  const std::vector<int64_t> a_stack = offsets(roles.both, 0), b_stack = offsets(roles.both, 1);
  const std::vector<int64_t> rows = offsets(roles.rows, 0), columns = offsets(roles.columns, 1);
  const std::vector<int64_t> a_summed = offsets(einsum.summed, 0), b_summed = offsets(einsum.summed, 1);
  Tensor products(dtype, {einsum.out.elements()});
  const int64_t m = static_cast<int64_t>(rows.size()), n = static_cast<int64_t>(columns.size());
  for (size_t i = 0; i < a_stack.size(); ++i) {
    const OffsetVectors left(a.values.data() + a_stack[i], rows, a_summed, a.narrow);
    const OffsetVectors right(b.values.data() + b_stack[i], columns, b_summed, b.narrow);
    multiply(left, right, {&products, static_cast<int64_t>(i) * m * n, n, 1, target_of(dtype)});
  }
  return in_output_order(products, einsum, roles.order);
}

// One operand is multiplied by the number 1.
Tensor one_operand(Einsum einsum, const Tensor& x) {
  for (Indices* indices : {&einsum.kept, &einsum.summed}) {
    for (EinsumIndex& index : *indices) index.strides.push_back(0);
  }
  return two_operands(einsum, x.dtype(), {decoded(x), is_narrow(x.dtype())}, {{1.0}, true});
}

// Offsets of every operand: of the output's elements, and of the addends of one.
struct AllOffsets {
  std::vector<std::vector<int64_t>> kept, summed;
  size_t terms;
};
AllOffsets all_offsets(const Einsum& einsum, size_t operands) {
  AllOffsets all;
  all.terms = static_cast<size_t>(positions(einsum.summed));
  for (size_t operand = 0; operand < operands; ++operand) {
    all.kept.push_back(offsets(einsum.kept, operand));
    all.summed.push_back(offsets(einsum.summed, operand));
  }
  return all;
}

Tensor many_operands(const Einsum& einsum, const std::vector<Tensor>& inputs) {
  const AllOffsets at = all_offsets(einsum, inputs.size());
  std::vector<std::vector<double>> values;
  for (const Tensor& input : inputs) values.push_back(decoded(input));
  Tensor y(inputs[0].dtype(), einsum.out);
  LineJob(kSumOfProducts, y.size())
      .computed(inputs.size() * at.terms, [&](size_t line, double* factors) {
        for (size_t operand = 0; operand < values.size(); ++operand) {
          const double* from = values[operand].data() + at.kept[operand][line];
          for (const int64_t offset : at.summed[operand]) *factors++ = from[offset];
        }
      })
      .option(static_cast<int64_t>(inputs.size()))
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

Tensor of_integers(const Einsum& einsum, const std::vector<Tensor>& inputs) {
  const AllOffsets at = all_offsets(einsum, inputs.size());
  std::vector<std::vector<uint64_t>> values;
  for (const Tensor& input : inputs) values.push_back(extended_integers(input));
  Tensor y(inputs[0].dtype(), einsum.out);
  std::vector<uint64_t> sums(y.size());
  parallel_for(sums.size(), 64, [&](size_t begin, size_t end) {
    for (size_t line = begin; line < end; ++line) {
      for (size_t term = 0; term < at.terms; ++term) {
        uint64_t product = 1;
        for (size_t operand = 0; operand < values.size(); ++operand) {
          product *= values[operand][static_cast<size_t>(at.kept[operand][line] + at.summed[operand][term])];
        }
        sums[line] += product;
      }
    }
  });
  for (size_t i = 0; i < sums.size(); ++i) y.set_code(i, sums[i]);
  return y;
}

Tensor einsum_12(const OpCall& call) {
  const std::vector<Tensor> inputs = call.variadic_tensors("Inputs");
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  const Einsum einsum = einsum_of(call.text("equation"), shapes);
  const DType dtype = inputs[0].dtype();
  // Nothing to compute, or empty sums: +0 everywhere.
  if (einsum.out.elements() == 0 || positions(einsum.summed) == 0) return Tensor(dtype, einsum.out);
  if (inputs.size() > 1 && is_factored(einsum)) return factored_sums(einsum, inputs);
  if (is_integer(dtype)) return of_integers(einsum, inputs);
  if (inputs.size() == 1) return one_operand(einsum, inputs[0]);
  if (inputs.size() > 2) return many_operands(einsum, inputs);
  const bool narrow = is_narrow(dtype);
  return two_operands(einsum, dtype, {decoded(inputs[0]), narrow}, {decoded(inputs[1]), narrow});
}

}  // namespace

extern const Operator kEinsum;
const Operator kEinsum{"ai.onnx", "Einsum", {{.since = 12, .also = {28}, .run = einsum_12}}};

}  // namespace onnxv
#endif
