#include <bit>
#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

NodeUnderTest ml(const char* op, int64_t version = 1) { return NodeUnderTest(op, version, "ai.onnx.ml"); }

Value int_map(std::vector<int64_t> keys, std::vector<Tensor> values) {
  Map map;
  map.int_keys = std::move(keys);
  map.value_type = Type::tensor(values.empty() ? DType::kFloat : values[0].dtype());
  for (Tensor& value : values) map.values.emplace_back(std::move(value));
  return Value(std::move(map));
}

Value text_map(std::vector<std::string> keys, std::vector<Tensor> values) {
  Map map;
  map.key_type = DType::kString;
  map.string_keys = std::move(keys);
  map.value_type = Type::tensor(values[0].dtype());
  for (Tensor& value : values) map.values.emplace_back(std::move(value));
  return Value(std::move(map));
}

Tensor real(float value) { return floats({}, {value}); }
Tensor word(std::string text) { return strings({}, {std::move(text)}); }

}  // namespace

TEST_CASE("ArrayFeatureExtractor-1 takes positions of the last axis") {
  const auto taken = [](Tensor x, Tensor y) {
    return ml("ArrayFeatureExtractor").input(std::move(x)).input(std::move(y));
  };
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(same(taken(x, int64s({2}, {2, 0})).one(), floats({2, 2}, {3, 1, 6, 4})));
  CHECK(same(taken(x, int64s({2, 2}, {0, 0, 1, 2})).one(), floats({2, 4}, {1, 1, 2, 3, 4, 4, 5, 6})));
  CHECK(same(taken(strings({2}, {"a", "b"}), int64s({}, {1})).one(), strings({1, 1}, {"b"})));
  CHECK(same(taken(floats({0, 3}, {}), int64s({1}, {1})).one(), floats({0, 1}, {})));
  CHECK(taken(x, int64s({1}, {3})).error().find("undefined/index-range") == 0);
  CHECK(taken(x, int64s({1}, {-1})).error().find("Y holds -1, must be in [0, 2]") != std::string::npos);
  CHECK(taken(x, int64s({0}, {})).error().find("schema/shape-mismatch") == 0);
  CHECK(taken(floats({}, {1}), int64s({1}, {0})).error().find("schema/shape-mismatch") == 0);
}

TEST_CASE("Binarizer-1 is strictly greater, as real numbers") {
  CHECK(same(ml("Binarizer").attribute("threshold", 1.5F).input(floats({5}, {1.5F, 2, -3, kInfinity, kNan})).one(),
             floats({5}, {0, 1, 0, 1, 0})));
  CHECK(same(ml("Binarizer").input(floats({3}, {-0.0F, 1e-45F, 0})).one(), floats({3}, {0, 1, 0})));
  // 0.1 as a double is below 0.1 as a float32.
  CHECK(same(ml("Binarizer").attribute("threshold", 0.1F).input(doubles({2}, {0.1, 0.100000002})).one(),
             doubles({2}, {0, 1})));
  // 2^53 + 1 has no double; against 2^53 it is greater.
  CHECK(same(ml("Binarizer")
                 .attribute("threshold", 9007199254740992.0F)
                 .input(int64s({3}, {9007199254740992, 9007199254740993, INT64_MIN}))
                 .one(),
             int64s({3}, {0, 1, 0})));
  CHECK(
      same(ml("Binarizer").attribute("threshold", -kInfinity).input(int64s({1}, {INT64_MIN})).one(), int64s({1}, {1})));
  CHECK(same(ml("Binarizer").attribute("threshold", kNan).input(int32s({1}, {7})).one(), int32s({1}, {0})));
  CHECK(same(ml("Binarizer").input(int32s({0, 2}, {})).one(), int32s({0, 2}, {})));
}

TEST_CASE("CastMap-1 dense, by ascending key") {
  const Value x = int_map({5, 0, 2}, {real(2.5F), real(-1.25F), real(7)});
  CHECK(same(ml("CastMap").input(x).one(), floats({1, 3}, {-1.25F, 7, 2.5F})));
  CHECK(same(ml("CastMap").attribute("cast_to", "TO_INT64").input(x).one(), int64s({1, 3}, {-1, 7, 2})));
  CHECK(same(ml("CastMap").attribute("cast_to", "TO_STRING").input(x).one(), strings({1, 3}, {"-1.25", "7.0", "2.5"})));
  CHECK(same(ml("CastMap").input(int_map({}, {})).one(), floats({1, 0}, {})));
}

