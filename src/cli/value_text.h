// Values as `run` prints them.
#pragma once

#include <string>

#include "src/tensor/value.h"

namespace onnxv::cli {

// "float32[2,2] [[1, 2.5], [nan, -0]]": shortest decimals that round-trip, strings quoted with
// escapes; at most `most` elements of each tensor, then "...".
std::string value_text(const Value& value, size_t most);

}  // namespace onnxv::cli
