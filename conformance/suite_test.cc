// Whole runs on small models: a fake backend copies its first input to its output, so that it is
// right on Identity and wrong on everything else.
#include "conformance/suite.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "conformance/backend/scratch.h"
#include "conformance/node_directory.h"
#include "conformance/report/json.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

using Floats = std::vector<float>;

Tensor floats(const Floats& values) {
  return Tensor::of<float>(DType::kFloat, {static_cast<int64_t>(values.size())}, values);
}

ValueInfo info(const std::string& name, DType dtype = DType::kFloat, bool scalar = false) {
  Type type = Type::tensor(dtype);
  type.shape.emplace();
  if (!scalar) type.shape->push_back({2, ""});
  return {name, type, {}, {}};
}

Node node(const std::string& op, std::vector<std::string> inputs,
          std::vector<std::string> outputs) {
  Node result;
  result.name = "the_" + outputs[0];
  result.op = op;
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  return result;
}

Model model(std::vector<Node> nodes, std::vector<ValueInfo> inputs = {info("x")}) {
  Graph graph;
  graph.name = "g";
  graph.outputs = {info(nodes.back().outputs[0])};
  graph.nodes = std::move(nodes);
  graph.inputs = std::move(inputs);
  Model result;
  result.ir_version = 8;
  result.opset_imports = {{"", 17}};
  result.graph = std::make_shared<const Graph>(std::move(graph));
  return result;
}

struct Bench {
  void add(const std::string& name, const Model& of, std::vector<Value> inputs,
           const Floats& expected, const std::string& tolerance = "") {
    CaseContents contents;
    contents.model = &of;
    contents.data_sets.push_back({std::move(inputs), {Value(floats(expected))}});
    contents.tolerance_json = tolerance;
    std::filesystem::create_directories(
        std::filesystem::path(home.path() + "/tests/" + name).parent_path());
    write_case(contents, home.path() + "/tests/" + name);
  }
  void add_identities(int count) {
    for (int i = 0; i < count; ++i) {
      add("test_" + std::to_string(i), model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})},
          {1, 2});
    }
  }
  std::string fake(const std::string& mode, bool once = false) const {
    const std::string script = std::getenv("ONNXV_FAKE_BACKEND");
    return "command:python3 -B '" + script + "' " + mode +
           (once ? " '" + home.path() + "/once'" : "");
  }
  Results run(std::vector<std::string> backends, Results earlier = {}) {
    settings.backends = std::move(backends);
    settings.check.scratch = settings.backend.scratch = home.path();
    settings.check.timeout = 20;
    bool interrupted = false;
    Results results = run_suite(
        find_suite({home.path() + "/tests"}), settings, std::move(earlier),
        [&](const SuiteProgress&) { ++ran; }, interrupted);
    CHECK_FALSE(interrupted);
    return results;
  }

  ScratchDirectory home;
  SuiteSettings settings;
  int ran = 0;
};

TEST_CASE("the interpreter is compared with the files") {
  Bench bench;
  bench.add("test_right", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 2});
  bench.add("test_wrong", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 3});
  bench.add("test_loose", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 3},
            R"({"rtol": 0.5})");
  const Results results = bench.run({});
  REQUIRE(results.outcomes.size() == 3);
  CHECK(results.outcomes[0].test == "test_loose");
  CHECK(results.outcomes[0].status == Status::kPass);
  CHECK(results.outcomes[1].status == Status::kPass);
  CHECK(results.outcomes[2].status == Status::kFail);
  CHECK(results.outcomes[2].outputs[0].comparison.first_mismatch->expected == "3.0 (0x40400000)");
  CHECK(results.outcomes[2].ops == std::vector<std::string>{"Identity"});
  CHECK(exit_code(results, false) == 1);
}

TEST_CASE("a test that cannot be read costs itself") {
  Bench bench;
  bench.add_identities(2);
  std::ofstream(bench.home.path() + "/tests/test_0/model.onnx", std::ios::trunc) << "no model";
  const Results results = bench.run({});
  CHECK(results.outcomes[0].status == Status::kError);
  CHECK(results.outcomes[1].status == Status::kPass);
  CHECK(exit_code(results, false) == 3);
}

TEST_CASE("where every test is refused for what was given, that is a usage error") {
  Bench bench;
  bench.add("test_a", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 2}, R"({"rtoll": 0.5})");
  Results results = bench.run({});
  CHECK(results.outcomes[0].message.starts_with("usage/tolerance-file"));
  CHECK(exit_code(results, false) == 2);
  bench.add("test_b", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 2});
  CHECK(exit_code(bench.run({}), false) == 3);
}

