// Cast between strings and numbers.
#include "src/run/testing.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

NodeUnderTest cast(DType to, Value x) {
  return NodeUnderTest("Cast", 13).attribute("to", static_cast<int64_t>(to)).input(std::move(x));
}

std::string refusal(std::string text) { return cast(DType::kFloat, strings({1}, {std::move(text)})).error(); }

}  // namespace

TEST_CASE("Cast-9 strings to floats round once") {
  const Tensor x = strings({7}, {"3.14", "1000", "1e-5", "+.5E1", "5.", "-0", "00012"});
  CHECK(same(cast(DType::kFloat, x).one(), floats({7}, {3.14f, 1000, 1e-5f, 5, 5, -0.0f, 12})));
  // 1 + 2^-24 + 1e-20 is above the tie; as a double it would be the tie itself.
  CHECK(same(cast(DType::kFloat, strings({2}, {"1.00000005960464477540", "1.000000059604644775390625"})).one(),
             codes(DType::kFloat, {2}, {0x3f800001, 0x3f800000})));
  CHECK(same(cast(DType::kFloat16, strings({3}, {"65519.99999999999999999999", "65520", "1e999999999999999999999"})).one(),
             codes(DType::kFloat16, {3}, {0x7bff, 0x7c00, 0x7c00})));
  CHECK(same(cast(DType::kDouble, strings({3}, {"0.1", "1e-400", "-2.4703282292062328e-324"})).one(),
             codes(DType::kDouble, {3}, {0x3fb999999999999a, 0, 0x8000000000000001})));
}

TEST_CASE("Cast-9 long strings") {
  const std::string zeros(30000, '0');
  CHECK(same(cast(DType::kDouble, strings({3}, {"1" + zeros + "e-30000", "0." + zeros + "25e30001", zeros + "." + zeros})).one(),
             doubles({3}, {1, 2.5, 0})));
  // The tie between 1 and its upper neighbour, and one digit far behind it.
  const std::string tie = "1.00000000000000011102230246251565404236316680908203125";
  CHECK(same(cast(DType::kDouble, strings({2}, {tie, tie + zeros + "1"})).one(),
             codes(DType::kDouble, {2}, {0x3ff0000000000000, 0x3ff0000000000001})));
}

TEST_CASE("Cast-9 the names of infinity and NaN in any case") {
  const Tensor x = strings({6}, {"INF", "+inf", "-Inf", "NaN", "nan", "-NAN"});
  CHECK(same(cast(DType::kFloat, x).one(),
             codes(DType::kFloat, {6}, {0x7f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc00000, 0x7fc00000})));
  CHECK(same(cast(DType::kBool, x).one(), bools({6}, {true, true, true, true, true, true})));
  CHECK(same(cast(DType::kInt8, x).one(), int8s({6}, {0, 0, 0, 0, 0, 0})));
}

TEST_CASE("Cast-9 Choice: a string that is no number is an error") {
  for (const char* text : {"", "Hello World!", "1_000", "0x10", "infinity", " 1", "1 ", "1.5abc", ".", "e5", "1e", "1e+",
                           "--1", "1.2.3"}) {
    CHECK_MESSAGE(refusal(text).starts_with("undefined/cast-text"), text);
  }
}

TEST_CASE("Cast-9 Choice: strings to integers truncate and wrap; only whole numbers in range are defined") {
  const Tensor x = strings({8}, {"100", "100.5", "-2.9", "1e2", "300", "-129", "18446744073709551621", "1e64"});
  CHECK(same(cast(DType::kInt8, x).one(), int8s({8}, {100, 100, -2, 100, 44, 127, 5, 0})));
  NodeUnderTest node = cast(DType::kInt8, x);
  REQUIRE(node.unspecified().size() == 1);
  CHECK(node.unspecified()[0].slug == "cast-integer-range");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{0, 1, 1, 0, 1, 1, 1, 1});
  CHECK(same(cast(DType::kUint64, strings({2}, {"18446744073709551615", "-1"})).one(),
             codes(DType::kUint64, {2}, {~uint64_t{0}, ~uint64_t{0}})));
  CHECK(same(cast(DType::kBool, strings({3}, {"0.000", "1e-999", "0e5"})).one(), bools({3}, {false, true, false})));
}

TEST_CASE("Cast-9 Choice: numbers to strings") {
  CHECK(same(cast(DType::kString, floats({7}, {314.15926f, 1, -0.0f, 1e-7f, 16777216, 0.1f, 1e20f})).one(),
             strings({7}, {"314.15927", "1.0", "-0.0", "0.0000001", "16777216.0", "0.1", "100000000000000000000.0"})));
  CHECK(same(cast(DType::kString, codes(DType::kFloat, {3}, {0x7fc00000, 0x7f800000, 0xff800000})).one(),
             strings({3}, {"nan", "inf", "-inf"})));
  // 0.1 in float16 is 0.0999755859375; "0.1" reads back as it.
  CHECK(same(cast(DType::kString, codes(DType::kFloat16, {1}, {0x2e66})).one(), strings({1}, {"0.1"})));
  CHECK(same(cast(DType::kString, int64s({2}, {INT64_MIN, 7})).one(), strings({2}, {"-9223372036854775808", "7"})));
  CHECK(same(cast(DType::kString, bools({2}, {true, false})).one(), strings({2}, {"True", "False"})));
  CHECK(cast(DType::kString, int64s({1}, {7})).unspecified().empty());
  CHECK(cast(DType::kString, floats({1}, {7})).unspecified().size() == 1);
  CHECK(same(cast(DType::kString, strings({1}, {"any thing"})).one(), strings({1}, {"any thing"})));
}

TEST_CASE("Cast-24 strings to float8") {
  const auto cast_24 = [](DType to, std::vector<std::string> texts) {
    const int64_t count = static_cast<int64_t>(texts.size());
    return NodeUnderTest("Cast", 24).attribute("to", static_cast<int64_t>(to)).input(strings({count}, std::move(texts)));
  };
  CHECK(same(cast_24(DType::kFloat8e4m3fn, {"464.0000000000000000000001", "464", "-INF", "1.0625"}).one(),
             codes(DType::kFloat8e4m3fn, {4}, {0x7e, 0x7e, 0xfe, 0x38})));
  CHECK(same(cast_24(DType::kFloat8e8m0, {"1.0000000000000000000000001", "1e-50", "1e50", "-3"}).one(),
             codes(DType::kFloat8e8m0, {4}, {128, 0, 0xfe, 0xff})));
}
