#include "src/number/plain_sums.h"

#include <string_view>

#include "src/number/ladder.h"
#include "src/number/lane_sums.h"

namespace onnxv {
namespace {

struct Set {
  PlainSum (*sum)(const double*, size_t, Term);
  void (*columns)(const double*, size_t, Term, double*, double*);
};

const Set& chosen_set() {
  static const Set chosen = [] {
    [[maybe_unused]] const std::string_view name = instruction_set();
#ifdef ONNXV_SET_avx512
    if (name == "avx512") return Set{plain_sum_avx512, add_columns_avx512};
#endif
#ifdef ONNXV_SET_avx2
    if (name == "avx2") return Set{plain_sum_avx2, add_columns_avx2};
#endif
#ifdef ONNXV_SET_none
    return Set{plain_sum_none, add_columns_none};
#else
    return Set{};
#endif
  }();
  return chosen;
}

}  // namespace

PlainSum plain_sum(const double* x, size_t count, Term term) { return chosen_set().sum(x, count, term); }
void add_columns(const double* x, size_t count, Term term, double* sums, double* masses) {
  chosen_set().columns(x, count, term, sums, masses);
}

}  // namespace onnxv
