#include "ops/training/derivative_rules.h"

#include <algorithm>
#include <string>
#include <utility>

#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

using Id = Tape::Id;

const Shape& output_shape(const TracedNode& traced) { return traced.outputs[0].tensor().shape(); }

Tensor as_doubles(const Tensor& tensor) {
  Tensor doubles(DType::kDouble, tensor.shape());
  decode_elements(tensor, 0, tensor.size(), doubles.mutable_as<double>().data());
  return doubles;
}

// ---- element by element ----

template <Id (Tape::*step)(Id)>
std::vector<Ids> unary(const TracedNode& traced) {
  const Ids& x = *traced.ids[0];
  Ids y(DType::kDouble, x.shape());
  for (size_t i = 0; i < y.size(); ++i) set_id(y, i, (traced.tape.*step)(id_at(x, i)));
  return {y};
}

// B as today's rules broadcast it; before opset 7 the attribute `axis` says where its dimensions stand in A's.
Ids aligned(const TracedNode& traced, const Ids& a, const Ids& b) {
  if (traced.node.since_version >= 7 || a.shape() == b.shape()) return b;
  if (b.size() == 1) return b.reshaped(Shape{});
  int64_t axis = traced.call.integer_or("axis", a.rank() - b.rank());
  if (axis < 0) axis += a.rank();
  Shape shape = b.shape();
  for (int64_t i = axis + b.rank(); i < a.rank(); ++i) shape.push_back(1);
  return b.reshaped(shape);
}

template <Id (Tape::*step)(Id, Id)>
std::vector<Ids> binary(const TracedNode& traced) {
  const Shape& shape = output_shape(traced);
  const Ids a = broadcast_to(*traced.ids[0], shape);
  const Ids b = broadcast_to(aligned(traced, *traced.ids[0], *traced.ids[1]), shape);
  Ids y(DType::kDouble, shape);
  for (size_t i = 0; i < y.size(); ++i) set_id(y, i, (traced.tape.*step)(id_at(a, i), id_at(b, i)));
  return {y};
}

// An integer exponent is a constant.
std::vector<Ids> power(const TracedNode& traced) {
  if (traced.ids[1] != nullptr) return binary<&Tape::pow>(traced);
  const Ids exponent = constants_of(traced.tape, traced.call.inputs()[1].tensor());
  const Ids* const both[] = {traced.ids[0], &exponent};
  return binary<&Tape::pow>({traced.tape, traced.enclosing, traced.node, traced.call, both, traced.outputs});
}

std::vector<Ids> sum_of_all(const TracedNode& traced) {
  const Shape& shape = output_shape(traced);
  Ids y = broadcast_to(*traced.ids[0], shape);
  for (const Ids* term : traced.ids.subspan(1)) {
    const Ids more = broadcast_to(*term, shape);
    for (size_t i = 0; i < y.size(); ++i) set_id(y, i, traced.tape.add(id_at(y, i), id_at(more, i)));
  }
  return {y};
}

// Choice: the derivative of Relu at 0 is 0.
std::vector<Ids> relu(const TracedNode& traced) {
  const Tensor x = as_doubles(traced.call.inputs()[0].tensor());
  Ids y = *traced.ids[0];
  const Id zero = traced.tape.constant(0.0);
  for (size_t i = 0; i < y.size(); ++i) {
    if (x.as<double>()[i] <= 0) set_id(y, i, zero);
  }
  return {y};
}

std::vector<Ids> unchanged(const TracedNode& traced) { return {*traced.ids[0]}; }

// ---- elements moved ----

std::vector<Ids> move(const TracedNode& traced, bool all_inputs) {
  std::vector<Value> inputs(traced.call.inputs().begin(), traced.call.inputs().end());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (traced.ids[i] == nullptr) continue;
    // The first versions of Split and Tile take counts of the data's type.
    inputs[i] = i == 0 || all_inputs ? *traced.ids[i] : as_doubles(inputs[i].tensor());
  }
  const OpCall& call = traced.enclosing.call(traced.node, std::move(inputs));
  std::vector<Ids> moved;
  for (const Value& output : traced.enclosing.run(traced.node, call)) {
    moved.push_back(output.exists() ? output.tensor() : Tensor());
  }
  return moved;
}
std::vector<Ids> moved(const TracedNode& traced) { return move(traced, false); }
std::vector<Ids> moved_together(const TracedNode& traced) { return move(traced, true); }

