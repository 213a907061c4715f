// WebP by libwebp; of an animation the first frame, on black.
#include <algorithm>
#include <cstring>
#include <vector>

#include <webp/decode.h>

#include "ops/vision/image_formats.h"

namespace onnxv {
namespace {

uint32_t little_24(const uint8_t* p) {
  return p[0] | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16;
}
uint32_t little_32(const uint8_t* p) { return little_24(p) | static_cast<uint32_t>(p[3]) << 24; }

// The content of the first chunk of this name in a row of chunks; empty if there is none.
FileBytes chunk(FileBytes chunks, const char* name) {
  while (chunks.size() >= 8) {
    const size_t size = std::min<size_t>(little_32(chunks.data() + 4), chunks.size() - 8);
    if (std::memcmp(chunks.data(), name, 4) == 0) return chunks.subspan(8, size);
    chunks = chunks.subspan(std::min(8 + size + size % 2, chunks.size()));
  }
  return {};
}

void append(std::vector<uint8_t>* to, const char* name, size_t size) {
  to->insert(to->end(), name, name + 4);
  for (int shift = 0; shift < 32; shift += 8) to->push_back(static_cast<uint8_t>(size >> shift));
}

// A still image of one frame's colours.
std::vector<uint8_t> still(const char* name, FileBytes content) {
  std::vector<uint8_t> file;
  append(&file, "RIFF", 4 + 8 + content.size() + content.size() % 2);
  file.insert(file.end(), {'W', 'E', 'B', 'P'});
  append(&file, name, content.size());
  file.insert(file.end(), content.begin(), content.end());
  if (content.size() % 2 != 0) file.push_back(0);
  return file;
}

std::optional<Picture> decode_still(FileBytes file) {
  int width = 0, height = 0;
  if (WebPGetInfo(file.data(), file.size(), &width, &height) == 0) return std::nullopt;
  std::optional<Picture> picture = blank_picture(height, width);
  if (!picture) return std::nullopt;
  const std::span<uint8_t> rgb = picture->mutable_as<uint8_t>();
  // The RGB output leaves alpha out; chroma is upsampled by the library's triangle filter.
  if (WebPDecodeRGBInto(file.data(), file.size(), rgb.data(), rgb.size(), width * 3) == nullptr)
    return std::nullopt;
  return picture;
}

std::optional<Picture> decode_first_frame(FileBytes file) {
  const FileBytes chunks = file.subspan(12), header = chunk(chunks, "VP8X"),
                  frame = chunk(chunks, "ANMF");
  if (header.size() < 10 || frame.size() < 16) return std::nullopt;
  const FileBytes parts = frame.subspan(16), lossy = chunk(parts, "VP8 "),
                  lossless = chunk(parts, "VP8L");
  const std::vector<uint8_t> bytes = lossy.empty() ? still("VP8L", lossless) : still("VP8 ", lossy);
  const std::optional<Picture> pixels = decode_still(bytes);
  std::optional<Picture> canvas =
      blank_picture(little_24(header.data() + 7) + 1, little_24(header.data() + 4) + 1);
  if (!pixels || !canvas) return std::nullopt;
  const int64_t left = 2 * int64_t{little_24(frame.data())},
                top = 2 * int64_t{little_24(frame.data() + 3)};
  const int64_t height = pixels->shape()[0], width = pixels->shape()[1];
  if (top + height > canvas->shape()[0] || left + width > canvas->shape()[1]) return std::nullopt;
  uint8_t* to = canvas->mutable_as<uint8_t>().data();
  const uint8_t* from = pixels->as<uint8_t>().data();
  for (int64_t y = 0; y < height; ++y) {
    std::copy_n(from + y * width * 3, width * 3, to + ((top + y) * canvas->shape()[1] + left) * 3);
  }
  return canvas;
}

}  // namespace

std::optional<Picture> decode_webp(FileBytes file) {
  if (file.size() < 21 || std::memcmp(file.data(), "RIFF", 4) != 0 ||
      std::memcmp(file.data() + 8, "WEBP", 4) != 0)
    return std::nullopt;
  constexpr uint8_t kAnimated = 2;
  const bool animated =
      std::memcmp(file.data() + 12, "VP8X", 4) == 0 && (file[20] & kAnimated) != 0;
  return animated ? decode_first_frame(file) : decode_still(file);
}

}  // namespace onnxv
