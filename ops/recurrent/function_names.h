// The names of the activation functions, and the parameters that each consumes.
#pragma once

#include <string>
#include <vector>

#include "ops/recurrent/activations.h"

namespace onnxv {

// A parameter that a function takes, with its default; without a default it must be given.
struct FunctionParameter {
  bool taken = false, has_default = false;
  double otherwise = 0;
};
struct NamedActivation {
  const char* name;
  Activation kind;
  FunctionParameter alpha, beta;
};
// Names count in any case. Schema error "attribute-value" for an unknown one.
const NamedActivation& named_activation(const std::string& name);

// Spec: the values are consumed in the order of the functions, by those alone that take the
// parameter.
class FunctionParameters {
 public:
  FunctionParameters(std::vector<float> values, const char* attribute)
      : values_(std::move(values)), attribute_(attribute) {}
  // Undefined where the value is missing and has no default.
  double next(const NamedActivation& function, const FunctionParameter& parameter);

 private:
  std::vector<float> values_;
  const char* attribute_;
  size_t used_ = 0;
};

}  // namespace onnxv
