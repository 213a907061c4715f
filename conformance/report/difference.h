// Two runs beside each other: what got better, what got worse.
#pragma once

#include <string>

#include "conformance/report/outcome.h"
#include "conformance/report/text.h"

namespace onnxv {

std::string difference_text(const Results& old_results, const Results& new_results,
                            const TextStyle& style);

}  // namespace onnxv
