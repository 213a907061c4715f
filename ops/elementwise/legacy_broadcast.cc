#include "ops/elementwise/legacy_broadcast.h"

namespace onnxv {
namespace {

[[noreturn]] void fail_shapes(const Tensor& a, const Tensor& b, std::string_view wanted) {
  fail_schema("shape-mismatch", "A is " + a.shape().text() + " and B is " + b.shape().text(), wanted);
}

}  // namespace

Tensor aligned_to(const Tensor& a, const Tensor& b, const OpCall& call) {
  if (call.integer_or("broadcast", 0) == 0) {
    if (a.shape() != b.shape()) fail_shapes(a, b, "must be equal where broadcast is 0");
    return b;
  }
  if (b.size() == 1) return b.reshaped({});
  const int64_t rank_a = a.rank(), rank_b = b.rank();
  int64_t axis = call.integer_or("axis", rank_a - rank_b);
  if (axis < 0 && call.has_attribute("axis")) axis += rank_a;
  // Erratum: the text says that expansion of 1s does not work yet; the official opset-6 data need it.
  if (axis < 0 || axis > rank_a - rank_b) fail_shapes(a, b, "B must be a run of A's dimensions from axis on");
  Shape aligned;
  for (int64_t i = 0; i < rank_b; ++i) {
    if (b.shape()[i] != a.shape()[axis + i] && b.shape()[i] != 1) {
      fail_shapes(a, b, "each dimension of B must equal A's or be 1");
    }
    aligned.push_back(b.shape()[i]);
  }
  for (int64_t i = axis + rank_b; i < rank_a; ++i) aligned.push_back(1);
  return b.reshaped(aligned);
}

}  // namespace onnxv
