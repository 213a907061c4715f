// Lanes settle midpoints and radii as settle() does, one by one: about ties, powers of two and the ends of the range.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "src/number/format_numbers.h"
#include "src/number/ladder.h"
#include "src/number/testing/lanes_in_use.h"
#include "src/number/testing/primitives.h"

namespace onnxv {
namespace {

const Formula& negated() {
  for (const Primitive& primitive : primitives()) {
    if (primitive.name == "Negated") return *primitive.formula;
  }
  FAIL("no such primitive");
  return *primitives()[0].formula;
}

struct Balls {
  std::vector<double> m, r;
};

// Midpoints as near to a rounding point of float32 as a double can be, or a few units off, with radii about as large as the
// distance; some exact, some NaN, infinite or zero.
Balls difficult_balls(size_t count) {
  std::mt19937_64 random(5);
  Balls balls;
  while (balls.m.size() < count) {
    const int exponent = static_cast<int>(random() % 290) - 155;
    const uint64_t kind = random() % 16, mantissa = random() % 4 == 0 ? 0 : random() % (1U << 23);
    const double cell = std::ldexp(1.0 + std::ldexp(static_cast<double>(mantissa), -23), exponent);
    const double half = std::ldexp(1.0, exponent - 24), unit = std::ldexp(1.0, exponent - 52);
    const double places[] = {cell, cell + half, cell - half / 2, cell + 2 * half};
    const double distance = static_cast<double>(random() % 9) * (random() % 3 == 0 ? half / 8 : unit);
    double m = places[random() % 4] + (random() % 2 == 0 ? distance : -distance);
    double r = random() % 3 == 0 ? 0 : distance * std::ldexp(1.0, static_cast<int>(random() % 5) - 2) * (1 + std::ldexp(1.0, -static_cast<int>(random() % 60)));
    if (kind == 0) m = random() % 2 == 0 ? 0.0 : -0.0;
    if (kind == 1 && random() % 8 == 0) m = std::nan(""), r = 0;
    if (kind == 2 && random() % 8 == 0) m = INFINITY, r = 0;
    if (kind == 3 && random() % 8 == 0) m = 0, r = INFINITY;
    balls.m.push_back(random() % 2 == 0 ? m : -m);
    balls.r.push_back(r);
  }
  return balls;
}

TEST_CASE("the numbers of formats that lanes know by heart") {
  CHECK(format_number(kFloat32) == kFloat32Number);
  CHECK(static_cast<int64_t>(all_formats().size()) == kFormats);
}

TEST_CASE("float32: lanes decide what settle() decides, with the same code") {
  constexpr size_t kCount = 200003;
  Balls balls = difficult_balls(kCount);
  balls.m.resize(kCount + 8, 1.0);
  balls.r.resize(kCount + 8, 0.0);
  std::vector<uint32_t> codes(kCount);
  std::vector<uint8_t> open(kCount, 0);
  const Target target = Target::of(kFloat32);
  const LaneBlock::Input input{balls.m.data(), balls.r.data(), 1, false};
  const LaneBlock::Output output{target, 1, codes.data()};
  lanes_in_use()(LaneBlock{&negated(), kCount, {&input, 1}, {&output, 1}, Options{nullptr}, open.data()});
  size_t wrong = 0, decided = 0, timid = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const double m = -balls.m[i], r = balls.r[i];
    const double reach = r == 0 ? 0.0 : r * (1.0 + 0x1p-20) + std::fabs(m) * 0x1p-52;
    double low = m - reach, high = m + reach;
    if (r != 0 && r * (1.0 + 0x1p-20) <= std::fabs(m)) {  // the sign is known
      if (m > 0) low = std::fmax(low, 0.0);
      if (m < 0) high = high < 0 ? high : -0.0;
    }
    uint64_t code = 0;
    const bool clear = r < INFINITY && settle(target, low, high, r == 0, &code);
    if (open[i] == 0) ++decided;
    if (open[i] == 0 && (!clear || codes[i] != code)) ++wrong;
    if (open[i] != 0 && clear) ++timid;
  }
  CHECK(wrong == 0);
  CHECK(timid == 0);
  CHECK(decided > kCount / 3);
  CHECK(decided < kCount);
}

}  // namespace
}  // namespace onnxv
