// UTF-8 by code points, with ICU's tables: the same on every machine, whatever its locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxv {

// The code point that starts at `at`, which moves behind it; -1 for a byte that starts none (`at` moves by what ICU skips).
int32_t next_code_point(std::string_view text, size_t& at);

bool is_utf8(std::string_view text);

// Unicode's White_Space and the separators U+001C to U+001F.
bool is_blank(int32_t code_point);

// Simple case mappings: one code point to one code point ("ß" has no simple upper case).
enum class CaseMap : uint8_t { kLower, kUpper, kTurkicLower, kTurkicUpper };
// Bytes that are no UTF-8 stay as they are.
std::string with_case(std::string_view text, CaseMap map);

}  // namespace onnxv
