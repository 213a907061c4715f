#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

Value sequence(DType dtype, std::vector<Value> items) { return Value(Sequence{Type::tensor(dtype), std::move(items)}); }

Value letters() { return sequence(DType::kString, {strings({1}, {"a"}), strings({}, {"b"}), strings({0}, {})}); }

NodeUnderTest at(const char* op, Value input, std::optional<int64_t> position) {
  NodeUnderTest node(op, 11);
  node.input(std::move(input));
  if (position) node.input(int64s({}, {*position}));
  return node;
}

Node body_node(std::string op, std::vector<std::string> inputs, std::string output) {
  Node node;
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.outputs = {std::move(output)};
  return node;
}

ValueInfo port(std::string name, DType dtype) {
  ValueInfo info;
  info.name = std::move(name);
  info.type = Type::tensor(dtype);
  return info;
}

// sum = x + y, first = x.
Graph two_results() {
  Graph graph;
  graph.inputs = {port("x", DType::kInt64), port("y", DType::kInt64)};
  graph.nodes = {body_node("Add", {"x", "y"}, "sum"), body_node("Identity", {"x"}, "first")};
  graph.outputs = {port("sum", DType::kInt64), port("first", DType::kInt64)};
  return graph;
}

}  // namespace

TEST_CASE("SequenceConstruct-11 keeps the items' shapes") {
  CHECK(same(NodeUnderTest("SequenceConstruct", 11).input(floats({2}, {1, 2})).input(floats({}, {3})).run()[0],
             sequence(DType::kFloat, {floats({2}, {1, 2}), floats({}, {3})})));
  CHECK(NodeUnderTest("SequenceConstruct", 11).input(floats({}, {1})).input(int64s({}, {1})).error().find("schema/") ==
        0);
}

TEST_CASE("SequenceEmpty-11 is float unless said otherwise") {
  CHECK(same(NodeUnderTest("SequenceEmpty", 11).run()[0], sequence(DType::kFloat, {})));
  CHECK(same(NodeUnderTest("SequenceEmpty", 11).attribute("dtype", 11).run()[0], sequence(DType::kDouble, {})));
  CHECK(NodeUnderTest("SequenceEmpty", 11).attribute("dtype", 99).error().find("schema/attribute-range") == 0);
}

TEST_CASE("SequenceAt-11 counts from both ends") {
  CHECK(same(at("SequenceAt", letters(), 1).one(), strings({}, {"b"})));
  CHECK(same(at("SequenceAt", letters(), -3).one(), strings({1}, {"a"})));
  CHECK(same(at("SequenceAt", letters(), -1).one(), strings({0}, {})));
  CHECK(same(NodeUnderTest("SequenceAt", 11).input(letters()).input(int32s({}, {0})).one(), strings({1}, {"a"})));
  CHECK(at("SequenceAt", letters(), 3).error().find("undefined/index-range") == 0);
  CHECK(at("SequenceAt", letters(), -4).error().find("position is -4, must be in [-3, 2]") != std::string::npos);
}

TEST_CASE("SequenceInsert-11 inserts in front of a position") {
  const auto inserted = [](std::optional<int64_t> position) {
    NodeUnderTest node("SequenceInsert", 11);
    node.input(sequence(DType::kInt64, {int64s({}, {1}), int64s({}, {2})})).input(int64s({1}, {9}));
    if (position) node.input(int64s({}, {*position}));
    return node;
  };
  const Value one = int64s({}, {1}), two = int64s({}, {2}), nine = int64s({1}, {9});
  CHECK(same(inserted({}).run()[0], sequence(DType::kInt64, {one, two, nine})));
  CHECK(same(inserted(2).run()[0], sequence(DType::kInt64, {one, two, nine})));
  CHECK(same(inserted(-1).run()[0], sequence(DType::kInt64, {one, nine, two})));
  CHECK(same(inserted(-2).run()[0], sequence(DType::kInt64, {nine, one, two})));
  CHECK(same(inserted(0).run()[0], sequence(DType::kInt64, {nine, one, two})));
  CHECK(inserted(3).error().find("position is 3, must be in [-2, 2]") != std::string::npos);
  CHECK(inserted(-3).error().find("undefined/index-range") == 0);
}

