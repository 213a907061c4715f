// Compiled once per instruction set: lanes are lines.
#include "src/number/prefix_sums.h"

#include "src/number/formula.h"
#include "src/number/lane_floats.h"
#include "src/number/lane_settle.h"
#include "src/number/lane_sums.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// Compensated, as Sum of ball.h: exact as long as no addition leaves a residual. The plain sum of n residuals is within n·u of the
// sum of their magnitudes; twice that pays for the rounding of `mass` and of the bound.
struct RunningSums {
  Vec total = broadcast(-0.0), rest = broadcast(0.0), mass = broadcast(0.0);

  void add(Vec x) {
    const Vec sum = total + x;
    const Vec error = two_sum_error(total, x, sum);
    total = sum;
    rest += error;
    mass += abs(error);
  }
  void settle(double terms, uint32_t* codes, uint8_t* open) const {
    const Vec zero = broadcast(0.0), m = total + rest;
    const Vec radius = mass * (terms * 0x1p-52) + abs(m) * 0x1p-52;  // and the addition of the rest
    const Mask exact = (Mask)(mass == 0.0);
    settle_float32((Vec)(exact ? total : m), (Vec)(exact ? zero : radius), codes, open);
  }
};

// Lanes that stand side by side, or each on a line of its own.
struct Neighbours {
  const float* x;
  uint32_t* codes;
  Neighbours(const PrefixLines& lines, size_t first) : x(lines.x + first), codes(lines.codes + first) {}
  Vec read(ptrdiff_t at) const { return load_floats(x + at); }
  void write(ptrdiff_t at, const uint32_t* from) const { __builtin_memcpy(codes + at, from, kLanes * sizeof *from); }
};
struct Strangers {
  const float* x[kLanes];
  uint32_t* codes[kLanes];
  // The last line repeats.
  Strangers(const PrefixLines& lines, size_t first) {
    for (size_t l = 0; l < kLanes; ++l) {
      const size_t line = first + l < lines.lines ? first + l : lines.lines - 1;
      x[l] = lines.x + static_cast<ptrdiff_t>(line) * lines.line_step;
      codes[l] = lines.codes + static_cast<ptrdiff_t>(line) * lines.line_step;
    }
  }
  Vec read(ptrdiff_t at) const { return gathered_floats(x, at); }
  void write(ptrdiff_t at, const uint32_t* from) const {
    for (size_t l = 0; l < kLanes; ++l) codes[l][at] = from[l];
  }
};

constexpr size_t kGroups = 2;  // registers of lines at a time, so that one does not wait for its own additions

template <class Place>
void run(const PrefixLines& lines, size_t first, uint8_t* open) {
  const Place places[kGroups] = {Place(lines, first), Place(lines, first + kLanes)};
  RunningSums sums[kGroups];
  uint32_t codes[kLanes] = {};
  uint8_t unclear[kGroups][kLanes] = {};
  ptrdiff_t at = 0;
  for (size_t i = 0; i < lines.length; ++i, at += lines.element_step) {
#pragma GCC unroll 2
    for (size_t g = 0; g < kGroups; ++g) {
      const Vec x = places[g].read(at);
      if (!lines.exclusive) {
        sums[g].add(x);
        sums[g].settle(static_cast<double>(i + 1), codes, unclear[g]);
      } else {
        if (i > 0) sums[g].settle(static_cast<double>(i), codes, unclear[g]);
        sums[g].add(x);
      }
      places[g].write(at, codes);
    }
  }
  for (size_t k = 0; k < kGroups * kLanes && first + k < lines.lines; ++k) open[first + k] = unclear[k / kLanes][k % kLanes];
}

}  // namespace
}  // namespace ONNXV_LANES

void ONNXV_JOIN(prefix_sums_, ONNXV_LANES)(const PrefixLines& lines, uint8_t* open) {
  constexpr size_t kTogether = kGroups * kLanes;
  for (size_t first = 0; first < lines.lines; first += kTogether) {
    if (lines.line_step == 1 && first + kTogether <= lines.lines) {
      run<Neighbours>(lines, first, open);
    } else {
      run<Strangers>(lines, first, open);
    }
  }
}

}  // namespace onnxv
