// One decoder per image format for ImageDecoder. Each takes a whole file and gives its first
// picture as RGB.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "src/tensor/tensor.h"

namespace onnxv {

using FileBytes = std::span<const uint8_t>;

// uint8 [height, width, 3]; palettes are expanded, gray is replicated, alpha is dropped, 16 bits
// keep their high byte.
using Picture = Tensor;

// A black picture. Limit error where it would be larger than 2^30 pixels; nothing where a side is
// not positive.
std::optional<Picture> blank_picture(int64_t height, int64_t width);

// Each is nothing where the file is not of this format or is damaged.
std::optional<Picture> decode_bmp(FileBytes file);
std::optional<Picture> decode_jpeg(FileBytes file);
std::optional<Picture> decode_jpeg2000(FileBytes file);
std::optional<Picture> decode_png(FileBytes file);
std::optional<Picture> decode_pnm(FileBytes file);
std::optional<Picture> decode_tiff(FileBytes file);
std::optional<Picture> decode_webp(FileBytes file);

}  // namespace onnxv
