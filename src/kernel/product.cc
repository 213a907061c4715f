#include "src/kernel/product.h"

#include <cstring>

#include "src/base/parallel.h"
#include "src/kernel/product_bounds.h"
#include "src/kernel/product_counts.h"
#include "src/kernel/product_anchored.h"
#include "src/kernel/product_direct.h"
#include "src/kernel/product_integers.h"
#include "src/kernel/product_rounder.h"

namespace onnxv {
namespace {

void put_code(const ProductOutput& out, std::byte* base, size_t width, int64_t at, uint64_t code) {
  if (width == 1 && dtype_bits(out.tensor->dtype()) < 8) {
    out.tensor->set_code(static_cast<size_t>(at), code);
    return;
  }
  std::memcpy(base + static_cast<size_t>(at) * width, &code, width);
}

void multiply_one_by_one(const ProductTask& task, const ProductOutput& out, std::byte* base) {
  const size_t width = out.target.width();
  // Sub-byte outputs share bytes, so they stay on one thread.
  const size_t grain = dtype_bits(out.tensor->dtype()) < 8 ? task.a.count() : 1;
  parallel_for(task.a.count(), grain, [&](size_t begin, size_t end) {
    ExactElements exact(task, out.target);
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = 0; j < task.b.count(); ++j) {
        const int64_t at = out.offset + static_cast<int64_t>(i) * out.row_stride + static_cast<int64_t>(j) * out.column_stride;
        put_code(out, base, width, at, exact.code(i, j));
      }
    }
  });
}

}  // namespace

void multiply(const Vectors& a, const Vectors& b, const ProductOutput& out) {
  if (a.count() == 0 || b.count() == 0) return;
  if (ToleranceScope::current() != nullptr) bound_products(a, b, out);
  count_products({a.count() * b.count(), 0, 0});
  const ProductTask task{a, b, out.start, kDepth, out.start_of_b};
  if (!fits_tiles(task) && is_anchored(task, out)) return multiply_anchored(task, out);
  if (!fits_tiles(task) || dtype_bits(out.tensor->dtype()) < 8) {
    return multiply_one_by_one(task, out, out.tensor->mutable_bytes().data());
  }
  if (is_direct(task)) return multiply_directly(task, out);
  if (is_integral(task, out)) return multiply_integrally(task, out);
  for_each_tile(task, Rounder(task, out));
}

}  // namespace onnxv
