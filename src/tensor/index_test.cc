#include "src/tensor/index.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "src/base/error.h"
#include "src/base/parallel.h"
#include "src/number/format.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

using Positions = std::vector<int64_t>;
using Strings = std::vector<std::string>;

// 0, 1, 2, … (modulo the type's codes).
Tensor counted(DType dtype, Shape shape) {
  Tensor tensor(dtype, std::move(shape));
  for (size_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, i);
  return tensor;
}

std::vector<uint64_t> codes_of(const Tensor& tensor) {
  std::vector<uint64_t> codes;
  for (size_t i = 0; i < tensor.size(); ++i) codes.push_back(tensor.code(i));
  return codes;
}

using Codes = std::vector<uint64_t>;

constexpr DType kWidths[] = {DType::kUint2,  DType::kUint4,  DType::kFloat6e2m3, DType::kUint8,
                             DType::kUint16, DType::kUint32, DType::kUint64};

}  // namespace

TEST_CASE("gather copies elements of every width, and fills where the source is -1") {
  for (const DType dtype : kWidths) {
    CAPTURE(std::string(dtype_name(dtype)));
    const Tensor data = packed_tensor(DType::kUint2, Shape{4}, std::vector<uint8_t>{3, 1, 2, 0});
    Tensor typed(dtype, Shape{4});
    for (size_t i = 0; i < 4; ++i) typed.set_code(i, data.code(i));
    const Positions source = {2, -1, 0, 1, 3};
    CHECK(codes_of(gather_elements(typed, Shape{5}, source)) == Codes{2, 0, 3, 1, 0});
    Tensor fill(dtype, Shape{});
    fill.set_code(0, 3);
    CHECK(codes_of(gather_elements(typed, Shape{5, 1}, source, &fill)) == Codes{2, 3, 3, 1, 0});
  }
}

TEST_CASE("gather copies strings and complex numbers") {
  const Tensor words(Shape{3}, Strings{"a", "b", "c"});
  const Positions source = {2, -1, 0};
  CHECK(gather_elements(words, Shape{3}, source).strings() == Strings{"c", "", "a"});
  const Tensor fill(Shape{}, Strings{"-"});
  CHECK(gather_elements(words, Shape{3}, source, &fill).strings() == Strings{"c", "-", "a"});
  using Pair = std::array<double, 2>;
  const std::vector<Pair> pairs = {{1, 2}, {3, 4}};
  const Tensor complex = Tensor::of<Pair>(DType::kComplex128, Shape{2}, pairs);
  const Positions swapped = {1, 0};
  CHECK(gather_elements(complex, Shape{2}, swapped).as<Pair>()[0] == Pair{3, 4});
}

TEST_CASE("gather of long runs, over block borders and by several threads") {
  const size_t count = 200000;
  const Tensor data = counted(DType::kUint32, Shape{static_cast<int64_t>(count)});
  std::mt19937 random(2);
  Positions source(count);
  for (size_t i = 0; i < count;) {
    const size_t run = std::min<size_t>(random() % 300, count - i);
    const int64_t start = static_cast<int64_t>(random() % (count - 300));
    for (size_t k = 0; k < run; ++k) source[i++] = start + static_cast<int64_t>(k);
    if (i < count) source[i++] = -1;
  }
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    const Tensor out = gather_elements(data, data.shape(), source);
    const std::span<const uint32_t> values = out.as<uint32_t>();
    size_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
      wrong += values[i] == (source[i] < 0 ? 0 : static_cast<uint32_t>(source[i])) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
  set_thread_count(1);
}

TEST_CASE("gather refuses wrong sources") {
  const Tensor data = counted(DType::kUint8, Shape{3});
  CHECK_THROWS_AS(gather_elements(data, Shape{1}, Positions{3}), Error);
  CHECK_THROWS_AS(gather_elements(data, Shape{1}, Positions{-2}), Error);
  CHECK_THROWS_AS(gather_elements(data, Shape{2}, Positions{0}), Error);
  const Tensor fill(DType::kInt8, Shape{});
  CHECK_THROWS_AS(gather_elements(data, Shape{1}, Positions{0}, &fill), Error);
  CHECK(gather_elements(Tensor(DType::kUint8, Shape{0}), Shape{0, 4}, Positions{}).size() == 0);
}

