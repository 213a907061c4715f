#include "ops/index/reduction.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "ops/index/totals.h"
#include "src/kernel/remaining_bounds.h"
#include "src/number/extended.h"
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

// The updates that hit one element: order[begin, begin + count) of TargetGroups.
struct Group {
  size_t target, begin, count;
};

struct TargetGroups {
  std::vector<size_t> order;  // updates by target, each target's in row-major order
  std::vector<Group> groups;

  std::span<const size_t> updates(const Group& group) const {
    return std::span<const size_t>(order).subspan(group.begin, group.count);
  }
};

TargetGroups groups_of(size_t updates, const Hits& hits) {
  TargetGroups all;
  all.order.resize(updates);
  std::iota(all.order.begin(), all.order.end(), size_t{0});
  std::stable_sort(all.order.begin(), all.order.end(),
                   [&](size_t a, size_t b) { return hits.target(a) < hits.target(b); });
  for (size_t i = 0; i < updates; ++i) {
    const size_t target = hits.target(all.order[i]);
    if (all.groups.empty() || all.groups.back().target != target)
      all.groups.push_back({target, i, 0});
    ++all.groups.back().count;
  }
  return all;
}

// Groups of one size at a time: they are lines of one length.
Tensor exact_floats(const Tensor& data, const Tensor& updates, const Hits& hits, Combination how) {
  TargetGroups all = groups_of(updates.size(), hits);
  std::stable_sort(all.groups.begin(), all.groups.end(),
                   [](const Group& a, const Group& b) { return a.count < b.count; });
  Tensor both(data.dtype(), Shape{static_cast<int64_t>(data.size() + updates.size())});
  copy_elements(data, 0, data.size(), both, 0);
  copy_elements(updates, 0, updates.size(), both, data.size());
  Tensor out = data;
  for (size_t begin = 0, end = 0; begin < all.groups.size(); begin = end) {
    const size_t count = all.groups[begin].count;
    while (end < all.groups.size() && all.groups[end].count == count) ++end;
    const auto elements = [&](size_t line, int64_t* positions) {
      const Group& group = all.groups[begin + line];
      *positions++ = static_cast<int64_t>(group.target);
      for (size_t u : all.updates(group)) *positions++ = static_cast<int64_t>(data.size() + u);
    };
    const Tensor rounded = totals(how == Combination::kAdd ? Total::kSum : Total::kProduct, both,
                                  end - begin, count + 1, elements);
    for (size_t i = begin; i < end; ++i)
      copy_elements(rounded, i - begin, 1, out, all.groups[i].target);
  }
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
  const TargetGroups all = groups_of(updates.size(), hits);
  for (const Group& group : all.groups) {
    const size_t target = group.target;
    Extended re = Extended::from_code(part, to[target][0]),
             im = Extended::from_code(part, to[target][1]);
    for (size_t u : all.updates(group)) {
      const Extended c = Extended::from_code(part, from[u][0]),
                     d = Extended::from_code(part, from[u][1]);
      Extended next_re = how == Combination::kAdd ? re + c : re * c - im * d;
      im = how == Combination::kAdd ? im + d : re * d + im * c;
      re = std::move(next_re);
    }
    to[target] = {static_cast<Code>(re.encode(part)), static_cast<Code>(im.encode(part))};
  }
  if (ToleranceScope::current() == nullptr) return out;
  const std::span<const Codes> before = data.as<Codes>();
  for (const Group& group : all.groups) {
    std::vector<double> operands{decode(part, before[group.target][0]), decode(part, before[group.target][1])};
    for (const size_t u : all.updates(group)) operands.insert(operands.end(), {decode(part, from[u][0]), decode(part, from[u][1])});
    bound_complex(&out, group.target, operands, how == Combination::kMul);
  }
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
