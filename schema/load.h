// From the JSON of one operator to its schemas.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace onnxv {

// All versions in the text, ascending. The text is our own: a malformed one is an internal error.
std::vector<OpSchema> load_operator(std::string_view json);

}  // namespace onnxv
