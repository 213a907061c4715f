// Which directories an operator version gets: rows of a covering array over its recipes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/generate/recipe.h"

namespace onnxv::generate {

// Which outputs the node names, where some are optional.
enum class OutputChoice : uint8_t {
  kAll,
  kRequired,
  kLast
};  // kLast: the required ones and the last

struct PlannedCase {
  const Recipe* recipe = nullptr;
  const Form* form = nullptr;
  std::vector<std::pair<std::string, Type>> types;  // every type parameter that is settled
  std::vector<std::pair<std::string, const Spec*>> attributes;  // those that depend on nothing
  ValueClass value_class = ValueClass::kOrdinary;
  std::vector<std::string> left_out;  // optional entries of the form that this case leaves out
  OutputChoice outputs = OutputChoice::kAll;

  // kUnknown where the parameter is not settled.
  Type type_of(std::string_view parameter) const;
};

// In a fixed order. Pairwise over forms, types, classes, attributes, optional inputs and outputs;
// where nothing but types changed since the version before, pairwise with the new types and once
// with each that was there.
std::vector<PlannedCase> plan_cases(const OpSchema& schema);

// The input that an entry's key names, by name or position; nullptr when there is none.
const PortSchema* input_named(const OpSchema& schema, std::string_view key);
// Whether the entry's values are those of the directory's class.
bool follows_class(const Spec& spec);

}  // namespace onnxv::generate
