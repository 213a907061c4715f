// What is known of one operator version: for the listings of `ops`.
#pragma once

#include <string>

#include "schema/schema.h"

namespace onnxv::cli {

// "Hardmax-13(input: T, *axis*…)": ports, attributes with defaults, type parameters; several lines.
std::string signature_of(const OpSchema& schema);

}  // namespace onnxv::cli