TEST_CASE("a backend that crashes once costs one test") {
  Bench bench;
  bench.add_identities(5);
  const Results results = bench.run({bench.fake("crash", true), bench.fake("plain")});
  const auto summary = summarize(results);
  CHECK(summary[0].second.count(Status::kCrash) == 1);
  CHECK(summary[0].second.count(Status::kPass) == 4);
  CHECK(summary[1].second.count(Status::kPass) == 5);
  CHECK(results.backends[0].name == "fake");
  CHECK(results.backends[0].version == "7");
  CHECK(exit_code(results, false) == 3);
}

TEST_CASE("a backend that cannot be started is an error for each test") {
  Bench bench;
  bench.add_identities(3);
  const Results results = bench.run({bench.fake("dies")});
  CHECK(summarize(results)[0].second.count(Status::kError) == 3);
  CHECK(results.backends[0].failure.find("no such device") != std::string::npos);
  CHECK(exit_code(results, false) == 3);
}

TEST_CASE("expected: the files' outputs, or the exact ones with a word about the difference") {
  Bench bench;
  bench.add("test_x", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 3});
  Results results = bench.run({bench.fake("plain")});
  CHECK(results.outcomes[0].status == Status::kFail);
  CHECK(results.outcomes[0].warnings.size() == 1);
  bench.settings.check.expected_exact = true;
  results = bench.run({bench.fake("plain")});
  CHECK(results.outcomes[0].status == Status::kPass);
  CHECK(results.outcomes[0].warnings.size() == 1);
}

TEST_CASE("an interrupted run is continued from its file") {
  Bench bench;
  bench.add_identities(6);
  bench.settings.json = bench.home.path() + "/results.json";
  const Results all = bench.run({bench.fake("plain")});
  CHECK(bench.ran == 6);
  Results half = results_from_json(read_text_file(bench.settings.json), "results");
  CHECK(half.outcomes.size() == 6);
  half.outcomes.resize(2);
  bench.ran = 0;
  const Results continued = bench.run({bench.fake("plain")}, half);
  CHECK(bench.ran == 4);
  CHECK(continued.outcomes.size() == 6);
  CHECK(summarize(continued)[0].second.count(Status::kPass) == 6);
  CHECK(continued.backends[0].version == "7");
}

TEST_CASE("tests of one name are told apart by the folders above") {
  Bench bench;
  bench.add("a/test_x", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 2});
  bench.add("b/test_x", model({node("Identity", {"x"}, {"y"})}), {floats({1, 2})}, {1, 2});
  const std::vector<Case> tests = find_suite({bench.home.path() + "/tests"});
  REQUIRE(tests.size() == 2);
  CHECK(tests[0].name == "a/test_x");
  CHECK(tests[1].name == "b/test_x");
}

TEST_CASE("the first node that diverges is named, written down, and reproduced") {
  Bench bench;
  // Neg(-1) is 1, Abs of that 1: a copy is right on Identity, wrong on Neg (-1 for 1), right on Abs
  // of positive values.
  bench.add("test_chain",
            model({node("Identity", {"x"}, {"a"}), node("Neg", {"a"}, {"b"}),
                   node("Abs", {"b"}, {"c"}), node("Neg", {"c"}, {"y"})}),
            {floats({-1, -2})}, {-3, -3});
  bench.settings.check.extract = bench.home.path() + "/extracted";
  bench.settings.check.expected_exact = true;
  // By chance the whole model copies too: Neg(Abs(Neg(x))) of a negative x is x. So nodes are asked
  // for.
  bench.settings.check.nodes = true;
  const Results results = bench.run({bench.fake("plain")});
  const Outcome& outcome = results.outcomes[0];
  REQUIRE(outcome.first_divergence);
  CHECK(outcome.status == Status::kFail);
  CHECK(outcome.first_divergence->node == "the_b");
  CHECK(outcome.first_divergence->op == "Neg");
  CHECK(outcome.first_divergence->output == "b");
  CHECK(outcome.first_divergence->index == 1);
  REQUIRE(outcome.nodes.size() == 4);
  CHECK(outcome.nodes[0].status == Status::kPass);
  CHECK(outcome.nodes[2].status == Status::kPass);
  CHECK(outcome.nodes[3].status == Status::kFail);
  const std::vector<Case> extracted = find_suite({bench.settings.check.extract});
  CHECK(extracted.size() == 2);
  std::filesystem::remove_all(bench.home.path() + "/tests");
  std::filesystem::rename(bench.settings.check.extract, bench.home.path() + "/tests");
  bench.settings.check = {};
  const Results again = bench.run({bench.fake("plain")});
  CHECK(summarize(again)[0].second.count(Status::kFail) == 2);
  CHECK(summarize(bench.run({}))[0].second.count(Status::kPass) == 2);
}

