#include "conformance/inputs.h"

#include <doctest/doctest.h>

#include "src/base/error.h"
#include "src/number/format.h"
#include "src/number/philox.h"

namespace onnxv {
namespace {

ValueInfo info(const std::string& name, DType dtype, std::vector<Type::Dim> dims) {
  Type type = Type::tensor(dtype);
  type.shape = std::move(dims);
  return {name, type, {}, {}};
}

InputSources seeded(uint64_t seed) {
  InputSources sources;
  sources.seed = seed;
  return sources;
}

Tensor generated(const ValueInfo& value, const InputSources& sources = {},
                 std::string* how = nullptr) {
  return generate_value(value, sources, how).tensor();
}

TEST_CASE("floats are the generator's top bits, in [-1,1)") {
  // u = k / 2^53 of the 64 bits that Philox4x32-10 gives for key (seed) and counter (index / 2,
  // hash of "x"); 2u - 1.
  const Tensor x = generated(info("x", DType::kDouble, {{64, ""}}), seeded(5));
  const uint64_t hash = name_hash("x");
  for (uint32_t i = 0; i < 64; ++i) {
    const auto words =
        philox({i / 2, 0, static_cast<uint32_t>(hash), static_cast<uint32_t>(hash >> 32)}, {5, 0});
    const uint64_t bits = uint64_t{words[i % 2 * 2 + 1]} << 32 | words[i % 2 * 2];
    CHECK(x.as<double>()[i] ==
          static_cast<double>(static_cast<int64_t>(bits >> 11) - (int64_t{1} << 52)) * 0x1p-52);
  }
}

TEST_CASE("every float type stays in its range") {
  for (const DType dtype : {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kFloat8e4m3fn,
                            DType::kFloat8e5m2fnuz, DType::kFloat4e2m1, DType::kFloat6e3m2}) {
    const Tensor x = generated(info("x", dtype, {{500, ""}}));
    double least = 1, most = -1;
    for (size_t i = 0; i < x.size(); ++i) {
      const double value = decode(float_format(dtype), x.code(i));
      least = std::min(least, value);
      most = std::max(most, value);
    }
    CHECK(least >= -1);
    CHECK(least < -0.5);
    CHECK(most < 1);
    CHECK(most >= 0.5);
  }
}

TEST_CASE("integers are 0 to 9, or what the type holds; bool is even") {
  const auto range = [](DType dtype, const InputSources& sources) {
    const Tensor x = generated(info("x", dtype, {{1000, ""}}), sources);
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < x.size(); ++i) {
      const auto value = static_cast<int64_t>(
          decode_integer({std::max(dtype_bits(dtype), 2), is_signed_integer(dtype)}, x.code(i)));
      least = std::min(least, value);
      most = std::max(most, value);
    }
    return std::pair(least, most);
  };
  CHECK(range(DType::kInt64, {}) == std::pair<int64_t, int64_t>(0, 9));
  CHECK(range(DType::kUint8, {}) == std::pair<int64_t, int64_t>(0, 9));
  CHECK(range(DType::kInt4, {}) == std::pair<int64_t, int64_t>(0, 7));
  CHECK(range(DType::kUint2, {}) == std::pair<int64_t, int64_t>(0, 3));
  CHECK(range(DType::kInt2, {}) == std::pair<int64_t, int64_t>(0, 1));
  CHECK(range(DType::kBool, {}) == std::pair<int64_t, int64_t>(0, 1));
  InputSources ranged;
  ranged.ranges["x"] = {-3, 2.5};
  CHECK(range(DType::kInt32, ranged) == std::pair<int64_t, int64_t>(-3, 2));
  CHECK(range(DType::kUint16, ranged) == std::pair<int64_t, int64_t>(0, 2));
  ranged.ranges["x"] = {0.25, 0.75};
  CHECK_THROWS_AS(range(DType::kInt32, ranged), Error);
}

TEST_CASE("names and seeds change the values, nothing else does") {
  const ValueInfo x = info("x", DType::kFloat, {{3, ""}});
  CHECK(same_bits(generated(x), generated(x)));
  CHECK_FALSE(same_bits(generated(x), generated(x, seeded(1))));
  CHECK_FALSE(same_bits(generated(x), generated(info("y", DType::kFloat, {{3, ""}}))));
  // A longer tensor begins with the shorter one.
  const Tensor longer = generated(info("x", DType::kFloat, {{8, ""}}));
  const Tensor shorter = generated(x);
  CHECK(std::equal(shorter.as<float>().begin(), shorter.as<float>().end(),
                   longer.as<float>().begin()));
}

TEST_CASE("shapes come from the option, the declaration, the symbols, in that order") {
  const ValueInfo x = info("x", DType::kFloat, {{-1, "N"}, {3, ""}, {-1, ""}});
  InputSources sources;
  CHECK(generated(x).shape() == Shape{1, 3, 1});
  sources.dims["N"] = 4;
  std::string how;
  CHECK(generated(x, sources, &how).shape() == Shape{4, 3, 1});
  CHECK(how == "x: float32[4,3,1] uniform in [-1,1), seed 0");
  sources.shapes["x"] = {2, 3, 5};
  CHECK(generated(x, sources).shape() == Shape{2, 3, 5});
  ValueInfo unknown{"u", Type::tensor(DType::kFloat), {}, {}};
  CHECK_THROWS_AS(generated(unknown), Error);
}

TEST_CASE("an input beyond any memory is a limit that names it") {
  const auto line_of = [](const ValueInfo& value) {
    try {
      generated(value);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(line_of(info("x", DType::kFloat, {{INT64_MAX, ""}, {4, ""}})) ==
        "limit/size-overflow: input \"x\": a size exceeds 2^63");
  CHECK(line_of(info("s", DType::kString, {{int64_t{1} << 50, ""}})) ==
        "limit/memory: input \"s\": not enough memory");
}

TEST_CASE("strings, sequences, optionals and maps are generated, too") {
  const Tensor words = generated(info("s", DType::kString, {{40, ""}}));
  CHECK(words.strings()[0] != words.strings()[1]);
  const Type item = info("", DType::kFloat, {{2, ""}}).type;
  const Value sequence = generate_value({"q", Type::sequence(item), {}, {}}, {}, nullptr);
  REQUIRE(sequence.sequence().items.size() == 2);
  CHECK_FALSE(same_bits(sequence.sequence().items[0], sequence.sequence().items[1]));
  CHECK(generate_value({"o", Type::optional(item), {}, {}}, {}, nullptr).optional().value !=
        nullptr);
  CHECK(generate_value({"m", Type::map(DType::kString, item), {}, {}}, {}, nullptr).map().size() ==
        3);
}

}  // namespace
}  // namespace onnxv
