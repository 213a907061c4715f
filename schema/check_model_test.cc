#include <doctest/doctest.h>

#include "schema/check.h"

namespace onnxv {
namespace {

ValueInfo info(std::string name, std::string_view type = "tensor(float)") {
  ValueInfo made;
  made.name = std::move(name);
  made.type = parse_type(type);
  return made;
}

Node node(std::string op, std::vector<std::string> inputs, std::vector<std::string> outputs,
          std::string domain = "") {
  Node made;
  made.op = std::move(op);
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  made.domain = std::move(domain);
  return made;
}

Attribute graph_attribute(std::string name, Graph graph) {
  Attribute made;
  made.name = std::move(name);
  made.kind = Attribute::Kind::kGraph;
  made.value = std::make_shared<const Graph>(std::move(graph));
  return made;
}

// x -> y by the nodes given, opset 13.
Model model(std::vector<Node> nodes) {
  Graph graph;
  graph.name = "g";
  graph.inputs = {info("x")};
  graph.outputs = {info("y")};
  graph.nodes = std::move(nodes);
  Model made;
  made.ir_version = 8;
  made.opset_imports = {{"", 13}};
  made.graph = std::make_shared<const Graph>(std::move(graph));
  return made;
}

Model with_graph(Model made, void (*change)(Graph&)) {
  Graph graph = *made.graph;
  change(graph);
  made.graph = std::make_shared<const Graph>(std::move(graph));
  return made;
}

Function function(std::string name, std::vector<Node> nodes) {
  Function made;
  made.domain = "local";
  made.name = std::move(name);
  made.inputs = {"a"};
  made.outputs = {"b"};
  made.nodes = std::move(nodes);
  made.opset_imports = {{"", 13}};
  return made;
}

std::string slugs(const Model& checked) {
  std::string all;
  for (const Finding& finding : check_model(checked)) {
    all += (all.empty() ? "" : " ") + finding.slug + (finding.warning ? " (warning)" : "");
  }
  return all;
}

// An If whose branches are both `branch`.
Node if_node(const Graph& branch) {
  Node made = node("If", {"c"}, {"y"});
  made.attributes = {graph_attribute("then_branch", branch),
                     graph_attribute("else_branch", branch)};
  return made;
}

Model if_model(const Graph& branch) {
  return with_graph(model({node("Relu", {"x"}, {"r"}), if_node(branch)}),
                    [](Graph& graph) { graph.inputs.push_back(info("c", "tensor(bool)")); });
}

Graph branch(std::vector<Node> nodes, std::string output) {
  Graph made;
  made.name = "branch";
  made.nodes = std::move(nodes);
  made.outputs = {info(std::move(output))};
  return made;
}

}  // namespace

TEST_CASE("a right model has no findings") {
  CHECK(slugs(model({node("Relu", {"x"}, {"r"}), node("Neg", {"r"}, {"y"})})) == "");
}

TEST_CASE("versions and imports") {
  Model relu = model({node("Relu", {"x"}, {"y"})});
  relu.ir_version = 0;
  CHECK(slugs(relu) == "model/ir-version");
  relu.ir_version = 99;
  CHECK(slugs(relu) == "model/ir-version");
  relu.ir_version = 8;
  relu.opset_imports = {};
  CHECK(slugs(relu) == "model/opset-import schema/domain-not-imported");
  relu.ir_version = 2;  // then it is opset 1
  CHECK(slugs(relu) == "");
  CHECK(imported_opset(relu, "") == 1);
  relu.ir_version = 8;
  relu.opset_imports = {{"", 99}};
  CHECK(slugs(relu) == "model/opset-unknown");
  relu.opset_imports = {{"", 0}};
  CHECK(slugs(relu) == "model/opset-version schema/operator-not-in-opset");
  relu.opset_imports = {{"", 13}, {"ai.onnx", 13}};
  CHECK(slugs(relu) == "");
  relu.opset_imports = {{"", 13}, {"ai.onnx", 14}};
  CHECK(slugs(relu) == "model/opset-twice");
  relu.opset_imports = {{"com.example", 3}, {"ai.onnx", 13}};
  CHECK(slugs(relu) == "");
}

TEST_CASE("operators that nobody knows") {
  CHECK(slugs(model({node("Rleu", {"x"}, {"y"})})) == "schema/unknown-operator");
  CHECK(slugs(model({node("Gelu", {"x"}, {"y"})})) == "schema/operator-not-in-opset");
  CHECK(slugs(model({node("Binarizer", {"x"}, {"y"}, "ai.onnx.ml")})) ==
        "schema/domain-not-imported");
  Model other = model({node("Thing", {"x"}, {"y"}, "com.example")});
  other.opset_imports.push_back({"com.example", 1});
  CHECK(slugs(other) == "schema/unknown-operator");
}

TEST_CASE("names are given once, and before they are used") {
  CHECK(slugs(model({node("Relu", {"z"}, {"y"})})) == "schema/name-undefined");
  CHECK(slugs(model({node("Relu", {"x"}, {"y"}), node("Neg", {"x"}, {"y"})})) ==
        "schema/name-twice");
  CHECK(slugs(model({node("Relu", {"x"}, {"x"})})) == "schema/name-twice schema/output-undefined");
  CHECK(slugs(model({node("Relu", {"r"}, {"y"}), node("Neg", {"x"}, {"r"})})) ==
        "schema/use-before-definition");
  CHECK(slugs(model({node("Add", {"x", "s"}, {"r"}), node("Relu", {"r"}, {"s"}),
                     node("Neg", {"s"}, {"y"})})) == "schema/use-before-definition schema/cycle");
  CHECK(slugs(model({node("Relu", {"y"}, {"y"})})) == "schema/use-before-definition schema/cycle");
  CHECK(slugs(model({node("Relu", {"x"}, {"z"})})) == "schema/output-undefined");
}

TEST_CASE("a cycle names its nodes") {
  const auto findings = check_model(model(
      {node("Add", {"x", "s"}, {"r"}), node("Relu", {"r"}, {"s"}), node("Neg", {"s"}, {"y"})}));
  CHECK(findings.at(1).line ==
        "schema/cycle: graph: these nodes need one another: node -> \"s\" (Relu) -> node -> \"r\" "
        "(Add)");
}

TEST_CASE("initializers") {
  Model add = with_graph(model({node("Add", {"x", "w"}, {"y"})}), [](Graph& graph) {
    graph.initializers.push_back({"w", Value(Tensor::float_scalar(1))});
  });
  CHECK(slugs(add) == "");
  CHECK(slugs(with_graph(add, [](Graph& graph) {
          graph.initializers.push_back(graph.initializers[0]);
        })) == "schema/name-twice");
  add.ir_version = 3;
  CHECK(slugs(add) == "schema/initializer-not-input (warning)");
  CHECK(slugs(with_graph(add, [](Graph& graph) { graph.inputs.push_back(info("w")); })) == "");
  CHECK(slugs(with_graph(add, [](Graph& graph) {
          graph.inputs.push_back(info("w", "tensor(double)"));
        })) == "schema/type-mismatch schema/type-mismatch");
  CHECK(slugs(with_graph(add, [](Graph& graph) {
          graph.inputs.push_back(info("w"));
          graph.inputs.back().type.shape = std::vector<Type::Dim>{{3, ""}};
        })) == "schema/shape-mismatch");
}

TEST_CASE("types travel along the edges") {
  const Model compare = model(
      {node("Relu", {"x"}, {"r"}), node("Less", {"r", "x"}, {"l"}), node("Neg", {"l"}, {"y"})});
  CHECK(slugs(compare) == "schema/type-mismatch");
  CHECK(check_model(compare).at(0).line ==
        "schema/type-mismatch: node -> \"y\" (Neg-13): input \"X\" is tensor(bool), which is not "
        "among the types of T");
  CHECK(slugs(model({node("Less", {"x", "x"}, {"y"})})) ==
        "schema/type-mismatch");  // y is declared as float
  CHECK(slugs(with_graph(model({node("Relu", {"x"}, {"r"}), node("Neg", {"r"}, {"y"})}),
                         [](Graph& graph) { graph.value_infos = {info("r", "tensor(int64)")}; })) ==
        "schema/type-mismatch");
}

TEST_CASE("subgraphs see the graphs around them") {
  CHECK(slugs(if_model(branch({node("Neg", {"r"}, {"n"})}, "n"))) == "");
  CHECK(slugs(if_model(branch({}, "r"))) == "");
  CHECK(slugs(if_model(branch({node("Neg", {"q"}, {"n"})}, "n"))) ==
        "schema/name-undefined schema/name-undefined");
  CHECK(slugs(if_model(branch({node("Neg", {"y"}, {"n"})}, "n")))
            .starts_with("schema/use-before-definition"));
  CHECK(slugs(if_model(branch({node("Neg", {"x"}, {"r"})}, "r"))) ==
        "schema/name-twice schema/name-twice");
  const auto findings = check_model(if_model(branch({node("Neg", {"q"}, {"n"})}, "n")));
  CHECK(findings.at(0).line ==
        "schema/name-undefined: node -> \"y\" (If-13): graph \"then_branch\": node -> \"n\" "
        "(Neg-13): "
        "nothing makes its input \"q\"");
}

TEST_CASE("nesting is bounded") {
  const auto nested = [](int depth) {
    Graph inner = branch({node("Neg", {"x"}, {"n0"})}, "n0");
    for (int i = 1; i < depth; ++i) {
      const std::string name = "n" + std::to_string(i);
      Node outer = node("If", {"c"}, {name});
      outer.attributes = {graph_attribute("then_branch", inner),
                          graph_attribute("else_branch", branch({}, "x"))};
      inner = branch({outer}, name);
    }
    return if_model(inner);
  };
  CHECK(slugs(nested(20)) == "");
  CHECK(slugs(nested(kMaxNesting)) == "");
  CHECK(slugs(nested(kMaxNesting + 1)) != "");
  CHECK(check_model(nested(kMaxNesting + 1)).at(0).slug == "limit/nesting");
}

TEST_CASE("functions") {
  Model call = model({node("F", {"x"}, {"y"}, "local")});
  call.functions = {function("F", {node("Neg", {"a"}, {"b"})})};
  CHECK(slugs(call) == "");  // a function's domain need not be imported
  call.functions[0].opset_imports = {};
  CHECK(slugs(call) == "schema/domain-not-imported");
  call.functions = {function("F", {node("F", {"a"}, {"b"}, "local")})};
  CHECK(slugs(call) == "schema/function-recursion");
  call.functions = {function("F", {node("G", {"a"}, {"b"}, "local")}),
                    function("G", {node("F", {"a"}, {"b"}, "local")})};
  CHECK(slugs(call) == "schema/function-recursion");
  call.functions = {function("F", {node("Neg", {"a"}, {"b"})}),
                    function("F", {node("Neg", {"a"}, {"b"})})};
  CHECK(slugs(call) == "schema/function-twice");
  call.functions[1].overload = "second";
  CHECK(slugs(call) == "");
  call.functions.erase(call.functions.begin());
  CHECK(slugs(call) == "schema/domain-not-imported");
  call.functions = {function("F", {node("Neg", {"q"}, {"b"})})};
  CHECK(slugs(call) == "schema/name-undefined");
  call.functions = {function("F", {node("Neg", {"a"}, {"c"})})};
  CHECK(slugs(call) == "schema/output-undefined");
}

TEST_CASE("a call of a function is checked against its declaration") {
  Model call = model({node("F", {"x", "x"}, {"y"}, "local")});
  call.functions = {function("F", {node("Neg", {"a"}, {"b"})})};
  CHECK(slugs(call) == "schema/arity");
  Node with_attribute = node("F", {"x"}, {"y"}, "local");
  Attribute axis;
  axis.name = "axis";
  axis.kind = Attribute::Kind::kInt;
  axis.value = int64_t{0};
  with_attribute.attributes = {axis};
  call = model({with_attribute});
  call.functions = {function("F", {node("Neg", {"a"}, {"b"})})};
  CHECK(slugs(call) == "schema/attribute-unknown");
  call.functions[0].attributes = {"axis"};
  CHECK(slugs(call) == "");
}

TEST_CASE("references to attributes") {
  Attribute reference;
  reference.name = "axis";
  reference.reference = "along";
  reference.kind = Attribute::Kind::kInt;
  Node softmax = node("Softmax", {"a"}, {"b"});
  softmax.attributes = {reference};
  Model call = model({node("F", {"x"}, {"y"}, "local")});
  call.functions = {function("F", {softmax})};
  CHECK(slugs(call) == "schema/attribute-reference");
  call.functions[0].attributes = {"along"};
  CHECK(slugs(call) == "");
  Node outside = node("Softmax", {"x"}, {"y"});
  outside.attributes = {reference};
  CHECK(slugs(model({outside})) == "schema/attribute-reference");
}

TEST_CASE("deprecated operators are allowed, with a warning") {
  Node scatter = node("Scatter", {"x", "i", "x"}, {"y"});
  Model old = with_graph(model({scatter}),
                         [](Graph& graph) { graph.inputs.push_back(info("i", "tensor(int64)")); });
  CHECK(slugs(old) == "schema/deprecated (warning)");
  old.opset_imports = {{"", 10}};
  CHECK(slugs(old) == "");
}

}  // namespace onnxv