TEST_CASE("SequenceInsert-11 into an empty sequence, and of another type") {
  NodeUnderTest node = NodeUnderTest("SequenceInsert", 11).input(sequence(DType::kInt64, {})).input(int64s({}, {4}));
  CHECK(same(node.run()[0], sequence(DType::kInt64, {int64s({}, {4})})));
  CHECK(NodeUnderTest("SequenceInsert", 11)
            .input(sequence(DType::kFloat, {}))
            .input(int64s({}, {4}))
            .error()
            .find("schema/type-mismatch") == 0);
}

TEST_CASE("SequenceErase-11 erases one item, the last unless said otherwise") {
  const Value a = strings({1}, {"a"}), b = strings({}, {"b"}), c = strings({0}, {});
  CHECK(same(at("SequenceErase", letters(), {}).run()[0], sequence(DType::kString, {a, b})));
  CHECK(same(at("SequenceErase", letters(), -3).run()[0], sequence(DType::kString, {b, c})));
  CHECK(same(at("SequenceErase", letters(), 1).run()[0], sequence(DType::kString, {a, c})));
  CHECK(at("SequenceErase", letters(), 3).error().find("undefined/index-range") == 0);
  CHECK(at("SequenceErase", sequence(DType::kFloat, {}), {}).error().find("undefined/empty-sequence") == 0);
}

TEST_CASE("SequenceLength-11 counts items") {
  CHECK(same(NodeUnderTest("SequenceLength", 11).input(letters()).one(), int64s({}, {3})));
  CHECK(same(NodeUnderTest("SequenceLength", 11).input(sequence(DType::kFloat, {})).one(), int64s({}, {0})));
}

