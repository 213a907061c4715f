// StringConcat: z = x followed by y, broadcast; bytes are joined, nothing is normalised.
//   since 20
#include "ops/text/text.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

Tensor string_concat_20(const OpCall& call) {
  const Tensor& given_x = call.tensor("X");
  const Tensor& given_y = call.tensor("Y");
  const Shape shape = broadcast_shape(given_x.shape(), given_y.shape());
  Tensor z = broadcast_to(given_x, shape);
  const Tensor y = broadcast_to(given_y, shape);
  std::vector<std::string>& joined = z.mutable_strings();
  for (size_t i = 0; i < joined.size(); ++i) joined[i] += y.strings()[i];
  return z;
}

}  // namespace

const Operator kStringConcat{"ai.onnx", "StringConcat", {
    {.since = 20, .run = string_concat_20},
}};

}  // namespace onnxv
