#include "src/number/float_arithmetic.h"

#include <algorithm>
#include <string>

#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

const ArithmeticLoops& loops() {
  static const ArithmeticLoops& chosen = ONNXV_OF_SET(kArithmeticLoops);
  return chosen;
}

}  // namespace

void combine_floats(FloatOperation operation, FloatOperand a, FloatOperand b, size_t count, float* out) {
  const ArithmeticLoops::Operation& loop = loops().operations[static_cast<size_t>(operation)];
  if (a.step == 1 && b.step == 1) return loop.both(a.first, b.first, count, out);
  if (b.step == 1) return loop.one_a(a.first, b.first, count, out);
  if (a.step == 1) return loop.one_b(a.first, b.first, count, out);
  for (size_t i = 0; i < count; ++i) loop.both(a.first, b.first, 1, out + i);
}

void clip_floats(const float* x, size_t count, float low, float high, float* out) {
  loops().clip(x, count, low, high, out);
}

std::vector<size_t> affine_floats(const float* x, size_t count, const Affine& by, float* out) {
  constexpr size_t kBlock = 256;
  std::vector<size_t> open;
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t some = std::min(kBlock, count - first);
    if (loops().affine(x + first, some, by, out + first)) continue;
    for (size_t i = first; i < first + some; ++i) {
      if (!loops().affine(x + i, 1, by, out + i)) open.push_back(i);
    }
  }
  return open;
}

void rectify_floats(const float* x, size_t count, float* out) { loops().rectify(x, count, out); }

}  // namespace onnxv
