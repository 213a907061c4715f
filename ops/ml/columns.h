// Features of ai.onnx.ml: exact values of a tensor, rows of features, keys given by one of two attributes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/operator.h"
#include "src/number/extended.h"

namespace onnxv {

inline bool is_nan_value(double value) { return value != value; }

// Each element exactly; float types, integers and bool. A 64-bit integer is not narrowed.
std::vector<Extended> exact_values(const Tensor& tensor);
std::vector<Extended> exact_values(const std::vector<float>& values);
Extended exact_value(const Tensor& tensor, size_t element);

// A float32 tensor of exact values, each rounded once.
Tensor rounded_to_float(Shape shape, const std::vector<Extended>& values);

// [N,F], and [F] as one row: schema error "shape-mismatch" for every other rank.
struct Rows {
  int64_t count = 0;
  int64_t width = 0;
};
Rows rows_of(const Tensor& tensor, std::string_view port = "X");

// The last dimension of a tensor of rank 1 or more; schema error "shape-mismatch" for rank 0.
int64_t feature_count(const Tensor& tensor, std::string_view port = "X");

// The number of targets that an attribute says; schema error "attribute-range" below 1, limit error "target-count" for
// more than any model has.
size_t target_count(int64_t targets, std::string_view name);

// A 1-D tensor of int64 or of strings out of the one of two attributes that is given; schema error
// "attribute-missing" when both or neither are.
Tensor one_list_of(const OpCall& call, std::string_view integers, std::string_view texts);

}  // namespace onnxv
