#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "src/number/format.h"

using namespace onnxv;

namespace {

template <class Code>
std::vector<Code> encoded(IntegerFormat format, const std::vector<double>& values, Rounding rounding,
                          std::vector<uint8_t>* beyond) {
  std::vector<Code> codes(values.size());
  beyond->assign(values.size(), 0);
  encode_integers_many(format, values.data(), values.size(), codes.data(), rounding, beyond->data());
  return codes;
}

}  // namespace

TEST_CASE("integers of doubles: toward zero, modulo 2^bits, and what does not fit") {
  std::vector<uint8_t> beyond;
  CHECK(encoded<uint8_t>({8, true}, {1.9, -1.9, 127.9, 128, -128.9, -129, 300, NAN, INFINITY},
                         Rounding::kTowardZero, &beyond) ==
        std::vector<uint8_t>{1, 0xff, 0x7f, 0x80, 0x80, 0x7f, 44, 0, 0});
  CHECK(beyond == std::vector<uint8_t>{0, 0, 0, 1, 0, 1, 1, 1, 1});
  CHECK(encoded<uint8_t>({4, true}, {2.5, 3.5, 7.5, 8, -8.5, -9}, Rounding::kNearestEven, &beyond) ==
        std::vector<uint8_t>{2, 4, 8, 8, 8, 7});
  CHECK(beyond == std::vector<uint8_t>{0, 0, 1, 1, 0, 1});
}

TEST_CASE("integers of doubles: 64 bits and far beyond") {
  std::vector<uint8_t> beyond;
  const double below = std::nextafter(0x1p63, 0);  // 2^63 - 1024
  CHECK(encoded<uint64_t>({64, true}, {below, 0x1p63, -0x1p63, std::nextafter(-0x1p63, -0x1p64), 0x1p64, 0x1.8p115},
                          Rounding::kTowardZero, &beyond) ==
        std::vector<uint64_t>{0x7ffffffffffffc00, 0x8000000000000000, 0x8000000000000000, 0x7ffffffffffff800, 0, 0});
  CHECK(beyond == std::vector<uint8_t>{0, 1, 0, 1, 1, 1});
  CHECK(encoded<uint64_t>({64, false}, {0x1p63, std::nextafter(0x1p64, 0), 0x1p64, -1}, Rounding::kTowardZero,
                          &beyond) ==
        std::vector<uint64_t>{0x8000000000000000, 0xfffffffffffff800, 0, 0xffffffffffffffff});
  CHECK(beyond == std::vector<uint8_t>{0, 0, 1, 1});
  CHECK(encoded<uint32_t>({32, false}, {0x1.00000001p63, 0x1p62}, Rounding::kTowardZero, &beyond) ==
        std::vector<uint32_t>{0x80000000, 0});
  CHECK(beyond == std::vector<uint8_t>{1, 1});
}