TEST_CASE("a strided copy transposes, reverses, repeats and slices") {
  for (const DType dtype : kWidths) {
    CAPTURE(std::string(dtype_name(dtype)));
    Tensor data(dtype, Shape{2, 3});  // 0 1 2 / 3 2 1
    const Codes codes = {0, 1, 2, 3, 2, 1};
    for (size_t i = 0; i < 6; ++i) data.set_code(i, codes[i]);
    CHECK(codes_of(strided_copy(data, Shape{3, 2}, 0, Positions{1, 3})) == Codes{0, 3, 1, 2, 2, 1});
    CHECK(codes_of(strided_copy(data, Shape{2, 3}, 2, Positions{3, -1})) ==
          Codes{2, 1, 0, 1, 2, 3});
    CHECK(codes_of(strided_copy(data, Shape{2, 3}, 1, Positions{0, 0})) == Codes(6, 1));
    CHECK(codes_of(strided_copy(data, Shape{2, 2}, 0, Positions{3, 2})) == Codes{0, 2, 3, 1});
    CHECK(codes_of(strided_copy(data, Shape{}, 3, Positions{})) == Codes{3});
    CHECK(strided_copy(data, Shape{0, 2}, 99, Positions{1, 1}).size() == 0);
  }
  const Tensor words(Shape{2, 2}, Strings{"a", "b", "c", "d"});
  CHECK(strided_copy(words, Shape{2, 2}, 0, Positions{1, 2}).strings() ==
        Strings{"a", "c", "b", "d"});
}

