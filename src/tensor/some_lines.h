// Some lines of a tensor of whole-byte elements that is seen as [lines, length], as a tensor of their own and back.
#pragma once

#include <span>

#include "src/tensor/tensor.h"

namespace onnxv {

// [which.size(), length].
Tensor lines_at(const Tensor& tensor, size_t length, std::span<const size_t> which);
// Line i of `from`, [which.size(), length], over line which[i] of `to`.
void put_lines(const Tensor& from, std::span<const size_t> which, Tensor* to);

}  // namespace onnxv
