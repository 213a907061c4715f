// A table of wrong calls: each row is a node that must fail, and the four parts of its error line.
#pragma once

#include <string>
#include <vector>

#include "src/run/testing.h"

namespace onnxv::testing {

// Whose error is `slug: node "under_test" (op): got, wanted`, every part whole:
//   {NodeUnderTest("Hardmax", 13).attribute("axis", 3).input(x), "schema/attribute-range", "Hardmax-13", "axis is 3", "must be in [-2, 1]"}
struct WrongCall {
  NodeUnderTest node;
  std::string slug;
  std::string op;  // with the version whose text applies
  std::string got;
  std::string wanted;  // "" where the error has none
};

// One CHECK per row.
void check_wrong_calls(std::vector<WrongCall> calls);

}  // namespace onnxv::testing
