#include "ops/linear/factored.h"

#include <algorithm>

#include "src/base/checked.h"
#include "src/kernel/product.h"
#include "src/number/extended.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

using Indices = std::vector<EinsumIndex>;

size_t occurrences(const EinsumIndex& index) {
  return static_cast<size_t>(std::count_if(index.strides.begin(), index.strides.end(), [](int64_t stride) { return stride != 0; }));
}

// Every position of the indices in one operand, in turn.
template <class Use>
void each_offset(const Indices& indices, size_t operand, const Use& use) {
  Shape shape;
  for (const EinsumIndex& index : indices) shape.push_back(index.length);
  for (Odometer at(shape); at.more(); at.next()) {
    int64_t offset = 0;
    for (size_t i = 0; i < indices.size(); ++i) offset += at.index()[i] * indices[i].strides[operand];
    use(offset);
  }
}

std::vector<int64_t> offsets(const Indices& indices, size_t operand) {
  std::vector<int64_t> list;
  each_offset(indices, operand, [&](int64_t offset) { list.push_back(offset); });
  return list;
}

// Kinds of numbers, as bits of a set: what a product of two of them is depends on no more.
enum Kinds : unsigned { kNan = 1, kInfinity = 2, kMinusInfinity = 4, kPlus = 8, kMinus = 16, kZero = 32, kMinusZero = 64 };
constexpr unsigned kAllKinds[] = {kNan, kInfinity, kMinusInfinity, kPlus, kMinus, kZero, kMinusZero};

unsigned kind_of(const Extended& x) {
  if (x.is_nan()) return kNan;
  if (x.is_infinite()) return x.is_negative() ? kMinusInfinity : kInfinity;
  if (x.is_zero()) return x.is_negative() ? kMinusZero : kZero;
  return x.is_negative() ? kMinus : kPlus;
}

Extended one_of_kind(unsigned kind) {
  switch (kind) {
    case kNan: return Extended::nan();
    case kInfinity: return Extended::infinity(false);
    case kMinusInfinity: return Extended::infinity(true);
    case kPlus: return Extended(1);
    case kMinus: return Extended(-1);
    case kZero: return Extended();
    default: return -Extended();
  }
}

unsigned products(unsigned a, unsigned b) {
  unsigned kinds = 0;
  for (const unsigned x : kAllKinds) {
    for (const unsigned y : kAllKinds) {
      if ((a & x) != 0 && (b & y) != 0) kinds |= kind_of(one_of_kind(x) * one_of_kind(y));
    }
  }
  return kinds;
}

// Numbers that are added: their exact sum, where all are finite, and their kinds.
struct Addends {
  Extended sum;
  unsigned kinds = 0;
};

Addends product(const Addends& a, const Addends& b) { return {a.sum * b.sum, products(a.kinds, b.kinds)}; }

// The sum as IEEE 754 has it: -0 where every addend is.
Extended total(const Addends& all) {
  const bool plus = (all.kinds & kInfinity) != 0, minus = (all.kinds & kMinusInfinity) != 0;
  if ((all.kinds & kNan) != 0 || (plus && minus)) return Extended::nan();
  if (plus || minus) return Extended::infinity(minus);
  if (!all.sum.is_zero()) return all.sum;
  return all.kinds == kMinusZero ? -Extended() : Extended();
}

class FloatSums {
 public:
  explicit FloatSums(const std::vector<Tensor>& inputs) {
    for (const Tensor& input : inputs) {
      std::vector<double>& values = values_.emplace_back(input.size());
      decode_elements(input, 0, values.size(), values.data());
    }
  }
  using Sum = Addends;
  static Sum nothing() { return {}; }
  static void add(Sum& sum, const Sum& more) {
    sum.kinds |= more.kinds;
    if ((sum.kinds & (kNan | kInfinity | kMinusInfinity)) == 0) sum.sum = sum.sum + more.sum;
  }
  static Sum multiplied(const Sum& a, const Sum& b) { return product(a, b); }
  Sum element(size_t operand, int64_t at) const {
    const Extended value = Extended::from_double(values_[operand][static_cast<size_t>(at)]);
    return {value, kind_of(value)};
  }
  static uint64_t code(const Sum& sum, DType dtype) { return total(sum).encode(float_format(dtype)); }

 private:
  std::vector<std::vector<double>> values_;
};

class IntegerSums {
 public:
  explicit IntegerSums(const std::vector<Tensor>& inputs) {
    for (const Tensor& input : inputs) values_.push_back(extended_integers(input));
  }
  using Sum = uint64_t;
  static Sum nothing() { return 0; }
  static void add(Sum& sum, Sum more) { sum += more; }
  static Sum multiplied(Sum a, Sum b) { return a * b; }
  Sum element(size_t operand, int64_t at) const { return values_[operand][static_cast<size_t>(at)]; }
  static uint64_t code(Sum sum, DType) { return sum; }

 private:
  std::vector<std::vector<uint64_t>> values_;
};

template <class Sums>
Tensor summed(const Einsum& einsum, const std::vector<Tensor>& inputs) {
  const Sums sums(inputs);
  Indices shared;
  std::vector<Indices> own(inputs.size());
  for (const EinsumIndex& index : einsum.summed) {
    if (occurrences(index) != 1) {
      shared.push_back(index);
      continue;
    }
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (index.occurs(k)) own[k].push_back(index);
    }
  }
  std::vector<std::vector<int64_t>> kept, together;
  for (size_t k = 0; k < inputs.size(); ++k) {
    kept.push_back(offsets(einsum.kept, k));
    together.push_back(offsets(shared, k));
  }
  Tensor y(inputs[0].dtype(), einsum.out);
  for (size_t line = 0; line < y.size(); ++line) {
    typename Sums::Sum all = Sums::nothing();
    for (size_t s = 0; s < together[0].size(); ++s) {
      std::vector<typename Sums::Sum> factors(inputs.size(), Sums::nothing());
      for (size_t k = 0; k < inputs.size(); ++k) {
        const int64_t from = kept[k][line] + together[k][s];
        each_offset(own[k], k, [&](int64_t offset) { Sums::add(factors[k], sums.element(k, from + offset)); });
      }
      typename Sums::Sum addends = factors[0];
      for (size_t k = 1; k < inputs.size(); ++k) addends = Sums::multiplied(addends, factors[k]);
      Sums::add(all, addends);
    }
    y.set_code(line, Sums::code(all, y.dtype()));
  }
  return y;
}

}  // namespace

bool is_factored(const Einsum& einsum) {
  constexpr int64_t kMostAddends = int64_t{1} << 22;  // more are not listed
  int64_t addends = 1;
  bool own = false;
  for (const EinsumIndex& index : einsum.summed) {
    addends = checked_multiply(addends, index.length);
    own = own || occurrences(index) == 1;
  }
  return own && addends > kMostAddends;
}

Tensor factored_sums(const Einsum& einsum, const std::vector<Tensor>& inputs) {
  return is_integer(inputs[0].dtype()) ? summed<IntegerSums>(einsum, inputs) : summed<FloatSums>(einsum, inputs);
}

}  // namespace onnxv
