// BMP: 1, 4 and 8 bits with a palette (RLE too), 16, 24 and 32 bits; the old OS/2 header too.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "ops/vision/image_formats.h"

namespace onnxv {
namespace {

enum : uint32_t { kPlain = 0, kRuns8 = 1, kRuns4 = 2, kMasks = 3, kAlphaMasks = 6 };

class Reader {
 public:
  explicit Reader(FileBytes file) : file_(file) {}
  bool failed() const { return failed_; }
  bool has(size_t at, size_t count) const {
    return at <= file_.size() && count <= file_.size() - at;
  }
  uint32_t number(size_t at, size_t bytes) {
    failed_ = failed_ || !has(at, bytes);
    uint32_t value = 0;
    for (size_t i = 0; !failed_ && i < bytes; ++i)
      value |= static_cast<uint32_t>(file_[at + i]) << 8 * i;
    return value;
  }
  uint8_t byte(size_t at) { return static_cast<uint8_t>(number(at, 1)); }

 private:
  FileBytes file_;
  bool failed_ = false;
};

struct Header {
  size_t data = 0, palette = 0, palette_entry = 4, colours = 0;
  int64_t width = 0, height = 0;
  bool top_down = false;
  uint32_t bits = 0, compression = kPlain;
  std::array<uint32_t, 3> masks{};  // red, green, blue
};

Header read_header(Reader* reader) {
  Header h;
  const size_t size = reader->number(14, 4);
  h.data = reader->number(10, 4);
  h.palette = 14 + size;
  if (size == 12) {
    h.width = reader->number(18, 2);
    h.height = reader->number(20, 2);
    h.bits = reader->number(24, 2);
    h.palette_entry = 3;
  } else {
    h.width = static_cast<int32_t>(reader->number(18, 4));
    h.height = static_cast<int32_t>(reader->number(22, 4));
    h.bits = reader->number(28, 2);
    h.compression = reader->number(30, 4);
    h.colours = reader->number(46, 4);
  }
  h.top_down = h.height < 0;
  if (h.top_down) h.height = -h.height;
  if (h.bits <= 8 && h.colours == 0) h.colours = size_t{1} << h.bits;
  if (h.bits == 16) h.masks = {0x7C00, 0x3E0, 0x1F};
  if (h.bits == 24 || h.bits == 32) h.masks = {0xFF0000, 0xFF00, 0xFF};
  if (h.compression == kMasks || h.compression == kAlphaMasks) {
    // Behind a header of 40 bytes, or inside a longer one: the same place.
    for (size_t c = 0; c < 3; ++c) h.masks[c] = reader->number(54 + 4 * c, 4);
    if (size == 40) h.palette += 12;
  }
  return h;
}

bool is_known(const Header& h) {
  switch (h.compression) {
    case kPlain:
      return h.bits == 1 || h.bits == 4 || h.bits == 8 || h.bits == 16 || h.bits == 24 ||
             h.bits == 32;
    case kRuns8: return h.bits == 8 && !h.top_down;
    case kRuns4: return h.bits == 4 && !h.top_down;
    case kMasks:
    case kAlphaMasks: return h.bits == 16 || h.bits == 32;
    default: return false;
  }
}

using Colour = std::array<uint8_t, 3>;

std::vector<Colour> read_palette(Reader* reader, const Header& h) {
  std::vector<Colour> palette(256);
  for (size_t i = 0; h.bits <= 8 && i < std::min<size_t>(h.colours, 256); ++i) {
    const size_t at = h.palette + i * h.palette_entry;
    palette[i] = {reader->byte(at + 2), reader->byte(at + 1), reader->byte(at)};
  }
  return palette;
}

// The field under a mask, stretched to 8 bits by repeating its own bits from the top.
uint8_t field(uint32_t pixel, uint32_t mask) {
  if (mask == 0) return 0;
  const int shift = std::countr_zero(mask), bits = std::popcount(mask);
  uint32_t value = (pixel & mask) >> shift;
  if (bits >= 8) return static_cast<uint8_t>(value >> (bits - 8));
  const uint32_t most = (1U << bits) - 1;
  return static_cast<uint8_t>(value * 255 / most);
}

class Rows {
 public:
  Rows(Picture* picture, bool top_down) : picture_(*picture), top_down_(top_down) {}
  // Row y as the file counts: from the bottom unless top_down.
  void set(int64_t y, int64_t x, Colour colour) {
    const int64_t height = picture_.shape()[0], width = picture_.shape()[1];
    if (y < 0 || y >= height || x < 0 || x >= width) return;
    const int64_t row = top_down_ ? y : height - 1 - y;
    std::copy(colour.begin(), colour.end(),
              picture_.mutable_as<uint8_t>().data() + (row * width + x) * 3);
  }

