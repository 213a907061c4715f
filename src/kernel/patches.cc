#include "src/kernel/patches.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "src/tensor/lines.h"

namespace onnxv {

namespace {

// `count` neighbours, element by element; `count` vectors stand side by side in `out`.
template <size_t count>
void copy_neighbours(const double* values, std::span<const int64_t> elements, double* out) {
  for (const int64_t e : elements) {
    std::memcpy(out, values + e, count * sizeof(double));
    out += count;
  }
}

}  // namespace

void OffsetVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  if (vectors == 0) return;
  const int64_t* at = vector_offsets_.data() + first;
  const std::span<const int64_t> offsets = element_offsets_.subspan(from, elements);
  const bool side_by_side = at[vectors - 1] - at[0] == static_cast<int64_t>(vectors) - 1 &&
                            std::is_sorted(at, at + vectors, std::less_equal<>());
  // The widths of panels; a call of memcpy per element would cost more than its copy.
  if (side_by_side && vectors == 4) return copy_neighbours<4>(values_ + at[0], offsets, out);
  if (side_by_side && vectors == 12) return copy_neighbours<12>(values_ + at[0], offsets, out);
  if (side_by_side && vectors == 24) return copy_neighbours<24>(values_ + at[0], offsets, out);
  for (const int64_t e : offsets) {
    const double* base = values_ + e;
    for (size_t v = 0; v < vectors; ++v) out[v] = base[at[v]];
    out += vectors;
  }
}

Tensor padded_channels(const Tensor& x, size_t first, size_t channels, const WindowOffsets& offsets, double zero_point,
                       std::span<const double> around) {
  Shape shape = offsets.padded;
  shape.insert(0, static_cast<int64_t>(channels));
  Tensor padded(DType::kDouble, shape);  // +0 everywhere
  const size_t cells = offsets.cells.size();
  const auto size = static_cast<size_t>(offsets.padded.elements());
  double* values = padded.mutable_as<double>().data();
  for (size_t c = 0; c < channels; ++c, values += size) {
    if (!around.empty()) std::copy(around.begin(), around.end(), values);
    for (const WindowOffsets::Run& run : offsets.runs) {
      decode_elements(x, first + c * cells + run.cell, run.length, values + run.offset);
      // Without a zero point even -0 stays what it is.
      for (size_t i = 0; zero_point != 0 && i < run.length; ++i) values[run.offset + i] -= zero_point;
    }
  }
  return padded;
}

PatchVectors::PatchVectors(const Tensor& x, size_t first, size_t channels, const WindowOffsets& offsets,
                           double zero_point)
    : padded_(padded_channels(x, first, channels, offsets, zero_point)) {
  const int64_t size = offsets.padded.elements();
  element_offsets_.reserve(channels * offsets.taps.size());
  for (size_t c = 0; c < channels; ++c) {
    for (const int64_t tap : offsets.taps) element_offsets_.push_back(static_cast<int64_t>(c) * size + tap);
  }
  vectors_ = std::make_unique<OffsetVectors>(padded_.as<double>().data(), offsets.windows, element_offsets_,
                                             is_narrow(x.dtype()));
}

}  // namespace onnxv
