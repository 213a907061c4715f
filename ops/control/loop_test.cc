#include "ops/control/small_graphs.h"
#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr DType kInt = DType::kInt64;

// s' = s + w, scan output s', condition s' < limit; w and limit are captured.
Graph counting_body(DType number = kInt) {
  return graph(
      {port("i", number, kScalar), port("c", DType::kBool, kScalar), port("s", kInt, kScalar)},
      {node("Add", {"s", "w"}, {"s2"}), node("Less", {"s2", "limit"}, {"c2"}), node("Identity", {"s2"}, {"o"})},
      {port("c2", DType::kBool), port("s2", kInt), port("o", kInt, kScalar)});
}

// From s = 1 in steps of 3 while s < 9: 4, 7, 10.
NodeUnderTest counting(int64_t opset, Value trips, Value condition) {
  return NodeUnderTest("Loop", opset)
      .attribute("body", counting_body())
      .input(std::move(trips))
      .input(std::move(condition))
      .input(int64s({}, {1}))
      .outer("w", int64s({}, {3}))
      .outer("limit", int64s({}, {9}))
      .outputs(2);
}

const Tensor kTrue = Tensor::bool_scalar(true);

void check_counting(int64_t opset) {
  CAPTURE(opset);
  NodeUnderTest both = counting(opset, int64s({}, {2}), kTrue);
  CHECK(same(both.output(0), int64s({}, {7})));
  CHECK(same(both.output(1), int64s({2}, {4, 7})));
  // The iteration that turns the condition false still counts.
  NodeUnderTest condition = counting(opset, {}, kTrue);
  CHECK(same(condition.output(0), int64s({}, {10})));
  CHECK(same(condition.output(1), int64s({3}, {4, 7, 10})));
}

// Puts the iteration number and the condition out.
Graph reporting_body(DType number) {
  return graph({port("i", number, kScalar), port("c", DType::kBool, kScalar)},
               {node("Identity", {"i"}, {"o"}), node("Identity", {"c"}, {"c2"}), node("Identity", {"c"}, {"p"})},
               {port("c2", DType::kBool), port("o", number, kScalar), port("p", DType::kBool, kScalar)});
}

}  // namespace

TEST_CASE("Loop-1 trip count, and the iteration number in the type that the body declares") {
  const auto numbers_in = [](DType dtype) {
    return NodeUnderTest("Loop", 1)
        .attribute("body", reporting_body(dtype))
        .input(int64s({}, {3}))
        .input(kTrue)
        .no_input()
        .outputs(2);
  };
  CHECK(same(numbers_in(DType::kInt32).one(), int32s({3}, {0, 1, 2})));
  CHECK(same(numbers_in(DType::kInt64).one(), int64s({3}, {0, 1, 2})));
}

TEST_CASE("Loop-1 stacks scan outputs and hands on captured values") {
  const Graph body =
      graph({port("i", kInt), port("c", DType::kBool), port("s", DType::kFloat)},
            {node("Identity", {"c"}, {"c2"}), node("Identity", {"w"}, {"s2"}), node("Identity", {"s"}, {"o"})},
            {port("c2", DType::kBool), port("s2", DType::kFloat), port("o", DType::kFloat)});
  NodeUnderTest loop = NodeUnderTest("Loop", 1)
                           .attribute("body", body)
                           .input(int64s({}, {2}))
                           .no_input()
                           .input(floats({2}, {1, 2}))
                           .outer("w", floats({2}, {3, 4}))
                           .outputs(2);
  CHECK(same(loop.output(0), floats({2}, {3, 4})));
  CHECK(same(loop.output(1), floats({2, 2}, {1, 2, 3, 4})));
}

TEST_CASE("Loop-11 for and while") { check_counting(11); }
TEST_CASE("Loop-13 for and while") { check_counting(13); }
TEST_CASE("Loop-16 for and while") { check_counting(16); }
TEST_CASE("Loop-19 for and while") { check_counting(19); }
TEST_CASE("Loop-21 for and while") { check_counting(21); }
TEST_CASE("Loop-23 for and while") { check_counting(23); }
TEST_CASE("Loop-24 for and while") { check_counting(24); }
TEST_CASE("Loop-25 for and while") { check_counting(25); }

TEST_CASE("Loop-11 without a condition input the body's condition ends nothing") {
  NodeUnderTest loop = counting(11, int64s({1}, {5}), {});
  CHECK(same(loop.output(0), int64s({}, {16})));
  CHECK(same(loop.output(1), int64s({5}, {4, 7, 10, 13, 16})));
}

TEST_CASE("Loop-11 zero trips keep the initial values") {
  for (const int64_t trips : {int64_t{0}, int64_t{-4}, INT64_MIN}) {
    NodeUnderTest loop = counting(11, int64s({}, {trips}), kTrue);
    CHECK(same(loop.output(0), int64s({}, {1})));
    CHECK(same(loop.output(1), int64s({0}, {})));
  }
  NodeUnderTest loop = counting(11, int64s({}, {9}), bools({1}, {false}));
  CHECK(same(loop.output(0), int64s({}, {1})));
  CHECK(same(loop.output(1), int64s({0}, {})));
}

