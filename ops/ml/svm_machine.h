// What the attributes of the two SVM operators have in common.
#pragma once

#include <vector>

#include "ops/ml/classes.h"
#include "ops/ml/svm_kernel.h"

namespace onnxv {

struct SupportVectors {
  Tensor x;  // [N,F]
  Kernel kernel = Kernel::kLinear;
  std::vector<double> parameters = {};  // gamma, c, degree
  std::vector<double> vectors = {}, coefficients = {}, rho = {};
  size_t rows() const { return static_cast<size_t>(x.shape()[0]); }
  size_t width() const { return static_cast<size_t>(x.shape()[1]); }
};

// The lists as given, the kernel by its name, absent parameters 0. Schema errors for an unknown kernel, for more than
// three parameters, and for support_vectors that are not `count` rows of X's width.
SupportVectors support_vectors_of(const OpCall& call, size_t count);

// Schema error "list-length" unless `got` is `wanted`.
void check_list(std::string_view name, size_t got, size_t wanted);

}  // namespace onnxv
