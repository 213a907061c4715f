// MaxPool: the greatest element of each window, and where it was found.
//   since 1   one output (no storage_order, dilations or ceil_mode yet)
//   since 8   Indices: positions in the flattened X without padding; storage_order 1 counts the spatial axes the other way
//             round. (10: dilations, ceil_mode; 12: int8, uint8; 22: bfloat16.)
// GlobalMaxPool: the greatest element of each channel.
//   since 1   (22: bfloat16.)
//
// Choice: padding never wins; a window without any element of X is -infinity (the least integer) and index -1, marked.
// Of equal elements the first in row-major order is taken, -0 and +0 being equal; GlobalMaxPool takes +0.
#include <numeric>

#include "ops/operator.h"
#include "ops/pool/pooling.h"
#include "src/base/parallel.h"
#include "src/number/format.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// For each cell of the padded channel the cell of X, or -1.
std::vector<int64_t> cells_behind(const WindowOffsets& offsets) {
  std::vector<int64_t> behind(static_cast<size_t>(offsets.padded.elements()), -1);
  for (const WindowOffsets::Run& run : offsets.runs) {
    const auto place = behind.begin() + static_cast<std::ptrdiff_t>(run.offset);
    std::iota(place, place + static_cast<std::ptrdiff_t>(run.length), static_cast<int64_t>(run.cell));
  }
  return behind;
}

Maxima maxima_of(const Tensor& x, const Pooling& pooling) {
  const WindowOffsets offsets = window_offsets(pooling.axes);
  const std::vector<int64_t> behind = cells_behind(offsets);
  const MaximumPicker picker(x);
  Maxima maxima(pooling.channels * pooling.windows);
  const auto cell_at = [&](size_t window, int64_t tap) { return behind[static_cast<size_t>(offsets.windows[window] + tap)]; };
  // The place of the greatest element of a window; -1 where it is not clear.
  const auto clear_maximum = [&](size_t first, size_t window) {
    int64_t best = -1, best_key = INT64_MIN;
    for (const int64_t tap : offsets.taps) {
      const int64_t cell = cell_at(window, tap);
      if (cell < 0) continue;
      const int64_t key = picker.key(first + static_cast<size_t>(cell));
      if (best >= 0 && key <= best_key) continue;
      best = cell;
      best_key = key;
    }
    return best >= 0 && picker.is_clear(best_key) ? best : -1;
  };
  parallel_for(pooling.channels, 1, [&](size_t begin, size_t end) {
    std::vector<int64_t> candidates;
    for (size_t channel = begin; channel < end; ++channel) {
      const size_t first = channel * pooling.cells;
      for (size_t window = 0; window < pooling.windows; ++window) {
        const size_t at = channel * pooling.windows + window;
        maxima.source[at] = clear_maximum(first, window);
        if (maxima.source[at] >= 0) {
          maxima.source[at] += static_cast<int64_t>(first);
          continue;
        }
        candidates.clear();
        for (const int64_t tap : offsets.taps) {
          const int64_t cell = cell_at(window, tap);
          if (cell >= 0) candidates.push_back(static_cast<int64_t>(first) + cell);
        }
        picker.pick(candidates, at, &maxima);
      }
    }
  });
  return maxima;
}

// The least value: what no element can be below.
Tensor least(DType dtype) {
  Tensor value(dtype, Shape{1});
  if (is_float(dtype)) {
    value.set_code(0, infinity_or_nan(float_format(dtype), true));
  } else if (is_signed_integer(dtype)) {
    value.set_code(0, uint64_t{1} << (dtype_bits(dtype) - 1));
  }
  return value;
}

// The same cell with the first spatial axis running fastest.
int64_t column_major(int64_t position, const Pooling& pooling) {
  const auto cells = static_cast<int64_t>(pooling.cells);
  const int64_t first = position / cells * cells;
  int64_t rest = position % cells, flat = 0;
  std::vector<int64_t> index(pooling.axes.size());
  for (size_t axis = index.size(); axis-- > 0;) {
    index[axis] = rest % pooling.axes[axis].input;
    rest /= pooling.axes[axis].input;
  }
  for (size_t axis = index.size(); axis-- > 0;) flat = flat * pooling.axes[axis].input + index[axis];
  return first + flat;
}

Tensor indices_of(const Maxima& maxima, const Pooling& pooling, bool columns) {
  Tensor indices(DType::kInt64, pooling.output);
  const std::span<int64_t> values = indices.mutable_as<int64_t>();
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t source = maxima.source[i];
    values[i] = columns && source >= 0 ? column_major(source, pooling) : source;
  }
  return indices;
}

bool column_order(const OpCall& call) {
  const int64_t order = call.integer_or("storage_order", 0);
  if (order == 0 || order == 1) return order == 1;
  fail_schema("attribute-value", "storage_order is " + std::to_string(order), "must be 0 or 1");
}

Tensor max_pool_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Pooling pooling = pooling_of(call);
  if (pooling.output.elements() == 0) return Tensor(x.dtype(), pooling.output);
  const Maxima maxima = maxima_of(x, pooling);
  maxima.mark(call, 0);
  const Tensor fill = least(x.dtype());
  return gather_elements(x, pooling.output, maxima.source, &fill);
}

Outputs max_pool_8(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Pooling pooling = pooling_of(call);
  const bool columns = column_order(call);
  if (pooling.output.elements() == 0) {
    return {Tensor(x.dtype(), pooling.output), Tensor(DType::kInt64, pooling.output)};
  }
  const Maxima maxima = maxima_of(x, pooling);
  maxima.mark(call, 0);
  const Tensor fill = least(x.dtype());
  Tensor y = gather_elements(x, pooling.output, maxima.source, &fill);
  if (!call.wants(1)) return {y, Value()};
  maxima.mark(call, 1);
  return {y, indices_of(maxima, pooling, columns)};
}

Tensor global_max_pool_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Shape shape = pooled_to_one(x.shape());
  const auto channels = static_cast<size_t>(shape.elements());
  const auto cells = static_cast<size_t>(x.shape().elements(2, x.rank()));
  if (cells == 0 && channels > 0) fail_schema("empty-window", "X is " + x.shape().text(), "needs an element per channel");
  const MaximumPicker picker(x);
  Maxima maxima(channels);
  std::vector<int64_t> candidates(cells);
  for (size_t channel = 0; channel < channels; ++channel) {
    std::iota(candidates.begin(), candidates.end(), static_cast<int64_t>(channel * cells));
    picker.pick(candidates, channel, &maxima);
    picker.prefer_positive_zero(candidates, channel, &maxima);
  }
  maxima.mark(call, 0);
  return gather_elements(x, shape, maxima.source);
}

}  // namespace

extern const Operator kGlobalMaxPool, kMaxPool;
const Operator kGlobalMaxPool{"ai.onnx", "GlobalMaxPool", {{.since = 1, .also = {22}, .run = global_max_pool_1}}};
const Operator kMaxPool{"ai.onnx", "MaxPool", {
    {.since = 1, .run = max_pool_1},
    {.since = 8, .also = {10, 11, 12, 22}, .run = max_pool_8},
}};

}  // namespace onnxv
