// Elementary functions of float32 numbers, each result rounded once. The function is computed in double within a relative bound that
// is one constant; a result is settled where its bits are farther than that from the middle of two neighbouring float32 numbers. The
// few others (one in millions, and what is not a normal number) are left to the caller, that is, to the function's formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace onnxv {

enum class FloatFunction : uint8_t { kCos, kErf, kExp, kGelu, kGeluTanh, kLog, kSigmoid, kSin, kTanh };

// y[i] = function of x[i]. Returns the elements that are not settled, in order: their y means nothing.
std::vector<size_t> function_of_floats(FloatFunction function, const float* x, size_t count, float* y);

// What they are for one instruction set.
struct FunctionLoops {
  using Loop = bool (*)(const float* x, size_t count, float* y);  // false: some element is not settled
  Loop functions[9];  // by FloatFunction
};
extern const FunctionLoops kFunctionLoops_none, kFunctionLoops_avx2, kFunctionLoops_avx512;

}  // namespace onnxv
