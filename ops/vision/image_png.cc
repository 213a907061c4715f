// PNG by libpng.
#include <csetjmp>
#include <cstring>

#include <png.h>

#include "ops/vision/image_formats.h"

namespace onnxv {
namespace {

[[noreturn]] void on_error(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void on_warning(png_structp, png_const_charp) {}

// Nothing in here may need a destructor: errors jump over it.
struct Reader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  const uint8_t* next = nullptr;
  size_t left = 0;

  static void feed(png_structp png, png_bytep out, size_t count) {
    Reader* reader = static_cast<Reader*>(png_get_io_ptr(png));
    if (count > reader->left) png_error(png, "end of file");
    std::memcpy(out, reader->next, count);
    reader->next += count;
    reader->left -= count;
  }
  bool begin() {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_read_fn(png, this, feed);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);  // the high byte
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    return true;
  }
  bool read(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_read_image(png, rows);
    png_read_end(png, nullptr);
    return true;
  }
};

struct ReaderGuard {
  Reader& reader;
  ~ReaderGuard() { png_destroy_read_struct(&reader.png, &reader.info, nullptr); }
};

}  // namespace

std::optional<Picture> decode_png(FileBytes file) {
  if (file.size() < 8 || png_sig_cmp(file.data(), 0, 8) != 0) return std::nullopt;
  Reader reader;
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, on_error, on_warning);
  const ReaderGuard guard{reader};
  if (reader.png == nullptr) return std::nullopt;
  reader.info = png_create_info_struct(reader.png);
  reader.next = file.data();
  reader.left = file.size();
  if (reader.info == nullptr || !reader.begin()) return std::nullopt;
  const int64_t height = png_get_image_height(reader.png, reader.info),
                width = png_get_image_width(reader.png, reader.info);
  std::optional<Picture> picture = blank_picture(height, width);
  if (!picture || png_get_rowbytes(reader.png, reader.info) != static_cast<size_t>(width) * 3)
    return std::nullopt;
  std::vector<png_bytep> rows;
  uint8_t* rgb = picture->mutable_as<uint8_t>().data();
  for (int64_t y = 0; y < height; ++y) rows.push_back(rgb + y * width * 3);
  return reader.read(rows.data()) ? picture : std::nullopt;
}

}  // namespace onnxv
