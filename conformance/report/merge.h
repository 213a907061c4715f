// Several result files as one: of shards, of several backends, of runs that were continued.
#pragma once

#include <vector>

#include "conformance/report/outcome.h"

namespace onnxv {

// Outcomes of one test on one backend that stand in several files: the last one counts. Sorted by
// path, then backend.
Results merge(std::vector<Results> parts);

}  // namespace onnxv
