// JPEG 2000 by OpenJPEG: the JP2 container and the bare codestream.
#include <algorithm>
#include <cstring>
#include <memory>

#include <openjpeg.h>

#include "ops/vision/image_formats.h"

namespace onnxv {
namespace {

struct Memory {
  FileBytes file;
  size_t at = 0;
};

OPJ_SIZE_T read_memory(void* out, OPJ_SIZE_T count, void* user) {
  Memory* memory = static_cast<Memory*>(user);
  const size_t taken = std::min<size_t>(count, memory->file.size() - memory->at);
  if (taken == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(out, memory->file.data() + memory->at, taken);
  memory->at += taken;
  return taken;
}
OPJ_OFF_T skip_memory(OPJ_OFF_T count, void* user) {
  Memory* memory = static_cast<Memory*>(user);
  if (count < 0) return -1;
  const size_t left = memory->file.size() - memory->at;
  memory->at += std::min(left, static_cast<size_t>(count));
  return count;
}
OPJ_BOOL seek_memory(OPJ_OFF_T to, void* user) {
  Memory* memory = static_cast<Memory*>(user);
  if (to < 0 || static_cast<size_t>(to) > memory->file.size()) return OPJ_FALSE;
  memory->at = static_cast<size_t>(to);
  return OPJ_TRUE;
}

struct Destroy {
  void operator()(opj_codec_t* codec) const { opj_destroy_codec(codec); }
  void operator()(opj_image_t* image) const { opj_image_destroy(image); }
};
struct DestroyStream {
  void operator()(opj_stream_t* stream) const { opj_stream_destroy(stream); }
};
using Image = std::unique_ptr<opj_image_t, Destroy>;

Image read_image(FileBytes file, OPJ_CODEC_FORMAT format) {
  Memory memory{file, 0};
  const std::unique_ptr<opj_codec_t, Destroy> codec(opj_create_decompress(format));
  const std::unique_ptr<opj_stream_t, DestroyStream> stream(opj_stream_create(1 << 16, OPJ_TRUE));
  if (!codec || !stream) return nullptr;
  opj_stream_set_user_data(stream.get(), &memory, nullptr);
  opj_stream_set_user_data_length(stream.get(), file.size());
  opj_stream_set_read_function(stream.get(), read_memory);
  opj_stream_set_skip_function(stream.get(), skip_memory);
  opj_stream_set_seek_function(stream.get(), seek_memory);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE) return nullptr;
  opj_image_t* header = nullptr;
  if (opj_read_header(stream.get(), codec.get(), &header) == OPJ_FALSE) return nullptr;
  Image image(header);
  // The sides are weighed before anything is decoded.
  if (!blank_picture(int64_t{image->y1} - image->y0, int64_t{image->x1} - image->x0))
    return nullptr;
  if (opj_decode(codec.get(), stream.get(), image.get()) == OPJ_FALSE) return nullptr;
  if (opj_end_decompress(codec.get(), stream.get()) == OPJ_FALSE) return nullptr;
  return image;
}

// One component at one pixel as 8 bits; a component on a coarser raster repeats its samples.
uint8_t sample(const opj_image_comp_t& component, int64_t y, int64_t x) {
  const int64_t row = std::min<int64_t>(y / component.dy, int64_t{component.h} - 1);
  const int64_t column = std::min<int64_t>(x / component.dx, int64_t{component.w} - 1);
  int64_t value = component.data[row * component.w + column];
  const int64_t bits = component.prec;
  if (component.sgnd != 0) value += int64_t{1} << (bits - 1);
  value = bits > 8 ? value >> (bits - 8) : value << (8 - bits);
  return static_cast<uint8_t>(std::clamp<int64_t>(value, 0, 255));
}

// 1.402, 0.344136, 0.714136 and 1.772 in 16 bits.
void luma_and_chroma_to_rgb(uint8_t* p) {
  const int y = p[0] * 65536 + 32768, cb = p[1] - 128, cr = p[2] - 128;
  const auto byte = [](int value) { return static_cast<uint8_t>(std::clamp(value >> 16, 0, 255)); };
  p[0] = byte(y + 91881 * cr);
  p[1] = byte(y - 22553 * cb - 46802 * cr);
  p[2] = byte(y + 116130 * cb);
}

}  // namespace

std::optional<Picture> decode_jpeg2000(FileBytes file) {
  constexpr uint8_t kContainer[] = {0, 0, 0, 12, 'j', 'P', ' ', ' '},
                    kCodestream[] = {0xFF, 0x4F, 0xFF, 0x51};
  const auto begins_with = [&](std::span<const uint8_t> magic) {
    return file.size() > magic.size() && std::equal(magic.begin(), magic.end(), file.begin());
  };
  if (!begins_with(kContainer) && !begins_with(kCodestream)) return std::nullopt;
  const Image image = read_image(file, begins_with(kContainer) ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);
  if (!image || image->numcomps == 0) return std::nullopt;
  const bool colour = image->numcomps >= 3;
  for (uint32_t c = 0; c < (colour ? 3 : 1); ++c) {
    const opj_image_comp_t& component = image->comps[c];
    if (component.data == nullptr || component.w == 0 || component.h == 0 || component.dx == 0 ||
        component.dy == 0 || component.prec == 0)
      return std::nullopt;
  }
  const int64_t height = int64_t{image->y1} - image->y0, width = int64_t{image->x1} - image->x0;
  std::optional<Picture> picture = blank_picture(height, width);
  if (!picture) return std::nullopt;
  uint8_t* rgb = picture->mutable_as<uint8_t>().data();
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x, rgb += 3) {
      for (uint32_t c = 0; c < 3; ++c) rgb[c] = sample(image->comps[colour ? c : 0], y, x);
      if (colour && image->color_space == OPJ_CLRSPC_SYCC) luma_and_chroma_to_rgb(rgb);
    }
  }
  return picture;
}

}  // namespace onnxv
