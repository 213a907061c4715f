// TIFF by libtiff; rows stand as they are stored, whatever Orientation says.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <tiffio.h>

#include "ops/vision/image_formats.h"

namespace onnxv {
namespace {

struct Memory {
  FileBytes file;
  uint64_t at = 0;
};

tmsize_t read_memory(thandle_t handle, void* out, tmsize_t count) {
  Memory* memory = static_cast<Memory*>(handle);
  const uint64_t left = memory->at < memory->file.size() ? memory->file.size() - memory->at : 0;
  const uint64_t taken = std::min(left, static_cast<uint64_t>(count));
  if (taken > 0) std::memcpy(out, memory->file.data() + memory->at, taken);
  memory->at += taken;
  return static_cast<tmsize_t>(taken);
}
tmsize_t write_memory(thandle_t, void*, tmsize_t) { return 0; }
toff_t seek_memory(thandle_t handle, toff_t offset, int whence) {
  Memory* memory = static_cast<Memory*>(handle);
  memory->at = offset + (whence == SEEK_CUR   ? memory->at
                         : whence == SEEK_END ? memory->file.size()
                                              : 0);
  return memory->at;
}
int close_memory(thandle_t) { return 0; }
toff_t size_of_memory(thandle_t handle) { return static_cast<Memory*>(handle)->file.size(); }

struct Close {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using File = std::unique_ptr<TIFF, Close>;

uint16_t tag(TIFF* tiff, uint32_t name) {
  uint16_t value = 0;
  TIFFGetFieldDefaulted(tiff, name, &value);
  return value;
}

// Gray or RGB samples of 8 or 16 bits in strips: read as they are, so that 16 bits keep their high
// byte and alpha does not touch the colours.
bool is_plain(TIFF* tiff) {
  const uint16_t bits = tag(tiff, TIFFTAG_BITSPERSAMPLE),
                 photometric = tag(tiff, TIFFTAG_PHOTOMETRIC);
  const bool gray = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
  const bool rgb = photometric == PHOTOMETRIC_RGB && tag(tiff, TIFFTAG_SAMPLESPERPIXEL) >= 3;
  const bool unsigned_integers = tag(tiff, TIFFTAG_SAMPLEFORMAT) == SAMPLEFORMAT_UINT;
  return (bits == 8 || bits == 16) && (gray || rgb) && unsigned_integers && TIFFIsTiled(tiff) == 0;
}

class PlainRows {
 public:
  explicit PlainRows(TIFF* tiff)
      : tiff_(tiff),
        wide_(tag(tiff, TIFFTAG_BITSPERSAMPLE) == 16),
        planes_apart_(tag(tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE),
        colour_(tag(tiff, TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_RGB),
        inverted_(tag(tiff, TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_MINISWHITE),
        step_(planes_apart_ ? 1 : std::max<size_t>(tag(tiff, TIFFTAG_SAMPLESPERPIXEL), 1)),
        line_(static_cast<size_t>(std::max<tmsize_t>(TIFFScanlineSize(tiff), 0))) {}

  bool read(Picture* picture) {
    const size_t height = static_cast<size_t>(picture->shape()[0]),
                 width = static_cast<size_t>(picture->shape()[1]);
    if (line_.size() < width * step_ * (wide_ ? 2 : 1)) return false;
    uint8_t* rgb = picture->mutable_as<uint8_t>().data();
    const size_t planes = colour_ ? 3 : 1;
    // Plane by plane: rows of one plane must be read in order.
    for (size_t plane = 0; plane < (planes_apart_ ? planes : 1); ++plane) {
      for (size_t y = 0; y < height; ++y) {
        if (TIFFReadScanline(tiff_, line_.data(), static_cast<uint32_t>(y),
                             static_cast<uint16_t>(plane)) != 1)
          return false;
        uint8_t* row = rgb + y * width * 3;
        for (size_t x = 0; x < width; ++x) place(x, plane, row + 3 * x);
      }
    }
    return true;
  }

 private:
  uint8_t sample(size_t at) const {
    uint16_t value = line_[at];
    if (wide_) {
      std::memcpy(&value, &line_[2 * at], 2);  // libtiff gives the machine's byte order
      value >>= 8;
    }
    return static_cast<uint8_t>(inverted_ ? 255 - value : value);
  }
  void place(size_t x, size_t plane, uint8_t* pixel) const {
    for (size_t c = 0; c < 3; ++c) {
      if (planes_apart_ && colour_ && c != plane) continue;
      pixel[c] = sample(x * step_ + (colour_ && !planes_apart_ ? c : 0));
    }
  }
  TIFF* tiff_;
  bool wide_, planes_apart_, colour_, inverted_;
  size_t step_;
  std::vector<uint8_t> line_;
};

bool read_any(TIFF* tiff, Picture* picture) {
  const size_t pixels = picture->size() / 3;
  std::vector<uint32_t> raster(pixels);
  const uint16_t orientation = tag(tiff, TIFFTAG_ORIENTATION);
  const int read = TIFFReadRGBAImageOriented(tiff, static_cast<uint32_t>(picture->shape()[1]),
                                             static_cast<uint32_t>(picture->shape()[0]),
                                             raster.data(), orientation, 1);
  if (read != 1) return false;
  uint8_t* rgb = picture->mutable_as<uint8_t>().data();
  for (size_t i = 0; i < pixels; ++i) {
    for (unsigned c = 0; c < 3; ++c) rgb[3 * i + c] = static_cast<uint8_t>(raster[i] >> 8 * c);
  }
  return true;
}

}  // namespace

std::optional<Picture> decode_tiff(FileBytes file) {
  const bool little = file.size() > 8 && std::memcmp(file.data(), "II", 2) == 0 &&
                      (file[2] == 42 || file[2] == 43) && file[3] == 0;
  const bool big = file.size() > 8 && std::memcmp(file.data(), "MM", 2) == 0 &&
                   (file[3] == 42 || file[3] == 43) && file[2] == 0;
  if (!little && !big) return std::nullopt;
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  Memory memory{file, 0};
  const File tiff(TIFFClientOpen("stream", "rm", &memory, read_memory, write_memory, seek_memory,
                                 close_memory, size_of_memory, nullptr, nullptr));
  if (!tiff) return std::nullopt;
  uint32_t width = 0, height = 0;
  TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
  std::optional<Picture> picture = blank_picture(height, width);
  if (!picture) return std::nullopt;
  const bool read = is_plain(tiff.get()) ? PlainRows(tiff.get()).read(&*picture)
                                         : read_any(tiff.get(), &*picture);
  return read ? picture : std::nullopt;
}

}  // namespace onnxv
