// Sums in plain double arithmetic, as fast as the machine adds, with what bounds their error: a sum of n terms in any order is
// within depth · u · mass of the real one, where depth is the number of additions on the longest way of a term into the sum
// (at first order; the callers' factors pay for the rest).
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

struct Target;

struct PlainSum {
  double sum = -0.0;  // +0 only where some term is not -0
  double mass = 0;    // of the magnitudes
};

// How a term is read.
enum class Term : unsigned char { kItself, kMagnitude, kSquare };  // a square of at most 26 bits is exact

// The terms' sum by several accumulators; depth at most count / 8 + 8.
PlainSum plain_sum(const float* x, size_t count, Term term);
// sums[j] and masses[j] take the terms x[j], x[stride + j], … of `rows` rows: as many additions for each.
void add_rows(const float* x, size_t stride, size_t rows, size_t count, Term term, double* sums, double* masses);

// The codes of everything within r of m; open[i] is set to 1 where it is more than one. Readable up to kSettlePadding beyond the last.
inline constexpr size_t kSettlePadding = 8;
void settle_sums(const Target& target, const double* m, const double* r, size_t count, void* codes, uint8_t* open);

}  // namespace onnxv
