// What is known of one operator version: for the listings of `ops`.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace onnxv::cli {

enum class OperatorStatus : uint8_t { kImplemented, kUnimplemented, kNotEvaluable };

OperatorStatus status_of(const OpSchema& schema);
std::string_view status_text(OperatorStatus status);  // "implemented", "unimplemented", "not_evaluable"

// "Hardmax-13(input: T, *axis*…)": ports, attributes with defaults, type parameters; several lines.
std::string signature_of(const OpSchema& schema);

}  // namespace onnxv::cli
