#include "src/kernel/line_extremes.h"

#include <algorithm>
#include <cmath>

#include "src/base/parallel.h"
#include "src/number/float_loops.h"
#include "src/tensor/floats.h"

namespace onnxv {
namespace {

constexpr size_t kChunk = 1024;

int32_t better(bool greatest, int32_t a, int32_t b) { return greatest ? std::max(a, b) : std::min(a, b); }

int32_t whole_line(bool greatest, const Tensor& x, size_t first, size_t length) {
  float buffer[kChunk];
  int32_t best = worst_key(greatest);
  for (size_t i = 0; i < length; i += kChunk) {
    const size_t count = std::min(kChunk, length - i);
    best = better(greatest, best, extreme_float(float_elements(x, first + i, count, buffer), count, greatest));
  }
  return best;
}

// Lines whose elements stand side by side, from element `first` on.
void line_block(bool greatest, const Tensor& x, LineLayout layout, size_t first, size_t count, int32_t* best) {
  std::fill_n(best, count, worst_key(greatest));
  if (x.dtype() == DType::kFloat) {
    return extreme_floats(x.as<float>().data() + first, layout.inner, layout.length, count, greatest, best);
  }
  float row[kChunk];
  for (size_t i = 0; i < layout.length; ++i) {
    extreme_floats(float_elements(x, first + i * layout.inner, count, row), 0, 1, count, greatest, best);
  }
}

}  // namespace

ExtremePlace extreme_place(bool greatest, bool last, const float* line, size_t length) {
  const float extreme = float_of_key(extreme_float(line, length, greatest));
  const float* end = line + length;
  if (std::isnan(extreme)) {
    return {static_cast<size_t>(std::find_if(line, end, [](float x) { return std::isnan(x); }) - line), true};
  }
  if (!last) return {static_cast<size_t>(std::find(line, end, extreme) - line), false};
  while (*--end != extreme) {
  }
  return {static_cast<size_t>(end - line), false};
}

Tensor line_extremes(bool greatest, const Tensor& x, LineLayout layout, const Shape& kept) {
  std::vector<int32_t> keys(layout.lines());
  if (layout.inner == 1) {
    const size_t grain = std::max<size_t>(1, (size_t{1} << 15) / layout.length);
    parallel_for(layout.outer, grain, [&](size_t begin, size_t end) {
      for (size_t line = begin; line < end; ++line) keys[line] = whole_line(greatest, x, line * layout.length, layout.length);
    });
  } else {
    const size_t pieces = (layout.inner + kChunk - 1) / kChunk;
    parallel_for(layout.outer * pieces, 1, [&](size_t begin, size_t end) {
      for (size_t piece = begin; piece < end; ++piece) {
        const size_t block = piece / pieces, inner = piece % pieces * kChunk;
        line_block(greatest, x, layout, block * layout.length * layout.inner + inner, std::min(kChunk, layout.inner - inner),
                   keys.data() + block * layout.inner + inner);
      }
    });
  }
  std::vector<float> values(keys.size());
  std::transform(keys.begin(), keys.end(), values.begin(), float_of_key);
  Tensor y = Tensor::unfilled(x.dtype(), kept);
  encode_floats(float_format(y.dtype()), values.data(), values.size(), y.mutable_bytes().data(), Overflow::kInfinity);
  return y;
}

}  // namespace onnxv
