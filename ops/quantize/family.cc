// The operators of ops/quantize/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kConvInteger, kDequantizeLinear, kDynamicQuantizeLinear, kMatMulInteger, kQLinearConv, kQLinearMatMul,
    kQuantizeLinear;

std::vector<const Operator*> quantize_family() {
  return {&kConvInteger, &kDequantizeLinear, &kDynamicQuantizeLinear, &kMatMulInteger,
          &kQLinearConv, &kQLinearMatMul,    &kQuantizeLinear};
}

}  // namespace onnxv
