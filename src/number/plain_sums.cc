#include "src/number/plain_sums.h"

#include <string>

#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"
#include "src/number/lane_sums.h"

namespace onnxv {
namespace {

const PlainSums& chosen_set() {
  static const PlainSums& chosen = ONNXV_OF_SET(kPlainSums);
  return chosen;
}

}  // namespace

PlainSum plain_sum(const float* x, size_t count, Term term) { return chosen_set().sum(x, count, term); }
void add_rows(const float* x, size_t stride, size_t rows, size_t count, Term term, double* sums, double* masses) {
  chosen_set().rows(x, stride, rows, count, term, sums, masses);
}
void settle_sums(const Target& target, const double* m, const double* r, size_t count, void* codes, uint8_t* open) {
  chosen_set().settle(target, m, r, count, codes, open);
}

void prefix_sums(const PrefixLines& lines, uint8_t* open) { chosen_set().prefix(lines, open); }

}  // namespace onnxv
