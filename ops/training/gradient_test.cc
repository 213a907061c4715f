// Every expected derivative is worked by hand.
#include "src/run/testing.h"
#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

constexpr const char* kTraining = "ai.onnx.preview.training";
constexpr DType kF = DType::kFloat;

Node gradient(std::vector<std::string> inputs, std::vector<std::string> outputs, std::vector<std::string> xs,
              std::vector<std::string> zs, std::string y) {
  Node made = in_domain(node("Gradient", std::move(inputs), std::move(outputs), "gradient"), kTraining);
  const auto add = [&made](std::string name, Attribute::Kind kind, decltype(Attribute::value) value) {
    Attribute attribute;
    attribute.name = std::move(name);
    attribute.kind = kind;
    attribute.value = std::move(value);
    made.attributes.push_back(std::move(attribute));
  };
  add("xs", Attribute::Kind::kStrings, std::move(xs));
  if (!zs.empty()) add("zs", Attribute::Kind::kStrings, std::move(zs));
  add("y", Attribute::Kind::kString, std::move(y));
  return made;
}

Model training_model(Graph graph) {
  Model made = model(std::move(graph), 13);
  OpsetImport training;
  training.domain = kTraining;
  training.version = 1;
  made.opset_imports.push_back(training);
  return made;
}

// The derivative of y by x, which one or more nodes make of it.
Model derivative(std::vector<Node> nodes) {
  nodes.push_back(gradient({"x"}, {"g"}, {"x"}, {}, "y"));
  return training_model(graph({info("x", kF)}, std::move(nodes), {info("g", kF)}));
}
Value value_of(const Model& made, const std::map<std::string, Value>& inputs, size_t output = 0) {
  return evaluate(made, inputs).outputs.at(output);
}

TEST_CASE("Gradient-1: of a sum, and of a sum times a factor") {
  const Model made = training_model(graph(
      {info("a", kF), info("b", kF)},
      {node("Add", {"a", "b"}, {"c"}), node("Mul", {"c", "a"}, {"y"}), gradient({"a", "b"}, {"ga", "gb"}, {"a", "b"}, {}, "y")},
      {info("ga", kF), info("gb", kF)}));
  // y = a (a + b): 2a + b and a.
  CHECK(same(value_of(made, {{"a", floats({}, {3})}, {"b", floats({}, {5})}}), floats({}, {11})));
  CHECK(same(value_of(made, {{"a", floats({}, {3})}, {"b", floats({}, {5})}}, 1), floats({}, {3})));
}

TEST_CASE("Gradient-1: a broadcast operand gathers; values other than the graph's own") {
  const Model made = training_model(graph({info("a", kF), info("b", kF), info("c", kF)},
                                          {node("Mul", {"a", "b"}, {"y"}), gradient({"c", "b"}, {"ga"}, {"a"}, {"b"}, "y")},
                                          {info("ga", kF)}));
  // b is constant; a is replaced by c, a scalar: 1 + 2 + 4.
  CHECK(same(value_of(made, {{"a", floats({3}, {1, 1, 1})}, {"b", floats({3}, {1, 2, 4})}, {"c", floats({}, {9})}}),
             floats({}, {7})));
}

TEST_CASE("Gradient-1: functions of one real") {
  const auto at = [](const char* op, float x) {
    return value_of(derivative({node(op, {"x"}, {"y"})}), {{"x", floats({1}, {x})}});
  };
  CHECK(same(at("Neg", 3), floats({1}, {-1})));
  CHECK(same(at("Exp", 0), floats({1}, {1})));
  CHECK(same(at("Log", 4), floats({1}, {0.25f})));
  CHECK(same(at("Sqrt", 4), floats({1}, {0.25f})));
  CHECK(same(at("Tanh", 0), floats({1}, {1})));
  CHECK(same(at("Sigmoid", 0), floats({1}, {0.25f})));
  CHECK(same(at("Relu", 2), floats({1}, {1})));
  CHECK(same(at("Relu", -2), floats({1}, {0})));
  CHECK(same(at("Identity", 2), floats({1}, {1})));
  CHECK(same(at("Exp", 1), floats({1}, {2.7182817f})));  // e, not the rounded forward value's neighbours
}

TEST_CASE("Gradient-1: Sub, Div, Pow, Sum") {
  const auto by_both = [](const char* op) {
    const Model made = training_model(graph({info("a", kF), info("b", kF)},
                                            {node(op, {"a", "b"}, {"y"}), gradient({"a", "b"}, {"ga", "gb"}, {"a", "b"}, {}, "y")},
                                            {info("ga", kF), info("gb", kF)}));
    const std::map<std::string, Value> inputs{{"a", floats({1}, {3})}, {"b", floats({1}, {2})}};
    return std::vector<float>{value_of(made, inputs).tensor().as<float>()[0], value_of(made, inputs, 1).tensor().as<float>()[0]};
  };
  CHECK(by_both("Sub") == std::vector<float>{1, -1});
  CHECK(by_both("Div") == std::vector<float>{0.5f, -0.75f});
  CHECK(by_both("Pow") == std::vector<float>{6, 9.88751059801f});  // 9 ln 3 = 9.88751059801…
  CHECK(by_both("Sum") == std::vector<float>{1, 1});
}

