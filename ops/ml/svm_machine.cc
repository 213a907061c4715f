#include "ops/ml/svm_machine.h"

namespace onnxv {
namespace {

Kernel kernel_of(const OpCall& call) {
  const std::string& name = call.text("kernel_type");
  if (name == "LINEAR") return Kernel::kLinear;
  if (name == "POLY") return Kernel::kPoly;
  if (name == "RBF") return Kernel::kRbf;
  if (name == "SIGMOID") return Kernel::kSigmoid;
  fail_schema("attribute-value", "kernel_type is \"" + name + "\"", "must be LINEAR, POLY, RBF or SIGMOID");
}

std::vector<double> doubles_of(const std::vector<float>& values) { return {values.begin(), values.end()}; }

}  // namespace

void check_list(std::string_view name, size_t got, size_t wanted) {
  if (got == wanted) return;
  fail_schema("list-length", std::string(name) + " has " + std::to_string(got) + " entries",
              "must have " + std::to_string(wanted));
}

SupportVectors support_vectors_of(const OpCall& call, size_t count) {
  const Tensor& x = call.tensor("X");
  const Rows rows = rows_of(x);
  SupportVectors machine{x.reshaped({rows.count, rows.width})};
  machine.kernel = kernel_of(call);
  machine.parameters = doubles_of(call.reals("kernel_params"));
  machine.vectors = doubles_of(call.reals("support_vectors"));
  machine.coefficients = doubles_of(call.reals("coefficients"));
  machine.rho = doubles_of(call.reals("rho"));
  if (machine.parameters.size() > 3) check_list("kernel_params", machine.parameters.size(), 3);
  machine.parameters.resize(3, 0);
  if (count > 0) check_list("support_vectors", machine.vectors.size(), count * machine.width());
  return machine;
}

}  // namespace onnxv
