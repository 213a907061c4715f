#include "ops/elementwise/loops.h"

#include <type_traits>

#include "ops/elementwise/integers.h"
#include "src/base/parallel.h"

namespace onnxv {
namespace {

constexpr size_t kGrain = 1 << 16;

// Of 32 bits at least: narrower products would be signed, and overflow.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <Combine how, class T>
T one(T a, T b) {
  [[maybe_unused]] const auto x = static_cast<Wide<T>>(a), y = static_cast<Wide<T>>(b);
  if constexpr (how == Combine::kAdd) return static_cast<T>(x + y);
  if constexpr (how == Combine::kSubtract) return static_cast<T>(x - y);
  if constexpr (how == Combine::kMultiply) return static_cast<T>(x * y);
  if constexpr (how == Combine::kAnd) return a & b;
  if constexpr (how == Combine::kOr) return a | b;
  if constexpr (how == Combine::kXor) return a ^ b;
  if constexpr (how == Combine::kMax) return a > b ? a : b;
  if constexpr (how == Combine::kMin) return a < b ? a : b;
}
template <Relation relation, class T>
uint8_t one(T a, T b) {
  if constexpr (relation == Relation::kEqual) return a == b;
  if constexpr (relation == Relation::kLess) return a < b;
  if constexpr (relation == Relation::kLessOrEqual) return a <= b;
  if constexpr (relation == Relation::kGreater) return a > b;
  if constexpr (relation == Relation::kGreaterOrEqual) return a >= b;
}

template <auto how, class T, class Result>
void run(std::span<const T> a, std::span<const T> b, std::span<Result> out) {
  const bool one_a = a.size() != out.size(), one_b = b.size() != out.size();
  parallel_for(out.size(), kGrain, [&](size_t begin, size_t end) {
    const T *x = a.data(), *y = b.data();
    Result* to = out.data();
    if (one_a) {
      const T first = x[0];
      for (size_t i = begin; i < end; ++i) to[i] = one<how>(first, y[i]);
    } else if (one_b) {
      const T second = y[0];
      for (size_t i = begin; i < end; ++i) to[i] = one<how>(x[i], second);
    } else {
      for (size_t i = begin; i < end; ++i) to[i] = one<how>(x[i], y[i]);
    }
  });
}

// The operands of a result of this shape: one element stays one.
struct Operands {
  Shape shape;
  Tensor a, b;
  Operands(const Tensor& given_a, const Tensor& given_b) : shape(broadcast_shape(given_a.shape(), given_b.shape())), a(given_a), b(given_b) {
    if (a.size() != 1) a = broadcast_to(a, shape);
    if (b.size() != 1) b = broadcast_to(b, shape);
  }
};

template <Combine how>
bool combine(const Operands& operands, Tensor* result) {
  return with_type_of(operands.a.dtype(), [&]<class T>(T) {
    run<how>(operands.a.as<T>(), operands.b.as<T>(), result->mutable_as<T>());
  });
}

template <Relation relation>
bool relate(const Operands& operands, Tensor* result) {
  const auto as = [&]<class T>(T) { run<relation>(operands.a.as<T>(), operands.b.as<T>(), result->mutable_as<uint8_t>()); };
  if (operands.a.dtype() == DType::kFloat) return as(float{}), true;
  if (operands.a.dtype() == DType::kDouble) return as(double{}), true;
  return with_type_of(operands.a.dtype(), as);
}

bool is_known(DType dtype) {
  return with_type_of(dtype, [](auto) {});
}

}  // namespace

bool combined(const Tensor& a, const Tensor& b, Combine how, Tensor* result) {
  if (a.dtype() != b.dtype() || !is_known(a.dtype())) return false;
  const Operands operands(a, b);
  *result = Tensor::unfilled(a.dtype(), operands.shape);
  switch (how) {
    case Combine::kAdd: return combine<Combine::kAdd>(operands, result);
    case Combine::kSubtract: return combine<Combine::kSubtract>(operands, result);
    case Combine::kMultiply: return combine<Combine::kMultiply>(operands, result);
    case Combine::kAnd: return combine<Combine::kAnd>(operands, result);
    case Combine::kOr: return combine<Combine::kOr>(operands, result);
    case Combine::kXor: return combine<Combine::kXor>(operands, result);
    case Combine::kMax: return combine<Combine::kMax>(operands, result);
    case Combine::kMin: return combine<Combine::kMin>(operands, result);
  }
  return false;
}

bool related(const Tensor& a, const Tensor& b, Relation relation, Tensor* result) {
  if (a.dtype() != b.dtype() || !(is_known(a.dtype()) || a.dtype() == DType::kFloat || a.dtype() == DType::kDouble)) return false;
  const Operands operands(a, b);
  *result = Tensor::unfilled(DType::kBool, operands.shape);
  switch (relation) {
    case Relation::kEqual: return relate<Relation::kEqual>(operands, result);
    case Relation::kLess: return relate<Relation::kLess>(operands, result);
    case Relation::kLessOrEqual: return relate<Relation::kLessOrEqual>(operands, result);
    case Relation::kGreater: return relate<Relation::kGreater>(operands, result);
    case Relation::kGreaterOrEqual: return relate<Relation::kGreaterOrEqual>(operands, result);
  }
  return false;
}

}  // namespace onnxv
