// The tolerance.json of a generated directory.
#pragma once

#include <string>

#include "conformance/generate/case_model.h"
#include "src/run/evaluate.h"

namespace onnxv::generate {

// rtol and atol for runners that know no more, and a rule per output: exact where nothing is
// computed in floats or where it only moves, a distribution where it is drawn, else the official
// one. This is the one place that decides what a generated directory asks of a backend.
std::string case_tolerance(const CaseModel& made, const PlannedCase& planned);

}  // namespace onnxv::generate
