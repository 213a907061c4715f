// Compiled once per instruction set. u = 2^-53.
#include "src/number/float_functions.h"
#include "src/number/formula.h"
#include "src/number/lane_floats.h"
#include "src/number/vector_exp.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

constexpr float kMost = 0x1.fffffep127f;  // of float32
constexpr float kLeastNormal = 0x1p-126f;

// Each function: its value within `error`, relative, for x in [low, high] whose magnitude is `least` or more, and for a zero, whose
// value is exact. There values are 0 or normal in float32.
template <Vec (*function)(Vec)>
struct Library {
  static constexpr float low = -kMost, high = kMost, least = kLeastNormal;
  static constexpr double error = kLibrary;
  static Vec of(Vec x) { return function(x); }
};
using Erf = Library<vector_erf>;
using Sin = Library<vector_sin>;
struct Cos : Library<vector_cos> {
  static constexpr float least = 0;
};
// The logarithm of 1 is exactly 0; no other is near it.
struct Log {
  static constexpr float low = 0x1p-149f, high = kMost, least = 0;
  static constexpr double error = kLibrary;
  static Vec of(Vec x) { return (Vec)((Mask)vector_log(x) & (Mask)(x != 1.0)); }
};
struct Exp {
  static constexpr float low = -87, high = 88.7f, least = 0;
  static constexpr double error = kExpError;
  static Vec of(Vec x) { return near_exp(x); }
};
struct Sigmoid {
  static constexpr float low = -87, high = kExpReach, least = 0;
  static constexpr double error = kSigmoidError;
  static Vec of(Vec x) { return near_sigmoid(x); }
};
struct Tanh {
  static constexpr float low = -kMost, high = kMost, least = kLeastNormal;
  static constexpr double error = kTanhError;
  static Vec of(Vec x) { return near_tanh(x); }
};
// x/2 · erfc(v), v = -x / root 2: v is off by 2u |v|. For v >= 0 erfc falls by at most (2v + 1.42) of itself per unit (ball_functions.h),
// which for v <= 9.2 makes (2v² + 1.42v) 2u < 366u of it; for v < 0 v erfc'(v) is below 1/2. With the library's 16u and a
// product: below 384u.
struct Gelu {
  static constexpr float low = -13, high = kMost, least = 2 * kLeastNormal;
  static constexpr double error = 0x1.8p-45;
  static Vec of(Vec x) { return 0.5 * x * vector_erfc(x * -0x1.6a09e667f3bcdp-1); }
};
// x · sigmoid(v), v = x · 2 root(2/pi) (1 + 0.044715 x²): x² is exact, both constants are off by u, four roundings: v is off by
// 6u |v|, and ln sigmoid(v) by no more, |v| <= 85.1 below 0; above 0 by (1 - sigmoid(v)) 6u v < 2u. With sigmoid's own 8u and a product:
// below 521u.
struct GeluTanh {
  static constexpr float low = -9.9f, high = 20, least = 2 * kLeastNormal;
  static constexpr double error = 0x1.1p-44;
  static Vec of(Vec x) {
    const Vec inner = multiply_add(x * x, broadcast(0x1.6e4e26d4801f7p-5), broadcast(1.0));
    return x * near_sigmoid(x * 0x1.9884533d43651p+0 * inner);
  }
};

// A float32 has the upper 24 of a double's 53 bits. In units of the double's last place the middle between the two float32 numbers
// around m has the lower 29 bits kTie, the next middles are at least 2^27 away (below a power of two cells are half as wide), and an
// error of e m is below e 2^53. So where the lower bits are not within `reach` of kTie, every number within that error rounds as m
// does.
constexpr int64_t kLower = 0x1fffffff, kTie = 0x10000000;
template <int64_t reach>
Mask near_tie(Vec m) {
  static_assert((reach & (reach - 1)) == 0);
  return (Mask)((((Mask)m - (kTie - reach)) & (kLower & -2 * reach)) == 0);
}
constexpr int64_t reach_of(double error) {
  int64_t reach = 16;
  while (static_cast<double>(reach) < error * 0x1p53 + 1) reach *= 2;
  return reach;
}

// No comparison with NaN holds. A float32's bits without its sign are in the order of its magnitude.
template <class Function>
FloatMask inside(FloatVec x) {
  FloatMask in = (FloatMask)(x >= Function::low) & (FloatMask)(x <= Function::high);
  if constexpr (Function::least > 0) {
    constexpr float least = Function::least;
    const FloatMask size = (FloatMask)x & INT32_MAX;
    in &= (size >= __builtin_bit_cast(int32_t, least)) | (size == 0);
  }
  return in;
}

constexpr size_t kAhead = 512;  // half a page

template <class Function>
bool loop(const float* x, size_t count, float* y) {
  constexpr int64_t reach = reach_of(Function::error);
  Mask tie = {};
  FloatMask in = ~FloatMask{};
  const auto some = [&](FloatVec given) {
    const Vec m = Function::of(as_doubles(given));
    tie |= near_tie<reach>(m);
    in &= inside<Function>(given);
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
  return !any(tie) && !any(~in);
}

}  // namespace
}  // namespace ONNXV_LANES

const FunctionLoops ONNXV_JOIN(kFunctionLoops_, ONNXV_LANES) = {
    {loop<Cos>, loop<Erf>, loop<Exp>, loop<Gelu>, loop<GeluTanh>, loop<Log>, loop<Sigmoid>, loop<Sin>, loop<Tanh>}};

}  // namespace onnxv
