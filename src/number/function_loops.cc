// Compiled once per instruction set. u = 2^-53.
#include "src/number/float_functions.h"
#include "src/number/formula.h"
#include "src/number/lane_floats.h"
#include "src/number/vector_exp.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

constexpr double kLeastNormal = 0x1p-126;

// Each function: its value within `error`, relative, for |x| in [least, most] and for a zero, whose value is exact. There
// values are 0 or normal in float32.
struct Exp {
  static constexpr double least = 0, most = 87, error = kExpError;
  static Vec of(Vec x) { return near_exp(x); }
};
struct Sigmoid {
  static constexpr double least = 0, most = 87, error = kSigmoidError;
  static Vec of(Vec x) { return near_sigmoid(x); }
};
struct Tanh {
  static constexpr double least = kLeastNormal, most = kInf, error = kTanhError;
  static Vec of(Vec x) { return near_tanh(x); }
};
struct Erf {
  static constexpr double least = kLeastNormal, most = kInf, error = kLibrary;
  static Vec of(Vec x) { return vector_erf(x); }
};

// A float32 has the upper 24 of a double's 53 bits. In units of the double's last place the middle between the two float32 numbers
// around m has the lower 29 bits kTie, the next middles are at least 2^27 away (below a power of two cells are half as wide), and an
// error of 2^-49 of m or less is below 2^-49 · 2^53 = 16. So where the lower bits are not within kReach of kTie, every number
// within that error rounds as m does.
constexpr int64_t kLower = 0x1fffffff, kTie = 0x10000000, kReach = 32;
inline Mask near_tie(Vec m) { return (Mask)((((Mask)m - (kTie - kReach)) & (kLower & -2 * kReach)) == 0); }

// Bits of a float32 without its sign are in the order of its magnitude; those of NaN are above infinity's.
template <class Function>
FloatMask outside(FloatVec x) {
  constexpr float most = static_cast<float>(Function::most), least = static_cast<float>(Function::least);
  const FloatMask size = (FloatMask)x & INT32_MAX;
  FloatMask out = size > __builtin_bit_cast(int32_t, most);
  if constexpr (least > 0) out |= (size < __builtin_bit_cast(int32_t, least)) & (size != 0);
  return out;
}

constexpr size_t kAhead = 512;  // half a page

template <class Function>
bool loop(const float* x, size_t count, float* y) {
  static_assert(Function::error <= 0x1p-49);
  Mask tie = {};
  FloatMask beyond = {};
  const auto some = [&](FloatVec given) {
    const Vec m = Function::of(as_doubles(given));
    tie |= near_tie(m);
    beyond |= outside<Function>(given);
    return as_floats(m);
  };
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    expect(x + i + kAhead, y + i + kAhead);
    FloatVec given;
    __builtin_memcpy(&given, x + i, sizeof given);
    const FloatVec rounded = some(given);
    __builtin_memcpy(y + i, &rounded, sizeof rounded);
  }
  if (i < count) {
    FloatVec given = FloatVec{} + x[i];
    __builtin_memcpy(&given, x + i, (count - i) * sizeof *x);
    const FloatVec rounded = some(given);
    __builtin_memcpy(y + i, &rounded, (count - i) * sizeof *y);
  }
  return !any(tie) && !any(beyond);
}

}  // namespace
}  // namespace ONNXV_LANES

const FunctionLoops ONNXV_JOIN(kFunctionLoops_, ONNXV_LANES) = {{loop<Erf>, loop<Exp>, loop<Sigmoid>, loop<Tanh>}};

}  // namespace onnxv
