#include "src/tensor/pieces.h"

#include <doctest/doctest.h>

#include "src/base/error.h"

namespace onnxv {
namespace {

Tensor numbers(Shape shape, std::vector<int64_t> values) {
  return Tensor::of<int64_t>(DType::kInt64, std::move(shape), values);
}

}  // namespace

TEST_CASE("cut and item_at take positions along any axis") {
  const Tensor x = numbers({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(same_bits(cut(x, 0, 1, 1), numbers({1, 3}, {4, 5, 6})));
  CHECK(same_bits(cut(x, 1, 1, 2), numbers({2, 2}, {2, 3, 5, 6})));
  CHECK(same_bits(cut(x, 1, 3, 0), numbers({2, 0}, {})));
  CHECK(same_bits(item_at(x, 1, 2), numbers({2}, {3, 6})));
  CHECK(same_bits(item_at(numbers({2}, {7, 8}), 0, 1), numbers({}, {8})));
}

TEST_CASE("cut keeps packed types and strings") {
  Tensor nibbles(DType::kInt4, {4});
  for (size_t i = 0; i < 4; ++i) nibbles.set_code(i, i + 1);
  CHECK(cut(nibbles, 0, 1, 3).code(2) == 4);
  const Tensor words(Shape{2}, std::vector<std::string>{"a", "b"});
  CHECK(item_at(words, 0, 1).strings() == std::vector<std::string>{"b"});
}

TEST_CASE("concatenate and stack put pieces side by side") {
  const std::vector<Tensor> parts{numbers({2, 1}, {1, 2}), numbers({2, 2}, {3, 4, 5, 6})};
  CHECK(same_bits(concatenate(parts, 1), numbers({2, 3}, {1, 3, 4, 2, 5, 6})));
  const std::vector<Tensor> pair{numbers({2}, {1, 2}), numbers({2}, {3, 4})};
  CHECK(same_bits(stack(pair, 0), numbers({2, 2}, {1, 2, 3, 4})));
  CHECK(same_bits(stack(pair, 1), numbers({2, 2}, {1, 3, 2, 4})));
  CHECK(same_bits(stack(std::vector<Tensor>{numbers({}, {5})}, 0), numbers({1}, {5})));
  CHECK_THROWS_AS(concatenate(parts, 0), Error);
  CHECK_THROWS_AS(stack(parts, 0), Error);
}

}  // namespace onnxv