TEST_CASE("Loop-11 zero trips take a scan output's shape from its declaration") {
  const auto scan_shape = [](ValueInfo declared) {
    const Graph body = graph({port("i", kInt), port("c", DType::kBool)},
                             {node("Identity", {"c"}, {"c2"}), node("Identity", {"w"}, {declared.name})},
                             {port("c2", DType::kBool), declared});
    return NodeUnderTest("Loop", 11)
        .attribute("body", body)
        .input(int64s({}, {0}))
        .no_input()
        .outer("w", floats({2, 3}, {1, 2, 3, 4, 5, 6}))
        .one()
        .shape();
  };
  CHECK(scan_shape(port("o", DType::kFloat, {{2, 3}})) == Shape{0, 2, 3});
  CHECK(scan_shape(port("o", DType::kFloat, {{"N", 3}})) == Shape{0, 0, 3});
  CHECK(scan_shape(port("o", DType::kFloat)) == Shape{0});
}

TEST_CASE("Loop-11 neither trip count nor condition never ends") {
  CHECK(counting(11, {}, {}).error().find("undefined/endless-loop") == 0);
}

TEST_CASE("Loop-11 errors of the body") {
  const auto error = [](Graph body) {
    return NodeUnderTest("Loop", 11)
        .attribute("body", std::move(body))
        .input(int64s({}, {2}))
        .no_input()
        .input(int64s({}, {1}))
        .outer("w", int64s({}, {3}))
        .error();
  };
  CHECK(error(graph({port("i", kInt), port("c", DType::kBool)}, {node("Identity", {"c"}, {"c2"})},
                    {port("c2", DType::kBool)}))
            .find("schema/") == 0);
  CHECK(error(graph({port("i", kInt), port("c", DType::kBool), port("s", kInt)}, {node("Identity", {"c"}, {"c2"})},
                    {port("c2", DType::kBool)}))
            .find("body has 1 outputs, must have at least 2: condition and carried values") != std::string::npos);
}

TEST_CASE("Loop-13 carried values may grow, scan outputs may not") {
  const Graph body =
      graph({port("i", kInt), port("c", DType::kBool), port("s", kInt)},
            {node("Identity", {"c"}, {"c2"}),
             node("Concat", {"s", "s"}, {"s2"},
                  {{.name = "axis", .kind = Attribute::Kind::kInt, .reference = {}, .doc = {}, .value = int64_t{0}}}),
             node("Identity", {"s2"}, {"o"})},
            {port("c2", DType::kBool), port("s2", kInt), port("o", kInt)});
  const auto trips = [&](int64_t count) {
    return NodeUnderTest("Loop", 13)
        .attribute("body", body)
        .input(int64s({}, {count}))
        .no_input()
        .input(int64s({1}, {8}))
        .outputs(2);
  };
  CHECK(same(trips(1).output(1), int64s({1, 2}, {8, 8})));
  CHECK(trips(2).error().find("schema/shape-mismatch") == 0);
  CHECK(trips(2).error().find("body output \"o\" changes its shape to [4], must stay [2]") != std::string::npos);
}

TEST_CASE("Loop-13 carries a sequence, inserted at the front") {
  const Type type = Type::sequence(Type::tensor(kInt));
  const Graph body = graph({port("i", kInt), port("c", DType::kBool), port("s", type)},
                           {node("Identity", {"c"}, {"c2"}), node("SequenceInsert", {"s", "i", "zero"}, {"s2"})},
                           {port("c2", DType::kBool), port("s2", type)});
  NodeUnderTest loop = NodeUnderTest("Loop", 13)
                           .attribute("body", body)
                           .input(int64s({}, {3}))
                           .no_input()
                           .input(Sequence{Type::tensor(kInt), {}})
                           .outer("zero", int64s({}, {0}));
  CHECK(same(loop.run()[0], Value(Sequence{Type::tensor(kInt), {int64s({}, {2}), int64s({}, {1}), int64s({}, {0})}})));
}

TEST_CASE("Loop-16 an optional that becomes plain") {
  const Type plain = Type::tensor(kInt);
  const Graph body = graph({port("i", kInt), port("c", DType::kBool), port("s", Type::optional(plain))},
                           {node("Identity", {"c"}, {"c2"}), node("OptionalHasElement", {"s"}, {"o"}),
                            node("Identity", {"i"}, {"s2"})},
                           {port("c2", DType::kBool), port("s2", kInt), port("o", DType::kBool)});
  NodeUnderTest loop = NodeUnderTest("Loop", 16)
                           .attribute("body", body)
                           .input(int64s({}, {3}))
                           .no_input()
                           .input(Optional{plain, nullptr})
                           .outputs(2);
  CHECK(same(loop.output(0), int64s({}, {2})));
  CHECK(same(loop.output(1), bools({3}, {false, true, true})));
}

TEST_CASE("Loop-16 a trip count of shape [1], a body that declares rank 1") {
  const Graph body = graph({port("i", kInt, {{1}}), port("c", DType::kBool, {{1}})},
                           {node("Identity", {"c"}, {"c2"}), node("Identity", {"i"}, {"o"})},
                           {port("c2", DType::kBool), port("o", kInt)});
  CHECK(same(NodeUnderTest("Loop", 16).attribute("body", body).input(int64s({1}, {2})).input(kTrue).one(),
             int64s({2, 1}, {0, 1})));
}

}  // namespace onnxv::testing
