// Products of small integers, and what quantized operators make of them, against arithmetic in wider integers.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

#include "src/kernel/product.h"
#include "src/kernel/scaled_integers.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Sizes {
  size_t m, n, k;
};

}  // namespace

TEST_CASE("products of small integers are exact modulo 2^32") {
  std::mt19937 random(21);
  for (const DType left : {DType::kUint8, DType::kInt8, DType::kInt16}) {
    for (const DType right : {DType::kUint8, DType::kInt16}) {
      for (const Sizes size : {Sizes{8, 8, 1}, Sizes{9, 70, 37}, Sizes{150, 17, 300}, Sizes{3, 90, 20}}) {
        const auto m = static_cast<int64_t>(size.m), n = static_cast<int64_t>(size.n), k = static_cast<int64_t>(size.k);
        Tensor a(left, {m, k}), b(right, {k, n}), y(DType::kInt32, {m, n}), turned(DType::kInt32, {n, m});
        for (Tensor* x : {&a, &b}) {
          // The extremes among them: -32768 squared twice is 2^31.
          for (size_t i = 0; i < x->size(); ++i) x->set_code(i, random() % 3 == 0 ? uint64_t{1} << (dtype_bits(x->dtype()) - 1) : random());
        }
        const StridedVectors rows(a, size.m, size.k, 0, k, 1), columns(b, size.n, size.k, 0, 1, n);
        multiply(rows, columns, {&y, 0, n, 1, target_of(DType::kInt32)});
        multiply(rows, columns, {&turned, 0, 1, m, target_of(DType::kInt32)});
        const std::vector<uint64_t> x = extended_integers(a), w = extended_integers(b);
        size_t wrong = 0;
        for (size_t i = 0; i < size.m; ++i) {
          for (size_t j = 0; j < size.n; ++j) {
            uint64_t sum = 0;
            for (size_t e = 0; e < size.k; ++e) sum += x[i * size.k + e] * w[e * size.n + j];
            wrong += y.code(i * size.n + j) == static_cast<uint32_t>(sum) && turned.code(j * size.m + i) == static_cast<uint32_t>(sum) ? 0 : 1;
          }
        }
        INFO(dtype_name(left) << " " << dtype_name(right) << " " << size.m << " " << size.n << " " << size.k);
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("scaled integers are rounded to nearest even, or said to be open") {
  std::mt19937 random(31);
  size_t open_in_all = 0;
  for (int round = 0; round < 60; ++round) {
    // Integers over 2^20: short ones (exact factors and ties), or of 24 bits.
    const int bits = round % 3 == 0 ? 3 : 24;
    int64_t digits[3];
    for (int64_t& d : digits) d = static_cast<int64_t>(random() >> (32 - bits) | 1);
    if (round % 2 == 0) digits[2] = int64_t{1} << (random() % 20);
    const IntegerScale by{std::ldexp(static_cast<double>(digits[0]), -20), std::ldexp(static_cast<double>(digits[1]), -20),
                          std::ldexp(static_cast<double>(digits[2]), -20), static_cast<int64_t>(random() % 256)};
    std::vector<int32_t> values(1001);
    // value · a · b / y about as large as a byte.
    const double far = std::min(0x1p30, std::fabs(300 * by.y / (by.a * by.b)) + 2);
    for (int32_t& value : values) value = static_cast<int32_t>((static_cast<double>(random()) * 0x1p-31 - 1) * far);
    std::vector<uint8_t> codes(values.size());
    std::vector<bool> is_open(values.size());
    for (const uint32_t at : scale_integers(values.data(), values.size(), by, {8, false}, codes.data())) is_open[at] = true;
    size_t wrong = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      if (is_open[i]) {
        ++open_in_all;
        continue;
      }
      const int128 numerator = static_cast<int128>(values[i]) * digits[0] * digits[1], denominator = static_cast<int128>(digits[2]) << 20;
      int128 whole = numerator / denominator, rest = numerator % denominator;
      if (rest < 0) {
        rest += denominator;
        --whole;
      }
      if (2 * rest > denominator || (2 * rest == denominator && whole % 2 != 0)) ++whole;
      const int128 code = std::min<int128>(std::max<int128>(whole + by.zero, 0), 255);
      wrong += codes[i] == static_cast<uint8_t>(code) ? 0 : 1;
    }
    INFO("round " << round);
    CHECK(wrong == 0);
  }
  CHECK(open_in_all < 3000);
}

}  // namespace onnxv
