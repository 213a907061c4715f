#include "src/tensor/axis_map.h"

#include <doctest/doctest.h>

#include "src/base/error.h"

using namespace onnxv;  // NOLINT

namespace {

Tensor bytes(Shape shape, std::vector<uint8_t> values) {
  return Tensor::of<uint8_t>(DType::kUint8, std::move(shape), values);
}

AxisMap taking(std::vector<int64_t> sources) {
  const auto length = static_cast<int64_t>(sources.size());
  return {length,
          [sources = std::move(sources)](int64_t i) { return sources[static_cast<size_t>(i)]; }};
}

AxisMap whole(int64_t dim) { return {dim, {}}; }

}  // namespace

TEST_CASE("map_axes takes from each axis by itself") {
  const Tensor data = bytes({2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<AxisMap> both{taking({1, 0}), taking({2, 2, 0})};
  CHECK(same_bits(map_axes(data, both), bytes({2, 3}, {6, 6, 4, 3, 3, 1})));
  const std::vector<AxisMap> rows{taking({1, 1}), whole(3)};
  CHECK(same_bits(map_axes(data, rows), bytes({2, 3}, {4, 5, 6, 4, 5, 6})));
  const std::vector<AxisMap> none{whole(2), whole(3)};
  CHECK(same_bits(map_axes(data, none), data));
}

TEST_CASE("map_axes fills where an axis has no source") {
  const Tensor data = bytes({1, 2}, {1, 2});
  const std::vector<AxisMap> maps{taking({-1, 0}), taking({0, -1, 1})};
  const Tensor nine = bytes({}, {9});
  CHECK(same_bits(map_axes(data, maps, &nine), bytes({2, 3}, {9, 9, 9, 1, 9, 2})));
  CHECK(same_bits(map_axes(data, maps), bytes({2, 3}, {0, 0, 0, 1, 0, 2})));
}

TEST_CASE("map_axes copies long runs as it copies short ones") {
  std::vector<uint8_t> values(40);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint8_t>(i);
  const Tensor data = bytes({2, 20}, values);
  const Tensor nine = bytes({}, {9});
  // Twenty elements in one run, one fill in front.
  const AxisMap shifted{21, [](int64_t i) { return i - 1; }};
  const std::vector<AxisMap> maps{taking({1, -1}), shifted};
  const Tensor out = map_axes(data, maps, &nine);
  CHECK(out.code(0) == 9);
  CHECK(out.code(1) == 20);
  CHECK(out.code(20) == 39);
  for (size_t i = 21; i < 42; ++i) CHECK(out.code(i) == 9);
}

TEST_CASE("map_axes checks sizes and sources") {
  const Tensor data = bytes({2}, {1, 2});
  const std::vector<AxisMap> huge{{INT64_MAX, [](int64_t) { return int64_t{0}; }}};
  CHECK_THROWS_AS(map_axes(data, huge), Error);
  const std::vector<AxisMap> outside{taking({2})};
  CHECK_THROWS_AS(map_axes(data, outside), Error);
  // A long axis beside an empty one costs nothing.
  const std::vector<AxisMap> empty{{int64_t{1} << 60, [](int64_t) { return int64_t{0}; }},
                                   whole(0)};
  CHECK(map_axes(bytes({1, 0}, {}), empty).size() == 0);
}

TEST_CASE("filled repeats one element") {
  CHECK(same_bits(filled(bytes({1}, {7}), Shape{2, 2}), bytes({2, 2}, {7, 7, 7, 7})));
  CHECK(filled(bytes({}, {7}), Shape{0, 2}).size() == 0);
}
