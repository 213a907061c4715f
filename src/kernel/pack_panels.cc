// Compiled once per instruction set: plain arrays and patches of images into panels.
#include "src/kernel/panel_lanes.h"
#include "src/kernel/product_tile.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// Vectors [v, v + width) that do not fill a panel: one number at a time, with zeros behind them.
template <class T>
void pack_rest(const PlainPanels& job, const T* values, size_t v) {
  double* panel = job.panels + v * job.length;
  for (size_t e = 0; e < job.length; ++e) {
    const T* from = values + static_cast<int64_t>(v) * job.vector_stride + static_cast<int64_t>(e) * job.element_stride;
    for (size_t i = 0; i < job.width; ++i) {
      panel[e * job.width + i] = v + i < job.count ? number(from[static_cast<int64_t>(i) * job.vector_stride]) : 0.0;
    }
  }
}

// Neighbours are vectors: some panels at once, since memory likes long runs. (The places of many panels would share a set of the
// first cache.)
constexpr size_t kTogether = 4;
template <class T>
void pack_across(const PlainPanels& job, const T* values) {
  const size_t whole = job.count / job.width * job.width, size = job.length * job.width;
  for (size_t first = 0; first < whole; first += kTogether * job.width) {
    const size_t end = whole - first < kTogether * job.width ? whole : first + kTogether * job.width;
    for (size_t e = 0; e < job.length; ++e) {
      const T* from = values + static_cast<int64_t>(e) * job.element_stride;
      double* to = job.panels + first * job.length + e * job.width;
      for (size_t v = first; v < end; v += job.width, to += size) {
        for (size_t i = 0; i < job.width; i += kWidth) store_native(to + i, numbers(from + v + i));
      }
    }
  }
  if (whole < job.count) pack_rest(job, values, whole);
}

// Neighbours are elements.
template <class T>
void pack_along(const PlainPanels& job, const T* values) {
  const size_t whole = job.count / job.width * job.width;
  for (size_t v = 0; v < whole; v += job.width) {
    for (size_t i = 0; i < job.width; i += kWidth) {
      const T* from = values + static_cast<int64_t>(v + i) * job.vector_stride;
      double* to = job.panels + v * job.length + i;
      size_t e = 0;
      for (; e + kWidth <= job.length; e += kWidth, to += kWidth * job.width) {
        Native block[kWidth];
        for (size_t n = 0; n < kWidth; ++n) block[n] = numbers(from + static_cast<int64_t>(n) * job.vector_stride + static_cast<int64_t>(e));
        transpose(block);
        for (size_t n = 0; n < kWidth; ++n) store_native(to + n * job.width, block[n]);
      }
      for (; e < job.length; ++e, to += job.width) {
        for (size_t n = 0; n < kWidth; ++n) to[n] = number(from[static_cast<int64_t>(n) * job.vector_stride + static_cast<int64_t>(e)]);
      }
    }
  }
  if (whole < job.count) pack_rest(job, values, whole);
}

template <class T>
bool pack_as(const PlainPanels& job) {
  if (job.width % kWidth != 0) return false;
  const T* values = static_cast<const T*>(job.values);
  if (job.vector_stride == 1) {
    pack_across(job, values);
  } else if (job.element_stride == 1) {
    pack_along(job, values);
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool pack_plain(const PlainPanels& job) {
  switch (job.stored) {
    case Stored::kFloat32: return pack_as<float>(job);
    case Stored::kFloat64: return pack_as<double>(job);
    case Stored::kBfloat16: return pack_as<Brain>(job);
    case Stored::kInt8: return pack_as<int8_t>(job);
    case Stored::kUint8: return pack_as<uint8_t>(job);
    case Stored::kInt16: return pack_as<int16_t>(job);
#if defined(__F16C__)
    case Stored::kFloat16: return pack_as<Half>(job);
#endif
    default: return false;
  }
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
