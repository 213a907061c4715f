// Which operators may leave elements open, when, and what stands there instead: the list that every mark is checked against.
#pragma once

#include <span>
#include <string_view>

namespace onnxv {

struct UnspecifiedRule {
  std::string_view slug;
  std::string_view operators;  // one blank between two
  std::string_view condition;  // of the elements that are marked
  std::string_view value;      // what they hold
};

// By slug, a to z.
std::span<const UnspecifiedRule> unspecified_rules();
// Null when there is none of that name.
const UnspecifiedRule* unspecified_rule(std::string_view slug);
bool may_mark(const UnspecifiedRule& rule, std::string_view op);

}  // namespace onnxv
