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

// Integers that a formula may branch on: modes, sizes, format numbers.
struct Options {
  const int64_t* values;
  int64_t operator[](size_t i) const { return values[i]; }
};

// Square root in plain float64, for formulas that are one IEEE operation.
inline double sqrt(double x) { return __builtin_sqrt(x); }

}  // namespace onnxv
