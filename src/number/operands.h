// The operands of a formula.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

// The elements of one operand of a line. In lanes each element is eight lines' elements.
template <class Real>
struct In {
  const Real* data;
  size_t count;
  size_t size() const { return count; }
  const Real& operator[](size_t i) const { return data[i]; }
  const Real* begin() const { return data; }
  const Real* end() const { return data + count; }
  In part(size_t from, size_t length) const { return {data + from, length}; }
};

template <class Real>
struct Out {
  Real* data;
  size_t count;
  size_t size() const { return count; }
  Real& operator[](size_t i) const { return data[i]; }
  Real* begin() const { return data; }
  Real* end() const { return data + count; }
  operator In<Real>() const { return {data, count}; }
  Out part(size_t from, size_t length) const { return {data + from, length}; }
};

// Elementwise formulas on lanes take plain doubles and keep their Reals in registers.
struct LaneOperand {
  const double* m;
  const double* r;
  size_t m_step, r_step;  // 1; 0: the first register serves every call
};
struct LaneResult {
  double* m;
  double* r;  // not written by Machine
};

// Integers that a formula may branch on: modes, sizes, format numbers.
struct Options {
  const int64_t* values;
  int64_t operator[](size_t i) const { return values[i]; }
};

// True for the reading that weighs how a formula is written (src/number/model.h).
template <class Real>
inline constexpr bool reads_every_form = false;

}  // namespace onnxv
