// Tensors cut along an axis and put together again. Bits are copied; every type goes.
#pragma once

#include <cstdint>
#include <span>

#include "src/tensor/tensor.h"

namespace onnxv {

// The positions [from, from + count) of `data` along `axis`, which is in [0, rank).
Tensor cut(const Tensor& data, int64_t axis, int64_t from, int64_t count);

// The position `index` of `data` along `axis`, with that axis removed.
Tensor item_at(const Tensor& data, int64_t axis, int64_t index);

// `parts` (at least one) one behind the other along `axis` of theirs. Schema error "shape-mismatch" when another
// dimension or the rank differs, "type-mismatch" when the types do.
Tensor concatenate(std::span<const Tensor> parts, int64_t axis);

// `parts` (at least one, all of one shape) side by side along a new `axis`, which is in [0, rank].
Tensor stack(std::span<const Tensor> parts, int64_t axis);

}  // namespace onnxv
