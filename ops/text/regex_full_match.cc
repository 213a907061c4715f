// RegexFullMatch: true where the whole string matches the pattern, in RE2's syntax.
//   since 20
#include <re2/re2.h>

#include "ops/text/text.h"
#include "ops/text/utf8.h"

namespace onnxv {
namespace {

Tensor regex_full_match_20(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  // The schema gives `pattern` no default and does not require it; without one there is nothing to match.
  const std::string& pattern = call.text("pattern");
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 regex(pattern, options);
  if (!regex.ok()) {
    fail_schema("attribute-value", "pattern \"" + pattern + "\" is no RE2 pattern: " + regex.error());
  }
  Tensor y(DType::kBool, x.shape());
  const std::span<uint8_t> matches = y.mutable_as<uint8_t>();
  for (size_t i = 0; i < matches.size(); ++i) {
    // Choice: the text wants UTF-8; what is none matches nothing.
    matches[i] = is_utf8(x.strings()[i]) && RE2::FullMatch(x.strings()[i], regex) ? 1 : 0;
  }
  return y;
}

}  // namespace

const Operator kRegexFullMatch{"ai.onnx", "RegexFullMatch", {
    {.since = 20, .run = regex_full_match_20},
}};

}  // namespace onnxv
