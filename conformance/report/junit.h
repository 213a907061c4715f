// The results as JUnit XML: one test suite per backend.
#pragma once

#include <string>
#include <string_view>

#include "conformance/report/outcome.h"

namespace onnxv {

std::string to_junit(const Results& results);

// Text for XML and HTML: markup escaped, characters that neither allows replaced.
std::string escaped_markup(std::string_view text);

}  // namespace onnxv
