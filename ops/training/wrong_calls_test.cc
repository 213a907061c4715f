#include "src/run/testing_models.h"
#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

constexpr const char* kDomain = "ai.onnx.preview.training";
const Tensor kOne = floats({1}, {1}), kTwo = floats({2}, {1, 2});

NodeUnderTest update(const char* op, int64_t t) {
  return NodeUnderTest(op, 1, kDomain).input(floats({}, {0.1f})).input(int64s({}, {t}));
}
NodeUnderTest momentum(const char* mode) {
  return update("Momentum", 0).attribute("mode", mode).attribute("alpha", 0.9f).attribute("beta", 0.1f)
      .attribute("norm_coefficient", 0.0f).outputs(2);
}

TEST_CASE("training: updates that do not fit") {
  check_wrong_calls({
      {update("Adagrad", 0).input(kOne).input(kOne).outputs(2), "schema/input-count", "Adagrad-1", "2 tensors follow R and T", "must be a multiple of 3"},
      {update("Adam", 0).input(kOne).input(kOne).input(kOne).outputs(3), "schema/input-count", "Adam-1", "3 tensors follow R and T", "must be a multiple of 4"},
      {update("Adagrad", 0).input(kOne).input(kTwo).input(kOne).outputs(2), "schema/shape-mismatch", "Adagrad-1", "a tensor is [2]", "must broadcast to X's [1]"},
      {update("Adagrad", INT64_MAX).input(kOne).input(kOne).input(kOne).outputs(2), "limit/update-count", "Adagrad-1", "T is 9223372036854775807", "must be within 2^53"},
      {update("Adagrad", 0).input(kOne).input(kOne).input(kOne).outputs(3), "schema/output-count", "Adagrad-1", "output 2 has a name", "there are 2 outputs"},
      {NodeUnderTest("Adagrad", 1, kDomain).input(kTwo).input(int64s({}, {0})).input(kOne).input(kOne).input(kOne).outputs(2), "schema/not-one-element", "Adagrad-1", "R is float[2]", "must have one element"},
      {momentum("plain").input(kOne).input(kOne).input(kOne), "schema/attribute-value", "Momentum-1", "mode is \"plain\"", "must be nesterov or standard"},
      {update("Momentum", 0).input(kOne).input(kOne).input(kOne).outputs(2), "schema/attribute-missing", "Momentum-1", "attribute \"alpha\" is absent", "it is required"},
      {momentum("standard").input(kOne).no_input().input(kOne), "schema/input-missing", "Momentum-1", "an update's tensor is absent", "must be a tensor"},
  });
}

// y = op(x), and its gradient by x.
std::string gradient_error(const char* op, std::vector<std::string> xs, std::string y) {
  Node inner = node(op, {"x"}, {"y"});
  Node outer = in_domain(node("Gradient", {"x"}, {"g"}, "grad"), kDomain);
  outer.attributes.push_back({"xs", Attribute::Kind::kStrings, {}, {}, std::move(xs)});
  outer.attributes.push_back({"y", Attribute::Kind::kString, {}, {}, std::move(y)});
  Model made = model(graph({info("x", DType::kFloat)}, {inner, outer}, {info("g", DType::kFloat)}), 13);
  made.opset_imports.push_back({kDomain, 1});
  return error_of(made, {{"x", floats({1}, {1})}});
}

TEST_CASE("training: gradients that do not exist") {
  const std::string place = ": node \"grad\" (Gradient-1): ";
  CHECK(gradient_error("Exp", {"x", "z"}, "y") == "schema/input-count" + place + "1 inputs, xs and zs name 2");
  CHECK(gradient_error("Exp", {"w"}, "y") == "schema/name-undefined" + place + "\"w\" is named, nothing before the node makes it");
  CHECK(gradient_error("Exp", {"x"}, "w") == "schema/name-undefined" + place + "\"w\" is named, nothing before the node makes it");
  CHECK(gradient_error("Abs", {"x"}, "y") == "undefined/not-evaluable" + place + "not evaluable: no derivative rule for Abs");
}

}  // namespace
}  // namespace onnxv::testing
