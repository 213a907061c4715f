#include "src/model/unicode.h"

namespace onnxv {
namespace {

bool is_scalar(uint32_t point) { return point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF); }

// Bytes of the form that starts with `first`; 0 for none.
size_t form_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

}  // namespace

bool append_utf8(uint32_t point, std::string& text) {
  if (!is_scalar(point)) return false;
  if (point < 0x80) {
    text += static_cast<char>(point);
    return true;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const uint32_t lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
  text += static_cast<char>(lead | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
  return true;
}

std::optional<std::vector<uint32_t>> code_points(std::string_view text) {
  static constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::vector<uint32_t> points;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const size_t length = form_length(first);
    if (length == 0 || length > text.size() - i) return std::nullopt;
    uint32_t point = length == 1 ? first : first & (0x7Fu >> length);
    for (size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return std::nullopt;
      point = point << 6 | (next & 0x3Fu);
    }
    if (point < kSmallest[length] || !is_scalar(point)) return std::nullopt;
    points.push_back(point);
    i += length;
  }
  return points;
}

}  // namespace onnxv
