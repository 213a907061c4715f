#include "ops/control/small_graphs.h"
#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

constexpr DType kInt = DType::kInt64;
constexpr DType kFlag = DType::kBool;

Graph same_value(const std::string& name, DType dtype) {
  return graph({}, {node("Identity", {name}, {"y"})}, {port("y", dtype)});
}

NodeUnderTest choice(int64_t opset, Graph then_branch, Graph else_branch, Tensor condition) {
  return NodeUnderTest("If", opset)
      .attribute("then_branch", std::move(then_branch))
      .attribute("else_branch", std::move(else_branch))
      .outer("a", int64s({}, {1}))
      .outer("b", floats({}, {1}))
      .input(std::move(condition));
}

// s' = s, and y = s as a scan output.
Graph counting() {
  return graph({port("i", kInt, kScalar), port("c", kFlag, kScalar), port("s", kInt)},
               {node("Identity", {"c"}, {"go"}), node("Identity", {"s"}, {"s2"}), node("Identity", {"s"}, {"y"})},
               {port("go", kFlag), port("s2", kInt), port("y", kInt)});
}

NodeUnderTest loop(int64_t opset, Graph body) { return NodeUnderTest("Loop", opset).attribute("body", std::move(body)); }

// s' = s; y = x.
Graph passing(std::vector<DeclaredDim> element = {}) {
  return graph({port("s", kInt), port("x", kInt, element)}, {node("Identity", {"s"}, {"s2"}), node("Identity", {"x"}, {"y"})},
               {port("s2", kInt), port("y", kInt, element)});
}

NodeUnderTest scan(int64_t opset, int64_t scan_inputs) {
  return NodeUnderTest("Scan", opset).attribute("body", passing()).attribute("num_scan_inputs", scan_inputs);
}

const Tensor kYes = bools({}, {true}), kThree = int64s({}, {3}), kStart = int64s({}, {7});
const Tensor kLine = int64s({3}, {1, 2, 3});

TEST_CASE("control: branches that do not fit") {
  const Graph integer = same_value("a", kInt), real = same_value("b", DType::kFloat);
  check_wrong_calls({
      {choice(11, integer, integer, bools({2}, {true, true})), "schema/not-one-element", "If-11", "cond is bool[2]", "must have one element"},
      {choice(11, integer, integer, bools({0}, {})), "schema/not-one-element", "If-11", "cond is bool[0]", "must have one element"},
      {choice(1, integer, real, kYes), "schema/type-mismatch", "If-1", "output 0 is tensor(int64) in then_branch, tensor(float) in else_branch", "must be one type"},
      {choice(16, integer, graph({}, {}, {}), kYes), "schema/branch-outputs", "If-16", "then_branch has 1 outputs, else_branch 0", "must be as many"},
      {choice(16, integer, integer, kYes).outputs(2), "schema/output-count", "If-16", "output 1 has a name", "there are 1 outputs"},
      {choice(16, integer, integer, floats({}, {1})), "schema/type-mismatch", "If-16", "input \"cond\" is tensor(float)", "which is not among the types of B"},
  });
}

TEST_CASE("control: loops that do not fit") {
  check_wrong_calls({
      {loop(11, counting()).no_input().no_input().input(kStart), "undefined/endless-loop", "Loop-11", "neither M nor cond is given", "so the loop never ends"},
      {loop(1, counting()).input(int64s({2}, {3, 3})).no_input().input(kStart), "schema/not-one-element", "Loop-1", "M is int64[2]", "must have one element"},
      {loop(13, counting()).input(kThree).input(bools({0}, {})).input(kStart), "schema/not-one-element", "Loop-13", "cond is bool[0]", "must have one element"},
      {loop(13, counting()).input(kThree).no_input().input(kStart).input(kStart), "schema/body-arity", "Loop-13", "body has 3 inputs", "must have 4: iteration, condition and carried values"},
      {loop(13, counting()).input(kThree).no_input(), "schema/subgraph-inputs", "Loop-13", "subgraph input \"s\" is not given", "the subgraph must have 2 inputs"},
      {loop(13, counting()).input(kThree).no_input().input(floats({}, {1})), "schema/type-mismatch", "Loop-13", "subgraph input \"s\" is tensor(float)", "is declared as tensor(int64)"},
      {loop(16, counting()).input(kThree).no_input().input(kStart).outputs(3), "schema/output-count", "Loop-16", "output 2 has a name", "there are 2 outputs"},
  });
}

TEST_CASE("control: scans that do not fit") {
  check_wrong_calls({
      {scan(9, 0).input(kStart).input(kLine), "schema/attribute-range", "Scan-9", "num_scan_inputs is 0", "must be in [1, 2]"},
      {scan(9, INT64_MAX).input(kStart).input(kLine), "schema/attribute-range", "Scan-9", "num_scan_inputs is 9223372036854775807", "must be in [1, 2]"},
      {scan(11, 2).input(kLine).input(int64s({2}, {1, 2})), "schema/shape-mismatch", "Scan-11", "a scan input is 2 long", "must be 3 as the first"},
      {scan(11, 1).input(kStart).input(kStart), "schema/attribute-range", "Scan-11", "scan_input_axes is 0", "but the tensor has no axes"},
      {scan(11, 1).integers("scan_input_axes", {INT64_MIN}).input(kStart).input(kLine), "schema/attribute-range", "Scan-11", "scan_input_axes is -9223372036854775808", "must be in [-1, 0]"},
      {scan(11, 1).integers("scan_input_directions", {-1}).input(kStart).input(kLine), "schema/attribute-range", "Scan-11", "scan_input_directions holds -1", "must be 0 or 1"},
      {scan(11, 1).integers("scan_output_axes", {0, 0}).input(kStart).input(kLine), "schema/list-length", "Scan-11", "scan_output_axes has 2 entries", "must have 1"},
      {scan(16, 1).input(kStart).input(kLine).outputs(3), "schema/output-count", "Scan-16", "output 2 has a name", "there are 2 outputs"},
      {scan(16, 1).input(kStart).input(kLine).input(kLine), "schema/body-arity", "Scan-16", "body has 2 inputs", "must have 3: states and scanned elements"},
      {scan(8, 1).no_input().input(kStart).input(int64s({2, 3}, {1, 2, 3, 4, 5, 6})), "schema/shape-mismatch", "Scan-8", "a state or scan input has shape []", "must start with the batch of 2"},
      {scan(8, 1).no_input().input(kLine).input(kLine), "schema/shape-mismatch", "Scan-8", "a scan input has shape [3]", "must have a batch axis and a sequence axis"},
      {scan(8, 1).integers("directions", {0, 1}).no_input().input(kLine).input(int64s({3, 0}, {})), "schema/list-length", "Scan-8", "directions has 2 entries", "must have 1"},
      {scan(9, 1).input(kStart).input(int64s({int64_t{1} << 40, 0}, {})), "limit/scan-length", "Scan-9", "a scan output would have 1099511627776 elements", "must be at most 67108864"},
  });
}

TEST_CASE("Scan-11 zero iterations of elements that no memory holds") {
  const int64_t huge = int64_t{1} << 50;
  NodeUnderTest node = NodeUnderTest("Scan", 11)
                           .attribute("body", passing({DeclaredDim(huge)}))
                           .attribute("num_scan_inputs", 1)
                           .input(kStart)
                           .input(int64s({0, huge}, {}))
                           .outputs(2);
  CHECK(same(node.output(1), int64s({0, huge}, {})));
}

}  // namespace
}  // namespace onnxv::testing
