// Compiled once per instruction set: plain arrays and patches of images into panels.
#include "src/kernel/panel_lanes.h"
#include "src/kernel/product_tile.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// `present` < kWidth vectors from v on, with zeros behind them, into one register's part of a panel: one number at a time.
template <class T>
void pack_partly(const PlainPanels& job, const T* values, size_t v, size_t present, double* to) {
  const T* from = values + static_cast<int64_t>(v) * job.vector_stride;
  for (size_t e = 0; e < job.length; ++e, from += job.element_stride, to += job.width) {
    for (size_t i = 0; i < kWidth; ++i) to[i] = i < present ? number(from[static_cast<int64_t>(i) * job.vector_stride]) : 0.0;
  }
}

// A register's part of a panel, vectors from v on; neighbours are vectors.
template <class T>
void pack_register_across(const PlainPanels& job, const T* values, size_t v, double* to) {
  const T* from = values + v;
  for (size_t e = 0; e < job.length; ++e, from += job.element_stride, to += job.width) store_native(to, numbers(from));
}

// Neighbours are elements.
template <class T>
void pack_register_along(const PlainPanels& job, const T* values, size_t v, double* to) {
  const T* from = values + static_cast<int64_t>(v) * job.vector_stride;
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

// The vectors from v on that do not fill a panel.
template <class T, class PackRegister>
void pack_rest(const PlainPanels& job, const T* values, size_t v, const PackRegister& pack_register) {
  double* panel = job.panels + v * job.length;
  for (size_t i = 0; i < job.width; i += kWidth) {
    if (v + i + kWidth <= job.count) {
      pack_register(job, values, v + i, panel + i);
    } else {
      pack_partly(job, values, v + i, v + i < job.count ? job.count - v - i : 0, panel + i);
    }
  }
}

// Some panels at once, since memory likes long runs. (The places of many panels would share a set of the first cache.)
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
  if (whole < job.count) pack_rest(job, values, whole, pack_register_across<T>);
}

template <class T>
void pack_along(const PlainPanels& job, const T* values) {
  const size_t whole = job.count / job.width * job.width;
  for (size_t v = 0; v < whole; v += job.width) {
    for (size_t i = 0; i < job.width; i += kWidth) pack_register_along(job, values, v + i, job.panels + v * job.length + i);
  }
  if (whole < job.count) pack_rest(job, values, whole, pack_register_along<T>);
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

template <class T>
Native gathered(const T* image, const int64_t* windows) {
  Native x;
  for (size_t i = 0; i < kWidth; ++i) x[i] = number(image[windows[i]]);
  return x;
}

bool are_neighbours(const int64_t* windows) {
  for (size_t i = 1; i < kWidth; ++i) {
    if (windows[i] != windows[0] + static_cast<int64_t>(i)) return false;
  }
  return true;
}

// `panels` panels of windows whose registers each are neighbours: at once, since memory likes long runs.
template <size_t panels, class T>
void pack_neighbours(const WindowPanels& job, const T* image, const int64_t* windows, double* panel) {
  constexpr size_t kRegisters = panels * kPanelVectors;
  const T* from[kRegisters];
  for (size_t n = 0; n < kRegisters; ++n) from[n] = image + windows[n * kWidth];
  const size_t size = job.length * kPanelColumns;
  for (size_t e = 0; e < job.length; ++e, panel += kPanelColumns) {
    const int64_t element = job.elements[e];
    // Windows that come next, in as many rows as there are elements: more streams than the machine foresees.
    __builtin_prefetch(from[kRegisters - 1] + element + kRegisters * kWidth / 2);
    __builtin_prefetch(from[kRegisters - 1] + element + kRegisters * kWidth);
    for (size_t n = 0; n < kRegisters; ++n) {
      store_native(panel + n / kPanelVectors * size + n % kPanelVectors * kWidth, numbers(from[n] + element));
    }
  }
}

// Some registers of a panel; `present` windows.
template <class T>
void pack_scattered(const WindowPanels& job, const T* image, const int64_t* windows, size_t present, double* panel) {
  for (size_t v = 0; v < job.width; v += kWidth) {
    double* to = panel + v;
    if (v + kWidth <= present && are_neighbours(windows + v)) {
      for (size_t e = 0; e < job.length; ++e, to += job.width) store_native(to, numbers(image + windows[v] + job.elements[e]));
    } else if (v + kWidth <= present) {
      for (size_t e = 0; e < job.length; ++e, to += job.width) store_native(to, gathered(image + job.elements[e], windows + v));
    } else {
      for (size_t e = 0; e < job.length; ++e, to += job.width) {
        for (size_t i = 0; i < kWidth; ++i) to[i] = v + i < present ? number(image[windows[v + i] + job.elements[e]]) : 0.0;
      }
    }
  }
}

// Whole panels, at most `most`, from `windows` on whose registers each are neighbours.
size_t panels_of_neighbours(const int64_t* windows, size_t most) {
  for (size_t panel = 0; panel < most; ++panel) {
    for (size_t i = 0; i < kPanelColumns; i += kWidth, windows += kWidth) {
      if (!are_neighbours(windows)) return panel;
    }
  }
  return most;
}

template <class T>
void pack_windows_of(const WindowPanels& job, const T* image) {
  double* panel = job.panels;
  for (size_t v = 0; v < job.count;) {
    const int64_t* windows = job.windows + v;
    const size_t whole = job.width == kPanelColumns ? (job.count - v) / kPanelColumns : 0;
    const size_t panels = panels_of_neighbours(windows, whole < kTogether ? whole : kTogether);
    if (panels == kTogether) {
      pack_neighbours<kTogether>(job, image, windows, panel);
    } else if (panels != 0) {
      for (size_t n = 0; n < panels; ++n) pack_neighbours<1>(job, image, windows + n * kPanelColumns, panel + n * job.width * job.length);
    } else {
      pack_scattered(job, image, windows, job.count - v < job.width ? job.count - v : job.width, panel);
    }
    const size_t done = panels == 0 ? 1 : panels;
    v += done * job.width;
    panel += done * job.width * job.length;
  }
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

bool pack_windows(const WindowPanels& job) {
  if (job.width % kWidth != 0) return false;
  if (job.floats != nullptr) {
    pack_windows_of(job, job.floats);
  } else {
    pack_windows_of(job, job.doubles);
  }
  return true;
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
