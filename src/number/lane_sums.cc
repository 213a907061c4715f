// Compiled once per instruction set.
#include "src/number/lane_sums.h"

#include "src/number/formula.h"
#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

template <Term term>
Vec read(const double* p) {
  const Vec x = load(p);
  if constexpr (term == Term::kMagnitude) return abs(x);
  if constexpr (term == Term::kSquare) return x * x;
  return x;
}

template <Term term>
PlainSum sum_of(const double* x, size_t count) {
  constexpr size_t kChains = 4;
  Vec sums[kChains], masses[kChains];
  for (size_t c = 0; c < kChains; ++c) sums[c] = broadcast(-0.0), masses[c] = broadcast(0.0);
  size_t i = 0;
  for (; i + kChains * kLanes <= count; i += kChains * kLanes) {
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
    const double value = term == Term::kItself ? x[i] : term == Term::kMagnitude ? __builtin_fabs(x[i]) : x[i] * x[i];
    total.sum += value;
    total.mass += __builtin_fabs(value);
  }
  return total;
}

template <Term term>
void add_columns_of(const double* x, size_t count, double* sums, double* masses) {
  size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    const Vec value = read<term>(x + j);
    store(sums + j, load(sums + j) + value);
    store(masses + j, load(masses + j) + abs(value));
  }
  for (; j < count; ++j) {
    const double value = term == Term::kItself ? x[j] : term == Term::kMagnitude ? __builtin_fabs(x[j]) : x[j] * x[j];
    sums[j] += value;
    masses[j] += __builtin_fabs(value);
  }
}

}  // namespace
}  // namespace ONNXV_LANES

PlainSum ONNXV_JOIN(plain_sum_, ONNXV_LANES)(const double* x, size_t count, Term term) {
  switch (term) {
    case Term::kItself: return sum_of<Term::kItself>(x, count);
    case Term::kMagnitude: return sum_of<Term::kMagnitude>(x, count);
    case Term::kSquare: return sum_of<Term::kSquare>(x, count);
  }
  return {};
}

void ONNXV_JOIN(add_columns_, ONNXV_LANES)(const double* x, size_t count, Term term, double* sums, double* masses) {
  switch (term) {
    case Term::kItself: return add_columns_of<Term::kItself>(x, count, sums, masses);
    case Term::kMagnitude: return add_columns_of<Term::kMagnitude>(x, count, sums, masses);
    case Term::kSquare: return add_columns_of<Term::kSquare>(x, count, sums, masses);
  }
}

}  // namespace onnxv
