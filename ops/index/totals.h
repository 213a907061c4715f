// Sums and products over elements that stand anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "src/tensor/tensor.h"

namespace onnxv {

enum class Total : uint8_t { kSum, kProduct };

// For each of `lines` lines the total of `length` elements of a float tensor, rounded once.
// `positions` writes where they stand.
Tensor totals(Total total, const Tensor& elements, size_t lines, size_t length,
              const std::function<void(size_t line, int64_t* positions)>& positions);

}  // namespace onnxv
