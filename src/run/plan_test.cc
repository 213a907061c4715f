#include "src/run/plan.h"

#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

constexpr DType kF = DType::kFloat;

TEST_CASE("a value is moved into its last reader, at its last place there") {
  const Model made = model(graph({info("x", kF)},
                                 {node("Add", {"x", "x"}, {"a"}), node("Identity", {"a"}, {"b"}),
                                  node("Add", {"a", "b"}, {"c"})},
                                 {info("c", kF)}),
                           14);
  Planner planner(made);
  const auto plan = planner.main_graph();
  CHECK(plan->nodes[0].takes == std::vector<bool>{false, true});
  CHECK(plan->nodes[1].takes == std::vector<bool>{false});
  CHECK(plan->nodes[2].takes == std::vector<bool>{true, true});
}

TEST_CASE("outputs of the graph stay, unread outputs of nodes go at once") {
  const Model made =
      model(graph({info("x", kF)},
                  {node("Identity", {"x"}, {"a"}), node("Identity", {"a"}, {"unread"}),
                   node("Identity", {"a"}, {"b"})},
                  {info("a", kF), info("b", kF)}),
            14);
  Planner planner(made);
  const auto plan = planner.main_graph();
  CHECK(plan->nodes[0].takes == std::vector<bool>{true});
  CHECK(plan->nodes[1].frees == std::vector<int>{plan->nodes[1].outputs[0]});
  CHECK(plan->nodes[2].takes == std::vector<bool>{false});
  CHECK(plan->nodes[2].frees.empty());
}

TEST_CASE("a value that a subgraph reads is freed behind the node, not moved into it") {
  const Graph branch = graph({}, {node("Add", {"x", "x"}, {"sum"})}, {info("sum", kF)});
  Node choice = with_graph(with_graph(node("If", {"c"}, {"z"}), "then_branch", branch),
                           "else_branch", graph({}, {}, {info("x", kF)}));
  const Model made =
      model(graph({info("c", DType::kBool), info("x", kF)}, {choice}, {info("z", kF)}), 16);
  Planner planner(made);
  const auto plan = planner.main_graph();
  const NodePlan& node_plan = plan->nodes[0];
  CHECK(node_plan.takes == std::vector<bool>{true});
  CHECK(node_plan.frees == std::vector<int>{plan->input_slots[1]});
}

TEST_CASE("a sparse initializer beyond any memory is a limit that names it") {
  SparseTensor sparse;
  sparse.shape = {int64_t{1} << 60, 4};
  sparse.values = floats({0}, {});
  sparse.indices = int64s({0}, {});
  Graph g = graph({}, {node("Identity", {"w"}, {"y"})}, {info("y", kF)});
  g.initializers.push_back({"w", Value(sparse)});
  const Model made = model(std::move(g), 16);
  Planner planner(made);
  try {
    planner.main_graph();
    FAIL("it was planned");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("limit/size-overflow: initializer \"w\": ") == 0);
  }
}

}  // namespace
}  // namespace onnxv::testing
