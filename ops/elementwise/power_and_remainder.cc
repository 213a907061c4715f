// Pow (1, 7, 12, 13, 15) and Mod (10, 13, 28).
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto power = []<class Real>(Real x, Real y) -> Real { return pow(x, y); };
// The remainder of the division toward zero: sign of the dividend; exact.
constexpr auto remainder_toward_zero = []<class Real>(Real x, Real y) -> Real { return fmod(x, y); };
// The remainder of the division toward minus infinity: sign of the divisor. A zero takes the divisor's sign, and a finite x
// over an infinity of the other sign is that infinity.
constexpr auto remainder_toward_floor = []<class Real>(Real x, Real y) -> Real {
  const Real r = fmod(x, y), zero(0.0);
  const Real signed_zero = select(y < zero, Real(-0.0), zero);
  return select(r == zero, signed_zero, select((r < zero && y > zero) || (r > zero && y < zero), r + y, r));
};

}  // namespace
ELEMENTWISE_FORMULA(kPowFormula, power, 2)
ELEMENTWISE_FORMULA(kFmodFormula, remainder_toward_zero, 2)
ELEMENTWISE_FORMULA(kModFormula, remainder_toward_floor, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/elementwise/integers.h"
#include "ops/elementwise/legacy_broadcast.h"
#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

// base^exponent modulo 2^64; exponent >= 0.
int128 wrapped_power(int128 base, int128 exponent) {
  uint64_t result = 1, factor = static_cast<uint64_t>(base);
  for (uint64_t left = static_cast<uint64_t>(exponent); left != 0; left >>= 1) {
    if ((left & 1) != 0) result *= factor;
    factor *= factor;
  }
  return static_cast<int128>(result);
}

int128 type_minimum(DType dtype) { return smallest_integer(integer_format_of(dtype)); }

// Integer base and exponent: exact modulo 2^n; a negative exponent gives the real value, truncated.
Tensor integer_power(const OpCall& call, const Tensor& x, const Tensor& y) {
  std::vector<size_t> open;
  size_t at = 0;
  const DType dtype = x.dtype();
  Tensor result = map_integers(x, y, dtype, [&](int128 base, int128 exponent) -> int128 {
    const size_t element = at++;
    if (exponent >= 0) return wrapped_power(base, exponent);
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    if (base != 0) return 0;
    // Choice: 0 to a negative power is an infinity, which no integer holds: the type's minimum, marked.
    open.push_back(element);
    return type_minimum(dtype);
  });
  std::vector<uint8_t> marks(result.size(), 0);
  for (const size_t element : open) marks[element] = 1;
  call.mark_unspecified(0, "pow-undefined-cast", std::move(marks));
  return result;
}

Tensor real_power(const OpCall& call, const Tensor& x, const Tensor& y) {
  const Tensor operands[] = {x, y};
  if (!is_integer(x.dtype())) return map_elements(kPowFormula, x.dtype(), operands);
  // An integer base and a float exponent: the real value truncated. What no integer of the type holds is marked.
  Tensor result = map_elements(kPowFormula, x.dtype(), operands);
  const Tensor in_double = map_elements(kPowFormula, DType::kDouble, operands);
  std::vector<double> reals(in_double.size() + 1);
  decode_elements(in_double, 0, in_double.size(), reals.data());
  std::vector<uint8_t> marks(result.size(), 0);
  const double low = static_cast<double>(type_minimum(x.dtype())), limit = -low;  // one above the greatest
  for (size_t i = 0; i < result.size(); ++i) {
    // The double may have been rounded up to the limit; the truncated value has not wrapped then.
    const bool below = reals[i] < limit || (reals[i] == limit && order_key(x.dtype(), result.code(i)) > 0);
    if (reals[i] >= low && below) continue;
    marks[i] = 1;
    result.set_code(i, wrap_integer(integer_format_of(x.dtype()), type_minimum(x.dtype())));
  }
  call.mark_unspecified(0, "pow-undefined-cast", std::move(marks));
  return result;
}

Tensor raised(const OpCall& call, const Tensor& x, const Tensor& y) {
  if (is_integer(x.dtype()) && is_integer(y.dtype())) return integer_power(call, x, y);
  return real_power(call, x, y);
}

Tensor pow_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  return raised(call, x, aligned_to(x, call.tensor("Y"), call));
}
Tensor pow_7(const OpCall& call) { return raised(call, call.tensor("X"), call.tensor("Y")); }

Tensor integer_remainder(const Tensor& a, const Tensor& b, bool toward_zero) {
  return map_integers(a, b, a.dtype(), [=](int128 x, int128 y) -> int128 {
    if (y == 0) fail_undefined("integer-division", "an integer is divided by zero");
    const int128 r = x % y;
    return !toward_zero && r != 0 && (r < 0) != (y < 0) ? r + y : r;
  });
}

bool truncates(const OpCall& call) {
  const int64_t fmod = call.integer("fmod");
  if (fmod != 0 && fmod != 1) fail_schema("attribute-value", "fmod is " + std::to_string(fmod), "must be 0 or 1");
  return fmod == 1;
}

// Choice: fmod = 1 for integers is C's %: the text calls it a float's, the official data has it for int64.
Tensor mod_10(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  const Tensor& b = call.tensor("B");
  const bool toward_zero = truncates(call);
  if (is_integer(a.dtype())) return integer_remainder(a, b, toward_zero);
  if (!toward_zero) fail_schema("attribute-value", "fmod is 0 for " + std::string(dtype_name(a.dtype())), "must be 1 for floats");
  const Tensor operands[] = {a, b};
  return map_elements(kFmodFormula, a.dtype(), operands);
}

Tensor mod_28(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  const Tensor& b = call.tensor("B");
  const bool toward_zero = truncates(call);
  if (is_integer(a.dtype())) return integer_remainder(a, b, toward_zero);
  const Tensor operands[] = {a, b};
  return map_elements(toward_zero ? kFmodFormula : kModFormula, a.dtype(), operands);
}

}  // namespace

extern const Operator kPow, kMod;
const Operator kPow{"ai.onnx", "Pow", {{.since = 1, .run = pow_1}, {.since = 7, .also = {12, 13, 15}, .run = pow_7}}};
const Operator kMod{"ai.onnx", "Mod", {{.since = 10, .also = {13}, .run = mod_10}, {.since = 28, .run = mod_28}}};

}  // namespace onnxv
#endif
