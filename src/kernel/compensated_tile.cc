// Compiled once per instruction set.
#include "src/kernel/compensated_tile.h"

#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// What a + b loses.
template <class Number>
Number lost(Number a, Number b, Number sum) {
  const Number t = sum - a;
  return (a - (sum - t)) + (b - t);
}

// Sums that a lane adds by itself: Dot2 of Ogita, Rump and Oishi, which also looks at what its rest loses.
struct Partial {
  Vec head = broadcast(-0.0), rest{}, size{}, errors{};
  Mask underflows{};

  void add(Vec a, Vec b) {
    const Vec product = a * b, low = fma(a, b, -product), sum = head + product;
    const Vec missing = lost(head, product, sum), small = missing + low, next = rest + small;
    errors += abs(lost(missing, low, small)) + abs(lost(rest, small, next));
    underflows |= (Mask)(abs(product) < 0x1p-900) & (Mask)(a != 0.0) & (Mask)(b != 0.0);
    size += abs(product);
    rest = next;
    head = sum;
  }
};

CompensatedSum joined(const Partial& partial) {
  double head = -0.0, rest = 0, size = 0, errors = 0;
  for (int i = 0; i < kLanes; ++i) {
    const double sum = head + partial.head[i], missing = lost(head, partial.head[i], sum);
    const double smalls[] = {missing, partial.rest[i]};
    for (const double small : smalls) {
      const double next = rest + small;
      errors += __builtin_fabs(lost(rest, small, next));
      rest = next;
    }
    head = sum;
    size += partial.size[i];
    errors += partial.errors[i];
  }
  return {head, rest, size, errors != 0 || any(partial.underflows)};
}

CompensatedSum compensated_dot(const double* a, const double* b, size_t count) {
  Partial partial;
  size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) partial.add(load(a + k), load(b + k));
  if (k < count) {
    // Filled up with products of -0, which add nothing to any sum.
    Vec x = broadcast(-0.0), y = broadcast(0.0);
    for (int i = 0; k < count; ++i, ++k) {
      x[i] = a[k];
      y[i] = b[k];
    }
    partial.add(x, y);
  }
  return joined(partial);
}

SizedSum sized_dot(const double* a, const double* b, size_t count) {
  static_assert(kLanes >= 2 && kLanes <= 8);
  Vec sum = broadcast(-0.0), size{};
  size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    const Vec product = load(a + k) * load(b + k);
    sum += product;
    size += abs(product);
  }
  SizedSum all{-0.0, 0};
  for (int i = 0; i < kLanes; ++i) {
    all.sum += sum[i];
    all.size += size[i];
  }
  for (; k < count; ++k) {
    all.sum += a[k] * b[k];
    all.size += __builtin_fabs(a[k] * b[k]);
  }
  return all;
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

CompensatedSum ONNXV_TILE_JOIN(compensated_dot_, ONNXV_LANES)(const double* a, const double* b, size_t count) {
  return compensated_dot(a, b, count);
}
SizedSum ONNXV_TILE_JOIN(sized_dot_, ONNXV_LANES)(const double* a, const double* b, size_t count) { return sized_dot(a, b, count); }

}  // namespace onnxv
