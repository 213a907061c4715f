#include "ops/recurrent/function_names.h"

#include <algorithm>
#include <cctype>

#include "src/base/error.h"

namespace onnxv {
namespace {

constexpr FunctionParameter kNone{}, kRequired{true, false, 0};
// The defaults are "the same as of corresponding ONNX operators": float32 values.
constexpr FunctionParameter with_default(float value) { return {true, true, value}; }

const NamedActivation kActivations[] = {
    {"Relu", Activation::kRelu, kNone, kNone},
    {"Tanh", Activation::kTanh, kNone, kNone},
    {"Sigmoid", Activation::kSigmoid, kNone, kNone},
    // Choice: no operator of that name exists today; alpha 1 and beta 0 are those of the old
    // experimental one.
    {"Affine", Activation::kAffine, with_default(1), with_default(0)},
    {"LeakyRelu", Activation::kLeakyRelu, with_default(0.01f), kNone},
    {"ThresholdedRelu", Activation::kThresholdedRelu, with_default(1), kNone},
    // Choice: ScaledTanh corresponds to no operator that has defaults: a node must give both.
    {"ScaledTanh", Activation::kScaledTanh, kRequired, kRequired},
    {"HardSigmoid", Activation::kHardSigmoid, with_default(0.2f), with_default(0.5f)},
    {"Elu", Activation::kElu, with_default(1), kNone},
    {"Softsign", Activation::kSoftsign, kNone, kNone},
    {"Softplus", Activation::kSoftplus, kNone, kNone},
};

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

const NamedActivation& named_activation(const std::string& name) {
  const std::string wanted = in_lower_case(name);
  for (const NamedActivation& activation : kActivations) {
    if (in_lower_case(activation.name) == wanted) return activation;
  }
  fail_schema("attribute-value", "activations name \"" + name + "\"",
              "must be one of the text's eleven functions");
}

double FunctionParameters::next(const NamedActivation& function,
                                const FunctionParameter& parameter) {
  if (!parameter.taken) return 0;
  if (used_ < values_.size()) return values_[used_++];
  if (parameter.has_default) return parameter.otherwise;
  fail_undefined("attribute-missing",
                 std::string(function.name) + " finds no value in " + attribute_,
                 "it has no default");
}

}  // namespace onnxv
