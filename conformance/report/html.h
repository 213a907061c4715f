// The results as one HTML file that needs nothing else.
#pragma once

#include <string>

#include "conformance/report/outcome.h"

namespace onnxv {

std::string to_html(const Results& results);

}  // namespace onnxv
