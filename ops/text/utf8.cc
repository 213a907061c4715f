#include "ops/text/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace onnxv {
namespace {

constexpr int32_t kDotlessSmallI = 0x131;
constexpr int32_t kDottedCapitalI = 0x130;

int32_t mapped(int32_t c, CaseMap map) {
  // Turkish and Azerbaijani have two letters i, and keep the dot through a change of case.
  if (map == CaseMap::kTurkicLower && c == 'I') return kDotlessSmallI;
  if (map == CaseMap::kTurkicUpper && c == 'i') return kDottedCapitalI;
  return map == CaseMap::kLower || map == CaseMap::kTurkicLower ? u_tolower(c) : u_toupper(c);
}

void append_code_point(std::string& text, int32_t c) {
  uint8_t bytes[U8_MAX_LENGTH];
  int32_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, c);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

}  // namespace

int32_t next_code_point(std::string_view text, size_t& at) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const size_t length = text.size();
  int32_t c = 0;
  U8_NEXT(bytes, at, length, c);
  return c;
}

bool is_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (next_code_point(text, at) < 0) return false;
  }
  return true;
}

bool is_blank(int32_t code_point) {
  return code_point >= 0 && (u_isUWhiteSpace(code_point) || (code_point >= 0x1C && code_point <= 0x1F));
}

std::string with_case(std::string_view text, CaseMap map) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    const int32_t c = next_code_point(text, at);
    if (c < 0) {
      result.append(text.substr(start, at - start));
    } else {
      append_code_point(result, mapped(c, map));
    }
  }
  return result;
}

}  // namespace onnxv
