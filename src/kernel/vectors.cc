#include "src/kernel/vectors.h"

#include <algorithm>

#include "src/kernel/packing.h"
#include "src/kernel/weights.h"
#include "src/number/model.h"
#include "src/tensor/lines.h"

namespace onnxv {

bool is_narrow(DType dtype) {
  if (is_float(dtype)) return dtype != DType::kDouble;
  return is_integer(dtype) ? dtype_bits(dtype) <= 16 : dtype == DType::kBool;
}

bool is_small_integer(DType dtype) {
  return (is_integer(dtype) && dtype_bits(dtype) < 16) || dtype == DType::kInt16 || dtype == DType::kBool;
}

void Vectors::read_models(size_t vector, ModelReal* out) const {
  std::vector<double> values(length() + 1);
  read(vector, 1, 0, length(), values.data());
  for (size_t e = 0; e < length(); ++e) out[e] = ModelReal::operand(values[e]);
}

StridedVectors::StridedVectors(const Tensor& tensor, size_t count, size_t length, int64_t offset,
                               int64_t vector_stride, int64_t element_stride)
    : tensor_(tensor), count_(count), length_(length), offset_(offset), vector_stride_(vector_stride),
      element_stride_(element_stride) {}

namespace {

// Elements of a type that converts to double by itself.
template <class T>
void read_as(const T* values, int64_t vector_stride, int64_t element_stride, size_t vectors, size_t elements, double* out) {
  if (vector_stride == 1) {
    for (size_t e = 0; e < elements; ++e, values += element_stride, out += vectors) {
      for (size_t v = 0; v < vectors; ++v) out[v] = static_cast<double>(values[v]);
    }
    return;
  }
  if (vectors == 1 && element_stride == 1) {
    std::copy_n(values, elements, out);
    return;
  }
  // Four vectors at a time, so that neighbours in `out` are written together.
  size_t v = 0;
  for (; v + 4 <= vectors; v += 4) {
    const T *p = values + static_cast<int64_t>(v) * vector_stride, *q = p + vector_stride, *r = q + vector_stride,
            *s = r + vector_stride;
    double* to = out + v;
    for (size_t e = 0; e < elements; ++e, to += vectors) {
      const int64_t at = static_cast<int64_t>(e) * element_stride;
      to[0] = static_cast<double>(p[at]);
      to[1] = static_cast<double>(q[at]);
      to[2] = static_cast<double>(r[at]);
      to[3] = static_cast<double>(s[at]);
    }
  }
  for (; v < vectors; ++v) {
    const T* p = values + static_cast<int64_t>(v) * vector_stride;
    for (size_t e = 0; e < elements; ++e) out[e * vectors + v] = static_cast<double>(p[static_cast<int64_t>(e) * element_stride]);
  }
}

}  // namespace

void StridedVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  const int64_t start = offset_ + static_cast<int64_t>(first) * vector_stride_ +
                        static_cast<int64_t>(from) * element_stride_;
  const auto plain = [&]<class T>(const T*) {
    read_as(tensor_.as<T>().data() + start, vector_stride_, element_stride_, vectors, elements, out);
  };
  switch (tensor_.dtype()) {
    case DType::kFloat: return plain(static_cast<const float*>(nullptr));
    case DType::kDouble: return plain(static_cast<const double*>(nullptr));
    case DType::kInt8: return plain(static_cast<const int8_t*>(nullptr));
    case DType::kUint8: return plain(static_cast<const uint8_t*>(nullptr));
    default: return read_decoded(start, vectors, elements, out);
  }
}

void StridedVectors::read_decoded(int64_t start, size_t vectors, size_t elements, double* out) const {
  if (vector_stride_ == 1) {
    for (size_t e = 0; e < elements; ++e) {
      const int64_t at = start + static_cast<int64_t>(e) * element_stride_;
      decode_elements(tensor_, static_cast<size_t>(at), vectors, out + e * vectors);
    }
    return;
  }
  if (element_stride_ == 1) {
    constexpr size_t kTogether = 256;  // elements: what is decoded stays in the first cache
    double part[4 * kTogether];
    for (size_t v = 0; v < vectors; v += 4) {
      const size_t present = std::min<size_t>(4, vectors - v);
      for (size_t e = 0; e < elements; e += kTogether) {
        const size_t some = std::min(kTogether, elements - e);
        for (size_t i = 0; i < present; ++i) {
          const int64_t at = start + static_cast<int64_t>(v + i) * vector_stride_ + static_cast<int64_t>(e);
          decode_elements(tensor_, static_cast<size_t>(at), some, part + i * kTogether);
        }
        for (size_t k = 0; k < some; ++k) {
          for (size_t i = 0; i < present; ++i) out[(e + k) * vectors + v + i] = part[i * kTogether + k];
        }
      }
    }
    return;
  }
  for (size_t e = 0; e < elements; ++e) {
    for (size_t v = 0; v < vectors; ++v) {
      const int64_t at = start + static_cast<int64_t>(v) * vector_stride_ + static_cast<int64_t>(e) * element_stride_;
      decode_elements(tensor_, static_cast<size_t>(at), 1, out + e * vectors + v);
    }
  }
}

