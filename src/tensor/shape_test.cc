#include "src/tensor/shape.h"

#include <doctest/doctest.h>
#include <string>

#include "src/base/error.h"

namespace onnxv {

using Dims = std::vector<int64_t>;

TEST_CASE("element counts") {
  CHECK(Shape{}.elements() == 1);
  CHECK(Shape{2, 3, 4}.elements() == 24);
  CHECK(Shape{2, 3, 4}.elements(1, 3) == 12);
  CHECK(Shape{2, 3, 4}.elements(1, 1) == 1);
  CHECK(Shape{int64_t{1} << 40, int64_t{1} << 40, 0}.elements() == 0);
  CHECK_THROWS_AS((Shape{int64_t{1} << 40, int64_t{1} << 40}.elements()), Error);
  CHECK(Shape{2, 3}.text() == "[2,3]");
  CHECK(Shape{}.text() == "[]");
}

TEST_CASE("strides are row-major") {
  CHECK(strides_of(Shape{2, 3, 4}) == Dims{12, 4, 1});
  CHECK(strides_of(Shape{}) == Dims{});
  CHECK(strides_of(Shape{0, 3}) == Dims{3, 1});
}

TEST_CASE("axes are normalized, and the error names the range") {
  CHECK(normalized_axis(-1, 3) == 2);
  CHECK(normalized_axis(-3, 3) == 0);
  CHECK(normalized_axis(2, 3) == 2);
  CHECK_THROWS_WITH(normalized_axis(3, 2), "schema/attribute-range: axis is 3, must be in [-2, 1]");
  CHECK_THROWS_WITH(normalized_axis(-3, 2, "batch_axis"),
                    "schema/attribute-range: batch_axis is -3, must be in [-2, 1]");
  CHECK_THROWS_AS(normalized_axis(0, 0), Error);
}

TEST_CASE("shapes broadcast by NumPy's rules") {
  CHECK(broadcast_shape(Shape{2, 3}, Shape{3}) == Shape{2, 3});
  CHECK(broadcast_shape(Shape{2, 1}, Shape{1, 3}) == Shape{2, 3});
  CHECK(broadcast_shape(Shape{}, Shape{4}) == Shape{4});
  CHECK(broadcast_shape(Shape{0}, Shape{1}) == Shape{0});
  CHECK(broadcast_shape(Shape{0, 3}, Shape{2, 1, 3}) == Shape{2, 0, 3});
  const Shape three[] = {Shape{2, 1, 1}, Shape{3, 1}, Shape{4}};
  CHECK(broadcast_shape(three) == Shape{2, 3, 4});
  CHECK(broadcast_shape(std::span<const Shape>{}) == Shape{});
  CHECK_THROWS_WITH(broadcast_shape(Shape{2, 3}, Shape{4}),
                    "schema/shape-mismatch: shapes [2,3] [4], must broadcast to one shape");
  CHECK_THROWS_AS(broadcast_shape(Shape{0}, Shape{2}), Error);
  CHECK(broadcasts_to(Shape{1, 3}, Shape{5, 2, 3}));
  CHECK(broadcasts_to(Shape{}, Shape{}));
  CHECK_FALSE(broadcasts_to(Shape{5, 2, 3}, Shape{2, 3}));
  CHECK_FALSE(broadcasts_to(Shape{2}, Shape{1}));
  CHECK(broadcast_strides(Shape{2, 1}, Shape{4, 2, 3}) == Dims{0, 1, 0});
  CHECK(broadcast_strides(Shape{2, 3}, Shape{2, 3}) == Dims{3, 1});
}

TEST_CASE("an odometer visits every index in row-major order") {
  std::string seen;
  for (Odometer at(Shape{2, 3}); at.more(); at.next()) {
    seen += std::to_string(at[0]) + std::to_string(at[1]) + " ";
  }
  CHECK(seen == "00 01 02 10 11 12 ");
  int scalars = 0, empties = 0;
  for (Odometer at(Shape{}); at.more(); at.next()) ++scalars;
  for (Odometer at(Shape{2, 0}); at.more(); at.next()) ++empties;
  CHECK(scalars == 1);
  CHECK(empties == 0);
}

TEST_CASE("any number of dimensions, added and taken at any place") {
  Shape shape;
  std::vector<int64_t> list;
  for (int64_t k = 0; k < 9; ++k) {
    const auto place = (k * 5) % (k + 1);
    shape.insert(place, k);
    list.insert(list.begin() + place, k);
    CHECK(shape.list() == list);
    CHECK(Shape(list) == shape);
  }
  while (!list.empty()) {
    const auto place = static_cast<int64_t>(list.size() / 2);
    const Shape before = shape;
    shape.erase(place);
    list.erase(list.begin() + place);
    CHECK(shape.list() == list);
    CHECK(shape != before);
  }
  CHECK(shape == Shape{});
}

}  // namespace onnxv
