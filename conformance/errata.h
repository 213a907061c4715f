// Official tests whose data no exact arithmetic can meet (errata.json), each with the tolerance
// that it needs instead.
#pragma once

#include <string>
#include <vector>

#include "conformance/compare/tolerance.h"

namespace onnxv {

struct Erratum {
  std::string test;  // a pattern: * and ?
  Tolerance tolerance;
  std::string reason;
};

const std::vector<Erratum>& errata();
// Null when the test has none.
const Erratum* erratum_of(const std::string& test);

}  // namespace onnxv
