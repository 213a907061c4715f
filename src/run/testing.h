// What operator tests are written in: tensors in one line, one node alone, and a comparison that shows what differs.
#pragma once

#include <doctest/doctest.h>

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "src/run/evaluate.h"

namespace onnxv::testing {

Tensor floats(Shape shape, std::vector<float> values);
Tensor doubles(Shape shape, std::vector<double> values);
Tensor int64s(Shape shape, std::vector<int64_t> values);
Tensor int32s(Shape shape, std::vector<int32_t> values);
Tensor uint8s(Shape shape, std::vector<uint8_t> values);
Tensor int8s(Shape shape, std::vector<int8_t> values);
Tensor bools(Shape shape, std::vector<bool> values);
Tensor strings(Shape shape, std::vector<std::string> values);
// Bit patterns in the low bits, for every type up to 64 bits.
Tensor codes(DType dtype, Shape shape, std::vector<uint64_t> values);
// Numbers of any float or integer type or bool; internal error unless each is exactly representable.
Tensor numbers(DType dtype, Shape shape, std::vector<double> values);

// One node, as a file would hold it. Reading a result evaluates it, once:
//   CHECK(same(NodeUnderTest("Hardmax", 13).attribute("axis", 0).input(x).one(), floats({2}, {0, 1})));
class NodeUnderTest {
 public:
  // `opset` is the imported version of the domain.
  NodeUnderTest(std::string op, int64_t opset, std::string domain = {});

  template <std::integral T>
  NodeUnderTest& attribute(std::string name, T value) {
    return add(std::move(name), Attribute::Kind::kInt, static_cast<int64_t>(value));
  }
  template <std::floating_point T>
  NodeUnderTest& attribute(std::string name, T value) {
    return add(std::move(name), Attribute::Kind::kFloat, static_cast<float>(value));
  }
  NodeUnderTest& attribute(std::string name, const char* value);
  NodeUnderTest& attribute(std::string name, std::string value);
  NodeUnderTest& attribute(std::string name, std::vector<int64_t> value);
  NodeUnderTest& attribute(std::string name, std::vector<float> value);
  NodeUnderTest& attribute(std::string name, std::vector<std::string> value);
  NodeUnderTest& attribute(std::string name, Tensor value);
  NodeUnderTest& attribute(std::string name, std::vector<Tensor> value);
  NodeUnderTest& attribute(std::string name, SparseTensor value);
  NodeUnderTest& attribute(std::string name, Type value);
  NodeUnderTest& attribute(std::string name, Graph value);
  // The same for lists in braces, which could be several of the above.
  NodeUnderTest& integers(std::string name, std::vector<int64_t> value);
  NodeUnderTest& reals(std::string name, std::vector<float> value);
  NodeUnderTest& texts(std::string name, std::vector<std::string> value);

  NodeUnderTest& input(Value value);
  NodeUnderTest& no_input();         // an omitted optional input
  NodeUnderTest& outputs(size_t n);  // how many are named; 1 unless said
  NodeUnderTest& no_output(size_t output);  // the output is counted but has no name
  NodeUnderTest& output_type(size_t output, Type type);  // what the graph declares for it
  NodeUnderTest& seed(uint64_t seed);
  // A value that subgraphs may capture by name.
  NodeUnderTest& outer(std::string name, Value value);

  // Each throws what the evaluation throws.
  const Outputs& run();
  Tensor one();                // the first output, a tensor
  Tensor output(size_t n);     // any output that is a tensor
  std::vector<std::string> warnings();
  std::vector<UnspecifiedMark> unspecified();
  // The error line, "" when it runs: "schema/attribute-range: node …".
  std::string error();

 private:
  NodeUnderTest& add(std::string name, Attribute::Kind kind, decltype(Attribute::value) value);

  Node node_;
  int64_t opset_;
  std::vector<Value> inputs_;
  NodeSurroundings surroundings_;
  std::optional<NodeEvaluation> done_;
};

// True when types, shapes and bits are equal, where any NaN equals any NaN; prints the difference in a failed CHECK.
struct Sameness {
  std::string difference;                                   // empty: the same
  operator bool() const { return difference.empty(); }      // NOLINT
};
Sameness same(const Value& actual, const Value& expected);

// "float32[2,3] 1, 2, nan, …": numbers as the shortest decimals that round-trip.
std::string text_of(const Value& value);

}  // namespace onnxv::testing

namespace doctest {
template <>
struct StringMaker<onnxv::testing::Sameness> {
  static String convert(const onnxv::testing::Sameness& value);
};
template <>
struct StringMaker<onnxv::Tensor> {
  static String convert(const onnxv::Tensor& value);
};
template <>
struct StringMaker<onnxv::Value> {
  static String convert(const onnxv::Value& value);
};
template <>
struct StringMaker<onnxv::Shape> {
  static String convert(const onnxv::Shape& value);
};
}  // namespace doctest
