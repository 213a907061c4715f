#include "src/tensor/tensor.h"

#include <doctest/doctest.h>
#include <array>

#include "src/base/error.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

Tensor floats(Shape shape, std::vector<float> values) {
  return Tensor::of<float>(DType::kFloat, std::move(shape), values);
}

std::vector<uint8_t> bytes_of(const Tensor& tensor) {
  std::vector<uint8_t> bytes;
  for (const std::byte byte : tensor.bytes()) bytes.push_back(std::to_integer<uint8_t>(byte));
  return bytes;
}

using Bytes = std::vector<uint8_t>;

}  // namespace

TEST_CASE("a new tensor is zero, the default one has shape [0]") {
  const Tensor tensor(DType::kInt32, Shape{2, 2});
  CHECK(tensor.size() == 4);
  for (const int32_t value : tensor.as<int32_t>()) CHECK(value == 0);
  CHECK(Tensor().shape() == Shape{0});
  CHECK(Tensor().dtype() == DType::kFloat);
  CHECK(Tensor(DType::kString, Shape{2}).strings() == std::vector<std::string>{"", ""});
  CHECK(Tensor::int64_scalar(-3).as<int64_t>()[0] == -3);
  CHECK(Tensor::int64_scalar(-3).rank() == 0);
  CHECK(Tensor::bool_scalar(true).as<uint8_t>()[0] == 1);
  CHECK(Tensor::float_scalar(1.5F).as<float>()[0] == 1.5F);
  const int64_t list[] = {4, 5};
  CHECK(Tensor::int64_list(list).shape() == Shape{2});
}

TEST_CASE("tensors without elements") {
  Tensor tensor(DType::kFloat16, Shape{3, 0, 2});
  CHECK(tensor.size() == 0);
  CHECK(tensor.bytes().empty());
  CHECK(tensor.as<uint16_t>().empty());
  CHECK(tensor.mutable_as<uint16_t>().empty());
  CHECK(same_bits(tensor, Tensor(DType::kFloat16, Shape{3, 0, 2})));
  CHECK_FALSE(same_bits(tensor, Tensor(DType::kFloat16, Shape{0, 3, 2})));
  CHECK(tensor.reshaped(Shape{0}).shape() == Shape{0});
}

TEST_CASE("copies share bytes until one is written") {
  Tensor first = floats(Shape{2}, {1, 2});
  Tensor second = first;
  CHECK(first.bytes().data() == second.bytes().data());
  second.mutable_as<float>()[0] = 7;
  CHECK(first.as<float>()[0] == 1);
  CHECK(second.as<float>()[0] == 7);
  const std::byte* alone = second.bytes().data();
  second.mutable_as<float>()[1] = 8;
  CHECK(second.bytes().data() == alone);
  const Tensor other = second.reshaped(Shape{2, 1});
  CHECK(other.bytes().data() == alone);
  second.set_code(0, 0);
  CHECK(other.as<float>()[0] == 7);
}

TEST_CASE("copies share strings until one is written") {
  const Tensor first(Shape{2}, std::vector<std::string>{"a", "b"});
  Tensor second = first;
  second.mutable_strings()[0] = "c";
  CHECK(first.strings()[0] == "a");
  CHECK(second.strings()[0] == "c");
  CHECK_FALSE(same_bits(first, second));
  CHECK_THROWS_AS(Tensor(Shape{3}, std::vector<std::string>{"a"}), Error);
  CHECK_THROWS_AS(second.mutable_bytes(), Error);
  CHECK_THROWS_AS(floats(Shape{1}, {1}).strings(), Error);
}

