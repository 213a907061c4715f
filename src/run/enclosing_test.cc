#include "src/run/enclosing.h"

#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

constexpr DType kF = DType::kFloat;

// a = x + w, b = a + a, and a node behind them that looks back. w = 10 is an initializer.
struct Fixture {
  Fixture()
      : made(model(graph_of(), 14)),
        plan(Planner(made).main_graph()),
        run(options),
        frame(*plan, run, "", 0, nullptr) {}

  static Graph graph_of() {
    Graph all = graph({info("x", kF), info("free", kF)},
                      {node("Add", {"x", "w"}, {"a"}), node("Add", {"a", "a"}, {"b"}),
                       node("Identity", {"b"}, {"c"}, "looks_back")},
                      {info("c", kF)});
    all.initializers.push_back({"w", floats({}, {10})});
    return all;
  }
  std::string cut_error(const std::vector<std::string>& names, const std::string& target) {
    try {
      enclosing.cut(names, target);
      return "";
    } catch (const Error& error) {
      return error.slug();
    }
  }

  Model made;
  std::shared_ptr<const GraphPlan> plan;
  EvaluateOptions options;
  Run run;
  Frame frame;
  GraphEnclosing enclosing{frame, plan->nodes.back()};
};

TEST_CASE_FIXTURE(Fixture, "a cut holds what leads from the names to the target, and evaluates") {
  const auto cut = enclosing.cut(std::vector<std::string>{"x"}, "b");
  REQUIRE(cut.nodes.size() == 2);
  CHECK(cut.nodes[0].op == "Add");
  CHECK(cut.nodes[0].domain == "ai.onnx");
  CHECK(cut.nodes[0].since_version == 14);
  REQUIRE(cut.constants.size() == 1);
  std::vector<Value> values(cut.value_count);
  values.at(static_cast<size_t>(cut.given.at(0))) = floats({}, {3});
  for (const auto& [number, value] : cut.constants) values.at(static_cast<size_t>(number)) = value;
  for (const auto& step : cut.nodes) {
    std::vector<Value> inputs;
    for (const int number : step.inputs) inputs.push_back(values.at(static_cast<size_t>(number)));
    const OpCall& call = enclosing.call(step, inputs);
    CHECK(call.op() == "Add");
    values.at(static_cast<size_t>(step.outputs.at(0))) = enclosing.run(step, call).at(0);
  }
  CHECK(same(values.at(static_cast<size_t>(cut.target)), floats({}, {26})));
}

TEST_CASE_FIXTURE(Fixture, "a name in the middle ends the cut there; others play no part") {
  const auto cut = enclosing.cut(std::vector<std::string>{"a", "x"}, "b");
  CHECK(cut.nodes.size() == 1);
  CHECK(cut.constants.empty());
  CHECK(cut.given.at(0) == cut.nodes[0].inputs.at(0));
  CHECK(cut.given.at(1) == Enclosing::kAbsent);
}

TEST_CASE_FIXTURE(Fixture, "a cut that is open or names nothing is an error") {
  CHECK(cut_error({}, "b") == "schema/cut-open");
  CHECK(cut_error({"free"}, "b") == "schema/cut-open");
  CHECK(cut_error({"x"}, "nothing") == "schema/name-undefined");
  CHECK(cut_error({"nothing"}, "b") == "schema/name-undefined");
  CHECK(cut_error({"x"}, "c") ==
        "schema/name-undefined");  // what the node itself makes is not before it
}

}  // namespace
}  // namespace onnxv::testing
