#include <string>

#include "src/run/testing.h"

// The files were written by Pillow 13 from the pixels of kColours; the expected JPEG pixels are
// those that Pillow reads back.
namespace onnxv::testing {
namespace {

constexpr const char* kPng =
    "89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d0000001849444154789c63f8cfc0"
    "c000c15c22"
    "7227528cfeffff0f003c190795efc2c6d80000000049454e44ae426082";
constexpr const char* kTiff =
    "49492a00080000000a0000010400010000000300000001010400010000000200000002010300030000008600000003"
    "0103000100"
    "00000100000006010300010000000200000011010400010000008c0000001501030001000000030000001601040001"
    "0000000200"
    "00001701040001000000120000001c010300010000000100000000000000080008000800ff000000ff000000ff0a14"
    "1ec86432ff"
    "ffff";
constexpr const char* kWebp =
    "5249464642000000574542505650384c360000002f024000002f40906db341dcebfe32d32093b6c95fff76666d64d2"
    "36ad87fdf3"
    "afb2f31f68e491acfb06040294b1e2816d22fa1fe305";
constexpr const char* kJpeg2000 =
    "0000000c6a5020200d0a870a00000014667479706a703220000000006a7032200000002d6a70326800000016696864"
    "7200000002"
    "000000030003070700000000000f636f6c7201000000000010000000ca6a703263ff4fff51002f0000000000030000"
    "0002000000"
    "0000000000000000030000000200000000000000000003070101070101070101ff52000c00000001000104040001ff"
    "5c00074040"
    "484850ff640025000143726561746564206279204f70656e4a5045472076657273696f6e20322e352e34ff90000a00"
    "000000004f"
    "0001ff93c1f20208c3c7d40609873fdf8018059205c1f382bf3038fc008009bf0a7d1e01f3c7da051f681cfcc08001"
    "5f0986e707"
    "13c7da050fa80e0fa808082f031f7f0473ffd9";
constexpr const char* kBmp =
    "424d4e0000000000000036000000280000000300000002000000010018000000000018000000c40e0000c40e000000"
    "0000000000"
    "00001e140a3264c8ffffff0000000000ff00ff00ff0000000000";
constexpr const char* kJpeg =
    "ffd8ffe000104a46494600010100000100010000ffdb004300100b0c0e0c0a100e0d0e1211101318281a1816161831"
    "23251d283a"
    "333d3c3933383740485c4e404457453738506d51575f626768673e4d71797064785c656763ffdb0043011112121815"
    "182f1a1a2f"
    "6342384263636363636363636363636363636363636363636363636363636363636363636363636363636363636363"
    "6363636363"
    "6363ffc00011080002000303012200021101031101ffc4001500010100000000000000000000000000000005ffc400"
    "1d10000104"
    "0203000000000000000000000003000102040506122141ffc4001501010100000000000000000000000000000205ff"
    "c4001b1100"
    "02010500000000000000000000000000010204323371b1ffda000c03010002110311003f00bfade3685ad7e91acd2a"
    "c62c86dca6"
    "4146527f3b7764445629f0c34b8095ccffd9";
constexpr const char* kPalettePng =
    "89504e470d0a1a0a0000000d4948445200000003000000020103000000a7baf45900000006504c5445ff000000ff00"
    "d287ef7100"
    "00000c49444154789c6348605000000144008142c3d4390000000049454e44ae426082";
constexpr const char* kGray16Png =
    "89504e470d0a1a0a0000000d4948445200000002000000021000000000074d8ebb0000001249444154789c631032f9"
    "ff9f81e17f"
    "030300133c03c4ea8474650000000049454e44ae426082";
constexpr const char* kGray16Tiff =
    "49492a0008000000090000010400010000000200000001010400010000000200000002010300010000001000000003"
    "0103000100"
    "00000100000006010300010000000100000011010400010000007a0000001601040001000000020000001701040001"
    "0000000800"
    "00001c0103000100000001000000000000003412ffffff000080";
constexpr const char* kAlphaPng =
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6348313a"
    "c10e0003c2"
    "0166cffdef640000000049454e44ae426082";
constexpr const char* kAlphaTiff =
    "49492a00080000000b0000010400010000000100000001010400010000000100000002010300040000009200000003"
    "0103000100"
    "00000100000006010300010000000200000011010400010000009a0000001501030001000000040000001601040001"
    "0000000100"
    "00001701040001000000040000001c0103000100000001000000520103000100000002000000000000000800080008"
    "0008006432"
    "c807";

const std::vector<uint8_t> kColours{255, 0,  0,  0,   255, 0,  0,   0,   255,
                                    10,  20, 30, 200, 100, 50, 255, 255, 255};

Tensor from_hex(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  const int64_t size = static_cast<int64_t>(bytes.size());
  return uint8s({size}, std::move(bytes));
}
Tensor from_text(const std::string& text) {
  return uint8s({static_cast<int64_t>(text.size())},
                std::vector<uint8_t>(text.begin(), text.end()));
}
Tensor decoded(const Tensor& file, const char* format = "RGB") {
  return NodeUnderTest("ImageDecoder", 20).attribute("pixel_format", format).input(file).one();
}

}  // namespace

TEST_CASE("ImageDecoder-20 files without loss") {
  for (const char* file : {kPng, kTiff, kWebp, kJpeg2000, kBmp})
    CHECK(same(decoded(from_hex(file)), uint8s({2, 3, 3}, kColours)));
}

TEST_CASE("ImageDecoder-20 palettes, 16 bits and alpha") {
  CHECK(same(decoded(from_hex(kPalettePng)), uint8s({2, 3, 3}, {255, 0, 0, 0, 255, 0, 0, 255, 0,
                                                                255, 0, 0, 255, 0, 0, 0, 255, 0})));
  const Tensor gray =
      uint8s({2, 2, 3}, {0x12, 0x12, 0x12, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x80, 0x80, 0x80});
  CHECK(same(decoded(from_hex(kGray16Png)), gray));
  CHECK(same(decoded(from_hex(kGray16Tiff)), gray));
  CHECK(same(decoded(from_hex(kAlphaPng)), uint8s({1, 1, 3}, {100, 50, 200})));
  CHECK(same(decoded(from_hex(kAlphaTiff)), uint8s({1, 1, 3}, {100, 50, 200})));
}

TEST_CASE("ImageDecoder-20 JPEG in all pixel formats") {
  CHECK(same(decoded(from_hex(kJpeg)), uint8s({2, 3, 3}, {103, 87, 0, 143, 127, 39, 64, 38, 189, 44,
                                                          28, 0, 178, 162, 74, 225, 199, 255})));
  CHECK(same(decoded(from_hex(kJpeg), "BGR"),
             uint8s({2, 3, 3}, {0, 87, 103, 39, 127, 143, 189, 38, 64, 0, 28, 44, 74, 162, 178, 255,
                                199, 225})));
  CHECK(
      same(decoded(from_hex(kJpeg), "Grayscale"), uint8s({2, 3, 1}, {82, 122, 63, 30, 157, 213})));
}

TEST_CASE("ImageDecoder-20 portable formats") {
  CHECK(same(decoded(from_text("P1 # bits\n3 1\n1 01"), "Grayscale"),
             uint8s({1, 3, 1}, {0, 255, 0})));
  CHECK(same(decoded(from_text(std::string("P4\n3 1\n\xA0", 8)), "Grayscale"),
             uint8s({1, 3, 1}, {0, 255, 0})));
  // 255 * 1 / 2 = 127.5 goes to the even 128; 255 * 1 / 3 = 85.
  CHECK(same(decoded(from_text("P2 2 1 2 1 2"), "Grayscale"), uint8s({1, 2, 1}, {128, 255})));
  CHECK(same(decoded(from_text("P3 1 1 3 1 2 3")), uint8s({1, 1, 3}, {85, 170, 255})));
  CHECK(same(decoded(from_text("P5 2 1 255\nAz"), "Grayscale"), uint8s({1, 2, 1}, {'A', 'z'})));
  CHECK(same(decoded(from_text("P5 1 1 65535\nAz"), "Grayscale"), uint8s({1, 1, 1}, {'A'})));
  CHECK(same(decoded(from_text("P6 1 1 255\nabc")), uint8s({1, 1, 3}, {'a', 'b', 'c'})));
}

TEST_CASE("ImageDecoder-20 BMP with runs") {
  // 4 x 2, 8 bits, two colours: bottom row 1 1 1 0 as a run and as it is, top row 0 1 1 0 by an
  // escape of four values.
  const char* header =
      "424d00000000000000003e000000"
      "28000000"
      "04000000"
      "02000000"
      "0100"
      "0800"
      "01000000"
      "00000000"
      "00000000"
      "00000000"
      "02000000"
      "00000000";
  const std::string file = std::string(header) +
                           "0a0b0c00"
                           "ffffff00" +
                           "0301"
                           "0100"
                           "0000" +
                           "0004"
                           "00010100"
                           "0000"
                           "0001";
  CHECK(same(decoded(from_hex(file), "BGR"),
             uint8s({2, 4, 3}, {10,  11,  12,  255, 255, 255, 255, 255, 255, 10, 11, 12,
                                255, 255, 255, 255, 255, 255, 255, 255, 255, 10, 11, 12})));
}

TEST_CASE("ImageDecoder-20 what cannot be decoded is empty") {
  CHECK(same(decoded(from_text("no image")), uint8s({0, 0, 3}, {})));
  CHECK(same(decoded(from_text("")), uint8s({0, 0, 3}, {})));
  CHECK(same(decoded(from_text("P5 4 4 255\nabc"), "Grayscale"), uint8s({0, 0, 1}, {})));
  for (const char* file : {kPng, kTiff, kWebp, kJpeg2000, kBmp, kJpeg}) {
    const std::string half = std::string(file).substr(0, std::string(file).size() / 4 * 2);
    CHECK(same(decoded(from_hex(half)), uint8s({0, 0, 3}, {})));
  }
  CHECK(NodeUnderTest("ImageDecoder", 20)
            .attribute("pixel_format", "CMYK")
            .input(from_hex(kPng))
            .error()
            .starts_with("schema/attribute-value"));
}

}  // namespace onnxv::testing
