#include "src/number/plain_sums.h"

#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/number/ladder.h"
#include "src/number/lane_sums.h"

namespace onnxv {
namespace {

const PlainSums& chosen_set() {
  static const PlainSums& chosen = []() -> const PlainSums& {
    [[maybe_unused]] const std::string_view name = instruction_set();
#ifdef ONNXV_SET_avx512
    if (name == "avx512") return kPlainSums_avx512;
#endif
#ifdef ONNXV_SET_avx2
    if (name == "avx2") return kPlainSums_avx2;
#endif
#ifdef ONNXV_SET_none
    return kPlainSums_none;
#else
    fail_internal("simd", "no sums for the set " + std::string(name));
#endif
  }();
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
