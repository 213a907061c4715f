#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

constexpr DType kF = DType::kFloat;

Tensor scalar(float value) { return floats({}, {value}); }

Model sum_model() {
  return model(graph({info("x", kF), info("y", kF)}, {node("Add", {"x", "y"}, {"z"}, "sum")},
                     {info("z", kF)}),
               14);
}

bool begins(const std::string& text, const std::string& with) { return text.starts_with(with); }

TEST_CASE("a graph's inputs flow to its outputs") {
  CHECK(same(evaluate(sum_model(), {{"x", scalar(1)}, {"y", scalar(2)}}).outputs.at(0), scalar(3)));
}

TEST_CASE("a missing, an unknown and a mistyped input are errors that name it") {
  CHECK(
      begins(error_of(sum_model(), {{"x", scalar(1)}}), "schema/input-missing: graph input \"y\""));
  CHECK(begins(error_of(sum_model(), {{"x", scalar(1)}, {"y", scalar(1)}, {"q", scalar(1)}}),
               "schema/input-unknown: the graph has no input \"q\""));
  CHECK(begins(error_of(sum_model(), {{"x", scalar(1)}, {"y", int64s({}, {1})}}),
               "schema/type-mismatch: graph input \"y\""));
}

TEST_CASE("a fixed dimension of an input must hold") {
  const Model fixed =
      model(graph({info("x", kF, {2})}, {node("Identity", {"x"}, {"y"})}, {info("y", kF)}), 14);
  CHECK(begins(error_of(fixed, {{"x", floats({3}, {1, 2, 3})}}), "schema/input-shape"));
  CHECK(error_of(fixed, {{"x", floats({2}, {1, 2})}}) == "");
}

TEST_CASE("an initializer is the default of an input and may be overridden") {
  Graph with_default =
      graph({info("x", kF), info("w", kF)}, {node("Add", {"x", "w"}, {"z"})}, {info("z", kF)});
  with_default.initializers.push_back({"w", scalar(10)});
  const Model made = model(with_default, 14);
  CHECK(same(evaluate(made, {{"x", scalar(1)}}).outputs.at(0), scalar(11)));
  CHECK(same(evaluate(made, {{"x", scalar(1)}, {"w", scalar(5)}}).outputs.at(0), scalar(6)));
  const PreparedModel prepared(std::make_shared<const Model>(made));
  REQUIRE(prepared.required_inputs().size() == 1);
  CHECK(prepared.required_inputs()[0]->name == "x");
}

TEST_CASE("a sparse initializer is the dense tensor that it means") {
  Graph sparse = graph({}, {node("Identity", {"w"}, {"z"})}, {info("z", kF)});
  sparse.initializers.push_back(
      {"w", SparseTensor{floats({2}, {5, 7}), int64s({2}, {1, 3}), {2, 2}}});
  CHECK(same(evaluate(model(sparse, 14), {}).outputs.at(0), floats({2, 2}, {0, 5, 0, 7})));
}

TEST_CASE("inputs and initializers may be outputs") {
  Graph direct = graph({info("x", kF)}, {}, {info("w", kF), info("x", kF)});
  direct.initializers.push_back({"w", scalar(4)});
  const Evaluation result = evaluate(model(direct, 14), {{"x", scalar(1)}});
  CHECK(same(result.outputs.at(0), scalar(4)));
  CHECK(same(result.outputs.at(1), scalar(1)));
}

TEST_CASE("nodes that need one another are an error, never a loop") {
  const Model cyclic =
      model(graph({info("x", kF)}, {node("Add", {"x", "b"}, {"a"}), node("Identity", {"a"}, {"b"})},
                  {info("b", kF)}),
            14);
  CHECK(begins(error_of(cyclic, {{"x", scalar(1)}}),
               "schema/use-before-definition: node -> \"a\" (Add-14)"));
}

TEST_CASE("a name is defined once") {
  const Model twice =
      model(graph({info("x", kF)}, {node("Identity", {"x"}, {"y"}), node("Identity", {"x"}, {"y"})},
                  {info("y", kF)}),
            14);
  CHECK(begins(error_of(twice, {{"x", scalar(1)}}), "schema/name-twice"));
}

TEST_CASE("an operator that has no behaviour is undefined, one that nobody knows invalid") {
  const auto with_op = [](Node made) {
    return model(graph({info("x", kF)}, {std::move(made)}, {info("y", kF)}), 14);
  };
  CHECK(begins(error_of(with_op(node("NoSuchOperator", {"x"}, {"y"})), {{"x", scalar(1)}}),
               "schema/unknown-operator: node -> \"y\" (NoSuchOperator)"));
  CHECK(begins(
      error_of(with_op(in_domain(node("Identity", {"x"}, {"y"}), "elsewhere")), {{"x", scalar(1)}}),
      "schema/domain-not-imported"));
}