TEST_CASE("CastMap-1 sparse, at the key") {
  const Value x = int_map({3, 0}, {real(2.5F), real(-1)});
  const auto sparse = [&](const char* to, int64_t length) {
    return ml("CastMap").attribute("map_form", "SPARSE").attribute("cast_to", to).attribute("max_map", length).input(x);
  };
  CHECK(same(sparse("TO_FLOAT", 5).one(), floats({1, 5}, {-1, 0, 0, 2.5F, 0})));
  CHECK(same(sparse("TO_STRING", 4).one(), strings({1, 4}, {"-1.0", "0", "0", "2.5"})));
  CHECK(sparse("TO_FLOAT", 3).error().find("X has the key 3, must be in [0, max_map - 1] = [0, 2]") !=
        std::string::npos);
  CHECK(ml("CastMap")
            .attribute("map_form", "SPARSE")
            .attribute("max_map", 3)
            .input(int_map({-1}, {real(1)}))
            .error()
            .find("undefined/index-range") == 0);
}

TEST_CASE("CastMap-1 strings are parsed whole") {
  const Value x = int_map({3, 1, 8}, {word("1.5"), word("-2"), word("1e3")});
  CHECK(same(ml("CastMap").input(x).one(), floats({1, 3}, {-2, 1.5F, 1000})));
  CHECK(same(ml("CastMap").attribute("cast_to", "TO_INT64").input(x).one(), int64s({1, 3}, {-2, 1, 1000})));
  CHECK(same(ml("CastMap").attribute("cast_to", "TO_STRING").input(x).one(), strings({1, 3}, {"-2", "1.5", "1e3"})));
  CHECK(same(ml("CastMap").input(int_map({0, 1}, {word("-inf"), word("NaN")})).one(),
             floats({1, 2}, {-kInfinity, kNan})));
  for (const char* junk : {"", " 1", "1x", "0x10", "1_0", ".", "1e", "infinity"}) {
    CAPTURE(junk);
    CHECK(ml("CastMap").input(int_map({0}, {word(junk)})).error().find("undefined/cast-text") == 0);
  }
}

TEST_CASE("CastMap-1 what no int64 holds is marked") {
  NodeUnderTest node = ml("CastMap")
                           .attribute("cast_to", "TO_INT64")
                           .input(int_map({0, 1, 2}, {real(kNan), real(-1.9F), real(18446744073709551616.0F)}));
  CHECK(same(node.one(), int64s({1, 3}, {0, -1, 0})));
  REQUIRE(node.unspecified().size() == 1);
  CHECK(node.unspecified()[0].slug == "float-to-integer-range");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{1, 0, 1});
}

TEST_CASE("CastMap-1 unknown forms") {
  CHECK(ml("CastMap").attribute("cast_to", "TO_DOUBLE").input(int_map({}, {})).error().find("schema/attribute-value") ==
        0);
  CHECK(ml("CastMap").attribute("map_form", "dense").input(int_map({}, {})).error().find("schema/attribute-value") ==
        0);
}

TEST_CASE("CategoryMapper-1 both ways") {
  const auto mapper = [] {
    return ml("CategoryMapper").texts("cats_strings", {"a", "b", "a"}).integers("cats_int64s", {10, 20, 30});
  };
  CHECK(same(mapper().input(strings({2, 2}, {"a", "b", "A", ""})).one(), int64s({2, 2}, {30, 20, -1, -1})));
  CHECK(same(mapper().input(int64s({3}, {20, 10, 7})).one(), strings({3}, {"b", "a", "_Unused"})));
  CHECK(same(mapper().attribute("default_int64", 5).input(strings({}, {"z"})).one(), int64s({}, {5})));
  CHECK(same(mapper().attribute("default_string", "?").input(int64s({0}, {})).one(), strings({0}, {})));
  CHECK(ml("CategoryMapper")
            .texts("cats_strings", {"a"})
            .integers("cats_int64s", {1, 2})
            .input(int64s({1}, {1}))
            .error()
            .find("schema/list-length") == 0);
}

TEST_CASE("DictVectorizer-1 puts values at their key's place") {
  CHECK(same(ml("DictVectorizer")
                 .texts("string_vocabulary", {"a", "c", "b", "z"})
                 .input(text_map({"c", "a"}, {int64s({}, {8}), int64s({}, {4})}))
                 .one(),
             int64s({4}, {4, 8, 0, 0})));
  CHECK(same(ml("DictVectorizer").integers("int64_vocabulary", {7, 9}).input(int_map({9}, {word("x")})).one(),
             strings({2}, {"", "x"})));
  CHECK(same(ml("DictVectorizer").integers("int64_vocabulary", {7, 7}).input(int_map({7}, {real(1)})).one(),
             floats({2}, {0, 1})));
  CHECK(same(ml("DictVectorizer").integers("int64_vocabulary", {7}).input(int_map({}, {})).one(), floats({1}, {0})));
}

