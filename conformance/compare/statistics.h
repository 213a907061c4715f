// What a report says of an input's values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/tensor/value.h"

namespace onnxv {

struct ValueStatistics {
  std::string name;
  std::string type;  // "float32", "seq(tensor(float))"
  std::vector<int64_t> shape;
  bool constant = false;  // an initializer
  uint64_t elements = 0;
  // Of the numbers that are finite, as decimal and bits; "" where there is none.
  std::string minimum, maximum, smallest_magnitude;  // the last one beside zero
  uint64_t nan = 0, infinite = 0, zero = 0, subnormal = 0;
};

// Numbers of a tensor; of anything else type and size alone.
ValueStatistics statistics_of(const std::string& name, const Value& value);

}  // namespace onnxv