TEST_CASE("\"ai.onnx\" and \"\" are one domain") {
  Model named = model(graph({info("x", kF)}, {in_domain(node("Identity", {"x"}, {"y"}), "ai.onnx")},
                            {info("y", kF)}),
                      14);
  CHECK(error_of(named, {{"x", scalar(1)}}) == "");
  named.opset_imports = {{"ai.onnx", 14}};
  CHECK(error_of(named, {{"x", scalar(1)}}) == "");
}

TEST_CASE("a model without opset import is opset 1 before IR version 3, else invalid") {
  Model old = model(graph({info("x", kF)}, {node("Identity", {"x"}, {"y"})}, {info("y", kF)}), 14);
  old.opset_imports.clear();
  CHECK(begins(error_of(old, {{"x", scalar(1)}}), "model/opset-import"));
  old.ir_version = 2;
  CHECK(error_of(old, {{"x", scalar(1)}}) == "");
}

TEST_CASE("a declared element type that does not hold is an error, a shape a warning") {
  const Model wrong_type = model(
      graph({info("x", kF)}, {node("Identity", {"x"}, {"y"}, "copy")}, {info("y", DType::kDouble)}),
      14);
  CHECK(begins(error_of(wrong_type, {{"x", scalar(1)}}),
               "schema/type-mismatch: node \"copy\" (Identity-14)"));
  const Model wrong_shape = model(
      graph({info("x", kF)}, {node("Identity", {"x"}, {"y"}, "copy")}, {info("y", kF, {2})}), 14);
  const Evaluation result = evaluate(wrong_shape, {{"x", floats({3}, {1, 2, 3})}});
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0] ==
        "node \"copy\" (Identity-14): output \"y\" has shape [3], declared [2]");
}

TEST_CASE("a value that an operator wrote in place is not the caller's") {
  const Tensor x = floats({2}, {1, 2});
  const Model chain =
      model(graph({info("x", kF)}, {node("Add", {"x", "x"}, {"a"}), node("Add", {"a", "a"}, {"b"})},
                  {info("b", kF)}),
            14);
  const PreparedModel prepared(std::make_shared<const Model>(chain));
  for (int i = 0; i < 2; ++i)
    CHECK(same(prepared.evaluate({{"x", x}}).outputs.at(0), floats({2}, {4, 8})));
  CHECK(same(x, floats({2}, {1, 2})));
}

struct Trace : Observer {
  std::vector<std::string> paths;
  std::vector<int> depths;
  void node(const NodeEvent& event) override {
    paths.push_back(event.path);
    depths.push_back(event.depth);
    CHECK(event.inputs->at(0).exists());
    CHECK(event.outputs->at(0).exists());
  }
};

TEST_CASE("an observer sees every node with its path and values") {
  Trace trace;
  const Model chain =
      model(graph({info("x", kF)},
                  {node("Identity", {"x"}, {"a"}, "first"), node("Identity", {"a"}, {"b"})},
                  {info("b", kF)}),
            14);
  evaluate(chain, {{"x", scalar(1)}}, {.observer = &trace});
  CHECK(trace.paths == std::vector<std::string>{"first", "b"});
  CHECK(trace.depths == std::vector<int>{0, 0});
}

TEST_CASE("unspecified elements are marked at their node and told further down") {
  // A float beyond the integers' range has no value by the text of Cast.
  const Model marked =
      model(graph({info("x", kF)},
                  {with_int(node("Cast", {"x"}, {"i"}), "to", 6),
                   node("Identity", {"i"}, {"below"}), node("Identity", {"x"}, {"beside"})},
                  {info("i", DType::kInt32), info("below", DType::kInt32), info("beside", kF)}),
            13);
  const Evaluation result = evaluate(marked, {{"x", floats({2}, {1, 1e30f})}});
  REQUIRE(result.unspecified.size() == 3);
  REQUIRE(result.unspecified[0].size() == 1);
  CHECK(result.unspecified[0][0].elements == std::vector<uint8_t>{0, 1});
  CHECK(result.unspecified[1].empty());
  CHECK(result.unspecified[2].empty());
  CHECK(result.downstream_of_unspecified == std::vector<bool>{false, true, false});
}

}  // namespace
}  // namespace onnxv::testing
