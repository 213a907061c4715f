#include "conformance/inputs.h"

#include <doctest/doctest.h>

#include <algorithm>

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
  return generate_value(value, sources, nullptr, how).tensor();
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
  const Value sequence = generate_value({"q", Type::sequence(item), {}, {}}, {}, nullptr, nullptr);
  REQUIRE(sequence.sequence().items.size() == 2);
  CHECK_FALSE(same_bits(sequence.sequence().items[0], sequence.sequence().items[1]));
  CHECK(
      generate_value({"o", Type::optional(item), {}, {}}, {}, nullptr, nullptr).optional().value !=
      nullptr);
  CHECK(generate_value({"m", Type::map(DType::kString, item), {}, {}}, {}, nullptr, nullptr)
            .map()
            .size() == 3);
}

Node node(const std::string& op, std::vector<std::string> inputs, const std::string& output) {
  Node result;
  result.op = op;
  result.name = "the_" + output;
  result.inputs = std::move(inputs);
  result.outputs = {output};
  return result;
}

Model model_of(std::vector<ValueInfo> inputs, std::vector<Node> nodes,
               std::vector<Initializer> initializers = {}) {
  Graph graph;
  graph.inputs = std::move(inputs);
  graph.nodes = std::move(nodes);
  graph.initializers = std::move(initializers);
  Model model;
  model.ir_version = 8;
  model.graph = std::make_shared<const Graph>(std::move(graph));
  return model;
}

std::pair<int64_t, int64_t> ends(const Tensor& tensor) {
  const auto values = tensor.as<int64_t>();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

TEST_CASE("indices exist: through a Cast and an Unsqueeze, in the smallest of the tables") {
  const Model model = model_of(
      {info("ids", DType::kInt64, {{500, ""}}), info("free", DType::kInt64, {{500, ""}})},
      {node("Unsqueeze", {"ids", "axes"}, "row"), node("Cast", {"row"}, "cast"),
       node("Gather", {"large", "row"}, "a"), node("Gather", {"small", "cast"}, "b"),
       node("Identity", {"free"}, "c")},
      {{"large", Tensor(DType::kFloat, {1000, 2})}, {"small", Tensor(DType::kFloat, {40, 2})}});
  const ModelInputs inputs = gather_inputs(model, {});
  CHECK(ends(inputs.values.at("ids").tensor()) == std::pair<int64_t, int64_t>(0, 39));
  CHECK(ends(inputs.values.at("free").tensor()) == std::pair<int64_t, int64_t>(0, 9));
  CHECK(inputs.generated[0] ==
        "ids: int64[500] integers from 0 to 39 (indices of Gather \"the_b\"), seed 0");
  InputSources wide;
  wide.ranges["ids"] = {0, 99};
  CHECK(ends(gather_inputs(model, wide).values.at("ids").tensor()).second > 39);
}

TEST_CASE("lengths, shapes, masks and divisors mean something") {
  const Model model = model_of(
      {info("x", DType::kFloat, {{7, ""}, {2, ""}, {3, ""}}),
       info("lengths", DType::kInt32, {{200, ""}}), info("shape", DType::kInt64, {{3, ""}}),
       info("attention_mask", DType::kInt64, {{200, ""}}),
       info("divisor", DType::kInt64, {{200, ""}}),
       info("position", DType::kInt64, {{1, ""}, {5, ""}}),
       info("cos", DType::kFloat, {{4, ""}, {2, ""}}), info("rate", DType::kInt64, {})},
      {node("GRU", {"x", "w", "r", "", "lengths"}, "a"), node("Reshape", {"x", "shape"}, "b"),
       node("Mul", {"attention_mask", "k"}, "c"), node("Mod", {"k", "divisor"}, "d"),
       node("RotaryEmbedding", {"x", "cos", "sin", "position"}, "e"),
       node("Equal", {"rate", "usual"}, "f")},
      {{"usual", Tensor::int64_scalar(16000)}});
  const auto values = gather_inputs(model, {}).values;
  const auto lengths = values.at("lengths").tensor().as<int32_t>();
  CHECK(*std::min_element(lengths.begin(), lengths.end()) == 1);
  CHECK(*std::max_element(lengths.begin(), lengths.end()) == 7);
  CHECK(same_bits(values.at("shape"), Tensor::int64_list(std::vector<int64_t>{-1, 1, 1})));
  CHECK(ends(values.at("attention_mask").tensor()) == std::pair<int64_t, int64_t>(0, 1));
  CHECK(ends(values.at("divisor").tensor()) == std::pair<int64_t, int64_t>(1, 9));
  CHECK(same_bits(values.at("rate"), Tensor::int64_scalar(16000)));
  const auto position = values.at("position").tensor().as<int64_t>();
  CHECK(std::vector<int64_t>(position.begin(), position.end()) ==
        std::vector<int64_t>{0, 1, 2, 3, 0});
}

TEST_CASE("lengths by their name, of the rows of another input") {
  const Model model = model_of({info("waveforms", DType::kFloat, {{4, ""}, {6, ""}}),
                                info("waveforms_lens", DType::kInt64, {{300, ""}})},
                               {node("Mul", {"waveforms_lens", "k"}, "scaled")});
  CHECK(ends(gather_inputs(model, {}).values.at("waveforms_lens").tensor()) ==
        std::pair<int64_t, int64_t>(1, 6));
}

TEST_CASE("boxes have their corners in order") {
  const Model model = model_of({info("boxes", DType::kFloat, {{1, ""}, {50, ""}, {4, ""}})},
                               {node("NonMaxSuppression", {"boxes", "scores"}, "kept")});
  const Tensor boxes = gather_inputs(model, {}).values.at("boxes").tensor();
  for (size_t i = 0; i < boxes.size(); i += 4) {
    CHECK(boxes.as<float>()[i] <= boxes.as<float>()[i + 2]);
    CHECK(boxes.as<float>()[i + 1] <= boxes.as<float>()[i + 3]);
  }
}

}  // namespace
}  // namespace onnxv