TEST_CASE("DictVectorizer-1 errors") {
  const Value x = int_map({5}, {real(1)});
  CHECK(ml("DictVectorizer").integers("int64_vocabulary", {7}).input(x).error().find("undefined/unknown-key") == 0);
  CHECK(ml("DictVectorizer").texts("string_vocabulary", {"a"}).input(x).error().find("schema/type-mismatch") == 0);
  CHECK(ml("DictVectorizer").input(x).error().find("schema/attribute-missing") == 0);
}

TEST_CASE("LabelEncoder-1 strings and their places") {
  const auto encoder = [] { return ml("LabelEncoder").texts("classes_strings", {"b", "a", "b"}); };
  CHECK(same(encoder().input(strings({2, 2}, {"a", "b", "c", ""})).one(), int64s({2, 2}, {1, 0, -1, -1})));
  CHECK(same(encoder().attribute("default_int64", 9).input(strings({}, {"x"})).one(), int64s({}, {9})));
  CHECK(same(encoder().input(int64s({4}, {1, 2, 3, -1})).one(), strings({4}, {"a", "b", "_Unused", "_Unused"})));
}

TEST_CASE("LabelEncoder-2 keys and values of three types") {
  CHECK(same(ml("LabelEncoder", 2)
                 .texts("keys_strings", {"Amy", "Sally"})
                 .integers("values_int64s", {5, 6})
                 .input(strings({5}, {"Dori", "Amy", "Amy", "Sally", "Sally"}))
                 .one(),
             int64s({5}, {-1, 5, 5, 6, 6})));
  CHECK(same(ml("LabelEncoder", 2)
                 .integers("keys_int64s", {1, 1})
                 .texts("values_strings", {"x", "y"})
                 .input(int64s({}, {1}))
                 .one(),
             strings({}, {"y"})));
  CHECK(same(ml("LabelEncoder", 2)
                 .integers("keys_int64s", {1})
                 .reals("values_floats", {2.5F})
                 .input(int64s({2}, {1, 0}))
                 .one(),
             floats({2}, {2.5F, -0.0F})));
}

TEST_CASE("LabelEncoder-2 compares bits") {
  NodeUnderTest node = ml("LabelEncoder", 2).reals("keys_floats", {0.0F, kNan}).integers("values_int64s", {1, 2});
  node.input(codes(DType::kFloat, {4}, {0, 0x80000000, std::bit_cast<uint32_t>(kNan), 0x7FC00001}));
  CHECK(same(node.one(), int64s({4}, {1, -1, 2, -1})));
}

TEST_CASE("LabelEncoder-4 any NaN is the NaN key, zeros are one, the last of a repeated key counts") {
  NodeUnderTest node =
      ml("LabelEncoder", 4).reals("keys_floats", {0.0F, kNan, 3, 3}).integers("values_int64s", {1, 2, 3, 4});
  node.input(codes(DType::kFloat, {4}, {0x80000000, 0xFFC00001, 0x40400000, 0x40000000}));
  CHECK(same(node.one(), int64s({4}, {1, 2, 4, -1})));
}

TEST_CASE("LabelEncoder-4 tensors and their defaults") {
  const auto encoder = [](Tensor keys, Tensor values) {
    return ml("LabelEncoder", 4)
        .attribute("keys_tensor", std::move(keys))
        .attribute("values_tensor", std::move(values));
  };
  const Tensor small = codes(DType::kInt16, {2}, {1, 0xFFFF});
  CHECK(same(encoder(small, doubles({2}, {0.5, 1.5})).input(codes(DType::kInt16, {3}, {0xFFFF, 2, 1})).one(),
             doubles({3}, {1.5, -0.0, 0.5})));
  CHECK(encoder(doubles({1}, {0.1}), small).input(doubles({1}, {0.1})).error().find("schema/list-length") == 0);
  CHECK(
      same(encoder(strings({1}, {"a"}), int32s({1}, {4})).input(strings({2}, {"a", "b"})).one(), int32s({2}, {4, -1})));
  CHECK(same(encoder(int32s({1}, {4}), strings({1}, {"a"})).input(int32s({2}, {4, 5})).one(),
             strings({2}, {"a", "_Unused"})));
  CHECK(same(encoder(int32s({1}, {4}), doubles({1}, {1}))
                 .attribute("default_tensor", doubles({1}, {9}))
                 .input(int32s({2}, {4, 5}))
                 .one(),
             doubles({2}, {1, 9})));
}

