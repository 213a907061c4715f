// Imputer: replaces the elements that equal one value by another, per feature or for all.
//   since 1
#include <bit>

#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// The bit patterns of the imputed values, in X's type.
std::vector<uint64_t> imputed_codes(const OpCall& call, DType dtype) {
  std::vector<uint64_t> codes;
  if (is_float(dtype)) {
    for (float value : call.reals("imputed_value_floats")) {
      codes.push_back(Extended::from_double(value).encode(float_format(dtype)));
    }
    return codes;
  }
  for (int64_t value : call.integers("imputed_value_int64s")) {
    if (dtype == DType::kInt32 && (value < INT32_MIN || value > INT32_MAX)) {
      fail_schema("attribute-range", "imputed_value_int64s holds " + std::to_string(value), "must fit int32");
    }
    codes.push_back(std::bit_cast<uint64_t>(value));
  }
  return codes;
}

// Which elements equal the replaced value. A replaced NaN equals every NaN; -0 equals +0.
std::vector<bool> matches(const OpCall& call, const Tensor& x) {
  std::vector<bool> matched;
  matched.reserve(x.size());
  if (is_float(x.dtype())) {
    const double replaced = call.real("replaced_value_float");
    for (double value : double_values(x)) {
      matched.push_back(value == replaced || (is_nan_value(value) && is_nan_value(replaced)));
    }
  } else {
    const int64_t replaced = call.integer("replaced_value_int64");
    for (int64_t value : int64_values(x)) matched.push_back(value == replaced);
  }
  return matched;
}

Tensor imputer_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const int64_t features = feature_count(x);
  const std::string_view own = is_float(x.dtype()) ? "imputed_value_floats" : "imputed_value_int64s";
  const std::string_view other = is_float(x.dtype()) ? "imputed_value_int64s" : "imputed_value_floats";
  if (!call.has_attribute(own) || call.has_attribute(other)) {
    fail_schema("attribute-missing", std::string(own) + " is absent or both lists are given",
                "it alone must be given for " + std::string(dtype_name(x.dtype())));
  }
  const std::vector<uint64_t> imputed = imputed_codes(call, x.dtype());
  if (imputed.size() != 1 && imputed.size() != static_cast<size_t>(features)) {
    fail_schema("list-length", std::string(own) + " has " + std::to_string(imputed.size()) + " entries",
                "must have 1 or " + std::to_string(features));
  }
  const std::vector<bool> matched = matches(call, x);
  Tensor y = x;
  for (size_t i = 0; i < matched.size(); ++i) {
    if (matched[i]) y.set_code(i, imputed[i % imputed.size()]);
  }
  return y;
}

}  // namespace

const Operator kImputer{"ai.onnx.ml", "Imputer", {
    {.since = 1, .run = imputer_1},
}};

}  // namespace onnxv
