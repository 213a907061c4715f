#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

constexpr DType kF = DType::kFloat;
constexpr auto kFloatKind = Attribute::Kind::kFloat;

Tensor scalar(float value) { return floats({}, {value}); }

Function function(std::string name, std::vector<std::string> inputs, std::vector<Node> nodes,
                  std::vector<std::string> outputs) {
  Function made;
  made.domain = "own";
  made.name = std::move(name);
  made.inputs = std::move(inputs);
  made.nodes = std::move(nodes);
  made.outputs = std::move(outputs);
  made.opset_imports = {{"", 16}, {"own", 1}};
  return made;
}

Attribute float_attribute(std::string name, float value) {
  return {std::move(name), kFloatKind, {}, {}, value};
}

// LeakyRelu's alpha, handed through: x < 0 gives alpha x.
Function leaky() {
  Function made = function(
      "Leaky", {"x"},
      {with_reference(node("LeakyRelu", {"x"}, {"y"}), "alpha", kFloatKind, "slope")}, {"y"});
  made.attribute_defaults = {float_attribute("slope", 0.5f)};
  return made;
}

Model calling(Node call, std::vector<Function> functions) {
  Model made = model(graph({info("x", kF)}, {in_domain(std::move(call), "own")}, {info("y", kF)}),
                     16, std::move(functions));
  made.opset_imports.push_back({"own", 1});
  return made;
}

TEST_CASE("a function's attribute comes from the call, else from its default") {
  const Model by_default = calling(node("Leaky", {"x"}, {"y"}), {leaky()});
  CHECK(same(evaluate(by_default, {{"x", scalar(-8)}}).outputs.at(0), scalar(-4)));
  const Model given = calling(with_float(node("Leaky", {"x"}, {"y"}), "slope", 0.25f), {leaky()});
  CHECK(same(evaluate(given, {{"x", scalar(-8)}}).outputs.at(0), scalar(-2)));
}

TEST_CASE("an attribute that the call leaves out leaves the node's own default") {
  Function optional = leaky();
  optional.attribute_defaults.clear();
  optional.attributes = {"slope"};
  const Model made = calling(node("Leaky", {"x"}, {"y"}), {optional});
  // LeakyRelu's default alpha is 0.01 as float32: 0x3c23d70a. Times -1.
  CHECK(same(evaluate(made, {{"x", scalar(-1)}}).outputs.at(0), codes(kF, {}, {0xbc23d70a})));
}

TEST_CASE("a type that a function's attribute names is held to the schema when the call gives it") {
  Function constant = function("Held", {}, {with_reference(node("Constant", {}, {"y"}), "value", Attribute::Kind::kTensor, "v")}, {"y"});
  constant.opset_imports = {{"", 8}};
  constant.attributes = {"v"};
  const auto held = [&](Tensor value) {
    Node call = node("Held", {}, {"y"});
    call.attributes = {{"v", Attribute::Kind::kTensor, {}, {}, std::move(value)}};
    Model made = model(graph({}, {in_domain(std::move(call), "own")}, {info("y", DType::kUndefined)}), 16, {constant});
    made.opset_imports.push_back({"own", 1});
    return made;
  };
  CHECK(same(evaluate(held(scalar(2)), {}).outputs.at(0), scalar(2)));
  CHECK(error_of(held(int64s({}, {2})), {}).find("schema/attribute-type: ") == 0);
}

TEST_CASE("functions call functions and hand attributes on") {
  Function outer = function(
      "Outer", {"a"},
      {in_domain(with_reference(node("Leaky", {"a"}, {"b"}), "slope", kFloatKind, "s"), "own"),
       node("Add", {"b", "b"}, {"c"})},
      {"c"});
  outer.attributes = {"s"};
  const Model made =
      calling(with_float(node("Outer", {"x"}, {"y"}), "s", 0.125f), {outer, leaky()});
  CHECK(same(evaluate(made, {{"x", scalar(-8)}}).outputs.at(0), scalar(-2)));
}

TEST_CASE("overloads are functions of their own") {
  Function plain = function("F", {"x"}, {node("Identity", {"x"}, {"y"})}, {"y"});
  Function twice = function("F", {"x"}, {node("Add", {"x", "x"}, {"y"})}, {"y"});
  twice.overload = "twice";
  Model made = model(graph({info("x", kF)},
                           {in_domain(node("F", {"x"}, {"a"}), "own"),
                            in_domain(node("F", {"a"}, {"y"}), "own", "twice")},
                           {info("y", kF)}),
                     16, {plain, twice});
  CHECK(same(evaluate(made, {{"x", scalar(3)}}).outputs.at(0), scalar(6)));
  made = model(graph({info("x", kF)}, {in_domain(node("F", {"x"}, {"y"}), "own", "thrice")},
                     {info("y", kF)}),
               16, {plain, twice});
  CHECK(error_of(made, {{"x", scalar(3)}}) != "");
}

