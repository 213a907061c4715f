#include "ops/reduce/folds.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "src/base/parallel.h"

namespace onnxv {
namespace {

// Of 32 bits at least: narrower products would be signed, and overflow.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <Fold how, class T>
constexpr T kStart = how == Fold::kProduct ? T{1}
                     : how == Fold::kMax   ? std::numeric_limits<T>::min()
                     : how == Fold::kMin   ? std::numeric_limits<T>::max()
                                           : T{0};

template <Fold how, class T>
T step(T so_far, T element) {
  [[maybe_unused]] const auto a = static_cast<Wide<T>>(so_far), b = static_cast<Wide<T>>(element);
  if constexpr (how == Fold::kSum) return static_cast<T>(a + b);
  if constexpr (how == Fold::kProduct) return static_cast<T>(a * b);
  if constexpr (how == Fold::kSquares) return static_cast<T>(a + b * b);
  if constexpr (how == Fold::kMagnitudes) return static_cast<T>(a + (element < T{0} ? Wide<T>{0} - b : b));
  if constexpr (how == Fold::kMax) return std::max(so_far, element);
  if constexpr (how == Fold::kMin) return std::min(so_far, element);
}

// One block of [length, inner] to [inner].
template <Fold how, class T>
void fold_block(const T* x, size_t length, size_t inner, T* y) {
  if (inner == 1) {
    T total = kStart<how, T>;
    for (size_t i = 0; i < length; ++i) total = step<how>(total, x[i]);
    *y = total;
    return;
  }
  std::fill_n(y, inner, kStart<how, T>);
  for (size_t i = 0; i < length; ++i, x += inner) {
    for (size_t j = 0; j < inner; ++j) y[j] = step<how>(y[j], x[j]);
  }
}

template <Fold how, class T>
void fold_as(const Tensor& x, LineLayout layout, Tensor* y) {
  const T* from = x.as<T>().data();
  T* to = y->mutable_as<T>().data();
  const size_t block = layout.length * layout.inner;
  const size_t grain = std::max<size_t>(1, (size_t{1} << 15) / std::max<size_t>(block, 1));
  parallel_for(layout.outer, grain, [&](size_t begin, size_t end) {
    for (size_t o = begin; o < end; ++o) fold_block<how>(from + o * block, layout.length, layout.inner, to + o * layout.inner);
  });
}

template <Fold how>
void fold(const Tensor& x, LineLayout layout, Tensor* y) {
  switch (x.dtype()) {
    case DType::kInt8: return fold_as<how, int8_t>(x, layout, y);
    case DType::kUint8: return fold_as<how, uint8_t>(x, layout, y);
    case DType::kInt16: return fold_as<how, int16_t>(x, layout, y);
    case DType::kUint16: return fold_as<how, uint16_t>(x, layout, y);
    case DType::kInt32: return fold_as<how, int32_t>(x, layout, y);
    case DType::kUint32: return fold_as<how, uint32_t>(x, layout, y);
    case DType::kInt64: return fold_as<how, int64_t>(x, layout, y);
    default: return fold_as<how, uint64_t>(x, layout, y);
  }
}

}  // namespace

void fold_lines(const Tensor& x, LineLayout layout, Fold how, Tensor* y) {
  switch (how) {
    case Fold::kSum: return fold<Fold::kSum>(x, layout, y);
    case Fold::kProduct: return fold<Fold::kProduct>(x, layout, y);
    case Fold::kMagnitudes: return fold<Fold::kMagnitudes>(x, layout, y);
    case Fold::kSquares: return fold<Fold::kSquares>(x, layout, y);
    case Fold::kMax: return fold<Fold::kMax>(x, layout, y);
    case Fold::kMin: return fold<Fold::kMin>(x, layout, y);
  }
}

}  // namespace onnxv
