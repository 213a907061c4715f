// The operators of ops/text/, a to z.
#include "ops/families.h"
#include "ops/text/text.h"

namespace onnxv {

std::vector<const Operator*> text_family() {
  return {
      &kRegexFullMatch,
      &kStringConcat,
      &kStringNormalizer,
      &kStringSplit,
      &kTfIdfVectorizer,
  };
}

}  // namespace onnxv
