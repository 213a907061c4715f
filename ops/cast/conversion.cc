#include "ops/cast/conversion.h"

#include <algorithm>

namespace onnxv {
namespace {

bool any_open(const std::vector<Open>& open) {
  return std::any_of(open.begin(), open.end(), [](Open why) { return why != Open::kDefined; });
}

}  // namespace

Converted converted(const Tensor& x, const CastRules& rules) {
  Converted result{Tensor(rules.to, x.shape()), {}};
  if (x.is_string() && rules.to == DType::kString) {
    result.tensor.mutable_strings() = x.strings();
    return result;
  }
  result.open.assign(x.size(), Open::kDefined);
  if (x.is_string()) {
    texts_to_numbers(x, rules, &result.tensor, &result.open);
  } else if (rules.to == DType::kString) {
    numbers_to_texts(x, &result.tensor, &result.open);
  } else if (rules.to == DType::kBool) {
    numbers_to_bools(x, &result.tensor);
  } else if (is_integer(rules.to)) {
    numbers_to_integers(x, &result.tensor, &result.open);
  } else {
    numbers_to_floats(x, rules, &result.tensor, &result.open);
  }
  if (!any_open(result.open)) result.open.clear();
  return result;
}

}  // namespace onnxv
