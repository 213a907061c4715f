// What is told beside the verdict: how errors are spread, and what inputs hold.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "conformance/compare/compare.h"
#include "conformance/compare/statistics.h"

namespace onnxv {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor floats(std::vector<float> values) {
  return Tensor::of<float>(DType::kFloat, {static_cast<int64_t>(values.size())}, values);
}

TEST_CASE("errors are counted by powers of two of their ulp distance") {
  // From 1.0, one ulp up, three up and five up; 0.5 right; NaN for 8.
  const float up1 = std::nextafter(1.0f, 2.0f);
  const float up3 = 1.0f + 3 * 0x1p-23f, up5 = 1.0f + 5 * 0x1p-23f;
  const Comparison found =
      compare(floats({1, 1, 1, 0.5, 8}), floats({up1, up3, up5, 0.5, kNan}), {});
  const ErrorProfile& profile = found.profile;
  REQUIRE(profile.ulp_counts.size() == ErrorProfile::kNotComparable + 1);
  CHECK(profile.ulp_counts[0] == 1);
  CHECK(profile.ulp_counts[1] == 1);  // 1
  CHECK(profile.ulp_counts[2] == 1);  // 2 to 3
  CHECK(profile.ulp_counts[3] == 1);  // 4 to 7
  CHECK(profile.ulp_counts[ErrorProfile::kNotComparable] == 1);
  CHECK(profile.ulp_by_exponent == std::map<int, uint64_t>{{0, 5}});
  CHECK(profile.magnitude == 8);
  CHECK(compare(floats({1, 2}), floats({1, 2}), {}).profile.ulp_counts.empty());
}

TEST_CASE("statistics of an input") {
  const ValueStatistics found = statistics_of("x", floats({-2, 0, kInf, kNan, 0x1p-140f, 3}));
  CHECK(found.type == "float32");
  CHECK(found.shape == std::vector<int64_t>{6});
  CHECK(found.minimum == "-2.0 (0xc0000000)");
  CHECK(found.maximum == "3.0 (0x40400000)");
  // 2^-140 is 2^9 times the smallest subnormal, 2^-149.
  CHECK(found.smallest_magnitude.find("(0x00000200)") != std::string::npos);
  CHECK(found.zero == 1);
  CHECK(found.infinite == 1);
  CHECK(found.nan == 1);
  CHECK(found.subnormal == 1);
  const ValueStatistics flags = statistics_of("b", Value(Tensor::bool_scalar(true)));
  CHECK(flags.minimum == "true");
  CHECK(statistics_of("s", Value(Tensor({1}, {"word"}))).minimum.empty());
}

}  // namespace
}  // namespace onnxv