TEST_CASE(
    "nodes of a subgraph are compared where they ran, the control node with what it captured") {
  Bench bench;
  Graph then_branch, else_branch;
  then_branch.name = "then";
  then_branch.nodes = {node("Neg", {"a"}, {"t"})};
  then_branch.outputs = {info("t")};
  else_branch.name = "else";
  else_branch.nodes = {node("Identity", {"a"}, {"e"})};
  else_branch.outputs = {info("e")};
  Node branch = node("If", {"c"}, {"y"});
  const auto graph = [](const char* name, Graph held) {
    Attribute attribute;
    attribute.name = name;
    attribute.kind = Attribute::Kind::kGraph;
    attribute.value = std::make_shared<const Graph>(std::move(held));
    return attribute;
  };
  branch.attributes = {graph("then_branch", then_branch), graph("else_branch", else_branch)};
  const Model of =
      model({node("Identity", {"x"}, {"a"}), branch}, {info("x"), info("c", DType::kBool, true)});
  bench.add("test_if", of, {floats({1, 2}), Tensor::bool_scalar(true)}, {-1, -2});
  const Results results = bench.run({bench.fake("plain")});
  const Outcome& outcome = results.outcomes[0];
  CHECK(outcome.status == Status::kFail);
  REQUIRE(outcome.nodes.size() == 3);
  CHECK(outcome.nodes[0].node == "the_a");
  CHECK(outcome.nodes[1].op == "Neg");
  CHECK(outcome.nodes[1].status == Status::kFail);
  CHECK(outcome.nodes[2].op == "If");
  // The If got its condition and the captured value; the copy of the condition is no float.
  CHECK(outcome.nodes[2].message.find("type is bool, expected float32") != std::string::npos);
  REQUIRE(outcome.first_divergence);
  CHECK(outcome.first_divergence->op == "Neg");
}

TEST_CASE("under derived a model passes when each of its nodes does; what the whole differs by is a warning") {
  Bench bench;
  // The file is off by more than any tolerance, as error that grew through nodes may be.
  bench.add("test_grown", model({node("Identity", {"x"}, {"a"}), node("Identity", {"a"}, {"y"})}), {floats({1, 2})}, {1, 3});
  bench.add("test_wrong", model({node("Identity", {"x"}, {"a"}), node("Neg", {"a"}, {"y"})}), {floats({1, 2})}, {-1, -2});
  bench.settings.check.tolerance = ToleranceChoice::parse("derived");
  const Results results = bench.run({bench.fake("plain")});
  REQUIRE(results.outcomes.size() == 2);
  const Outcome &grown = results.outcomes[0], &wrong = results.outcomes[1];
  CHECK(grown.status == Status::kPass);
  CHECK(grown.nodes.size() == 2);
  CHECK(std::any_of(grown.warnings.begin(), grown.warnings.end(),
                    [](const std::string& text) { return text.starts_with("every node alone is within its bound"); }));
  CHECK(wrong.status == Status::kFail);
  REQUIRE(wrong.first_divergence.has_value());
  CHECK(wrong.first_divergence->op == "Neg");
}

TEST_CASE("recorded outputs are a backend, too") {
  Bench bench;
  bench.add_identities(2);
  std::filesystem::copy(bench.home.path() + "/tests", bench.home.path() + "/recorded",
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(bench.home.path() + "/recorded/test_1");
  const Results results = bench.run({"recorded:" + bench.home.path() + "/recorded", "reference"});
  const auto summary = summarize(results);
  CHECK(summary[0].second.count(Status::kPass) == 1);
  CHECK(summary[0].second.count(Status::kUnsupported) == 1);
  CHECK(summary[1].second.count(Status::kPass) == 2);
}

TEST_CASE("spellings of backends") {
  for (const char* wrong : {"nothing", "recorded:/no/such/folder", "command:",
                            "onnxruntime,provider", "reference,a=b", "onnxruntime,=x", ""}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(check_backend_spelling(wrong), Error);
  }
  CHECK_NOTHROW(
      check_backend_spelling("onnxruntime,provider=CPUExecutionProvider,optimization=off"));
  CHECK_NOTHROW(check_backend_spelling("command:a, b=c"));
}

}  // namespace
}  // namespace onnxv
