// AveragePool: the mean of each window.
//   since 1   over the cells of X alone
//   since 7   count_include_pad 1: padding cells count too, as zeros. (10: ceil_mode; 11: SAME in words; 19: dilations; 22: bfloat16.)
// GlobalAveragePool: the mean of each channel.
//   since 1   (22: bfloat16.)
//
// Choice: cells that only ceil_mode reaches, behind the end padding, never count. A window that counts no cell is 0/0, NaN.
// Erratum: 11 to 18 print floor for the output sizes of SAME and VALID, against their own attribute's text; 19 has it right.
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto mean = []<class Real>(In<Real> x, In<Real> count, Out<Real> y) { y[0] = sum(x) / count[0]; };

}  // namespace
LINE_FORMULA(kAveragePoolFormula, mean, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "ops/pool/pooling.h"
#include "src/kernel/line_sums.h"
#include "src/kernel/patches.h"
#include "src/tensor/floats.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// For each window the cells that count.
std::vector<double> counts_of(const WindowOffsets& offsets, const std::vector<uint8_t>& counted) {
  std::vector<double> counts;
  for (const int64_t window : offsets.windows) {
    const auto count = std::count_if(offsets.taps.begin(), offsets.taps.end(), [&](int64_t tap) {
      return counted[static_cast<size_t>(window + tap)] != 0;
    });
    counts.push_back(static_cast<double>(count));
  }
  return counts;
}

std::vector<uint8_t> cells_of_x(const WindowOffsets& offsets) {
  std::vector<uint8_t> cells(static_cast<size_t>(offsets.padded.elements()), 0);
  for (const WindowOffsets::Run& run : offsets.runs) std::fill_n(cells.begin() + static_cast<std::ptrdiff_t>(run.offset), run.length, 1);
  return cells;
}

Tensor average_pool_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Pooling pooling = pooling_of(call);
  Tensor y(x.dtype(), pooling.output);
  if (y.size() == 0) return y;
  const bool include_pad = call.integer_or("count_include_pad", 0) != 0;
  const WindowOffsets offsets = window_offsets(pooling.axes);
  const std::vector<uint8_t> counted = include_pad ? declared_cells(pooling.axes) : cells_of_x(offsets);
  const std::vector<double> counts = counts_of(offsets, counted);
  // A cell that does not count is -0: no addend at all.
  std::vector<double> around(counted.size());
  std::transform(counted.begin(), counted.end(), around.begin(), [](uint8_t counts_too) { return counts_too != 0 ? 0.0 : -0.0; });
  const Tensor padded = padded_channels(x, 0, pooling.channels, offsets, 0.0, around);
  const double* values = padded.as<double>().data();
  LineJob(kAveragePoolFormula, y.size())
      .computed(pooling.taps,
                [&](size_t line, double* out) {
                  const double* window = values + line / pooling.windows * counted.size() +
                                         offsets.windows[line % pooling.windows];
                  for (const int64_t tap : offsets.taps) *out++ = window[tap];
                })
      .computed(1, [&](size_t line, double* out) { *out = counts[line % pooling.windows]; })
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

constexpr size_t kLongLine = 8;

Tensor global_average_pool_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  Tensor y(x.dtype(), pooled_to_one(x.shape()));
  const auto cells = static_cast<size_t>(x.shape().elements(2, x.rank()));
  // Most means by plain sums with a bound; within a ToleranceScope the formula is wanted.
  if (cells >= kLongLine && fits_float32(x.dtype()) && ToleranceScope::current() == nullptr &&
      settle_lines(line_sums(LineSum::kMean, x, {y.size(), cells, 1}), &y).empty()) {
    return y;
  }
  LineJob(kAveragePoolFormula, y.size())
      .lines_of(x, {y.size(), cells, 1})
      .constants({static_cast<double>(cells)})
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

}  // namespace

extern const Operator kAveragePool, kGlobalAveragePool;
const Operator kAveragePool{"ai.onnx", "AveragePool",
                            {{.since = 1, .also = {7, 10, 11, 19, 22}, .run = average_pool_1}}};
const Operator kGlobalAveragePool{"ai.onnx", "GlobalAveragePool", {{.since = 1, .also = {22}, .run = global_average_pool_1}}};

}  // namespace onnxv
#endif
