// ImageDecoder: a file in memory to its pixels, [height, width, channels].
//   since 20
#include "ops/operator.h"
#include "ops/vision/image_formats.h"

namespace onnxv {

std::optional<Picture> blank_picture(int64_t height, int64_t width) {
  if (height <= 0 || width <= 0) return std::nullopt;
  constexpr int64_t kMostPixels = int64_t{1} << 30;
  if (width > kMostPixels / height) {
    fail_limit("image-size",
               "the image is " + std::to_string(width) + " x " + std::to_string(height),
               "must have at most 2^30 pixels");
  }
  return Picture(DType::kUint8, {height, width, 3});
}

namespace {

std::optional<Picture> decoded(FileBytes file) {
  for (const auto decode : {decode_png, decode_jpeg, decode_jpeg2000, decode_tiff, decode_webp,
                            decode_bmp, decode_pnm}) {
    if (std::optional<Picture> picture = decode(file)) return picture;
  }
  return std::nullopt;
}

// Choice: the luma of the colours, in 16-bit fixed point; a JPEG's own Y plane differs from it
// where colours were clamped.
uint8_t luma(const uint8_t* rgb) {
  return static_cast<uint8_t>((19595U * rgb[0] + 38470U * rgb[1] + 7471U * rgb[2] + 0x8000U) >> 16);
}

Tensor image_decoder_20(const OpCall& call) {
  const Tensor& stream = call.tensor("encoded_stream");
  const std::string& format = call.text("pixel_format");
  if (format != "RGB" && format != "BGR" && format != "Grayscale") {
    fail_schema("attribute-value", "pixel_format is \"" + format + "\"",
                "must be RGB, BGR or Grayscale");
  }
  if (stream.rank() != 1)
    fail_schema("rank", "encoded_stream is " + stream.shape().text(), "must have rank 1");
  const bool gray = format == "Grayscale";
  std::optional<Picture> picture = decoded(stream.as<uint8_t>());
  // Choice: the "empty matrix" of what cannot be decoded has no pixels.
  if (!picture) return Tensor(DType::kUint8, {0, 0, gray ? 1 : 3});
  if (format == "RGB") return *picture;
  const std::span<uint8_t> rgb = picture->mutable_as<uint8_t>();
  if (!gray) {
    for (size_t i = 0; i < rgb.size(); i += 3) std::swap(rgb[i], rgb[i + 2]);
    return *picture;
  }
  Tensor image(DType::kUint8, {picture->shape()[0], picture->shape()[1], 1});
  const std::span<uint8_t> pixels = image.mutable_as<uint8_t>();
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = luma(&rgb[3 * i]);
  return image;
}

}  // namespace

extern const Operator kImageDecoder;
const Operator kImageDecoder{"ai.onnx", "ImageDecoder", {{.since = 20, .run = image_decoder_20}}};

}  // namespace onnxv
