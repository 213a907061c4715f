// UTF-8 and code points, for NumPy's fixed-width strings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxv {

// Appends a code point; false for surrogates and beyond U+10FFFF.
bool append_utf8(uint32_t point, std::string& text);
// nullopt when `text` is no UTF-8 (overlong forms and surrogates included).
std::optional<std::vector<uint32_t>> code_points(std::string_view text);

}  // namespace onnxv
