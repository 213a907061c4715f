#include "src/tensor/windows.h"

#include <algorithm>
#include <numeric>

#include "src/base/checked.h"
#include "src/base/error.h"
#include "src/tensor/tensor.h"

namespace onnxv {
namespace {

std::vector<int64_t> list_of(std::string_view name, const std::vector<int64_t>& given, size_t length, int64_t absent,
                             int64_t least) {
  if (given.empty()) return std::vector<int64_t>(length, absent);
  if (given.size() != length) {
    fail_schema("attribute-length", std::string(name) + " has " + std::to_string(given.size()) + " entries",
                "must have " + std::to_string(length));
  }
  for (const int64_t value : given) {
    if (value < least) {
      fail_schema("attribute-range", std::string(name) + " has " + std::to_string(value),
                  "must be " + std::to_string(least) + " or more");
    }
  }
  return given;
}

// Every size that follows from an axis stays below 2^63 when these do.
void check_sizes(const WindowAxis& axis) {
  checked_add(checked_add(axis.input, checked_add(axis.pad_begin, axis.pad_end)),
              checked_add(axis.stride, checked_add(checked_multiply(axis.kernel, axis.dilation), 1)));
}

void place_explicit(WindowAxis& axis, bool ceil_mode) {
  const int64_t padded = axis.input + axis.pad_begin + axis.pad_end;
  const int64_t room = padded - axis.extent();
  axis.output = (ceil_mode ? ceil_divide(room, axis.stride) : floor_divide(room, axis.stride)) + 1;
  // Choice: the text says so from 22 on only; before, such windows would hold no element at all.
  if (ceil_mode && axis.output > 1 && (axis.output - 1) * axis.stride >= axis.input + axis.pad_begin) --axis.output;
}

void place_same(WindowAxis& axis, AutoPad auto_pad) {
  axis.output = ceil_divide(axis.input, axis.stride);
  // Choice: a stride longer than the kernel would give a negative total by the text's formula; then nothing is padded.
  const int64_t total = axis.output == 0 ? 0 : std::max<int64_t>(0, axis.reach() - axis.input);
  axis.pad_begin = auto_pad == AutoPad::kSameUpper ? total / 2 : total - total / 2;
  axis.pad_end = total - axis.pad_begin;
}

// Row-major flat positions in `within` of every index tuple, `starts[axis][i]` standing for index i.
std::vector<int64_t> flat_positions(const std::vector<std::vector<int64_t>>& starts, const Shape& within) {
  const std::vector<int64_t> strides = strides_of(within);
  std::vector<int64_t> flat{0};
  for (size_t axis = 0; axis < starts.size(); ++axis) {
    std::vector<int64_t> next(flat.size() * starts[axis].size());
    int64_t* to = next.data();
    for (const int64_t base : flat) {
      for (const int64_t start : starts[axis]) *to++ = base < 0 || start < 0 ? -1 : base + start * strides[axis];
    }
    flat = std::move(next);
  }
  return flat;
}

}  // namespace

AutoPad auto_pad_of(const std::string& text) {
  if (text.empty() || text == "NOTSET") return AutoPad::kNotSet;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  if (text == "VALID") return AutoPad::kValid;
  fail_schema("attribute-value", "auto_pad is \"" + text + "\"", "must be NOTSET, SAME_UPPER, SAME_LOWER or VALID");
}

std::vector<WindowAxis> window_axes(std::span<const int64_t> spatial, const WindowAttributes& attributes) {
  const size_t rank = spatial.size();
  if (attributes.kernel.size() != rank) {
    fail_schema("attribute-length", "kernel_shape has " + std::to_string(attributes.kernel.size()) + " entries",
                "must have " + std::to_string(rank));
  }
  const auto kernel = list_of("kernel_shape", attributes.kernel, rank, 1, 1);
  const auto strides = list_of("strides", attributes.strides, rank, 1, 1);
  const auto dilations = list_of("dilations", attributes.dilations, rank, 1, 1);
  const auto pads = list_of("pads", attributes.pads, 2 * rank, 0, 0);
  const bool padded = std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; });
  if (auto_pad_of(attributes.auto_pad) != AutoPad::kNotSet && padded) {
    fail_schema("attribute-conflict", "auto_pad is " + attributes.auto_pad + " and pads is given",
                "cannot be used simultaneously");
  }
  std::vector<WindowAxis> axes(rank);
  for (size_t i = 0; i < rank; ++i) {
    axes[i] = {spatial[i], kernel[i], strides[i], dilations[i], pads[i], pads[rank + i], 0};
    check_sizes(axes[i]);
  }
  return axes;
}

