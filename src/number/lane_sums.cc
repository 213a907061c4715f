// Compiled once per instruction set.
#include "src/number/lane_sums.h"

#include "src/number/formula.h"
#include "src/number/lane_floats.h"
#include "src/number/lane_settle.h"
#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

template <Term term>
double read_one(float x) {
  const double value = static_cast<double>(x);
  if constexpr (term == Term::kMagnitude) return __builtin_fabs(value);
  if constexpr (term == Term::kSquare) return value * value;
  return value;
}
template <Term term>
Vec read(const float* p) {
  const Vec x = load_floats(p);
  if constexpr (term == Term::kMagnitude) return abs(x);
  if constexpr (term == Term::kSquare) return x * x;
  return x;
}

template <Term term>
PlainSum sum_of(const float* x, size_t count) {
  constexpr size_t kChains = 4;
  Vec sums[kChains], masses[kChains];
  for (size_t c = 0; c < kChains; ++c) sums[c] = broadcast(-0.0), masses[c] = broadcast(0.0);
  size_t i = 0;
  for (; i + kChains * kLanes <= count; i += kChains * kLanes) {
#pragma GCC unroll 4
    for (size_t c = 0; c < kChains; ++c) {
      const Vec value = read<term>(x + i + c * kLanes);
      sums[c] += value;
      masses[c] += abs(value);
    }
  }
  const Vec sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  const Vec mass = (masses[0] + masses[1]) + (masses[2] + masses[3]);
  PlainSum total;
  for (int l = 0; l < kLanes; ++l) {
    total.sum += sum[l];
    total.mass += mass[l];
  }
  for (; i < count; ++i) {
    const double value = read_one<term>(x[i]);
    total.sum += value;
    total.mass += __builtin_fabs(value);
  }
  return total;
}

// `together` rows at a time, along the rows: columns would meet the cache's lines again only after they have left it.
template <Term term, size_t together>
void add_some_rows(const float* x, size_t stride, size_t count, double* sums, double* masses) {
  for (size_t j = 0; j < count; j += kLanes) {
    Vec sum = load(sums + j), mass = load(masses + j);
#pragma GCC unroll 8
    for (size_t row = 0; row < together; ++row) {
      const Vec value = read<term>(x + row * stride + j);
      sum += value;
      mass += abs(value);
    }
    store(sums + j, sum);
    store(masses + j, mass);
  }
}

template <Term term>
void add_rows_of(const float* x, size_t stride, size_t rows, size_t count, double* sums, double* masses) {
  constexpr size_t kTogether = 8;
  const size_t whole = count / kLanes * kLanes;
  size_t row = 0;
  for (; row + kTogether <= rows; row += kTogether) add_some_rows<term, kTogether>(x + row * stride, stride, whole, sums, masses);
  for (; row < rows; ++row) add_some_rows<term, 1>(x + row * stride, stride, whole, sums, masses);
  for (size_t j = whole; j < count; ++j) {
    for (size_t i = 0; i < rows; ++i) {
      const double value = read_one<term>(x[i * stride + j]);
      sums[j] += value;
      masses[j] += __builtin_fabs(value);
    }
  }
}

PlainSum sum_by_term(const float* x, size_t count, Term term) {
  switch (term) {
    case Term::kItself: return sum_of<Term::kItself>(x, count);
    case Term::kMagnitude: return sum_of<Term::kMagnitude>(x, count);
    case Term::kSquare: return sum_of<Term::kSquare>(x, count);
  }
  return {};
}

void add_rows_by_term(const float* x, size_t stride, size_t rows, size_t count, Term term, double* sums, double* masses) {
  switch (term) {
    case Term::kItself: return add_rows_of<Term::kItself>(x, stride, rows, count, sums, masses);
    case Term::kMagnitude: return add_rows_of<Term::kMagnitude>(x, stride, rows, count, sums, masses);
    case Term::kSquare: return add_rows_of<Term::kSquare>(x, stride, rows, count, sums, masses);
  }
}

}  // namespace
}  // namespace ONNXV_LANES

const PlainSums ONNXV_JOIN(kPlainSums_, ONNXV_LANES){sum_by_term, add_rows_by_term, settle_run,
                                                    ONNXV_JOIN(prefix_sums_, ONNXV_LANES)};

}  // namespace onnxv