TEST_CASE("a strided copy is the index formula on random views") {
  std::mt19937 random(9);
  for (int sample = 0; sample < 300; ++sample) {
    const Shape own{static_cast<int64_t>(random() % 5) + 1, static_cast<int64_t>(random() % 40) + 1,
                    static_cast<int64_t>(random() % 40) + 1};
    const Tensor data = counted(DType::kUint32, own);
    // A random order of the axes, each forward, backward or repeated.
    std::vector<int64_t> axes = {0, 1, 2};
    std::shuffle(axes.begin(), axes.end(), random);
    const std::vector<int64_t> steps = strides_of(own);
    Shape shape;
    Positions strides;
    int64_t offset = 0;
    for (const int64_t axis : axes) {
      const int64_t step = steps[static_cast<size_t>(axis)];
      const int kind = static_cast<int>(random() % 4);
      shape.push_back(kind == 0 ? static_cast<int64_t>(random() % 3) + 1 : own[axis]);
      strides.push_back(kind == 0 ? 0 : kind == 1 ? -step : step);
      if (kind == 1) offset += (own[axis] - 1) * step;
    }
    const Tensor out = strided_copy(data, shape, offset, strides);
    size_t position = 0, wrong = 0;
    for (Odometer at(shape); at.more(); at.next(), ++position) {
      const int64_t from =
          std::inner_product(strides.begin(), strides.end(), at.index().begin(), offset);
      wrong += out.as<uint32_t>()[position] == static_cast<uint32_t>(from) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a strided copy transposes planes of every width, across tiles and with odd ends") {
  for (const DType dtype : {DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64, DType::kComplex128, DType::kUint4}) {
    for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{131, 70}, {1, 200}, {64, 64}, {3, 129}, {200, 3}}) {
      Tensor data(dtype, Shape{2, rows, columns});
      const bool wide = dtype == DType::kComplex128;
      for (size_t i = 0; i < data.size(); ++i) {
        if (wide) {
          data.mutable_as<std::array<double, 2>>()[i] = {static_cast<double>(i), -1};
        } else {
          data.set_code(i, i * 2654435761U >> 3);
        }
      }
      const auto at = [&](const Tensor& tensor, int64_t i) {
        const size_t k = static_cast<size_t>(i);
        return wide ? static_cast<uint64_t>(tensor.as<std::array<double, 2>>()[k][0]) : tensor.code(k);
      };
      // Rows and columns change sides in both planes; then all three axes are reversed.
      const Tensor planes = strided_copy(data, Shape{2, columns, rows}, 0, Positions{rows * columns, 1, columns});
      const Tensor all = strided_copy(data, Shape{columns, rows, 2}, 0, Positions{1, columns, rows * columns});
      size_t wrong = 0;
      for (int64_t p = 0; p < 2; ++p) {
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t c = 0; c < columns; ++c) {
            const uint64_t element = at(data, (p * rows + r) * columns + c);
            wrong += at(planes, (p * columns + c) * rows + r) == element ? 0 : 1;
            wrong += at(all, (c * rows + r) * 2 + p) == element ? 0 : 1;
          }
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a strided copy refuses a view that leaves its data") {
  const Tensor data = counted(DType::kUint8, Shape{4});
  CHECK_THROWS_AS(strided_copy(data, Shape{5}, 0, Positions{1}), Error);
  CHECK_THROWS_AS(strided_copy(data, Shape{2}, 0, Positions{-1}), Error);
  CHECK_THROWS_AS(strided_copy(data, Shape{3}, 0, Positions{INT64_MAX}), Error);
  CHECK_THROWS_AS(strided_copy(data, Shape{2}, 0, Positions{}), Error);
}

TEST_CASE("copied ranges of packed elements leave their neighbours alone") {
  for (const DType dtype : kWidths) {
    CAPTURE(std::string(dtype_name(dtype)));
    Tensor data(dtype, Shape{13});
    for (size_t i = 0; i < 13; ++i) data.set_code(i, i % 4);
    for (size_t from = 0; from < 6; ++from) {
      for (size_t to = 0; to < 6; ++to) {
        for (size_t count = 0; count < 8; ++count) {
          Tensor target(dtype, Shape{13});
          for (size_t i = 0; i < 13; ++i) target.set_code(i, 3 - i % 4);
          Codes wanted = codes_of(target);
          for (size_t i = 0; i < count; ++i) wanted[to + i] = (from + i) % 4;
          copy_elements(data, from, count, target, to);
          CHECK(codes_of(target) == wanted);
        }
      }
    }
    Tensor target(dtype, Shape{2});
    CHECK_THROWS_AS(copy_elements(data, 12, 2, target, 0), Error);
    CHECK_THROWS_AS(copy_elements(data, 0, 2, target, 1), Error);
  }
  Tensor words(Shape{2}, Strings{"a", "b"});
  copy_elements(Tensor(Shape{1}, Strings{"c"}), 0, 1, words, 1);
  CHECK(words.strings() == Strings{"a", "c"});
}

TEST_CASE("broadcast repeats by NumPy's rules") {
  const Tensor row = counted(DType::kUint8, Shape{3});
  CHECK(codes_of(broadcast_to(row, Shape{2, 3})) == Codes{0, 1, 2, 0, 1, 2});
  CHECK(codes_of(broadcast_to(row.reshaped(Shape{3, 1}), Shape{3, 2})) == Codes{0, 0, 1, 1, 2, 2});
  CHECK(broadcast_to(row.reshaped(Shape{3, 1}), Shape{3, 0}).size() == 0);
  CHECK(broadcast_to(row, Shape{3}).bytes().data() == row.bytes().data());
  CHECK_THROWS_WITH(broadcast_to(row, Shape{2}),
                    "schema/shape-mismatch: shape [3], must broadcast to [2]");
}

TEST_CASE("small values as int64") {
  const Tensor int4 = packed_tensor(DType::kInt4, Shape{3}, std::vector<uint8_t>{7, 8, 15});
  CHECK(int64_values(int4) == Positions{7, -8, -1});
  const std::vector<int32_t> ints = {-1, 5};
  CHECK(int64_values(Tensor::of<int32_t>(DType::kInt32, Shape{2}, ints)) == Positions{-1, 5});
  Tensor uint64(DType::kUint64, Shape{1});
  uint64.set_code(0, ~uint64_t{0});
  CHECK_THROWS_AS(int64_values(uint64), Error);
  CHECK_THROWS_AS(int64_values(Tensor(DType::kFloat, Shape{1})), Error);
  CHECK(int64_value(Tensor::int64_scalar(-9), "axis") == -9);
  CHECK_THROWS_WITH(int64_value(Tensor(DType::kInt64, Shape{2}), "axis"),
                    "schema/not-one-element: axis is int64[2], must have one element");
}

TEST_CASE("values as double") {
  const Tensor half =
      Tensor::of<uint16_t>(DType::kFloat16, Shape{2}, std::vector<uint16_t>{0x3c00, 0xc000});
  CHECK(double_values(half) == std::vector<double>{1, -2});
  const Tensor tiny = packed_tensor(DType::kFloat4e2m1, Shape{3}, std::vector<uint8_t>{1, 7, 0xf});
  CHECK(double_values(tiny) == std::vector<double>{0.5, 6, -6});
  const Tensor ints = Tensor::of<int32_t>(DType::kInt32, Shape{1}, std::vector<int32_t>{INT32_MIN});
  CHECK(double_value(ints, "x") == -2147483648.0);
  CHECK(double_values(Tensor::bool_scalar(true)) == std::vector<double>{1});
  CHECK_THROWS_AS(double_values(Tensor::int64_scalar(1)), Error);
  CHECK_THROWS_AS(double_value(half, "x"), Error);
  CHECK(bool_value(Tensor::bool_scalar(true), "cond"));
  CHECK_THROWS_AS(bool_value(Tensor::int64_scalar(1), "cond"), Error);
}

}  // namespace onnxv
