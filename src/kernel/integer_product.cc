// Products modulo 2^64: for types whose products exceed a double.
#include <algorithm>

#include "src/base/parallel.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {

std::vector<uint64_t> extended_integers(const Tensor& tensor) {
  std::vector<uint64_t> values(tensor.size());
  const IntegerFormat format{dtype_bits(tensor.dtype()), is_signed_integer(tensor.dtype())};
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<uint64_t>(decode_integer(format, tensor.code(i)));
  }
  return values;
}

void multiply_integers(size_t m, size_t n, size_t k, IntegerMatrix a, IntegerMatrix b, uint64_t* out) {
  std::fill_n(out, m * n, 0);
  parallel_for(m, 8, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      for (size_t x = 0; x < k; ++x) {
        const uint64_t left = a.data[static_cast<int64_t>(i) * a.row_stride + static_cast<int64_t>(x) * a.column_stride];
        const uint64_t* right = b.data + static_cast<int64_t>(x) * b.row_stride;
        for (size_t j = 0; j < n; ++j) out[i * n + j] += left * right[static_cast<int64_t>(j) * b.column_stride];
      }
    }
  });
}

}  // namespace onnxv
