// The portable formats P1 to P6: bits, grays and colours, as text or as bytes.
#include <algorithm>

#include "ops/vision/image_formats.h"

namespace onnxv {
namespace {

bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  explicit Reader(FileBytes file) : file_(file) {}
  bool failed() const { return failed_; }

  // A decimal number behind blanks and comments.
  int64_t number() {
    skip_blanks();
    int64_t value = 0;
    bool any = false;
    for (; at_ < file_.size() && is_digit(file_[at_]); ++at_, any = true) {
      value = value * 10 + (file_[at_] - '0');
      failed_ = failed_ || value > INT32_MAX;
      if (failed_) return 0;
    }
    failed_ = failed_ || !any;
    return value;
  }
  // A single 0 or 1; blanks between them are optional.
  int64_t bit() {
    skip_blanks();
    const int64_t value = byte() - '0';
    failed_ = failed_ || (value != 0 && value != 1);
    return value;
  }
  int64_t byte() {
    failed_ = failed_ || at_ >= file_.size();
    return failed_ ? 0 : file_[at_++];
  }

 private:
  void skip_blanks() {
    while (at_ < file_.size() && (is_space(file_[at_]) || file_[at_] == '#')) {
      if (file_[at_] == '#') {
        while (at_ < file_.size() && file_[at_] != '\n' && file_[at_] != '\r') ++at_;
      } else {
        ++at_;
      }
    }
  }
  FileBytes file_;
  size_t at_ = 2;
  bool failed_ = false;
};

// value * 255 / most to the nearest, ties to even; 16 bits keep their high byte.
uint8_t scaled(int64_t value, int64_t most) {
  value = std::min(value, most);
  if (most == 255) return static_cast<uint8_t>(value);
  if (most == 65535) return static_cast<uint8_t>(value >> 8);
  const int64_t quotient = value * 255 / most, rest = 2 * (value * 255 % most);
  return static_cast<uint8_t>(quotient +
                              (rest > most || (rest == most && quotient % 2 == 1) ? 1 : 0));
}

// The samples of one row.
void read_row(Reader* reader, char kind, int64_t most, std::span<uint8_t> samples) {
  int64_t bits = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    switch (kind) {
      case '1': samples[i] = reader->bit() == 1 ? 0 : 255; break;
      case '4':
        if (i % 8 == 0) bits = reader->byte();
        samples[i] = (bits >> (7 - i % 8) & 1) == 1 ? 0 : 255;
        break;
      case '2':
      case '3': samples[i] = scaled(reader->number(), most); break;
      default: {
        const int64_t high = most > 255 ? reader->byte() : 0;
        samples[i] = scaled(high * 256 + reader->byte(), most);
      }
    }
  }
}

}  // namespace

std::optional<Picture> decode_pnm(FileBytes file) {
  if (file.size() < 3 || file[0] != 'P' || file[1] < '1' || file[1] > '6') return std::nullopt;
  const char kind = static_cast<char>(file[1]);
  const bool bitmap = kind == '1' || kind == '4', colour = kind == '3' || kind == '6',
             text = kind <= '3';
  Reader reader(file);
  const int64_t width = reader.number(), height = reader.number(),
                most = bitmap ? 1 : reader.number();
  if (!text) reader.byte();  // the one blank before the data
  if (reader.failed() || most < 1 || most > 65535) return std::nullopt;
  // A row takes at least a bit per pixel.
  if (width > 0 && height > static_cast<int64_t>(file.size()) * 8 / width) return std::nullopt;
  std::optional<Picture> picture = blank_picture(height, width);
  if (!picture) return std::nullopt;
  uint8_t* rgb = picture->mutable_as<uint8_t>().data();
  std::vector<uint8_t> samples(static_cast<size_t>(width) * (colour ? 3 : 1));
  for (int64_t y = 0; y < height; ++y) {
    read_row(&reader, kind, most, samples);
    if (reader.failed()) return std::nullopt;
    for (size_t i = 0; i < static_cast<size_t>(width) * 3; ++i)
      *rgb++ = samples[colour ? i : i / 3];
  }
  return picture;
}

}  // namespace onnxv
