// Writes the generated suite: a directory for every planned case, and index.json beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "src/tensor/dtype.h"

namespace onnxv::generate {

// All versions of one operator that are wanted, or one.
struct Unit {
  const OpSchema* schema = nullptr;
  int64_t opset = 0;  // imported
};

struct Slice {
  std::vector<std::string> ops;  // "Softmax", "ai.onnx.ml.Scaler"; none: every operator
  int64_t opset = 0;             // 0: each version at the opset that it came with
  std::vector<DType> types;      // none: every type
};

// Usage errors "unknown-operator", "opset" (no domain of the operators has it). Versions that
// cannot be evaluated are left out.
std::vector<Unit> units_of(const Slice& slice);

struct SuiteSummary {
  size_t written = 0;
  size_t equal = 0;                       // planned, but equal to one that stands there
  size_t unspecified = 0;                 // directories with elements that the text leaves open
  std::map<std::string, size_t> dropped;  // "Div-14 undefined/division-by-zero": how often
  std::vector<std::string> broken;        // the interpreter failed where it should not
  bool interrupted = false;
};

// Into `directory`, which must not exist or be empty (usage error "not-empty"). `jobs` processes;
// the bytes do not depend on how many. `progress` hears how many of the units are done.
SuiteSummary write_suite(const std::vector<Unit>& units, const Slice& slice,
                         const std::string& directory, int jobs,
                         const std::function<void(size_t done, std::string_view what)>& progress);

}  // namespace onnxv::generate