// ---- sums ----

std::vector<int64_t> reduced_axes(const TracedNode& traced, int64_t rank) {
  std::vector<int64_t> axes;
  const std::span<const Value> inputs = traced.call.inputs();
  if (inputs.size() > 1 && inputs[1].exists()) {
    axes = int64_values(inputs[1].tensor());
  } else {
    axes = traced.call.integers("axes");
  }
  for (int64_t& axis : axes) axis = normalized_axis(axis, rank);
  if (!axes.empty() || traced.call.integer_or("noop_with_empty_axes", 0) != 0) return axes;
  for (int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

std::vector<Ids> reduced(const TracedNode& traced, bool mean) {
  const Ids& x = *traced.ids[0];
  Tape& tape = traced.tape;
  Shape kept = x.shape();
  int64_t count = 1;
  for (const int64_t axis : reduced_axes(traced, x.rank())) {
    count *= x.shape()[axis];
    kept[axis] = 1;
  }
  const std::vector<int64_t> strides = broadcast_strides(kept, x.shape());
  std::vector<Id> totals(static_cast<size_t>(kept.elements()), Tape::kNone);
  size_t element = 0;
  for (Odometer at(x.shape()); at.more(); at.next(), ++element) {
    int64_t place = 0;
    for (int64_t axis = 0; axis < x.rank(); ++axis) place += at[axis] * strides[static_cast<size_t>(axis)];
    Id& total = totals[static_cast<size_t>(place)];
    total = total == Tape::kNone ? id_at(x, element) : tape.add(total, id_at(x, element));
  }
  const Id divisor = tape.constant(static_cast<double>(count));
  Ids y(DType::kDouble, output_shape(traced));
  for (size_t i = 0; i < y.size(); ++i) {
    const Id total = totals[i] == Tape::kNone ? tape.constant(0.0) : totals[i];
    set_id(y, i, mean ? tape.divide(total, divisor) : total);
  }
  return {y};
}
std::vector<Ids> reduced_sum(const TracedNode& traced) { return reduced(traced, false); }
std::vector<Ids> reduced_mean(const TracedNode& traced) { return reduced(traced, true); }

// A matrix inside of ids: the scalar of row i and column j stands at first + i * down + j * right.
struct Matrix {
  const Ids& ids;
  size_t first, down, right;
  Id operator()(size_t i, size_t j) const { return id_at(ids, first + i * down + j * right); }
};

Id row_by_column(Tape& tape, const Matrix& a, const Matrix& b, size_t i, size_t j, size_t k) {
  if (k == 0) return tape.constant(0.0);
  Id total = tape.multiply(a(i, 0), b(0, j));
  for (size_t e = 1; e < k; ++e) total = tape.add(total, tape.multiply(a(i, e), b(e, j)));
  return total;
}

Shape leading(const Shape& shape) { return Shape(std::vector<int64_t>(shape.begin(), shape.end() - 2)); }

std::vector<Ids> matrix_product(const TracedNode& traced) {
  Ids a = *traced.ids[0], b = *traced.ids[1];
  if (a.rank() == 1) a = a.reshaped(Shape{1, a.shape()[0]});
  if (b.rank() == 1) b = b.reshaped(Shape{b.shape()[0], 1});
  const int64_t m = a.shape()[a.rank() - 2], k = a.shape().back(), n = b.shape().back();
  Shape whole_a = broadcast_shape(leading(a.shape()), leading(b.shape())), whole_b = whole_a;
  const auto batch = static_cast<size_t>(whole_a.elements());
  whole_a.push_back(m);
  whole_a.push_back(k);
  whole_b.push_back(k);
  whole_b.push_back(n);
  a = broadcast_to(a, whole_a);
  b = broadcast_to(b, whole_b);
  const auto rows = static_cast<size_t>(m), depth = static_cast<size_t>(k), columns = static_cast<size_t>(n);
  Ids y(DType::kDouble, output_shape(traced));
  for (size_t e = 0; e < batch * rows * columns; ++e) {
    const size_t matrix = e / (rows * columns), i = e / columns % rows, j = e % columns;
    const Matrix left{a, matrix * rows * depth, depth, 1}, right{b, matrix * depth * columns, columns, 1};
    set_id(y, e, row_by_column(traced.tape, left, right, i, j, depth));
  }
  return {y};
}

Id scaled(Tape& tape, Id factor, Id x, double value) { return value == 1 ? x : tape.multiply(factor, x); }

std::vector<Ids> gemm(const TracedNode& traced) {
  const Ids &a = *traced.ids[0], &b = *traced.ids[1];
  const bool across_a = traced.call.integer("transA") != 0, across_b = traced.call.integer("transB") != 0;
  const Shape& shape = output_shape(traced);
  const auto rows = static_cast<size_t>(shape[0]), columns = static_cast<size_t>(shape[1]);
  const auto depth = static_cast<size_t>(a.shape()[across_a ? 0 : 1]);
  const Matrix left{a, 0, across_a ? 1 : depth, across_a ? rows : 1};
  const Matrix right{b, 0, across_b ? 1 : columns, across_b ? depth : 1};
  const double alpha = traced.call.real("alpha"), beta = traced.call.real("beta");
  Tape& tape = traced.tape;
  const Id by_alpha = tape.constant(alpha), by_beta = tape.constant(beta);
  const bool biased = traced.ids.size() > 2 && traced.ids[2] != nullptr;
  const Ids c = biased ? broadcast_to(*traced.ids[2], shape) : Ids();
  Ids y(DType::kDouble, shape);
  for (size_t e = 0; e < y.size(); ++e) {
    const Id product = row_by_column(tape, left, right, e / columns, e % columns, depth);
    Id total = scaled(tape, by_alpha, product, alpha);
    if (biased) total = tape.add(total, scaled(tape, by_beta, id_at(c, e), beta));
    set_id(y, e, total);
  }
  return {y};
}

constexpr std::pair<std::string_view, DerivativeRule> kRules[] = {
    {"Add", binary<&Tape::add>},
    {"Cast", unchanged},
    {"Concat", moved_together},
    {"DepthToSpace", moved},
    {"Div", binary<&Tape::divide>},
    {"Exp", unary<&Tape::exp>},
    {"Expand", moved},
    {"Flatten", moved},
    {"Gather", moved},
    {"GatherElements", moved},
    {"GatherND", moved},
    {"Gemm", gemm},
    {"Identity", unchanged},
    {"Log", unary<&Tape::log>},
    {"MatMul", matrix_product},
    {"Mul", binary<&Tape::multiply>},
    {"Neg", unary<&Tape::negate>},
    {"Pow", power},
    {"ReduceMean", reduced_mean},
    {"ReduceSum", reduced_sum},
    {"Relu", relu},
    {"Reshape", moved},
    {"Sigmoid", unary<&Tape::sigmoid>},
    {"Slice", moved},
    {"SpaceToDepth", moved},
    {"Split", moved},
    {"Sqrt", unary<&Tape::sqrt>},
    {"Squeeze", moved},
    {"Sub", binary<&Tape::subtract>},
    {"Sum", sum_of_all},
    {"Tanh", unary<&Tape::tanh>},
    {"Tile", moved},
    {"Transpose", moved},
    {"Unsqueeze", moved},
};

}  // namespace

Ids constants_of(Tape& tape, const Tensor& tensor) {
  const Tensor values = as_doubles(tensor);
  Ids ids(DType::kDouble, tensor.shape());
  for (size_t i = 0; i < ids.size(); ++i) set_id(ids, i, tape.constant(values.as<double>()[i]));
  return ids;
}

DerivativeRule find_derivative_rule(std::string_view op) {
  const auto* found = std::ranges::find(kRules, op, &std::pair<std::string_view, DerivativeRule>::first);
  return found == std::end(kRules) ? nullptr : found->second;
}

}  // namespace onnxv