TEST_CASE("foreign bytes are never written, and are aligned for reading") {
  alignas(8) static const std::array<std::byte, 16> memory = {
      std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}};
  const std::shared_ptr<const void> owner(memory.data(), [](const void*) {});
  Tensor mapped(DType::kInt32, Shape{2}, owner, memory.data());
  CHECK(mapped.bytes().data() == memory.data());
  CHECK(mapped.as<int32_t>()[0] == 0x04030201);
  mapped.mutable_as<int32_t>()[0] = 0;
  CHECK(memory[0] == std::byte{1});
  const Tensor shifted(DType::kInt32, Shape{2}, owner, memory.data() + 1);
  CHECK(shifted.as<int32_t>()[0] == 0x05040302);
  CHECK(reinterpret_cast<uintptr_t>(shifted.bytes().data()) % 4 == 0);
}

TEST_CASE("sub-byte elements are packed low bits first") {
  const Bytes two = {1, 2, 3, 0, 2};
  const Tensor int2 = packed_tensor(DType::kInt2, Shape{5}, two);
  CHECK(bytes_of(int2) == Bytes{0b00'11'10'01, 0b10});
  const Bytes four = {0x1, 0xf, 0x8};
  const Tensor int4 = packed_tensor(DType::kInt4, Shape{3}, four);
  CHECK(bytes_of(int4) == Bytes{0xf1, 0x08});
  // 000001 111111 100000 010101 as one stream: element 1 takes the top two bits of byte 0.
  const Bytes six = {0b000001, 0b111111, 0b100000, 0b010101, 0b000011};
  const Tensor float6 = packed_tensor(DType::kFloat6e3m2, Shape{5}, six);
  CHECK(bytes_of(float6) == Bytes{0b11'000001, 0b0000'1111, 0b010101'10, 0b000011});
  CHECK(unpacked_codes(int2) == two);
  CHECK(unpacked_codes(int4) == four);
  CHECK(unpacked_codes(float6) == six);
  CHECK(float6.code(1) == 0b111111);
  CHECK(storage_bytes(DType::kFloat6e2m3, 5) == 4);
  CHECK(storage_bytes(DType::kInt2, 5) == 2);
  CHECK_THROWS_AS(packed_tensor(DType::kInt4, Shape{2}, four), Error);
}

TEST_CASE("writing one packed element leaves its neighbours alone") {
  for (const DType dtype : {DType::kUint2, DType::kUint4, DType::kFloat6e2m3, DType::kUint8}) {
    const uint8_t ones = static_cast<uint8_t>((1U << dtype_bits(dtype)) - 1);
    for (size_t element = 0; element < 9; ++element) {
      Tensor tensor = packed_tensor(dtype, Shape{9}, Bytes(9, ones));
      tensor.set_code(element, 1);
      Bytes wanted(9, ones);
      wanted[element] = 1;
      CHECK(unpacked_codes(tensor) == wanted);
      tensor.set_code(element, 0xff);  // the bits above the element are dropped
      CHECK(unpacked_codes(tensor) == Bytes(9, ones));
    }
  }
}

TEST_CASE("bits behind the last element do not count") {
  const std::byte padded[] = {std::byte{0x21}, std::byte{0xf3}};
  const Tensor odd = Tensor::of<std::byte>(DType::kUint4, Shape{3}, padded);
  const Bytes codes = {1, 2, 3};
  CHECK(same_bits(odd, packed_tensor(DType::kUint4, Shape{3}, codes)));
  const Bytes others = {1, 2, 4};
  CHECK_FALSE(same_bits(odd, packed_tensor(DType::kUint4, Shape{3}, others)));
}

TEST_CASE("codes of wide types") {
  Tensor tensor = floats(Shape{2}, {1, -2});
  CHECK(tensor.code(1) == 0xc0000000);
  tensor.set_code(0, 0x7fc00001);
  CHECK(tensor.as<uint32_t>()[0] == 0x7fc00001);
  CHECK_THROWS_AS(tensor.code(2), Error);
  CHECK_THROWS_AS(tensor.set_code(2, 0), Error);
  CHECK(tensor.retyped(DType::kUint32).code(0) == 0x7fc00001);
}

TEST_CASE("a wrong element width or count is an error, not a misreading") {
  const Tensor tensor = floats(Shape{2}, {1, 2});
  CHECK_THROWS_AS(tensor.as<double>(), Error);
  CHECK_THROWS_AS(tensor.retyped(DType::kInt64), Error);
  CHECK_THROWS_AS(tensor.reshaped(Shape{3}), Error);
  CHECK_THROWS_AS(Tensor(DType::kInt4, Shape{2}).as<uint8_t>(), Error);
  CHECK_THROWS_AS(floats(Shape{3}, {1, 2}), Error);
}

TEST_CASE("sizes are checked before anything is allocated") {
  const int64_t big = int64_t{1} << 40;
  CHECK_THROWS_WITH(Tensor(DType::kFloat, Shape{big, big}),
                    "limit/size-overflow: a size exceeds 2^63");
  CHECK_THROWS_AS(Tensor(DType::kDouble, Shape{int64_t{1} << 62}), Error);
  CHECK_THROWS_AS(Tensor(DType::kString, Shape{int64_t{1} << 62}), Error);
  CHECK_THROWS_AS(Tensor(DType::kFloat, Shape{-1}), Error);
  CHECK(Tensor(DType::kDouble, Shape{big, big, 0}).size() == 0);
  set_tensor_memory_limit(1000);
  CHECK_THROWS_WITH(Tensor(DType::kFloat, Shape{251}),
                    "limit/memory: a tensor needs 1004 bytes, the limit is 1000");
  CHECK_THROWS_AS(Tensor(DType::kString, Shape{32}), Error);
  CHECK(Tensor(DType::kFloat, Shape{250}).size() == 250);
  set_tensor_memory_limit(0);
  CHECK(Tensor(DType::kFloat, Shape{251}).size() == 251);
}

TEST_CASE("same bits tells types, shapes and zeros apart") {
  CHECK(same_bits(floats(Shape{1}, {1}), floats(Shape{1}, {1})));
  CHECK_FALSE(same_bits(floats(Shape{1}, {0.0F}), floats(Shape{1}, {-0.0F})));
  CHECK_FALSE(same_bits(floats(Shape{1}, {1}), floats(Shape{1, 1}, {1})));
  CHECK_FALSE(same_bits(Tensor(DType::kInt32, Shape{1}), Tensor(DType::kFloat, Shape{1})));
}

TEST_CASE("an unfilled tensor has its size, and writes of its own") {
  for (const int64_t size : {0, 1, 7, 100, 100000}) {
    Tensor tensor = Tensor::unfilled(DType::kInt32, Shape{size});
    CHECK(tensor.bytes().size() == static_cast<size_t>(size) * 4);
    for (int32_t& element : tensor.mutable_as<int32_t>()) element = 5;
    const Tensor copy = tensor;
    for (int32_t& element : tensor.mutable_as<int32_t>()) element = 6;
    for (const int32_t element : copy.as<int32_t>()) CHECK(element == 5);
  }
  // The last byte of a sub-byte type may hold bits of no element: they are zero.
  CHECK(Tensor::unfilled(DType::kUint4, Shape{3}).bytes()[1] == std::byte{0});
  CHECK(Tensor::unfilled(DType::kString, Shape{2}).strings()[1].empty());
  set_tensor_memory_limit(1000);
  CHECK_THROWS_AS(Tensor::unfilled(DType::kFloat, Shape{251}), Error);
  set_tensor_memory_limit(0);
}

TEST_CASE("zeros are zeros, in memory that others wrote") {
  for (const int64_t size : {3, 1000, 20000}) {
    for (int turn = 0; turn < 3; ++turn) {
      Tensor tensor(DType::kInt32, Shape{size});
      for (const int32_t element : tensor.as<int32_t>()) CHECK(element == 0);
      for (int32_t& element : tensor.mutable_as<int32_t>()) element = -1;
    }
  }
}

}  // namespace onnxv
