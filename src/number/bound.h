// What an honest backend may give in place of an exact element, and the assumptions under which that is so.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "src/number/format.h"

namespace onnxv {

// The bound of one output element. Its ends are numbers of the output's type.
struct Bound {
  double low = std::numeric_limits<double>::quiet_NaN();  // NaN: nothing was computed, the same bits are asked
  double high = std::numeric_limits<double>::quiet_NaN();
  double deviation = 0;  // what a typical backend stays within (numerics.md: "expected")
  // Distance of the exact number from the point where a step (rounding to integers) jumps; infinity where there is no step.
  double to_step = std::numeric_limits<double>::infinity();
  bool known() const { return low == low; }
};

// The type in which a backend computes: significant bits, and the format whose range it has.
struct ComputeType {
  std::string_view name;
  int bits;
  const Format* range;
};
// float16, bfloat16, tf32, float32, float64; nullopt for any other name.
std::optional<ComputeType> compute_type(std::string_view name);
// That of a format of 16 bits or more.
ComputeType compute_type(const Format& format);

// Functions that a library, not the processor, computes.
enum class LibraryFunction : unsigned char {
  kExp, kExpm1, kLog, kLog1p, kSin, kCos, kTan, kAsin, kAcos, kAtan, kSinh, kCosh, kTanh, kAsinh, kAcosh, kAtanh,
  kErf, kErfc, kErfinv, kPow,
};
inline constexpr size_t kFunctions = 20;
// "exp", "expm1", …
std::string_view function_name(LibraryFunction function);

// The assumptions of a bound (numerics.md, section 3).
struct ToleranceModel {
  std::optional<ComputeType> compute;  // nullopt: the type of what is computed
  std::optional<ComputeType> own;      // the node's own, where its outputs are integers or narrower than 16 bits
  bool flush_to_zero = false;          // subnormal numbers may become zero
  bool winograd = false;               // products may be computed by transforms of blocks
  double fast_math = 0;                // an operation may be this many ulp off; 0: rounded to nearest
  std::array<double, kFunctions> library;  // largest error of each function in ulp
  ToleranceModel() { library.fill(4); }
};

// While one lives, every formula and product that is evaluated leaves bounds beside its results (Tensor::bounds). One
// evaluation at a time in a process.
class ToleranceScope {
 public:
  explicit ToleranceScope(const ToleranceModel& model);
  ~ToleranceScope();
  ToleranceScope(const ToleranceScope&) = delete;
  ToleranceScope& operator=(const ToleranceScope&) = delete;
  // Null outside: a plain run.
  static const ToleranceModel* current();
  // The type of the node that is evaluated next, for what has no float outputs.
  static void set_own(std::optional<ComputeType> type);

 private:
  ToleranceModel model_;
  ToleranceModel* outer_;
};

}  // namespace onnxv
