#include "ops/elementwise/integers.h"

namespace onnxv {

std::vector<int128> exact_integers(const Tensor& tensor) {
  const IntegerFormat format = integer_format_of(tensor.dtype());
  std::vector<int128> values(tensor.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = decode_integer(format, tensor.code(i));
  return values;
}

}  // namespace onnxv
