#include "ops/control/small_graphs.h"
#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

Graph copy_of(const std::string& name, ValueInfo result) {
  const std::string out = result.name;
  return graph({}, {node("Identity", {name}, {out})}, {std::move(result)});
}

// y = condition ? a : b, both captured.
NodeUnderTest choice(int64_t opset, bool condition, Value a, Value b, const Type& type) {
  return NodeUnderTest("If", opset)
      .attribute("then_branch", copy_of("a", port("t", type)))
      .attribute("else_branch", copy_of("b", port("e", type)))
      .outer("a", std::move(a))
      .outer("b", std::move(b))
      .input(bools({}, {condition}));
}

// Both ways, with two different values of a type.
void check_both(int64_t opset, const Value& a, const Value& b) {
  Type type = a.type();
  type.shape.reset();
  CHECK(same(choice(opset, true, a, b, type).run()[0], a));
  CHECK(same(choice(opset, false, a, b, type).run()[0], b));
}

Tensor two_codes(DType dtype, uint64_t first) { return codes(dtype, {2}, {first, 1}); }

}  // namespace

TEST_CASE("If-1 runs one branch, which sees the outer scope") {
  check_both(1, floats({2}, {1, 2}), floats({2}, {3, 4}));
  // Choice: the branches' shapes may differ; nothing sees both.
  check_both(1, floats({2}, {1, 2}), floats({3}, {3, 4, 5}));
}

TEST_CASE("If-1 has no sequences") {
  const Value sequence(Sequence{Type::tensor(DType::kFloat), {floats({1}, {1})}});
  CHECK(choice(1, true, sequence, sequence, Type::sequence(Type::tensor(DType::kFloat))).error().find("schema/") == 0);
}

TEST_CASE("If-11 branches of different shapes") {
  check_both(11, int64s({2}, {1, 2}), int64s({}, {3}));
  check_both(11, strings({1}, {"a"}), strings({0}, {}));
}

TEST_CASE("If-11 condition is one element of any rank") {
  const auto with = [](Tensor condition) {
    return NodeUnderTest("If", 11)
        .attribute("then_branch", copy_of("a", port("t", DType::kFloat)))
        .attribute("else_branch", copy_of("a", port("e", DType::kFloat)))
        .outer("a", floats({}, {7}))
        .input(std::move(condition));
  };
  CHECK(same(with(bools({1, 1}, {false})).one(), floats({}, {7})));
  CHECK(with(bools({2}, {true, true})).error().find("schema/not-one-element") == 0);
  CHECK(with(bools({0}, {})).error().find("schema/not-one-element") == 0);
}

TEST_CASE("If-13 sequences") {
  const Type type = Type::sequence(Type::tensor(DType::kFloat));
  const auto with = [&](bool condition) {
    return NodeUnderTest("If", 13)
        .attribute("then_branch", graph({}, {node("SequenceConstruct", {"a", "a"}, {"t"})}, {port("t", type)}))
        .attribute("else_branch", graph({}, {node("SequenceEmpty", {}, {"e"})}, {port("e", type)}))
        .outer("a", floats({1}, {1}))
        .input(bools({}, {condition}));
  };
  CHECK(same(with(true).run()[0], Value(Sequence{Type::tensor(DType::kFloat), {floats({1}, {1}), floats({1}, {1})}})));
  CHECK(same(with(false).run()[0], Value(Sequence{Type::tensor(DType::kFloat), {}})));
}

TEST_CASE("If-16 optionals") {
  const Type element = Type::tensor(DType::kFloat);
  const Value full(Optional{element, std::make_shared<const Value>(floats({1}, {5}))});
  check_both(16, full, Value(Optional{element, nullptr}));
}

TEST_CASE("If-16 branches must have as many outputs and one type") {
  const auto error = [](Graph otherwise) {
    return NodeUnderTest("If", 16)
        .attribute("then_branch", copy_of("a", port("t", DType::kFloat)))
        .attribute("else_branch", std::move(otherwise))
        .outer("a", floats({}, {7}))
        .input(bools({}, {true}))
        .error();
  };
  CHECK(error(graph({}, {}, {})).find("then_branch has 1 outputs, else_branch 0, must be as many") !=
        std::string::npos);
  CHECK(error(copy_of("a", port("e", DType::kInt64))).find("schema/type-mismatch") == 0);
}

TEST_CASE("If-16 the branch that is not taken does not run") {
  const Graph failing = graph({}, {node("SequenceEmpty", {}, {"s"}), node("SequenceErase", {"s"}, {"e"})},
                              {port("e", Type::sequence(Type::tensor(DType::kFloat)))});
  const Graph fine =
      graph({}, {node("SequenceEmpty", {}, {"t"})}, {port("t", Type::sequence(Type::tensor(DType::kFloat)))});
  const auto with = [&](bool condition) {
    return NodeUnderTest("If", 16)
        .attribute("then_branch", fine)
        .attribute("else_branch", failing)
        .input(bools({}, {condition}));
  };
  CHECK(with(true).run()[0].sequence().items.empty());
  CHECK(with(false).error().find("undefined/empty-sequence") == 0);
}

TEST_CASE("If-19 float8") { check_both(19, two_codes(DType::kFloat8e5m2, 0x7F), two_codes(DType::kFloat8e5m2, 0x80)); }
TEST_CASE("If-21 int4") { check_both(21, two_codes(DType::kInt4, 15), two_codes(DType::kInt4, 7)); }
TEST_CASE("If-23 float4") { check_both(23, two_codes(DType::kFloat4e2m1, 8), two_codes(DType::kFloat4e2m1, 7)); }
TEST_CASE("If-24 float8e8m0") { check_both(24, two_codes(DType::kFloat8e8m0, 255), two_codes(DType::kFloat8e8m0, 0)); }
TEST_CASE("If-25 int2") { check_both(25, two_codes(DType::kInt2, 3), two_codes(DType::kInt2, 2)); }

}  // namespace onnxv::testing
