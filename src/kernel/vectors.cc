#include "src/kernel/vectors.h"

#include "src/tensor/lines.h"

namespace onnxv {

bool is_narrow(DType dtype) {
  if (is_float(dtype)) return dtype != DType::kDouble;
  return is_integer(dtype) ? dtype_bits(dtype) <= 16 : dtype == DType::kBool;
}

StridedVectors::StridedVectors(const Tensor& tensor, size_t count, size_t length, int64_t offset,
                               int64_t vector_stride, int64_t element_stride)
    : tensor_(tensor), count_(count), length_(length), offset_(offset), vector_stride_(vector_stride),
      element_stride_(element_stride) {}

void StridedVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  const int64_t start = offset_ + static_cast<int64_t>(first) * vector_stride_ +
                        static_cast<int64_t>(from) * element_stride_;
  if (vector_stride_ == 1) {
    for (size_t e = 0; e < elements; ++e) {
      const int64_t at = start + static_cast<int64_t>(e) * element_stride_;
      decode_elements(tensor_, static_cast<size_t>(at), vectors, out + e * vectors);
    }
    return;
  }
  if (element_stride_ == 1) {
    std::vector<double> row(elements + 1);
    for (size_t v = 0; v < vectors; ++v) {
      const int64_t at = start + static_cast<int64_t>(v) * vector_stride_;
      decode_elements(tensor_, static_cast<size_t>(at), elements, row.data());
      for (size_t e = 0; e < elements; ++e) out[e * vectors + v] = row[e];
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

void StoredVectors::read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const {
  for (size_t v = 0; v < vectors; ++v) {
    const double* row = values_.data() + (first + v) * length_ + from;
    for (size_t e = 0; e < elements; ++e) out[e * vectors + v] = row[e];
  }
}

}  // namespace onnxv
