// StringNormalizer: drops the elements that are stop words, then changes the case of the others.
//   since 10
#include <unordered_set>

#include "ops/text/text.h"
#include "ops/text/utf8.h"

namespace onnxv {
namespace {

// Choice: a locale counts by its language alone, and only Turkish and Azerbaijani differ from en_US: mappings are
// Unicode's simple ones and never ask the machine's locale.
bool is_turkic(std::string_view locale) {
  const std::string language = with_case(locale.substr(0, locale.find_first_of("_-.@")), CaseMap::kLower);
  return language == "tr" || language == "az";
}

enum class Change { kNone, kLower, kUpper };

Change change_of(const OpCall& call) {
  const std::string& action = call.text("case_change_action");
  if (action == "NONE") return Change::kNone;
  if (action == "LOWER") return Change::kLower;
  if (action == "UPPER") return Change::kUpper;
  fail_schema("attribute-value", "case_change_action is \"" + action + "\"", "must be LOWER, UPPER or NONE");
}

// Spec: a stop word removes whole elements; it is compared before any change of case.
std::vector<std::string> without_stopwords(const OpCall& call, const std::vector<std::string>& words) {
  const bool sensitive = call.integer("is_case_sensitive") != 0;
  const auto key = [&](const std::string& word) { return sensitive ? word : with_case(word, CaseMap::kLower); };
  std::unordered_set<std::string> stopwords;
  for (const std::string& word : call.texts("stopwords")) stopwords.insert(key(word));
  std::vector<std::string> kept;
  for (const std::string& word : words) {
    if (!stopwords.contains(key(word))) kept.push_back(word);
  }
  return kept;
}

Tensor string_normalizer_10(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const bool row = x.rank() == 2 && x.shape()[0] == 1;
  if (x.rank() != 1 && !row) {
    fail_schema("shape-mismatch", "X has shape " + x.shape().text(), "must be [C] or [1,C]");
  }
  const Change change = change_of(call);
  std::vector<std::string> words = without_stopwords(call, x.strings());
  const bool turkic = is_turkic(call.text_or("locale", ""));
  for (std::string& word : words) {
    if (change == Change::kLower) word = with_case(word, turkic ? CaseMap::kTurkicLower : CaseMap::kLower);
    if (change == Change::kUpper) word = with_case(word, turkic ? CaseMap::kTurkicUpper : CaseMap::kUpper);
  }
  // Spec: nothing left is one empty string.
  if (words.empty()) words.emplace_back();
  const auto count = static_cast<int64_t>(words.size());
  return Tensor(row ? Shape{1, count} : Shape{count}, std::move(words));
}

}  // namespace

const Operator kStringNormalizer{"ai.onnx", "StringNormalizer", {
    {.since = 10, .run = string_normalizer_10},
}};

}  // namespace onnxv