TEST_CASE("SplitToSequence-11 chunks of one, with and without their axis") {
  const Tensor x = int64s({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto split = [&](int64_t keepdims) {
    return NodeUnderTest("SplitToSequence", 11).attribute("axis", -1).attribute("keepdims", keepdims).input(x);
  };
  CHECK(same(split(1).run()[0],
             sequence(DType::kInt64, {int64s({2, 1}, {1, 4}), int64s({2, 1}, {2, 5}), int64s({2, 1}, {3, 6})})));
  CHECK(same(split(0).run()[0],
             sequence(DType::kInt64, {int64s({2}, {1, 4}), int64s({2}, {2, 5}), int64s({2}, {3, 6})})));
}

TEST_CASE("SplitToSequence-11 scalar and listed sizes") {
  const auto split = [](Tensor sizes) {
    return NodeUnderTest("SplitToSequence", 11)
        .attribute("keepdims", 0)
        .input(floats({3}, {1, 2, 3}))
        .input(std::move(sizes));
  };
  // keepdims counts only without sizes.
  CHECK(same(split(int64s({}, {2})).run()[0], sequence(DType::kFloat, {floats({2}, {1, 2}), floats({1}, {3})})));
  CHECK(same(split(int32s({3}, {0, 1, 2})).run()[0],
             sequence(DType::kFloat, {floats({0}, {}), floats({1}, {1}), floats({2}, {2, 3})})));
  CHECK(split(int64s({}, {0})).error().find("undefined/split-sizes") == 0);
  CHECK(split(int64s({}, {-1})).error().find("split is -1, must be positive") != std::string::npos);
  CHECK(split(int64s({2}, {1, 1})).error().find("split sums to 2, must sum to the axis's 3") != std::string::npos);
  CHECK(split(int64s({2}, {4, -1})).error().find("undefined/split-sizes") == 0);
  CHECK(split(int64s({1, 1}, {3})).error().find("schema/shape-mismatch") == 0);
}

TEST_CASE("SplitToSequence-11 an axis of length 0, and of a scalar") {
  CHECK(same(NodeUnderTest("SplitToSequence", 11).input(floats({0, 2}, {})).run()[0], sequence(DType::kFloat, {})));
  CHECK(NodeUnderTest("SplitToSequence", 11).input(floats({}, {1})).error().find("schema/attribute-range") == 0);
  CHECK(NodeUnderTest("SplitToSequence", 11)
            .input(Tensor(DType::kFloat, {int64_t{1} << 40, 0}))
            .error()
            .find("limit/sequence-length") == 0);
}

TEST_CASE("SplitToSequence-24 bfloat16") {
  const Tensor x = codes(DType::kBfloat16, {2}, {0x3F80, 0x7FC1});
  CHECK(same(
      NodeUnderTest("SplitToSequence", 24).input(x).run()[0],
      sequence(DType::kBfloat16, {codes(DType::kBfloat16, {1}, {0x3F80}), codes(DType::kBfloat16, {1}, {0x7FC1})})));
}

TEST_CASE("ConcatFromSequence-11 joins and stacks") {
  const auto joined = [](int64_t axis, int64_t new_axis) {
    return NodeUnderTest("ConcatFromSequence", 11)
        .attribute("axis", axis)
        .attribute("new_axis", new_axis)
        .input(sequence(DType::kInt64, {int64s({2, 1}, {1, 2}), int64s({2, 1}, {3, 4})}));
  };
  CHECK(same(joined(0, 0).one(), int64s({4, 1}, {1, 2, 3, 4})));
  CHECK(same(joined(-1, 0).one(), int64s({2, 2}, {1, 3, 2, 4})));
  CHECK(same(joined(2, 1).one(), int64s({2, 1, 2}, {1, 3, 2, 4})));
  CHECK(same(joined(-3, 1).one(), int64s({2, 2, 1}, {1, 2, 3, 4})));
  CHECK(joined(2, 0).error().find("schema/attribute-range") == 0);
  CHECK(joined(3, 1).error().find("axis is 3, must be in [-3, 2]") != std::string::npos);
}

TEST_CASE("ConcatFromSequence-11 items that do not fit") {
  const auto joined = [](std::vector<Value> items, int64_t new_axis) {
    return NodeUnderTest("ConcatFromSequence", 11)
        .attribute("axis", 0)
        .attribute("new_axis", new_axis)
        .input(sequence(DType::kFloat, std::move(items)));
  };
  CHECK(same(joined({floats({0}, {}), floats({2}, {1, 2})}, 0).one(), floats({2}, {1, 2})));
  CHECK(joined({floats({1}, {1}), floats({2}, {1, 2})}, 1).error().find("schema/shape-mismatch") == 0);
  CHECK(joined({floats({1, 1}, {1}), floats({2}, {1, 2})}, 0).error().find("schema/shape-mismatch") == 0);
  CHECK(joined({}, 0).error().find("undefined/empty-sequence") == 0);
  CHECK(same(joined({floats({}, {1}), floats({}, {2})}, 1).one(), floats({2}, {1, 2})));
}

TEST_CASE("SequenceMap-17 two sequences, and a tensor for every item") {
  const Value a = sequence(DType::kInt64, {int64s({}, {1}), int64s({2}, {2, 3})});
  const Value b = sequence(DType::kInt64, {int64s({}, {10}), int64s({}, {20})});
  NodeUnderTest both = NodeUnderTest("SequenceMap", 17).attribute("body", two_results()).input(a).input(b).outputs(2);
  CHECK(same(both.run()[0], sequence(DType::kInt64, {int64s({}, {11}), int64s({2}, {22, 23})})));
  CHECK(same(both.run()[1], a));
  NodeUnderTest tensor =
      NodeUnderTest("SequenceMap", 17).attribute("body", two_results()).input(a).input(int64s({}, {5})).outputs(2);
  CHECK(same(tensor.run()[0], sequence(DType::kInt64, {int64s({}, {6}), int64s({2}, {7, 8})})));
}

TEST_CASE("SequenceMap-17 no items, and sequences of different length") {
  const Value none = sequence(DType::kInt64, {});
  NodeUnderTest empty =
      NodeUnderTest("SequenceMap", 17).attribute("body", two_results()).input(none).input(none).outputs(2);
  CHECK(same(empty.run()[0], none));
  CHECK(same(empty.run()[1], none));
  CHECK(NodeUnderTest("SequenceMap", 17)
            .attribute("body", two_results())
            .input(none)
            .input(sequence(DType::kInt64, {int64s({}, {1})}))
            .outputs(2)
            .error()
            .find("undefined/sequence-length") == 0);
}

TEST_CASE("Optional-15 encloses an element or a type") {
  const Type type = Type::tensor(DType::kFloat);
  NodeUnderTest full = NodeUnderTest("Optional", 15).input(floats({2}, {1, 2}));
  REQUIRE(full.run()[0].is_optional());
  CHECK(same(*full.run()[0].optional().value, floats({2}, {1, 2})));
  NodeUnderTest empty = NodeUnderTest("Optional", 15).attribute("type", type);
  REQUIRE(empty.run()[0].is_optional());
  CHECK(empty.run()[0].optional().value == nullptr);
  CHECK(same_type(empty.run()[0].type(), Type::optional(type)));
  CHECK(NodeUnderTest("Optional", 15).error().find("schema/attribute-missing") == 0);
  CHECK(NodeUnderTest("Optional", 15)
            .attribute("type", type)
            .input(int64s({}, {1}))
            .error()
            .find("schema/type-mismatch") == 0);
}

TEST_CASE("Optional-28 encloses small floats") {
  const Tensor x = codes(DType::kFloat6e2m3, {2}, {1, 63});
  CHECK(same(*NodeUnderTest("Optional", 28).input(x).run()[0].optional().value, x));
}

namespace {

Value full(Value element) {
  Type type = element.type();
  type.shape.reset();
  return Value(Optional{type, std::make_shared<const Value>(std::move(element))});
}
Value empty_optional() { return Value(Optional{Type::tensor(DType::kFloat), nullptr}); }

}  // namespace

TEST_CASE("OptionalGetElement-15 takes optionals alone") {
  CHECK(same(NodeUnderTest("OptionalGetElement", 15).input(full(floats({1}, {4}))).run()[0], floats({1}, {4})));
  CHECK(same(NodeUnderTest("OptionalGetElement", 15).input(full(letters())).run()[0], letters()));
  CHECK(NodeUnderTest("OptionalGetElement", 15).input(empty_optional()).error().find("undefined/empty-optional") == 0);
  CHECK(NodeUnderTest("OptionalGetElement", 15).input(floats({1}, {4})).error().find("schema/type-mismatch") == 0);
}

TEST_CASE("OptionalGetElement-18 passes tensors and sequences on") {
  CHECK(same(NodeUnderTest("OptionalGetElement", 18).input(floats({1}, {4})).run()[0], floats({1}, {4})));
  CHECK(same(NodeUnderTest("OptionalGetElement", 18).input(letters()).run()[0], letters()));
  CHECK(same(NodeUnderTest("OptionalGetElement", 18).input(full(letters())).run()[0], letters()));
  CHECK(NodeUnderTest("OptionalGetElement", 18).input(empty_optional()).error().find("undefined/empty-optional") == 0);
}

TEST_CASE("OptionalGetElement-28 small types") {
  const Tensor x = codes(DType::kInt2, {2}, {3, 1});
  CHECK(same(NodeUnderTest("OptionalGetElement", 28).input(x).run()[0], x));
}

TEST_CASE("OptionalHasElement-15 takes optionals alone") {
  CHECK(same(NodeUnderTest("OptionalHasElement", 15).input(full(floats({}, {4}))).one(), bools({}, {true})));
  CHECK(same(NodeUnderTest("OptionalHasElement", 15).input(empty_optional()).one(), bools({}, {false})));
  CHECK(NodeUnderTest("OptionalHasElement", 15).input(letters()).error().find("schema/type-mismatch") == 0);
  CHECK(NodeUnderTest("OptionalHasElement", 15).error().find("schema/") == 0);
}

TEST_CASE("OptionalHasElement-18 plain values have, nothing has not") {
  CHECK(same(NodeUnderTest("OptionalHasElement", 18).input(letters()).one(), bools({}, {true})));
  CHECK(same(NodeUnderTest("OptionalHasElement", 18).input(floats({0}, {})).one(), bools({}, {true})));
  CHECK(same(NodeUnderTest("OptionalHasElement", 18).input(empty_optional()).one(), bools({}, {false})));
  CHECK(same(NodeUnderTest("OptionalHasElement", 18).one(), bools({}, {false})));
  CHECK(same(NodeUnderTest("OptionalHasElement", 18).no_input().one(), bools({}, {false})));
}

TEST_CASE("OptionalHasElement-28 small types") {
  CHECK(same(NodeUnderTest("OptionalHasElement", 28).input(codes(DType::kInt2, {2}, {3, 1})).one(), bools({}, {true})));
}

}  // namespace onnxv::testing
