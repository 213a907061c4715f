// The operators of ops/text/.
#pragma once

#include "ops/operator.h"

namespace onnxv {

extern const Operator kRegexFullMatch, kStringConcat, kStringNormalizer, kStringSplit, kTfIdfVectorizer;

}  // namespace onnxv