 private:
  Picture& picture_;
  bool top_down_;
};

bool read_plain(Reader* reader, const Header& h, const std::vector<Colour>& palette, Rows rows) {
  const size_t stride = (static_cast<size_t>(h.width) * h.bits + 31) / 32 * 4;
  if (!reader->has(h.data, stride * static_cast<size_t>(h.height))) return false;
  for (int64_t y = 0; y < h.height; ++y) {
    const size_t row = h.data + static_cast<size_t>(y) * stride;
    for (int64_t x = 0; x < h.width; ++x) {
      const size_t bit = static_cast<size_t>(x) * h.bits;
      if (h.bits <= 8) {
        const unsigned shift = 8 - h.bits - static_cast<unsigned>(bit % 8);
        rows.set(y, x, palette[reader->byte(row + bit / 8) >> shift & ((1U << h.bits) - 1)]);
      } else {
        const uint32_t pixel = reader->number(row + bit / 8, h.bits / 8);
        rows.set(y, x,
                 {field(pixel, h.masks[0]), field(pixel, h.masks[1]), field(pixel, h.masks[2])});
      }
    }
  }
  return true;
}

// Runs: (count, value), or 0 and an escape: end of line, end of picture, a jump, or that many
// values as they are.
bool read_runs(Reader* reader, const Header& h, const std::vector<Colour>& palette, Rows rows) {
  const bool nibbles = h.compression == kRuns4;
  int64_t x = 0, y = 0;
  const auto put = [&](uint8_t pair, int64_t i) {
    rows.set(y, x++, palette[nibbles ? (i % 2 == 0 ? pair >> 4 : pair & 15) : pair]);
  };
  for (size_t at = h.data; y < h.height && !reader->failed();) {
    const uint8_t count = reader->byte(at), value = reader->byte(at + 1);
    at += 2;
    if (count > 0) {
      for (int64_t i = 0; i < count; ++i) put(value, i);
    } else if (value == 0) {
      x = 0;
      ++y;
    } else if (value == 1) {
      break;
    } else if (value == 2) {
      x += reader->byte(at);
      y += reader->byte(at + 1);
      at += 2;
    } else {
      for (int64_t i = 0; i < value; ++i)
        put(reader->byte(at + static_cast<size_t>(nibbles ? i / 2 : i)), i);
      const size_t bytes = nibbles ? (value + 1U) / 2 : value;
      at += bytes + bytes % 2;
    }
  }
  return !reader->failed();
}

}  // namespace

std::optional<Picture> decode_bmp(FileBytes file) {
  if (file.size() < 26 || file[0] != 'B' || file[1] != 'M') return std::nullopt;
  Reader reader(file);
  const Header header = read_header(&reader);
  if (reader.failed() || !is_known(header)) return std::nullopt;
  const std::vector<Colour> palette = read_palette(&reader, header);
  std::optional<Picture> picture = blank_picture(header.height, header.width);
  if (!picture || reader.failed()) return std::nullopt;
  const bool runs = header.compression == kRuns8 || header.compression == kRuns4;
  const Rows rows(&*picture, header.top_down);
  const bool read =
      runs ? read_runs(&reader, header, palette, rows) : read_plain(&reader, header, palette, rows);
  return read ? picture : std::nullopt;
}

}  // namespace onnxv
