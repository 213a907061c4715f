// Test directories with exact outputs, written and checked.
#pragma once

#include <string>
#include <vector>

#include "conformance/inputs.h"

namespace onnxv {

struct GoldenOptions {
  InputSources inputs;  // of the first data set; generated inputs of set N take the seed N further
  int sets = 1;
};

struct GoldenReport {
  std::vector<std::string> generated;  // "set 0: x: float32[3] uniform in [-1,1), seed 0"
  std::vector<std::string> warnings;   // of the evaluations
};

// Evaluates the model in `model_path` and writes `directory` as a test of the official layout, with
// a tolerance.json. Usage error "initializer-input" for an input that the layout cannot hold.
GoldenReport write_golden(const std::string& model_path, const std::string& directory,
                          const GoldenOptions& options);

// What no longer holds of `directory`: its model is another one than `model_path`, a file is
// missing, or the exact outputs for its inputs are others. Empty: it holds.
std::vector<std::string> check_golden(const std::string& model_path, const std::string& directory,
                                      uint64_t seed);

}  // namespace onnxv
