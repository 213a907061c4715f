#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

constexpr DType kF = DType::kFloat;

Tensor scalar(float value) { return floats({}, {value}); }
Tensor yes() { return bools({}, {true}); }

Graph branch(std::vector<Node> nodes, std::string output) {
  return graph({}, std::move(nodes), {info(std::move(output), kF)});
}

Node choice(std::string condition, std::string output, Graph then_graph, Graph else_graph,
            std::string name = "choice") {
  Node made = node("If", {std::move(condition)}, {std::move(output)}, std::move(name));
  return with_graph(with_graph(std::move(made), "then_branch", std::move(then_graph)),
                    "else_branch", std::move(else_graph));
}

// A loop that runs `body`, whose inputs are (i, keep, state) and outputs (keep, state).
Node loop(std::string count, std::string start, std::string output, Graph body,
          std::string name = "loop") {
  return with_graph(
      node("Loop", {std::move(count), "", std::move(start)}, {std::move(output)}, std::move(name)),
      "body", std::move(body));
}

Graph loop_body(std::string state, std::vector<Node> nodes, std::string next) {
  nodes.insert(nodes.begin(), node("Identity", {"keep"}, {"keep_on"}));
  return graph(
      {info("i", DType::kInt64, {}), info("keep", DType::kBool, {}), info(std::move(state), kF)},
      std::move(nodes), {info("keep_on", DType::kBool, {}), info(std::move(next), kF)});
}

TEST_CASE("a subgraph sees the enclosing graph's values, at any depth") {
  // The inner branch reads x through the outer one, which does not name it.
  const Graph inner = branch({node("Add", {"x", "y"}, {"inner_sum"})}, "inner_sum");
  const Graph other = branch({node("Identity", {"y"}, {"other_copy"})}, "other_copy");
  const Graph outer =
      branch({choice("c", "outer_value", inner, other, "inner_choice")}, "outer_value");
  const Graph fallback = branch({node("Identity", {"x"}, {"fallback_copy"})}, "fallback_copy");
  const Model made = model(graph({info("c", DType::kBool), info("x", kF), info("y", kF)},
                                 {choice("c", "z", outer, fallback)}, {info("z", kF)}),
                           19);
  const std::map<std::string, Value> inputs{{"x", scalar(1)}, {"y", scalar(2)}};
  auto taken = inputs;
  taken["c"] = yes();
  CHECK(same(evaluate(made, taken).outputs.at(0), scalar(3)));
  taken["c"] = bools({}, {false});
  CHECK(same(evaluate(made, taken).outputs.at(0), scalar(1)));
}

TEST_CASE("a subgraph's output may be an outer value itself") {
  const Model made =
      model(graph({info("c", DType::kBool), info("x", kF)},
                  {choice("c", "z", branch({}, "x"), branch({}, "x"))}, {info("z", kF)}),
            19);
  CHECK(same(evaluate(made, {{"c", yes()}, {"x", scalar(7)}}).outputs.at(0), scalar(7)));
}

TEST_CASE("a subgraph's input hides the outer value of its name") {
  // state "x" starts from the outer y; the outer x stays 100 and is added at the end.
  const Graph body = loop_body("x", {node("Add", {"x", "x"}, {"twice"})}, "twice");
  const Model made = model(
      graph({info("n", DType::kInt64, {}), info("x", kF), info("y", kF)},
            {loop("n", "y", "last", body), node("Add", {"x", "last"}, {"z"})}, {info("z", kF)}),
      19);
  CHECK(same(
      evaluate(made, {{"n", int64s({}, {3})}, {"x", scalar(100)}, {"y", scalar(1)}}).outputs.at(0),
      scalar(108)));
}

TEST_CASE("initializers of a subgraph are its own") {
  Graph body = loop_body("s", {node("Add", {"s", "step"}, {"next"})}, "next");
  body.initializers.push_back({"step", scalar(5)});
  const Model made = model(graph({info("n", DType::kInt64, {}), info("x", kF)},
                                 {loop("n", "x", "z", body)}, {info("z", kF)}),
                           19);
  CHECK(same(evaluate(made, {{"n", int64s({}, {4})}, {"x", scalar(1)}}).outputs.at(0), scalar(21)));
}

TEST_CASE("an outer value that a loop reads lives until the loop has ended") {
  const Graph body = loop_body("s", {node("Add", {"s", "w"}, {"next"})}, "next");
  const Model made =
      model(graph({info("n", DType::kInt64, {}), info("x", kF)},
                  {node("Add", {"x", "x"}, {"w"}), loop("n", "w", "z", body)}, {info("z", kF)}),
            19);
  CHECK(same(evaluate(made, {{"n", int64s({}, {3})}, {"x", scalar(1)}}).outputs.at(0), scalar(8)));
}

TEST_CASE("an error in a subgraph names the nodes around it") {
  const Graph broken = branch({node("Add", {"x", "w"}, {"sum"}, "inner")}, "sum");
  const Model made = model(graph({info("c", DType::kBool), info("x", kF), info("w", kF)},
                                 {choice("c", "z", broken, branch({}, "x"))}, {info("z", kF)}),
                           19);
  const std::string error =
      error_of(made, {{"c", yes()}, {"x", floats({2}, {1, 2})}, {"w", floats({3}, {1, 2, 3})}});
  CHECK(error.starts_with(
      "schema/shape-mismatch: node \"choice\" (If-19): node \"inner\" (Add-14): "));
}

TEST_CASE("nesting is bounded by an error") {
  Graph nested = branch({}, "x");
  for (int i = 0; i < 80; ++i) {
    const std::string value = "v" + std::to_string(i);
    nested = branch({choice("c", value, nested, branch({}, "x"))}, value);
  }
  const Model made = model(graph({info("c", DType::kBool), info("x", kF)},
                                 {choice("c", "z", nested, branch({}, "x"))}, {info("z", kF)}),
                           19);
  CHECK(error_of(made, {{"c", yes()}, {"x", scalar(1)}}).starts_with("limit/nesting"));
}

struct Paths : Observer {
  std::vector<std::string> all;
  void node(const NodeEvent& event) override { all.push_back(event.path); }
};

TEST_CASE("paths count the iterations of a subgraph") {
  const Graph body = loop_body("s", {node("Add", {"s", "s"}, {"next"}, "double")}, "next");
  const Model made = model(graph({info("n", DType::kInt64, {}), info("x", kF)},
                                 {loop("n", "x", "z", body)}, {info("z", kF)}),
                           19);
  Paths paths;
  evaluate(made, {{"n", int64s({}, {2})}, {"x", scalar(1)}}, {.observer = &paths});
  CHECK(paths.all == std::vector<std::string>{"loop/body/0/keep_on", "loop/body/0/double",
                                              "loop/body/1/keep_on", "loop/body/1/double", "loop"});
}

}  // namespace
}  // namespace onnxv::testing
