// JPEG by libjpeg-turbo: its accurate integer inverse DCT, and its triangle filter for chroma,
// which is the text's "fancy" upsampling.
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>
// The list of messages stands behind the library itself.
#include <jerror.h>

#include "ops/vision/image_formats.h"

namespace onnxv {
namespace {

struct Errors {
  jpeg_error_mgr base;
  std::jmp_buf escape;
};

[[noreturn]] void on_error(j_common_ptr info) {
  std::longjmp(reinterpret_cast<Errors*>(info->err)->escape, 1);
}
void on_message(j_common_ptr info, int level) {
  // A file that ends early is damaged; other warnings leave the pixels defined.
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) on_error(info);
}
void no_output(j_common_ptr) {}

// Nothing in here may need a destructor: errors jump over it.
struct Reader {
  jpeg_decompress_struct info;
  Errors errors;

  bool begin(FileBytes file) {
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = on_error;
    errors.base.emit_message = on_message;
    errors.base.output_message = no_output;
    if (setjmp(errors.escape) != 0) return false;
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, file.data(), file.size());
    jpeg_read_header(&info, TRUE);
    const bool four = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    info.out_color_space = four ? JCS_CMYK : JCS_RGB;
    info.dct_method = JDCT_ISLOW;
    info.do_fancy_upsampling = TRUE;
    jpeg_start_decompress(&info);
    return true;
  }
  // `rows`: output_height rows of output_width * output_components bytes.
  bool read(uint8_t* rows) {
    if (setjmp(errors.escape) != 0) return false;
    const size_t stride = size_t{info.output_width} * static_cast<size_t>(info.output_components);
    while (info.output_scanline < info.output_height) {
      JSAMPROW row = rows + info.output_scanline * stride;
      jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    return true;
  }
};

struct ReaderGuard {
  Reader& reader;
  ~ReaderGuard() { jpeg_destroy_decompress(&reader.info); }
};

// a * b / 255, rounded.
int scaled(int a, int b) {
  const int t = a * b + 128;
  return ((t >> 8) + t) >> 8;
}

// Choice: inks over white paper; Adobe's files store them inverted.
void convert_inks(const uint8_t* inks, size_t pixels, bool inverted, uint8_t* rgb) {
  for (size_t i = 0; i < pixels; ++i, inks += 4, rgb += 3) {
    const int white = inverted ? inks[3] : 255 - inks[3];
    for (size_t c = 0; c < 3; ++c) {
      const int ink = inverted ? 255 - inks[c] : inks[c];
      rgb[c] = static_cast<uint8_t>(white - scaled(ink, white));
    }
  }
}

}  // namespace

std::optional<Picture> decode_jpeg(FileBytes file) {
  if (file.size() < 3 || file[0] != 0xFF || file[1] != 0xD8 || file[2] != 0xFF) return std::nullopt;
  Reader reader{};
  const ReaderGuard guard{reader};
  if (!reader.begin(file)) return std::nullopt;
  std::optional<Picture> picture =
      blank_picture(reader.info.output_height, reader.info.output_width);
  if (!picture) return std::nullopt;
  uint8_t* rgb = picture->mutable_as<uint8_t>().data();
  if (reader.info.output_components == 3) return reader.read(rgb) ? picture : std::nullopt;
  const size_t pixels = size_t{reader.info.output_height} * reader.info.output_width;
  std::vector<uint8_t> inks(pixels * 4);
  if (!reader.read(inks.data())) return std::nullopt;
  convert_inks(inks.data(), pixels, reader.info.saw_Adobe_marker != 0, rgb);
  return picture;
}

}  // namespace onnxv
