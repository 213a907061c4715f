#include "ops/cast/conversion.h"

namespace onnxv {

Converted converted(const Tensor& x, const CastRules& rules) {
  Converted result{Tensor::unfilled(rules.to, x.shape()), {}};
  if (x.is_string() && rules.to == DType::kString) {
    result.tensor.mutable_strings() = x.strings();
    return result;
  }
  OpenElements open(x.size());
  if (x.is_string()) {
    texts_to_numbers(x, rules, &result.tensor, &open);
  } else if (rules.to == DType::kString) {
    numbers_to_texts(x, &result.tensor, &open);
  } else if (rules.to == DType::kBool) {
    numbers_to_bools(x, &result.tensor);
  } else if (is_integer(rules.to)) {
    numbers_to_integers(x, &result.tensor, &open);
  } else {
    numbers_to_floats(x, rules, &result.tensor, &open);
  }
  result.open = open.take();
  return result;
}

}  // namespace onnxv
