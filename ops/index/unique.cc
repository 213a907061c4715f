// Unique: the different elements of the flattened input, or the different subtensors along an axis;
// where each first stands, which one each element of the input is, and how often it occurs.
//
// Choice: NaN equals NaN and is the greatest, -0 equals +0; Y carries the bits of the first
// occurrence. Subtensors are ordered by their elements in row-major order, strings by their bytes,
// complex numbers by the real part first.
#include <algorithm>
#include <numeric>

#include "ops/index/family.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

// What is compared: `count` rows of `width` keys each.
struct Rows {
  size_t count = 0, width = 0;
  std::vector<int64_t> keys;

  std::span<const int64_t> row(size_t i) const {
    return std::span<const int64_t>(keys).subspan(i * width, width);
  }
  bool equal(size_t a, size_t b) const { return std::ranges::equal(row(a), row(b)); }
  bool less(size_t a, size_t b) const {
    return std::ranges::lexicographical_compare(row(a), row(b));
  }
};

Rows elements_of(const Tensor& x) {
  return {x.size(), static_cast<size_t>(order_keys_per_element(x.dtype())), order_keys(x)};
}

Rows subtensors_of(const Tensor& x, int64_t axis) {
  const Shape& shape = x.shape();
  const auto parts = static_cast<size_t>(order_keys_per_element(x.dtype()));
  const auto outer = static_cast<size_t>(shape.elements(0, axis)),
             count = static_cast<size_t>(shape[axis]);
  const size_t run = static_cast<size_t>(shape.elements(axis + 1, shape.rank())) * parts;
  const std::vector<int64_t> keys = order_keys(x);
  Rows rows{count, outer * run, {}};
  rows.keys.reserve(keys.size());
  for (size_t i = 0; i < count; ++i) {
    for (size_t o = 0; o < outer; ++o) {
      const auto begin = keys.begin() + static_cast<std::ptrdiff_t>((o * count + i) * run);
      rows.keys.insert(rows.keys.end(), begin, begin + static_cast<std::ptrdiff_t>(run));
    }
  }
  return rows;
}

enum class Order { kAscending, kFirstOccurrence };

struct Classes {
  std::vector<int64_t> first, inverse, counts;
};

Classes classes_of(const Rows& rows, Order order) {
  std::vector<size_t> sorted(rows.count);
  std::iota(sorted.begin(), sorted.end(), size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](size_t a, size_t b) { return rows.less(a, b); });
  // Equal rows are neighbours now, the first occurrence in front.
  std::vector<size_t> heads;
  std::vector<size_t> head_of(rows.count);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (heads.empty() || !rows.equal(heads.back(), sorted[i])) heads.push_back(sorted[i]);
    head_of[sorted[i]] = heads.back();
  }
  if (order == Order::kFirstOccurrence) std::sort(heads.begin(), heads.end());

  Classes classes;
  std::vector<int64_t> number_of(rows.count);
  for (size_t head : heads) {
    number_of[head] = static_cast<int64_t>(classes.first.size());
    classes.first.push_back(static_cast<int64_t>(head));
  }
  classes.counts.assign(heads.size(), 0);
  for (size_t i = 0; i < rows.count; ++i) {
    classes.inverse.push_back(number_of[head_of[i]]);
    ++classes.counts[static_cast<size_t>(classes.inverse.back())];
  }
  return classes;
}

Order order_of(const OpCall& call) {
  const int64_t sorted = call.integer("sorted");
  if (sorted != 0 && sorted != 1) {
    fail_schema("attribute-range", "sorted is " + std::to_string(sorted), "must be 0 or 1");
  }
  return sorted == 1 ? Order::kAscending : Order::kFirstOccurrence;
}

Outputs unique_11(const OpCall& call) {
  const Order order = order_of(call);
  const bool by_axis = call.has_attribute("axis");
  const Tensor& x = call.tensor("X");
  const Tensor input = by_axis ? x : x.reshaped(Shape{static_cast<int64_t>(x.size())});
  const int64_t axis = by_axis ? call.axis(x.rank()) : 0;
  const Classes classes =
      classes_of(by_axis ? subtensors_of(input, axis) : elements_of(input), order);
  std::vector<AxisMap> maps;
  for (int64_t dim : input.shape()) maps.push_back({dim, {}});
  maps[static_cast<size_t>(axis)] = {static_cast<int64_t>(classes.first.size()), [&](int64_t i) {
                                       return classes.first[static_cast<size_t>(i)];
                                     }};
  return {map_axes(input, maps), Tensor::int64_list(classes.first),
          Tensor::int64_list(classes.inverse), Tensor::int64_list(classes.counts)};
}

}  // namespace

const Operator kUnique{"ai.onnx", "Unique", {
    {.since = 11, .run = unique_11},
}};

}  // namespace onnxv