TEST_CASE("recursion is refused") {
  Function first = function("A", {"x"}, {in_domain(node("B", {"x"}, {"y"}), "own")}, {"y"});
  Function second = function("B", {"x"}, {in_domain(node("A", {"x"}, {"y"}), "own")}, {"y"});
  CHECK(error_of(calling(node("A", {"x"}, {"y"}), {first, second}), {{"x", scalar(1)}})
            .starts_with("schema/function-recursion"));
}

TEST_CASE("a function's names are its own") {
  // y and t stand in the graph and in the function, and mean different values.
  Function inner = function("F", {"y"}, {node("Add", {"y", "y"}, {"t"})}, {"t"});
  const Model made =
      model(graph({info("x", kF)},
                  {node("Add", {"x", "x"}, {"t"}), in_domain(node("F", {"t"}, {"u"}), "own"),
                   node("Add", {"t", "u"}, {"y"})},
                  {info("y", kF)}),
            16, {inner});
  CHECK(same(evaluate(made, {{"x", scalar(1)}}).outputs.at(0), scalar(6)));
}

TEST_CASE("a function uses the opset that it imports itself") {
  // Hardmax-11 works on the flattened tail, Hardmax-13 on one axis.
  Function old = function("F", {"x"}, {with_int(node("Hardmax", {"x"}, {"y"}), "axis", 1)}, {"y"});
  old.opset_imports = {{"", 12}};
  const Model made = calling(node("F", {"x"}, {"y"}), {old});
  const Tensor x = floats({1, 2, 2}, {1, 2, 3, 4});
  CHECK(same(evaluate(made, {{"x", x}}).outputs.at(0), floats({1, 2, 2}, {0, 0, 0, 1})));
}

TEST_CASE("an omitted input of a call is absent inside") {
  Function clip =
      function("F", {"x", "least", "most"}, {node("Clip", {"x", "least", "most"}, {"y"})}, {"y"});
  const Model made = calling(node("F", {"x"}, {"y"}), {clip});
  CHECK(same(evaluate(made, {{"x", scalar(3)}}).outputs.at(0), scalar(3)));
}

TEST_CASE("a function may hand a whole subgraph's scope on") {
  Graph then_graph = graph({}, {node("Add", {"x", "x"}, {"t"})}, {info("t", kF)});
  Graph else_graph = graph({}, {node("Identity", {"x"}, {"e"})}, {info("e", kF)});
  Node choice = with_graph(with_graph(node("If", {"c"}, {"y"}), "then_branch", then_graph),
                           "else_branch", else_graph);
  Function made_function = function("F", {"c", "x"}, {choice}, {"y"});
  const Model made = model(graph({info("c", DType::kBool), info("x", kF)},
                                 {in_domain(node("F", {"c", "x"}, {"y"}), "own")}, {info("y", kF)}),
                           16, {made_function});
  CHECK(
      same(evaluate(made, {{"c", bools({}, {true})}, {"x", scalar(4)}}).outputs.at(0), scalar(8)));
}

TEST_CASE("a subgraph that a call hands to a function still sees the caller's values") {
  // The function's own w is another one.
  Node choice = node("If", {"c"}, {"y"});
  choice = with_reference(
      with_reference(std::move(choice), "then_branch", Attribute::Kind::kGraph, "body"),
      "else_branch", Attribute::Kind::kGraph, "body");
  Function hands_on = function("F", {"c", "w"}, {choice}, {"y"});
  hands_on.attributes = {"body"};
  const Graph body = graph({}, {node("Add", {"w", "w"}, {"sum"})}, {info("sum", kF)});
  const Node call = with_graph(in_domain(node("F", {"c", "x"}, {"y"}), "own"), "body", body);
  Model made =
      model(graph({info("c", DType::kBool), info("x", kF), info("w", kF)}, {call}, {info("y", kF)}),
            16, {hands_on});
  made.opset_imports.push_back({"own", 1});
  CHECK(same(
      evaluate(made, {{"c", bools({}, {true})}, {"x", scalar(1)}, {"w", scalar(20)}}).outputs.at(0),
      scalar(40)));
}

TEST_CASE("a chain of functions that is too deep is an error") {
  std::vector<Function> chain;
  for (int i = 0; i < 80; ++i) {
    chain.push_back(
        function("F" + std::to_string(i), {"x"},
                 {i == 79 ? node("Identity", {"x"}, {"y"})
                          : in_domain(node("F" + std::to_string(i + 1), {"x"}, {"y"}), "own")},
                 {"y"}));
  }
  CHECK(error_of(calling(node("F0", {"x"}, {"y"}), chain), {{"x", scalar(1)}})
            .starts_with("limit/nesting"));
}

TEST_CASE("what a function that nobody calls does wrong is wrong") {
  Function broken = function("Unused", {"x"}, {node("NoSuchOperator", {"x"}, {"y"})}, {"y"});
  const Model made = model(
      graph({info("x", kF)}, {node("Identity", {"x"}, {"y"})}, {info("y", kF)}), 16, {broken});
  CHECK(error_of(made, {{"x", scalar(1)}}).starts_with("schema/unknown-operator"));
}

}  // namespace
}  // namespace onnxv::testing
