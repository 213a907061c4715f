#include <array>

#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest bit_cast(const Tensor& input, DType to) {
  return NodeUnderTest("BitCast", 26).attribute("to", static_cast<int>(to)).input(input);
}

}  // namespace

TEST_CASE("Identity-1 copies bits") {
  const Tensor payload = codes(DType::kFloat, {3}, {0x7FA12345, 0x80000000, 0x00000001});
  const Tensor copy = NodeUnderTest("Identity", 1).input(payload).one();
  CHECK(same_bits(copy, payload));
  CHECK(same(NodeUnderTest("Identity", 1).input(strings({}, {"a"})).one(), strings({}, {"a"})));
  CHECK(same(NodeUnderTest("Identity", 1).input(floats({0, 2}, {})).one(), floats({0, 2}, {})));
}

TEST_CASE("Identity-14 copies sequences") {
  const Value sequence = Sequence{Type::tensor(DType::kInt64), {int64s({1}, {1}), int64s({}, {2})}};
  CHECK(same(NodeUnderTest("Identity", 14).input(sequence).run().at(0), sequence));
}

TEST_CASE("Identity-16 copies optionals, empty ones too") {
  const Value empty = Optional{Type::tensor(DType::kInt64), nullptr};
  CHECK(same(NodeUnderTest("Identity", 16).input(empty).run().at(0), empty));
  const Value full =
      Optional{Type::tensor(DType::kInt64), std::make_shared<const Value>(int64s({}, {2}))};
  CHECK(same(NodeUnderTest("Identity", 16).input(full).run().at(0), full));
}

TEST_CASE("Identity-25 copies packed types") {
  const Tensor packed = codes(DType::kInt2, {3}, {1, 2, 3});
  CHECK(same(NodeUnderTest("Identity", 25).input(packed).one(), packed));
}

TEST_CASE("BitCast-26 reads the same bits as another type") {
  CHECK(same(bit_cast(floats({2}, {1.0, -2.0}), DType::kInt32).one(),
             int32s({2}, {0x3F800000, -0x40000000})));
  CHECK(same_bits(bit_cast(codes(DType::kUint32, {1}, {0x7FA12345}), DType::kFloat).one(),
                  codes(DType::kFloat, {1}, {0x7FA12345})));
  CHECK(same(bit_cast(int8s({2}, {-1, 1}), DType::kFloat8e4m3fn).one(),
             codes(DType::kFloat8e4m3fn, {2}, {0xFF, 1})));
  // A complex64 is its real part, then its imaginary part, little endian.
  const Tensor complex =
      bit_cast(codes(DType::kInt64, {}, {0x400000003F800000}), DType::kComplex64).one();
  CHECK(complex.as<std::array<float, 2>>()[0] == std::array<float, 2>{1.0F, 2.0F});
  CHECK(
      same(bit_cast(floats({0, 2}, {}), DType::kUint32).one(), codes(DType::kUint32, {0, 2}, {})));
}

TEST_CASE("BitCast-26 keeps packed types packed") {
  CHECK(same(bit_cast(codes(DType::kInt4, {3}, {15, 8, 1}), DType::kFloat4e2m1).one(),
             codes(DType::kFloat4e2m1, {3}, {15, 8, 1})));
  CHECK(same(bit_cast(codes(DType::kUint2, {5}, {1, 2, 3, 0, 3}), DType::kInt2).one(),
             codes(DType::kInt2, {5}, {1, 2, 3, 0, 3})));
}

TEST_CASE("BitCast-26 keeps the byte of a bool") {
  const Tensor two = bit_cast(uint8s({1}, {2}), DType::kBool).one();
  CHECK(two.code(0) == 2);
  CHECK(same(bit_cast(two, DType::kUint8).one(), uint8s({1}, {2})));
}

TEST_CASE("BitCast-26 wants the same width") {
  CHECK(has(bit_cast(int8s({2}, {1, 2}), DType::kInt4).error(), "schema/attribute-range"));
  CHECK(has(bit_cast(floats({1}, {1}), DType::kInt64).error(), "must be as wide as float32"));
  CHECK(has(bit_cast(floats({1}, {1}), DType::kString).error(), "schema/attribute-range"));
  CHECK(has(bit_cast(floats({1}, {1}), DType::kUndefined).error(), "schema/attribute-range"));
  CHECK(has(NodeUnderTest("BitCast", 26).attribute("to", 6).input(strings({1}, {"a"})).error(),
            "schema/type-mismatch"));
}
