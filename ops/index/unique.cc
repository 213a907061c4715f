// Unique: the different elements of the flattened input, or the different subtensors along an axis;
// where each first stands, which one each element of the input is, and how often it occurs.
//
// Choice: NaN equals NaN and is the greatest, -0 equals +0; Y carries the bits of the first
// occurrence. Subtensors are ordered by their elements in row-major order, strings by their bytes,
// complex numbers by the real part first.
#include <algorithm>
#include <numeric>
#include <utility>

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

// The rows in ascending order, equal ones as they come; whether each differs from the one before.
struct Sorted {
  std::vector<size_t> rows;
  std::vector<uint8_t> begins;
};

// Single keys are sorted beside their places: what is compared stays together in the caches.
Sorted sorted_keys(const std::vector<int64_t>& keys) {
  std::vector<std::pair<int64_t, size_t>> places(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) places[i] = {keys[i], i};
  std::sort(places.begin(), places.end());
  Sorted sorted;
  for (size_t i = 0; i < places.size(); ++i) {
    sorted.rows.push_back(places[i].second);
    sorted.begins.push_back(i == 0 || places[i].first != places[i - 1].first ? 1 : 0);
  }
  return sorted;
}

Sorted sorted_rows(const Rows& rows) {
  if (rows.width == 1) return sorted_keys(rows.keys);
  Sorted sorted{std::vector<size_t>(rows.count), std::vector<uint8_t>(rows.count)};
  std::iota(sorted.rows.begin(), sorted.rows.end(), size_t{0});
  std::stable_sort(sorted.rows.begin(), sorted.rows.end(), [&](size_t a, size_t b) { return rows.less(a, b); });
  for (size_t i = 0; i < rows.count; ++i) {
    sorted.begins[i] = i == 0 || !rows.equal(sorted.rows[i - 1], sorted.rows[i]) ? 1 : 0;
  }
  return sorted;
}

Classes ascending_classes(const Rows& rows) {
  const Sorted sorted = sorted_rows(rows);
  Classes classes;
  classes.inverse.resize(rows.count);
  for (size_t i = 0; i < rows.count; ++i) {
    if (sorted.begins[i] != 0) {
      classes.first.push_back(static_cast<int64_t>(sorted.rows[i]));
      classes.counts.push_back(0);
    }
    classes.inverse[sorted.rows[i]] = static_cast<int64_t>(classes.first.size()) - 1;
    ++classes.counts.back();
  }
  return classes;
}

Classes by_first_occurrence(const Classes& ascending) {
  std::vector<size_t> order(ascending.first.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return ascending.first[a] < ascending.first[b]; });
  Classes classes;
  std::vector<int64_t> number_of(order.size());
  for (const size_t old : order) {
    number_of[old] = static_cast<int64_t>(classes.first.size());
    classes.first.push_back(ascending.first[old]);
    classes.counts.push_back(ascending.counts[old]);
  }
  for (const int64_t old : ascending.inverse) classes.inverse.push_back(number_of[static_cast<size_t>(old)]);
  return classes;
}

Classes classes_of(const Rows& rows, Order order) {
  Classes classes = ascending_classes(rows);
  return order == Order::kAscending ? classes : by_first_occurrence(classes);
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
