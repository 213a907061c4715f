// One element type to another: each value rounded once, straight from the exact source value.
#pragma once

#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "src/number/format.h"
#include "src/tensor/tensor.h"

namespace onnxv {

struct CastRules {
  DType to = DType::kUndefined;
  bool saturate = true;  // float8 targets only
  // Up to version 23, whose table of saturation is disputed where an infinity becomes one of the two fnuz types.
  bool fnuz_infinity_is_open = false;
  // float8e8m0 targets only: kUp, kDown or kNearestTiesUp.
  Rounding e8m0_rounding = Rounding::kUp;
};

// Why the spec leaves an element open.
enum class Open : uint8_t {
  kDefined = 0,
  kIntegerRange,   // a number that the integer type does not hold
  kE8m0Negative,   // a negative number or -0 as float8e8m0
  kE8m0Range,      // a combination of saturate and round_mode that the text does not tabulate, out of range
  kNanWithoutNan,  // NaN as a type without NaN
  kFnuzInfinity,   // an infinity as a fnuz type, up to version 23
  kText,           // a float's or a Bool's text
};

// The open elements of a tensor, marked from several threads.
class OpenElements {
 public:
  explicit OpenElements(size_t count) : count_(count) {}
  void mark(size_t element, Open why) {
    if (why == Open::kDefined) return;
    const std::lock_guard lock(mutex_);
    open_.resize(count_, Open::kDefined);
    open_[element] = why;
  }
  void mark_all(Open why) { open_.assign(count_, why); }
  std::vector<Open> take() { return std::move(open_); }

 private:
  size_t count_;
  std::mutex mutex_;
  std::vector<Open> open_;  // one per element, or none
};

struct Converted {
  Tensor tensor;
  std::vector<Open> open;  // one per element, or empty: all defined
};

// No complex types. Undefined error "cast-text" for a string that spells no number.
Converted converted(const Tensor& x, const CastRules& rules);

// ---- parts, by target ----

// Numbers to floats.
void numbers_to_floats(const Tensor& x, const CastRules& rules, Tensor* y, OpenElements* open);
// Numbers to integers and Bool.
void numbers_to_integers(const Tensor& x, Tensor* y, OpenElements* open);
void numbers_to_bools(const Tensor& x, Tensor* y);
void numbers_to_texts(const Tensor& x, Tensor* y, OpenElements* open);
void texts_to_numbers(const Tensor& x, const CastRules& rules, Tensor* y, OpenElements* open);

// One value, as a double and the sign of what lies beyond it, by the tables of the text.
uint64_t float_code(Sticky value, const CastRules& rules, Open* open);

inline IntegerFormat integer_format_of(DType dtype) {
  return {dtype_bits(dtype), is_signed_integer(dtype)};
}

}  // namespace onnxv