namespace {

Stored stored_as(DType dtype) {
  switch (dtype) {
    case DType::kFloat: return Stored::kFloat32;
    case DType::kDouble: return Stored::kFloat64;
    case DType::kFloat16: return Stored::kFloat16;
    case DType::kBfloat16: return Stored::kBfloat16;
    case DType::kInt8: return Stored::kInt8;
    case DType::kUint8: return Stored::kUint8;
    case DType::kInt16: return Stored::kInt16;
    default: return Stored::kNowhere;
  }
}

}  // namespace

Vectors::Plain StridedVectors::plain() const {
  const Stored stored = stored_as(tensor_.dtype());
  if (stored == Stored::kNowhere) return {};
  const std::byte* values = tensor_.bytes().data() + offset_ * static_cast<int64_t>(stored_bytes(stored));
  return {values, stored, vector_stride_, element_stride_};
}

std::shared_ptr<const VectorMeasures> StridedVectors::measures() const {
  const WeightView view{tensor_.dtype(), count_, length_, offset_, vector_stride_, element_stride_};
  return kept_measures(tensor_, view, *this);
}

void StoredVectors::prepare() {
  measures_ = std::make_shared<const VectorMeasures>(measured(*this));
  // A NaN is not equal to itself; its payload means nothing.
  const auto is_float = [](double x) { return static_cast<double>(static_cast<float>(x)) == x || x != x; };
  if (std::all_of(values_.begin(), values_.end(), is_float)) floats_.assign(values_.begin(), values_.end());
}

VectorMeasures measured(const Vectors& vectors) {
  VectorMeasures all;
  const size_t count = vectors.count();
  // Wide panels are read in longer runs.
  const size_t together = count > 8 ? 4 * product_kernels().columns : product_kernels().rows;
  Scratch memory;
  for (size_t first = 0; first < count; first += together) {
    const size_t some = std::min(together, count - first);
    const Packed packed = pack(vectors, first, some, together, memory);
    all.norms.insert(all.norms.end(), packed.norms, packed.norms + some);
    all.quanta.insert(all.quanta.end(), packed.quanta, packed.quanta + some);
  }
  return all;
}

void StridedVectors::read_models(size_t vector, ModelReal* out) const {
  const int64_t start = offset_ + static_cast<int64_t>(vector) * vector_stride_;
  for (size_t e = 0; e < length_; ++e) {
    out[e] = model_element(tensor_, static_cast<size_t>(start + static_cast<int64_t>(e) * element_stride_));
  }
}

void ExtendedVectors::read_models(size_t vector, ModelReal* out) const {
  vectors_.read_models(vector, out);
  out[vectors_.length()] = ModelReal::operand(extra_.size() == 1 ? extra_[0] : extra_[vector]);
}

ExtendedVectors::ExtendedVectors(const Vectors& vectors, std::vector<double> extra, bool extra_is_narrow)
    : vectors_(vectors), extra_(std::move(extra)), narrow_(vectors.narrow() && extra_is_narrow) {}

void ExtendedVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  const size_t inner = vectors_.length();
  const size_t below = from >= inner ? 0 : (from + elements <= inner ? elements : inner - from);
  if (below > 0) vectors_.read(first, vectors, from, below, out);
  if (below == elements) return;
  for (size_t v = 0; v < vectors; ++v) {
    out[below * vectors + v] = extra_.size() == 1 ? extra_[0] : extra_[first + v];
  }
}

void StoredVectors::read_models(size_t vector, ModelReal* out) const {
  for (size_t e = 0; e < length_; ++e) {
    const size_t at = vector * length_ + e;
    out[e] = model_of(values_[at], bounds_.empty() ? Bound() : bounds_[at]);
  }
}

void StoredVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  for (size_t v = 0; v < vectors; ++v) {
    const double* row = values_.data() + (first + v) * length_ + from;
    for (size_t e = 0; e < elements; ++e) out[e * vectors + v] = row[e];
  }
}

}  // namespace onnxv
