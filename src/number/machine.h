// Machine: lanes of plain doubles, for formulas that are exact in double or a single operation (Single of
// src/number/formula.h). NaN and signed zeros as IEEE 754 has them.
#pragma once

#include "src/number/operands.h"
#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {

struct Machine {
  Vec v;
  Machine() = default;
  Machine(double value) : v(broadcast(value)) {}  // NOLINT: constants of a formula
  explicit Machine(Vec values) : v(values) {}

  static Machine at(const LaneOperand& in, size_t i) { return Machine(load(in.m + i * in.m_step)); }
  void put(const LaneResult& out, size_t i) const { store(out.m + i, v); }
};

inline Machine operator-(Machine a) { return Machine(-a.v); }
inline Machine operator+(Machine a, Machine b) { return Machine(a.v + b.v); }
inline Machine operator-(Machine a, Machine b) { return Machine(a.v - b.v); }
inline Machine operator*(Machine a, Machine b) { return Machine(a.v * b.v); }
inline Machine operator/(Machine a, Machine b) { return Machine(a.v / b.v); }
inline Machine sqrt(Machine a) { return Machine(vector_sqrt(a.v)); }
inline Machine abs(Machine a) { return Machine(abs(a.v)); }

inline Mask operator<(Machine a, Machine b) { return (Mask)(a.v < b.v); }
inline Mask operator>(Machine a, Machine b) { return (Mask)(a.v > b.v); }
inline Mask operator<=(Machine a, Machine b) { return (Mask)(a.v <= b.v); }
inline Mask operator>=(Machine a, Machine b) { return (Mask)(a.v >= b.v); }
inline Mask operator==(Machine a, Machine b) { return (Mask)(a.v == b.v); }
inline Machine select(Mask yes, Machine a, Machine b) { return Machine((Vec)(yes ? a.v : b.v)); }

// -0 is below +0; a NaN wins.
inline Machine max(Machine a, Machine b) {
  const Vec greater = a.v > b.v ? a.v : b.v;
  const Vec most = a.v == b.v ? (Vec)((Mask)a.v & (Mask)b.v) : greater;
  return Machine((Vec)(a.v == a.v ? most : a.v));
}
inline Machine min(Machine a, Machine b) {
  const Vec less = a.v < b.v ? a.v : b.v;
  const Vec least = a.v == b.v ? (Vec)((Mask)a.v | (Mask)b.v) : less;
  return Machine((Vec)(a.v == a.v ? least : a.v));
}

#if defined(__AVX512F__)
inline Machine floor(Machine a) { return Machine((Vec)_mm512_roundscale_pd((__m512d)a.v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)); }
inline Machine ceil(Machine a) { return Machine((Vec)_mm512_roundscale_pd((__m512d)a.v, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)); }
inline Machine nearest_even(Machine a) { return Machine((Vec)_mm512_roundscale_pd((__m512d)a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)); }
#elif defined(__AVX2__)
inline Machine floor(Machine a) { return Machine((Vec)_mm256_floor_pd((__m256d)a.v)); }
inline Machine ceil(Machine a) { return Machine((Vec)_mm256_ceil_pd((__m256d)a.v)); }
inline Machine nearest_even(Machine a) { return Machine((Vec)_mm256_round_pd((__m256d)a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)); }
#else
inline Machine floor(Machine a) { return Machine(Vec{__builtin_floor(a.v[0]), __builtin_floor(a.v[1])}); }
inline Machine ceil(Machine a) { return Machine(Vec{__builtin_ceil(a.v[0]), __builtin_ceil(a.v[1])}); }
inline Machine nearest_even(Machine a) { return Machine(Vec{__builtin_nearbyint(a.v[0]), __builtin_nearbyint(a.v[1])}); }
#endif

}  // namespace ONNXV_LANES
}  // namespace onnxv
