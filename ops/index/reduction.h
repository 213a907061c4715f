// What happens where updates meet data, and each other, in the Scatter family.
#pragma once

#include <cstdint>
#include <span>

#include "ops/operator.h"

namespace onnxv {

enum class Combination : uint8_t { kNone, kAdd, kMul, kMax, kMin };

// Update u, an element of `updates`, meets the element starts[u / slice] + u % slice of the data.
struct Hits {
  std::span<const int64_t> starts;
  size_t slice = 1;
  size_t target(size_t update) const {
    return static_cast<size_t>(starts[update / slice]) + update % slice;
  }
};

// A copy of `data` with all updates applied. Sums and products of floats are exact over all hits of
// an element and then rounded once; integers wrap; bool adds as "or", multiplies as "and". Without
// reduction the last of several hits stays. Elements that the text leaves open are marked in output
// 0. Schema error "type-mismatch" for strings, and for max and min of complex numbers.
Tensor reduced(const OpCall& call, const Tensor& data, const Tensor& updates, const Hits& hits,
               Combination how);

}  // namespace onnxv
