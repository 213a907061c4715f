#include "src/kernel/patches.h"

#include <algorithm>
#include <functional>

#include "src/tensor/lines.h"

namespace onnxv {

void OffsetVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  if (vectors == 0) return;
  const int64_t* at = vector_offsets_.data() + first;
  const bool contiguous = at[vectors - 1] - at[0] == static_cast<int64_t>(vectors) - 1 &&
                          std::is_sorted(at, at + vectors, std::less_equal<>());
  for (size_t e = 0; e < elements; ++e, out += vectors) {
    const double* base = values_ + element_offsets_[from + e];
    if (contiguous) {
      std::copy_n(base + at[0], vectors, out);
    } else {
      for (size_t v = 0; v < vectors; ++v) out[v] = base[at[v]];
    }
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
  std::vector<double> channel(cells + 1);
  for (size_t c = 0; c < channels; ++c, values += size) {
    if (!around.empty()) std::copy(around.begin(), around.end(), values);
    decode_elements(x, first + c * cells, cells, channel.data());
    for (size_t i = 0; i < cells; ++i) {
      if (offsets.cells[i] < 0) continue;
      // Without a zero point even -0 stays what it is.
      values[offsets.cells[i]] = zero_point == 0 ? channel[i] : channel[i] - zero_point;
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
