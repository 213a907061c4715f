// onnx-verify run --timing S: how long an evaluation takes, without start-up, reading and printing.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "src/run/evaluate.h"

namespace onnxv::cli {

// Evaluates once unmeasured, then again and again for `seconds` (3 times at least). Prints a line per evaluation: the seconds
// on the clock and the seconds of all threads' processor time. The ladder's counts are then those of the last evaluation.
void print_timing(const PreparedModel& model, const std::map<std::string, Value>& inputs, const EvaluateOptions& options,
                  double seconds);

// The most memory that the process ever held, in KiB; 0 where the system does not say.
uint64_t peak_memory();

}  // namespace onnxv::cli
