// The directories of one operator version.
#pragma once

#include <string>

#include "conformance/generate/write_suite.h"

namespace onnxv::generate {

// What became of one operator version.
struct UnitResult {
  std::string index;  // a JSON object per directory, one a line, each behind a comma but the first
  SuiteSummary counts;
};

// Plans, evaluates and writes. `directory` "": nothing is written, everything else is done.
UnitResult write_unit(const Unit& unit, const Slice& slice, const std::string& directory);

// For the way from a worker to its parent.
std::string to_text(const UnitResult& result);
UnitResult from_text(std::string_view text);

}  // namespace onnxv::generate
