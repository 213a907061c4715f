#include "src/tensor/rows.h"

#include <cstring>

#include "src/base/error.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// `bytes` is a constant for the compiler where a call of memcpy would cost more than the run.
template <size_t bytes>
void copy_short(const std::byte* in, size_t in_step, std::byte* out, size_t out_step, size_t runs) {
  for (size_t r = 0; r < runs; ++r, in += in_step, out += out_step) std::memcpy(out, in, bytes);
}

void copy_bytes(const std::byte* in, size_t in_step, std::byte* out, size_t out_step, size_t bytes, size_t runs) {
  switch (bytes) {
    case 1: return copy_short<1>(in, in_step, out, out_step, runs);
    case 2: return copy_short<2>(in, in_step, out, out_step, runs);
    case 4: return copy_short<4>(in, in_step, out, out_step, runs);
    case 8: return copy_short<8>(in, in_step, out, out_step, runs);
    case 12: return copy_short<12>(in, in_step, out, out_step, runs);
    case 16: return copy_short<16>(in, in_step, out, out_step, runs);
    default: break;
  }
  for (size_t r = 0; r < runs; ++r, in += in_step, out += out_step) std::memcpy(out, in, bytes);
}

bool reaches_beyond(const Tensor& tensor, StridedRuns at, size_t count, size_t runs) {
  return at.start + (runs - 1) * at.step + count > tensor.size();
}

}  // namespace

void copy_runs(const Tensor& data, StridedRuns from, Tensor& target, StridedRuns to, size_t count, size_t runs) {
  if (count == 0 || runs == 0) return;
  const bool whole_bytes = !data.is_string() && dtype_bits(data.dtype()) >= 8;
  if (!whole_bytes || data.bounds() != nullptr || target.bounds() != nullptr) {
    for (size_t r = 0; r < runs; ++r) copy_elements(data, from.start + r * from.step, count, target, to.start + r * to.step);
    return;
  }
  if (data.dtype() != target.dtype() || reaches_beyond(data, from, count, runs) || reaches_beyond(target, to, count, runs)) {
    fail_internal("copy-runs", data.shape().text() + " into " + target.shape().text());
  }
  const size_t width = static_cast<size_t>(dtype_bits(data.dtype())) / 8;
  copy_bytes(data.bytes().data() + from.start * width, from.step * width,
             target.mutable_bytes().data() + to.start * width, to.step * width, count * width, runs);
}

}  // namespace onnxv
