// Integers that a node takes from an attribute in its early versions and from an input in later
// ones: axes, sizes, starts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ops/operator.h"

namespace onnxv {

struct Numbers {
  std::string_view name;
  std::vector<int64_t> values;
  // Where they come from decides what a wrong one is: the model's mistake, or data without a
  // defined result.
  enum class Origin { kAttribute, kInput } origin = Origin::kAttribute;

  size_t size() const { return values.size(); }
  int64_t operator[](size_t i) const { return values[i]; }
  std::string text() const;  // "[1,-2]"
};

// Schema error "attribute-missing" when absent.
Numbers attribute_numbers(const OpCall& call, std::string_view name);
// An integer input of rank 1; schema error "rank-mismatch".
Numbers input_numbers(const OpCall& call, std::string_view port);
// The same for `axes`, which one number of any rank may give.
Numbers input_axes(const OpCall& call, std::string_view port);
// 0, 1, … count - 1: the axes where the node names none.
Numbers leading_axes(std::string_view name, size_t count);

// Throws "schema/attribute-range" or "undefined/input-range", by origin: "<name> is [0,9], must be
// …".
[[noreturn]] void fail_numbers(const Numbers& numbers, std::string_view wanted);
// The same for one of them.
[[noreturn]] void fail_number(const Numbers& numbers, size_t at, std::string_view wanted);

// The axes in [0, rank - 1]; one outside [-rank, rank - 1] fails.
std::vector<int64_t> normalized(const Numbers& axes, int64_t rank);
// The same, where none may be named twice.
std::vector<int64_t> normalized_once(const Numbers& axes, int64_t rank);

// The shape that `sizes` says; a negative one fails.
Shape shape_of(const Numbers& sizes);

// The integer that a float input holds (the first versions knew no integer inputs); undefined error
// "input-range" when it holds none.
int64_t whole_number(double value, std::string_view name);

}  // namespace onnxv
