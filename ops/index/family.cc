// The operators of ops/index/, a to z.
#include "ops/index/family.h"

#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> index_family() {
  return {
      &kCompress, &kGather,          &kGatherElements, &kGatherND,      &kNonZero, &kOneHot,
      &kScatter,  &kScatterElements, &kScatterND,      &kTensorScatter, &kUnique,  &kWhere,
  };
}

}  // namespace onnxv
