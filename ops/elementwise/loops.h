// Loops over whole-byte elements of one type that the optimizer makes vectors of. An operand is an array, or one element for all.
#pragma once

#include "src/tensor/tensor.h"

namespace onnxv {

enum class Combine : uint8_t { kAdd, kSubtract, kMultiply, kAnd, kOr, kXor, kMax, kMin };
enum class Relation : uint8_t { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

// False where the loops do not know the operands: packed or different types. The result has the shape that they broadcast to.
bool combined(const Tensor& a, const Tensor& b, Combine how, Tensor* result);   // integers, modulo 2^n
bool related(const Tensor& a, const Tensor& b, Relation relation, Tensor* result);  // integers, float32, float64; bools come out

}  // namespace onnxv
