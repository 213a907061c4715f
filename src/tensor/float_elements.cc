#include "src/tensor/float_elements.h"

#include "src/number/settled_lines.h"
#include "src/tensor/some_lines.h"

namespace onnxv {

Tensor map_function(FloatFunction function, const Formula& formula, const Tensor& x) {
  if (x.dtype() != DType::kFloat || !lanes_suffice()) return map_elements(formula, x.dtype(), {&x, 1});
  Tensor y = Tensor::unfilled(x.dtype(), x.shape());
  const std::vector<size_t> open = function_of_floats(function, x.as<float>().data(), x.size(), y.mutable_as<float>().data());
  count_settled(x.size() - open.size(), x.size() - open.size());
  if (!open.empty()) {
    const Tensor rest = lines_at(x, 1, open);
    put_lines(map_elements(formula, x.dtype(), {&rest, 1}), open, &y);
  }
  return y;
}

}  // namespace onnxv