TEST_CASE("Gradient-1: MatMul") {
  const Model product = training_model(graph(
      {info("a", kF), info("b", kF)},
      {node("MatMul", {"a", "b"}, {"y"}), gradient({"a", "b"}, {"ga", "gb"}, {"a", "b"}, {}, "y")}, {info("ga", kF), info("gb", kF)}));
  const std::map<std::string, Value> inputs{{"a", floats({2, 2}, {1, 2, 3, 4})}, {"b", floats({2, 1}, {5, 6})}};
  CHECK(same(value_of(product, inputs), floats({2, 2}, {5, 6, 5, 6})));
  CHECK(same(value_of(product, inputs, 1), floats({2, 1}, {4, 6})));
}

TEST_CASE("Gradient-1: Gemm") {
  const Model general = training_model(
      graph({info("a", kF), info("b", kF), info("c", kF)},
            {with_float(with_int(node("Gemm", {"a", "b", "c"}, {"y"}), "transA", 1), "beta", 0.5f),
             gradient({"a", "b", "c"}, {"ga", "gb", "gc"}, {"a", "b", "c"}, {}, "y")},
            {info("ga", kF), info("gb", kF), info("gc", kF)}));
  const std::map<std::string, Value> with_c{
      {"a", floats({2, 2}, {1, 2, 3, 4})}, {"b", floats({2, 1}, {5, 6})}, {"c", floats({1}, {1})}};
  CHECK(same(value_of(general, with_c), floats({2, 2}, {5, 5, 6, 6})));
  CHECK(same(value_of(general, with_c, 1), floats({2, 1}, {3, 7})));
  CHECK(same(value_of(general, with_c, 2), floats({1}, {1})));
}

TEST_CASE("Gradient-1: elements that only move, and reductions") {
  // y = sum of the mean over axis 1 of (x transposed), times itself.
  const Model made = derivative({node("Transpose", {"x"}, {"t"}), with_int(node("Flatten", {"t"}, {"f"}), "axis", 0),
                                 with_int(node("Concat", {"f", "f"}, {"c"}), "axis", 1), node("ReduceMean", {"c"}, {"m"}),
                                 node("Mul", {"m", "m"}, {"y"})});
  // m = 2.5; dm/dx = 1/4 each; 2 m / 4.
  CHECK(same(value_of(made, {{"x", floats({2, 2}, {1, 2, 3, 4})}}), floats({2, 2}, {1.25f, 1.25f, 1.25f, 1.25f})));
  const Model halves = derivative({with_int(node("Split", {"x"}, {"p", "q"}), "axis", 0), node("Mul", {"p", "q"}, {"pq"}),
                                   node("ReduceSum", {"pq"}, {"y"})});
  CHECK(same(value_of(halves, {{"x", floats({4}, {1, 2, 3, 4})}}), floats({4}, {3, 4, 1, 2})));
}

TEST_CASE("Gradient-1: second order") {
  // y = x^3: 3 x^2, then 6 x; the second Gradient differentiates the first.
  const Model made = training_model(graph({info("x", kF)},
                                          {node("Mul", {"x", "x"}, {"s"}), node("Mul", {"s", "x"}, {"y"}),
                                           gradient({"x"}, {"d"}, {"x"}, {}, "y"), gradient({"x"}, {"dd"}, {"x"}, {}, "d")},
                                          {info("d", kF), info("dd", kF)}));
  CHECK(same(value_of(made, {{"x", floats({2}, {2, -1})}}), floats({2}, {12, 3})));
  CHECK(same(value_of(made, {{"x", floats({2}, {2, -1})}}, 1), floats({2}, {12, -6})));
}

TEST_CASE("Gradient-1: what y does not depend on gets zeros; a skipped output") {
  const Model made = training_model(
      graph({info("a", kF), info("b", kF)},
            {node("Exp", {"a"}, {"y"}), gradient({"a", "b"}, {"", "gb"}, {"a", "b"}, {}, "y")}, {info("gb", kF)}));
  CHECK(same(value_of(made, {{"a", floats({}, {0})}, {"b", floats({2}, {1, 2})}}), floats({2}, {0, 0})));
}

TEST_CASE("Gradient-1: errors") {
  const std::map<std::string, Value> x{{"x", floats({1}, {1})}};
  CHECK(error_of(derivative({node("Cos", {"x"}, {"y"})}), x).find("no derivative rule for Cos") != std::string::npos);
  CHECK(error_of(derivative({node("Cos", {"x"}, {"y"})}), x).find("undefined/not-evaluable") == 0);
  const Model integers = training_model(graph({info("x", DType::kInt64)},
                                              {node("Identity", {"x"}, {"y"}), gradient({"x"}, {"g"}, {"x"}, {}, "y")}, {info("g", kF)}));
  CHECK(error_of(integers, {{"x", int64s({1}, {1})}}).find("schema/") == 0);
  const Model miscounted = training_model(graph(
      {info("x", kF)}, {node("Exp", {"x"}, {"y"}), gradient({"x", "x"}, {"g"}, {"x"}, {}, "y")}, {info("g", kF)}));
  CHECK(error_of(miscounted, x).find("schema/input-count") == 0);
  const Tensor large = floats({130, 130}, std::vector<float>(130 * 130, 1));
  CHECK(error_of(derivative({node("MatMul", {"x", "x"}, {"y"})}), {{"x", large}}).find("limit/gradient-size") == 0);
}

}  // namespace
}  // namespace onnxv::testing