TEST_CASE("LabelEncoder-4 errors") {
  CHECK(ml("LabelEncoder", 4)
            .integers("keys_int64s", {1})
            .integers("values_int64s", {1, 2})
            .input(int64s({1}, {1}))
            .error()
            .find("schema/list-length") == 0);
  CHECK(ml("LabelEncoder", 4)
            .integers("keys_int64s", {1})
            .texts("keys_strings", {"a"})
            .integers("values_int64s", {1})
            .input(int64s({1}, {1}))
            .error()
            .find("2 attributes keys_* are given, exactly one must be") != std::string::npos);
  CHECK(ml("LabelEncoder", 4)
            .integers("keys_int64s", {1})
            .input(int64s({1}, {1}))
            .error()
            .find("schema/attribute-missing") == 0);
  CHECK(ml("LabelEncoder", 4)
            .integers("keys_int64s", {1})
            .integers("values_int64s", {1})
            .input(strings({1}, {"1"}))
            .error()
            .find("schema/type-mismatch") == 0);
  CHECK(ml("LabelEncoder", 4)
            .integers("keys_int64s", {1})
            .integers("values_int64s", {1})
            .attribute("default_tensor", int64s({2}, {1, 2}))
            .input(int64s({1}, {1}))
            .error()
            .find("schema/attribute-value") == 0);
}

TEST_CASE("OneHotEncoder-1 one column per category") {
  const auto encoder = [] { return ml("OneHotEncoder").integers("cats_int64s", {1, 3, 1}); };
  CHECK(same(encoder().input(int64s({2}, {3, 1})).one(), floats({2, 3}, {0, 1, 0, 0, 0, 1})));
  // Floats are cut toward zero; what no int64 holds is no category.
  CHECK(same(encoder().input(floats({4}, {3.9F, -1.9F, kNan, 1e30F})).one(),
             floats({4, 3}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})));
  CHECK(
      same(ml("OneHotEncoder").texts("cats_strings", {"a", "b"}).input(strings({}, {"b"})).one(), floats({2}, {0, 1})));
  CHECK(same(encoder().input(int32s({0}, {})).one(), floats({0, 3}, {})));
}

TEST_CASE("OneHotEncoder-1 errors") {
  CHECK(ml("OneHotEncoder")
            .integers("cats_int64s", {1})
            .attribute("zeros", 0)
            .input(int64s({2}, {1, 2}))
            .error()
            .find("undefined/unknown-category") == 0);
  CHECK(ml("OneHotEncoder")
            .integers("cats_int64s", {1})
            .input(strings({1}, {"1"}))
            .error()
            .find("schema/type-mismatch") == 0);
  CHECK(ml("OneHotEncoder").input(int64s({1}, {1})).error().find("schema/attribute-missing") == 0);
}

TEST_CASE("ZipMap-1 rows to maps") {
  NodeUnderTest node = ml("ZipMap").texts("classlabels_strings", {"a", "b"}).input(floats({2, 2}, {1, 2, 3, 4}));
  const Sequence& rows = node.run()[0].sequence();
  REQUIRE(rows.items.size() == 2);
  CHECK(same(rows.items[0], text_map({"a", "b"}, {real(1), real(2)})));
  CHECK(same(rows.items[1], text_map({"a", "b"}, {real(3), real(4)})));
  // One row of rank 1; of a repeated label the last column counts.
  NodeUnderTest single = ml("ZipMap").integers("classlabels_int64s", {7, 9, 7}).input(floats({3}, {1, 2, 3}));
  REQUIRE(single.run()[0].sequence().items.size() == 1);
  CHECK(same(single.run()[0].sequence().items[0], int_map({7, 9}, {real(3), real(2)})));
  CHECK(
      ml("ZipMap").integers("classlabels_int64s", {0, 1}).input(floats({0, 2}, {})).run()[0].sequence().items.empty());
  CHECK(ml("ZipMap")
            .integers("classlabels_int64s", {0})
            .input(floats({1, 2}, {1, 2}))
            .error()
            .find("schema/list-length") == 0);
  CHECK(ml("ZipMap").input(floats({1, 2}, {1, 2})).error().find("schema/attribute-missing") == 0);
}

}  // namespace onnxv::testing
