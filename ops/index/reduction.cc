#include "ops/index/reduction.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "ops/index/extended.h"
#include "src/tensor/index.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

// Choice: the text wants no duplicates and leaves their order open; the last one stays, marked.
Tensor overwritten(const OpCall& call, const Tensor& data, const Tensor& updates,
                   const Hits& hits) {
  Tensor out = data;
  std::vector<uint8_t> written(data.size(), 0), repeated(data.size(), 0);
  for (size_t i = 0; i < hits.starts.size(); ++i) {
    copy_elements(updates, i * hits.slice, hits.slice, out, static_cast<size_t>(hits.starts[i]));
  }
  for (size_t u = 0; u < updates.size(); ++u) {
    const size_t target = hits.target(u);
    repeated[target] = repeated[target] | written[target];
    written[target] = 1;
  }
  call.mark_unspecified(0, "scatter-duplicate", std::move(repeated));
  return out;
}

bool combined_bool(bool a, bool b, Combination how) {
  return how == Combination::kAdd || how == Combination::kMax ? a || b : a && b;
}

uint64_t combined_integer(DType dtype, uint64_t a, uint64_t b, Combination how) {
  const int bits = dtype_bits(dtype);
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if (how == Combination::kAdd) return (a + b) & mask;
  if (how == Combination::kMul) return (a * b) & mask;
  const bool b_is_larger = order_key(dtype, a) < order_key(dtype, b);
  return (how == Combination::kMax) == b_is_larger ? b : a;
}

Tensor combined_integers(const Tensor& data, const Tensor& updates, const Hits& hits,
                         Combination how) {
  const DType dtype = data.dtype();
  Tensor out = data;
  for (size_t u = 0; u < updates.size(); ++u) {
    const size_t target = hits.target(u);
    const uint64_t a = out.code(target), b = updates.code(u);
    out.set_code(target, dtype == DType::kBool ? uint64_t{combined_bool(a != 0, b != 0, how)}
                                               : combined_integer(dtype, a, b, how));
  }
  return out;
}

// Choice: NaN propagates, as NumPy's maximum does; of zeros, +0 is the maximum and -0 the minimum.
// Both are marked.
Tensor extremes(const OpCall& call, const Tensor& data, const Tensor& updates, const Hits& hits,
                Combination how) {
  const Format& format = float_format(data.dtype());
  const uint64_t preferred_zero = how == Combination::kMax ? 0 : uint64_t{1} << (format.bits - 1);
  Tensor out = data;
  std::vector<uint8_t> nans(data.size(), 0), zeros(data.size(), 0);
  for (size_t u = 0; u < updates.size(); ++u) {
    const size_t target = hits.target(u);
    const uint64_t a = out.code(target), b = updates.code(u);
    const int64_t key_a = order_key(data.dtype(), a), key_b = order_key(data.dtype(), b);
    uint64_t extreme = a;
    zeros[target] = key_a == 0 && key_b == 0 ? zeros[target] | (a != b) : zeros[target];
    if (key_a == kNanKey || key_b == kNanKey) {
      extreme = format.canonical_nan;
      nans[target] = 1;
    } else if (key_a == key_b) {
      extreme = a == b ? a : preferred_zero;
    } else if ((how == Combination::kMax) == (key_a < key_b)) {
      extreme = b;
    }
    out.set_code(target, extreme);
  }
  for (size_t i = 0; i < zeros.size(); ++i)
    zeros[i] = zeros[i] != 0 && order_key(data.dtype(), out.code(i)) == 0;
  call.mark_unspecified(0, "scatter-nan", std::move(nans));
  call.mark_unspecified(0, "scatter-zero-sign", std::move(zeros));
  return out;
}

// Calls with (target, its updates in row-major order) for every element that is hit.
template <class Use>
void for_each_target(size_t updates, const Hits& hits, const Use& use) {
  std::vector<size_t> order(updates);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return hits.target(a) < hits.target(b); });
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const size_t target = hits.target(order[begin]);
    while (end < order.size() && hits.target(order[end]) == target) ++end;
    use(target, std::span<const size_t>(order).subspan(begin, end - begin));
  }
}

Tensor exact_floats(const Tensor& data, const Tensor& updates, const Hits& hits, Combination how) {
  const Format& format = float_format(data.dtype());
  Tensor out = data;
  for_each_target(updates.size(), hits, [&](size_t target, std::span<const size_t> group) {
    Extended total = Extended::from_code(format, data.code(target));
    for (size_t u : group) {
      const Extended update = Extended::from_code(format, updates.code(u));
      total = how == Combination::kAdd ? total + update : total * update;
    }
    out.set_code(target, total.encode(format));
  });
  return out;
}

// Code is the unsigned integer of a part's width.
template <class Code>
Tensor exact_complex(const Tensor& data, const Tensor& updates, const Hits& hits, Combination how,
                     const Format& part) {
  using Codes = std::array<Code, 2>;
  Tensor out = data;
  const std::span<const Codes> from = updates.as<Codes>();
  const std::span<Codes> to = out.mutable_as<Codes>();
  for_each_target(updates.size(), hits, [&](size_t target, std::span<const size_t> group) {
    Extended re = Extended::from_code(part, to[target][0]),
             im = Extended::from_code(part, to[target][1]);
    for (size_t u : group) {
      const Extended c = Extended::from_code(part, from[u][0]),
                     d = Extended::from_code(part, from[u][1]);
      Extended next_re = how == Combination::kAdd ? re + c : re * c - im * d;
      im = how == Combination::kAdd ? im + d : re * d + im * c;
      re = std::move(next_re);
    }
    to[target] = {static_cast<Code>(re.encode(part)), static_cast<Code>(im.encode(part))};
  });
  return out;
}

}  // namespace

Tensor reduced(const OpCall& call, const Tensor& data, const Tensor& updates, const Hits& hits,
               Combination how) {
  const DType dtype = data.dtype();
  if (how == Combination::kNone) return overwritten(call, data, updates, hits);
  const bool extreme = how == Combination::kMax || how == Combination::kMin;
  if (data.is_string() || (extreme && is_complex(dtype))) {
    fail_schema(
        "type-mismatch",
        "reduction \"" + call.text("reduction") + "\" of " + std::string(dtype_display_name(dtype)),
        "is not defined");
  }
  if (dtype == DType::kComplex64)
    return exact_complex<uint32_t>(data, updates, hits, how, kFloat32);
  if (dtype == DType::kComplex128)
    return exact_complex<uint64_t>(data, updates, hits, how, kFloat64);
  if (!is_float(dtype)) return combined_integers(data, updates, hits, how);
  if (extreme) return extremes(call, data, updates, hits, how);
  return exact_floats(data, updates, hits, how);
}

}  // namespace onnxv
