// Sums in plain double arithmetic, as fast as the machine adds, with what bounds their error: a sum of n terms in any order is
// within depth · u · mass of the real one, where depth is the number of additions on the longest way of a term into the sum
// (at first order; the callers' factors pay for the rest).
#pragma once

#include <cstddef>

namespace onnxv {

struct PlainSum {
  double sum = -0.0;  // +0 only where some term is not -0
  double mass = 0;    // of the magnitudes
};

// How a term is read.
enum class Term : unsigned char { kItself, kMagnitude, kSquare };  // a square of at most 26 bits is exact

// The terms' sum by several accumulators; depth at most count / 8 + 8.
PlainSum plain_sum(const double* x, size_t count, Term term);
// sums[j] += x[j], masses[j] += |x[j]|: one addition more for each.
void add_columns(const double* x, size_t count, Term term, double* sums, double* masses);

}  // namespace onnxv
