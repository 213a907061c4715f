#include "ops/index/select.h"

#include <array>

#include "src/base/parallel.h"

namespace onnxv {
namespace {

constexpr size_t kGrain = 1 << 16;

// An array, or one element for all.
template <class T, bool one>
struct Operand {
  const T* values;
  T first;
  explicit Operand(std::span<const T> given) : values(given.data()), first(given[0]) {}
  T operator[](size_t i) const { return one ? first : values[i]; }
};

template <class T, bool one_x, bool one_y>
void run(std::span<const uint8_t> chosen, std::span<const T> given_x, std::span<const T> given_y, std::span<T> out) {
  parallel_for(out.size(), kGrain, [&](size_t begin, size_t end) {
    const Operand<T, one_x> x(given_x);
    const Operand<T, one_y> y(given_y);
    const uint8_t* by = chosen.data();
    T* to = out.data();
    for (size_t i = begin; i < end; ++i) {
      const T if_so = x[i], if_not = y[i];  // both are read: a choice of what is read would be a jump
      to[i] = by[i] != 0 ? if_so : if_not;
    }
  });
}

template <class T>
void select_as(std::span<const uint8_t> chosen, const Tensor& x, const Tensor& y, Tensor* out) {
  const std::span<const T> a = x.as<T>(), b = y.as<T>();
  const std::span<T> to = out->mutable_as<T>();
  const bool one_a = a.size() != to.size(), one_b = b.size() != to.size();
  if (one_a) return one_b ? run<T, true, true>(chosen, a, b, to) : run<T, true, false>(chosen, a, b, to);
  one_b ? run<T, false, true>(chosen, a, b, to) : run<T, false, false>(chosen, a, b, to);
}

}  // namespace

void select_elements(std::span<const uint8_t> chosen, const Tensor& x, const Tensor& y, Tensor* out) {
  if (out->size() == 0) return;
  switch (dtype_bits(out->dtype())) {
    case 8: return select_as<uint8_t>(chosen, x, y, out);
    case 16: return select_as<uint16_t>(chosen, x, y, out);
    case 32: return select_as<uint32_t>(chosen, x, y, out);
    case 64: return select_as<uint64_t>(chosen, x, y, out);
    default: return select_as<std::array<uint64_t, 2>>(chosen, x, y, out);
  }
}

}  // namespace onnxv