std::vector<WindowAxis> placed_windows(std::span<const int64_t> spatial, const WindowAttributes& attributes) {
  std::vector<WindowAxis> axes = window_axes(spatial, attributes);
  const AutoPad auto_pad = auto_pad_of(attributes.auto_pad);
  for (WindowAxis& axis : axes) {
    if (auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower) {
      place_same(axis, auto_pad);
    } else {
      // VALID's own formula, ceil((in - extent + 1) / stride), is the same number with or without ceil_mode.
      place_explicit(axis, attributes.ceil_mode && auto_pad == AutoPad::kNotSet);
    }
    if (axis.output < 1) {
      fail_schema("empty-window",
                  "a window of " + std::to_string(axis.extent()) + " cells slides over " + std::to_string(axis.input) +
                      " with " + std::to_string(axis.pad_begin) + " and " + std::to_string(axis.pad_end) + " of padding",
                  "at least one window must fit");
    }
  }
  return axes;
}

Shape window_counts(std::span<const WindowAxis> axes) {
  Shape counts;
  for (const WindowAxis& axis : axes) counts.push_back(axis.output);
  return counts;
}

namespace {

// 0, step, 2 step, …
std::vector<int64_t> multiples(int64_t count, int64_t step) {
  std::vector<int64_t> list(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) list[static_cast<size_t>(i)] = i * step;
  return list;
}

// The cells of an axis that windows reach: its first ones.
int64_t reached_cells(const WindowAxis& axis) { return std::clamp<int64_t>(axis.reach() - axis.pad_begin, 0, axis.input); }

// Row by row; those without padding between them are one run.
std::vector<WindowOffsets::Run> runs_of(std::span<const WindowAxis> axes, const Shape& padded) {
  std::vector<std::vector<int64_t>> leading;
  for (const WindowAxis& axis : axes.first(axes.size() - 1)) {
    std::vector<int64_t>& places = leading.emplace_back(static_cast<size_t>(axis.input), -1);
    std::iota(places.begin(), places.begin() + reached_cells(axis), axis.pad_begin);
  }
  const auto width = static_cast<size_t>(axes.back().input), length = static_cast<size_t>(reached_cells(axes.back()));
  std::vector<WindowOffsets::Run> runs;
  size_t cell = 0;
  for (const int64_t row : flat_positions(leading, padded)) {
    const size_t offset = static_cast<size_t>(row + axes.back().pad_begin), at = cell;
    cell += width;
    if (row < 0 || length == 0) continue;
    const bool follows = !runs.empty() && runs.back().cell + runs.back().length == at && runs.back().offset + runs.back().length == offset;
    if (follows) {
      runs.back().length += length;
    } else {
      runs.push_back({at, offset, length});
    }
  }
  return runs;
}

}  // namespace

WindowOffsets window_offsets(std::span<const WindowAxis> axes) {
  WindowOffsets offsets;
  // The numbers come from attributes: what a tensor would be refused for is refused here.
  Shape padded, taps_of_each;
  for (const WindowAxis& axis : axes) {
    padded.push_back(axis.reach());
    taps_of_each.push_back(axis.kernel);
  }
  for (const Shape& shape : {padded, taps_of_each, window_counts(axes)}) Tensor::unfilled(DType::kInt64, shape);
  std::vector<std::vector<int64_t>> windows, taps;
  Shape cells;
  for (const WindowAxis& axis : axes) {
    windows.push_back(multiples(axis.output, axis.stride));
    taps.push_back(multiples(axis.kernel, axis.dilation));
    cells.push_back(axis.input);
  }
  offsets.padded = padded;
  offsets.windows = flat_positions(windows, offsets.padded);
  offsets.taps = flat_positions(taps, offsets.padded);
  offsets.cells = static_cast<size_t>(cells.elements());
  offsets.runs = runs_of(axes, offsets.padded);
  return offsets;
}

std::vector<uint8_t> declared_cells(std::span<const WindowAxis> axes) {
  std::vector<uint8_t> declared{1};
  for (const WindowAxis& axis : axes) {
    std::vector<uint8_t> next;
    next.reserve(declared.size() * static_cast<size_t>(axis.reach()));
    for (const uint8_t outer : declared) {
      for (int64_t i = 0; i < axis.reach(); ++i) {
        next.push_back(outer != 0 && i < axis.pad_begin + axis.input + axis.pad_end ? 1 : 0);
      }
    }
    declared = std::move(next);
  }
  return declared;
}

}  // namespace onnxv
