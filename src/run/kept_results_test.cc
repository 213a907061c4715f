#include "src/run/kept_results.h"

#include "src/number/ladder.h"
#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

constexpr DType kF = DType::kFloat;

// What the formulas of two evaluations computed.
struct Twice {
  Evaluation first, second;
  uint64_t elements_of_first, elements_of_second;
};
Twice evaluated_twice(const Model& made, const std::map<std::string, Value>& inputs, const EvaluateOptions& options = {}) {
  const PreparedModel prepared(std::make_shared<const Model>(made));
  reset_ladder_counts();
  Evaluation first = prepared.evaluate(inputs, options);
  const uint64_t of_first = ladder_counts().elements;
  reset_ladder_counts();
  Evaluation second = prepared.evaluate(inputs, options);
  return {std::move(first), std::move(second), of_first, ladder_counts().elements};
}

Graph with_weight(Graph graph, Tensor weight) {
  graph.initializers.push_back({"w", std::move(weight)});
  return graph;
}

TEST_CASE("what follows from constants alone is computed once, node after node, bodies included") {
  const Graph branch = graph({}, {node("Exp", {"w"}, {"e"}), node("Add", {"e", "x"}, {"sum"})}, {info("sum", kF)});
  Node choice = with_graph(with_graph(node("If", {"c"}, {"z"}), "then_branch", branch), "else_branch", graph({}, {}, {info("x", kF)}));
  const Model made = model(with_weight(graph({info("c", DType::kBool), info("x", kF)},
                                             {node("Exp", {"w"}, {"a"}), node("Exp", {"a"}, {"b"}), node("Identity", {"b"}, {"y"}), choice},
                                             {info("y", kF), info("z", kF)}),
                                       floats({2}, {0, 1})),
                           16);
  const Twice twice = evaluated_twice(made, {{"c", Tensor::bool_scalar(true)}, {"x", floats({}, {2})}});
  CHECK(twice.elements_of_first == 8);  // three Exp and an Add of two elements
  CHECK(twice.elements_of_second == 2);  // the Add: x is no constant
  CHECK(same(twice.first.outputs[0], twice.second.outputs[0]));
  CHECK(same(twice.first.outputs[1], twice.second.outputs[1]));
  CHECK(twice.second.outputs[0].tensor().as<float>()[0] == 2.71828182845904523536F);
}

TEST_CASE("an initializer that is an input is no constant") {
  const Model made = model(with_weight(graph({info("w", kF)}, {node("Neg", {"w"}, {"y"})}, {info("y", kF)}), floats({}, {1})), 14);
  const PreparedModel prepared(std::make_shared<const Model>(made));
  CHECK(same(prepared.evaluate({}).outputs[0], floats({}, {-1})));
  CHECK(same(prepared.evaluate({{"w", floats({}, {5})}}).outputs[0], floats({}, {-5})));
  CHECK(same(prepared.evaluate({}).outputs[0], floats({}, {-1})));
}

TEST_CASE("random numbers follow the seed and the path of each evaluation") {
  const Model made = model(with_weight(graph({}, {node("RandomUniformLike", {"w"}, {"y"})}, {info("y", kF)}), floats({4}, {0, 0, 0, 0})), 14);
  const PreparedModel prepared(std::make_shared<const Model>(made));
  const Value one = prepared.evaluate({}, {.seed = 1}).outputs[0], two = prepared.evaluate({}, {.seed = 2}).outputs[0];
  CHECK_FALSE(same_bits(one, two));
  CHECK(same_bits(one, prepared.evaluate({}, {.seed = 1}).outputs[0]));
}

TEST_CASE("warnings and marks are told with every evaluation") {
  const Twice warned = evaluated_twice(
      model(with_weight(graph({}, {node("Neg", {"w"}, {"y"})}, {info("y", kF, {3})}), floats({2}, {1, 2})), 14), {});
  REQUIRE(warned.first.warnings.size() == 1);
  CHECK(warned.second.warnings == warned.first.warnings);
  // The least of no integers is not defined by the text.
  Graph minimum = graph({}, {with_int(node("ReduceMin", {"w"}, {"y"}), "keepdims", 0)}, {info("y", DType::kInt32)});
  const Twice marked = evaluated_twice(model(with_weight(minimum, Tensor(DType::kInt32, {0})), 13), {});
  CHECK(marked.second.unspecified[0].size() == marked.first.unspecified[0].size());
}

TEST_CASE("who watches the nodes sees all of them") {
  struct Count : Observer {
    void node(const NodeEvent&) override { ++nodes; }
    int nodes = 0;
  };
  const Model made = model(with_weight(graph({}, {node("Neg", {"w"}, {"a"}), node("Neg", {"a"}, {"y"})}, {info("y", kF)}), floats({}, {1})), 14);
  const PreparedModel prepared(std::make_shared<const Model>(made));
  prepared.evaluate({});
  Count count;
  CHECK(same(prepared.evaluate({}, {.observer = &count}).outputs[0], floats({}, {1})));
  CHECK(count.nodes == 2);
}

TEST_CASE("what takes much memory is computed anew") {
  const Tensor four_mib(kF, {1 << 20});
  KeptResults kept(20);
  for (int k = 0; k < 20; ++k) kept.keep(k, {Value(four_mib)});
  CHECK(kept.find(0) != nullptr);
  CHECK(kept.find(7) != nullptr);
  CHECK(kept.find(8) == nullptr);  // 32 MiB are taken
}

}  // namespace
}  // namespace onnxv::testing
