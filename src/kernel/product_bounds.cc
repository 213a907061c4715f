#include "src/kernel/product_bounds.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "src/base/parallel.h"

namespace onnxv {
namespace {

constexpr size_t kTogether = 16;

// At most the value of the lowest set bit of any nonzero element; infinity where there is none.
double quantum_of(const double* x, size_t count, size_t stride) {
  double quantum = HUGE_VAL;
  for (size_t k = 0; k < count; ++k) {
    const double value = std::fabs(x[k * stride]);
    if (value == 0 || !std::isfinite(value)) continue;
    int exponent;
    const auto digits = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
    quantum = std::min(quantum, std::ldexp(1.0, exponent - 53 + __builtin_ctzll(static_cast<unsigned long long>(digits))));
  }
  return quantum;
}

double largest_of(const double* x, size_t count) {
  double largest = 0;
  for (size_t k = 0; k < count; ++k) largest = std::max(largest, std::fabs(x[k]));
  return largest;
}

// Terms of products of exact elements: |a| · |b|, their squares, and how many are not zero.
Addends addends_of(const double* x, const double* columns, size_t column, size_t stride, size_t length) {
  Addends addends;
  double total = -0.0, magnitudes = 0, squares = 0;
  size_t count = 0;
  for (size_t k = 0; k < length; ++k) {
    const double product = x[k] * columns[k * stride + column];
    total += product;
    magnitudes += std::fabs(product);
    squares += product * product;
    count += product != 0 ? 1 : 0;
  }
  addends.total = addends.low = addends.high = total;
  addends.magnitudes = magnitudes;
  addends.squares = squares;
  addends.count = count;
  addends.products = true;
  return addends;
}

void add_term(double term, Addends* addends) {
  addends->total += term;
  addends->low = addends->high = addends->total;
  addends->magnitudes += std::fabs(term);
  addends->squares += term * term;
  addends->count += term != 0 ? 1 : 0;
  addends->quantum = std::min(addends->quantum, quantum_of(&term, 1, 1));
}

// Operands that were computed before in the same node: with their own bounds, one product at a time.
void model_of_bounded(const Vectors& a, size_t row, const Vectors& b, size_t first, size_t count, ModelReal* products) {
  const size_t length = a.length();
  std::vector<ModelReal> x(length + 1), y(length + 1);
  a.read_models(row, x.data());
  for (size_t j = 0; j < count; ++j) {
    b.read_models(first + j, y.data());
    products[j] = dot(In<ModelReal>{x.data(), length}, In<ModelReal>{y.data(), length});
  }
}

}  // namespace

void model_products(const Vectors& a, size_t row, const Vectors& b, size_t first, size_t count, ModelReal* products,
                    const double* start) {
  if (a.bounded() || b.bounded()) {
    model_of_bounded(a, row, b, first, count, products);
    for (size_t j = 0; start != nullptr && j < count; ++j) products[j] += ModelReal::operand(*start);
    return;
  }
  const size_t length = a.length();
  const bool winograd = ArithmeticScope::current().model.winograd && (a.patches() || b.patches());
  std::vector<double> x(length + 1), columns(kTogether * length + 1);
  a.read(row, 1, 0, length, x.data());
  const double quantum = quantum_of(x.data(), length, 1);
  for (size_t j = 0; j < count; j += kTogether) {
    const size_t present = std::min(kTogether, count - j);
    b.read(first + j, present, 0, length, columns.data());
    for (size_t c = 0; c < present; ++c) {
      Addends addends = addends_of(x.data(), columns.data(), c, present, length);
      addends.quantum = quantum * quantum_of(columns.data() + c, length, present);
      if (winograd) {
        // The transforms mix whole blocks of the image and scale them: no term is smaller than the largest, ten times.
        addends.magnitudes = 10 * static_cast<double>(length) * largest_of(x.data(), length) * largest_of(columns.data(), length * present);
        addends.squares = addends.magnitudes * addends.magnitudes / static_cast<double>(std::max<size_t>(length, 1));
        addends.quantum = 0;
      }
      if (start != nullptr) add_term(*start, &addends);
      products[j + c] = length == 0 && start == nullptr ? ModelReal(0.0) : model_of(addends);
    }
  }
}

void bound_products(const Vectors& a, const Vectors& b, const ProductOutput& out) {
  if (out.start_of_b != nullptr) {
    ProductOutput rest = out;
    rest.start_of_b = nullptr;
    const std::vector<double> more(out.start_of_b, out.start_of_b + b.count());
    return bound_products(ExtendedVectors(a, {1.0}, true), ExtendedVectors(b, more, b.narrow()), rest);
  }
  const ToleranceModel& tolerance = *ToleranceScope::current();
  std::vector<Bound>& bounds = out.tensor->mutable_bounds();
  const ComputeType type = compute_type_of(tolerance, std::span(&out.target, 1));
  parallel_for(a.count(), 1, [&](size_t begin, size_t end) {
    const ArithmeticScope arithmetic(tolerance, type);
    std::vector<ModelReal> products(b.count());
    for (size_t i = begin; i < end; ++i) {
      model_products(a, i, b, 0, b.count(), products.data(), out.start == nullptr ? nullptr : out.start + i);
      for (size_t j = 0; j < products.size(); ++j) {
        const int64_t at = out.offset + static_cast<int64_t>(i) * out.row_stride + static_cast<int64_t>(j) * out.column_stride;
        bounds[static_cast<size_t>(at)] = written(out.target, products[j]);
      }
    }
  });
}

}  // namespace onnxv
