// How far the outputs of a model of several nodes move when each node is off by what is to be expected of it: the certain bounds of
// its nodes say nothing of a whole (numerics.md, section 3).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/compare/tolerance.h"
#include "src/run/evaluate.h"

namespace onnxv {

struct Movement {
  double largest = 0;
  bool differs = false;  // something else than a finite float: an integer, a shape, a NaN
};

// Over 32 seeded runs in which every float that a node computes moves within its expected deviation. `exact`: the outputs where
// nothing moves. Index: output.
std::vector<Movement> movements(const PreparedModel& prepared, const std::map<std::string, Value>& inputs, uint64_t seed,
                                const std::vector<Value>& exact);

// An output that moves gets 16 times its largest movement; one that does not, the same bits; one that changes in another way than a
// float may (an index that flips), the official tolerance.
Tolerance tolerance_of(const Movement& movement);

// The type, or what it holds, is a float.
bool holds_floats(const Type& type);

}  // namespace onnxv
