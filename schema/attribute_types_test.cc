#include "schema/attribute_types.h"

#include <doctest/doctest.h>

#include <set>

#include "schema/check.h"

namespace onnxv {
namespace {

using Held = decltype(Attribute::value);

Attribute attribute(std::string name, Held value) {
  Attribute made;
  made.name = std::move(name);
  made.value = std::move(value);
  return made;
}

// The types of the outputs, "?" where attributes say nothing; or the error's line.
std::string types_of(std::string op, int64_t opset, std::vector<Attribute> attributes, const std::vector<const char*>& inputs = {},
                     size_t count = 1, std::string_view domain = "") {
  Node node;
  node.op = std::move(op);
  node.attributes = std::move(attributes);
  std::vector<Type> types;
  for (const char* text : inputs) types.push_back(parse_type(text));
  std::string all;
  try {
    for (const Type& type : types_by_attributes(*find_schema(domain, node.op, opset), type_claims(node), types, count))
      all += (all.empty() ? "" : " ") + schema_spelling(type);
  } catch (const Error& error) {
    return error.what();
  }
  return all;
}

std::string slug_of(const std::string& line) { return line.substr(0, line.find(':')); }

Tensor one(DType dtype) { return Tensor(dtype, Shape{1}); }
int64_t number(DType dtype) { return static_cast<int64_t>(dtype); }

const std::string kWrong = "schema/attribute-type";

}  // namespace

TEST_CASE("Constant-1 holds floats alone, later versions what came with them") {
  const auto constant = [](int64_t opset, DType dtype) { return types_of("Constant", opset, {attribute("value", one(dtype))}); };
  CHECK(constant(1, DType::kDouble) == "tensor(double)");
  CHECK(constant(8, DType::kInt64) ==
        "schema/attribute-type: \"value\" makes output \"output\" tensor(int64), which is not among the types of T "
        "(tensor(double), tensor(float), tensor(float16))");
  CHECK(constant(9, DType::kInt64) == "tensor(int64)");
  CHECK(slug_of(constant(12, DType::kBfloat16)) == kWrong);
  CHECK(constant(13, DType::kBfloat16) == "tensor(bfloat16)");
  CHECK(slug_of(constant(18, DType::kFloat8e5m2)) == kWrong);
  CHECK(constant(19, DType::kFloat8e5m2) == "tensor(float8e5m2)");
  CHECK(slug_of(constant(20, DType::kInt4)) == kWrong);
  CHECK(constant(21, DType::kInt4) == "tensor(int4)");
  CHECK(slug_of(constant(22, DType::kFloat4e2m1)) == kWrong);
  CHECK(constant(23, DType::kFloat4e2m1) == "tensor(float4e2m1)");
  CHECK(slug_of(constant(23, DType::kFloat8e8m0)) == kWrong);
  CHECK(constant(24, DType::kFloat8e8m0) == "tensor(float8e8m0)");
  CHECK(slug_of(constant(24, DType::kInt2)) == kWrong);
  CHECK(constant(25, DType::kInt2) == "tensor(int2)");
}

TEST_CASE("Constant's other attributes") {
  CHECK(types_of("Constant", 12, {attribute("value_int", int64_t{1})}) == "tensor(int64)");
  CHECK(types_of("Constant", 12, {attribute("value_floats", std::vector<float>{1})}) == "tensor(float)");
  CHECK(types_of("Constant", 12, {attribute("value_string", std::string("a"))}) == "tensor(string)");
  const SparseTensor sparse{one(DType::kBfloat16), one(DType::kInt64), Shape{2}};
  CHECK(slug_of(types_of("Constant", 12, {attribute("sparse_value", sparse)})) == kWrong);
  CHECK(types_of("Constant", 13, {attribute("sparse_value", sparse)}) == "tensor(bfloat16)");
}

TEST_CASE("ConstantOfShape") {
  const auto filled = [](int64_t opset, DType dtype) {
    return types_of("ConstantOfShape", opset, {attribute("value", one(dtype))}, {"tensor(int64)"});
  };
  CHECK(types_of("ConstantOfShape", 9, {}, {"tensor(int64)"}) == "tensor(float)");
  CHECK(filled(9, DType::kBool) == "tensor(bool)");
  CHECK(slug_of(filled(9, DType::kString)) == kWrong);
  CHECK(slug_of(filled(25, DType::kString)) == kWrong);
  CHECK(slug_of(filled(19, DType::kBfloat16)) == kWrong);
  CHECK(filled(20, DType::kBfloat16) == "tensor(bfloat16)");
  CHECK(slug_of(filled(20, DType::kUint4)) == kWrong);
  CHECK(filled(21, DType::kUint4) == "tensor(uint4)");
}

TEST_CASE("numbers of types") {
  CHECK(types_of("Cast", 13, {attribute("to", number(DType::kBfloat16))}, {"tensor(float)"}) == "tensor(bfloat16)");
  CHECK(slug_of(types_of("Cast", 9, {attribute("to", number(DType::kBfloat16))}, {"tensor(float)"})) == kWrong);
  CHECK(types_of("Cast", 9, {attribute("to", int64_t{99})}, {"tensor(float)"}) ==
        "schema/attribute-type: \"to\" is 99, must be the number of an element type");
  CHECK(types_of("Cast", 9, {attribute("to", int64_t{0})}, {"tensor(float)"}) ==
        "schema/attribute-type: \"to\" is 0, must be the number of an element type");
  CHECK(slug_of(types_of("Multinomial", 7, {attribute("dtype", number(DType::kFloat))}, {"tensor(float)"})) == kWrong);
  CHECK(types_of("Multinomial", 7, {}, {"tensor(float)"}) == "tensor(int32)");
  CHECK(types_of("HannWindow", 17, {}, {"tensor(int64)"}) == "tensor(float)");
  CHECK(slug_of(types_of("HannWindow", 17, {attribute("output_datatype", number(DType::kBool))}, {"tensor(int64)"})) == kWrong);
  CHECK(types_of("RandomNormal", 1, {}) == "tensor(float)");
  CHECK(slug_of(types_of("RandomNormal", 21, {attribute("dtype", number(DType::kBfloat16))})) == kWrong);
  CHECK(types_of("RandomNormal", 22, {attribute("dtype", number(DType::kBfloat16))}) == "tensor(bfloat16)");
  CHECK(slug_of(types_of("BitCast", 26, {attribute("to", number(DType::kString))}, {"tensor(float)"})) == kWrong);
}

TEST_CASE("Cast-1 names its type") {
  CHECK(types_of("Cast", 1, {attribute("to", std::string("INT32"))}, {"tensor(float)"}) == "tensor(int32)");
  CHECK(slug_of(types_of("Cast", 1, {attribute("to", std::string("STRING"))}, {"tensor(float)"})) == kWrong);
  CHECK(types_of("Cast", 1, {attribute("to", std::string("int32"))}, {"tensor(float)"}) ==
        "schema/attribute-type: \"to\" is \"int32\", must be the name of an element type");
}

TEST_CASE("without the attribute an input says the type") {
  CHECK(types_of("EyeLike", 9, {}, {"tensor(bool)"}) == "tensor(bool)");
  CHECK(types_of("RandomUniformLike", 1, {}, {"tensor(int64)"}) ==
        "schema/attribute-type: without \"dtype\" output \"output\" is tensor(int64), which is not among the types of T2 "
        "(tensor(double), tensor(float), tensor(float16))");
  CHECK(types_of("RandomUniformLike", 1, {attribute("dtype", number(DType::kDouble))}, {"tensor(int64)"}) == "tensor(double)");
  CHECK(types_of("DequantizeLinear", 23, {}, {"tensor(int8)", "tensor(float16)"}) == "tensor(float16)");
  CHECK(slug_of(types_of("DequantizeLinear", 24, {}, {"tensor(int8)", "tensor(float8e8m0)"})) == kWrong);
  CHECK(types_of("DequantizeLinear", 23, {attribute("output_dtype", int64_t{0})}, {"tensor(int8)", "tensor(float)"}) == "tensor(float)");
  CHECK(types_of("DequantizeLinear", 23, {}, {"tensor(int8)", "?"}) == "?");
}

TEST_CASE("QuantizeLinear's attribute and its zero point agree") {
  const Attribute int8 = attribute("output_dtype", number(DType::kInt8));
  CHECK(types_of("QuantizeLinear", 21, {int8}, {"tensor(float)", "tensor(float)"}) == "tensor(int8)");
  CHECK(types_of("QuantizeLinear", 21, {int8}, {"tensor(float)", "tensor(float)", "tensor(uint8)"}) ==
        "schema/type-mismatch: input \"y_zero_point\" is tensor(uint8), must be tensor(int8) by \"output_dtype\"");
  CHECK(types_of("QuantizeLinear", 21, {}, {"tensor(float)", "tensor(float)", "tensor(uint8)"}) == "?");
}

TEST_CASE("sequences and optionals wrap what the attribute names") {
  CHECK(types_of("SequenceEmpty", 11, {}) == "seq(tensor(float))");
  CHECK(types_of("SequenceEmpty", 11, {attribute("dtype", number(DType::kInt64))}) == "seq(tensor(int64))");
  CHECK(slug_of(types_of("SequenceEmpty", 11, {attribute("dtype", number(DType::kBfloat16))})) == kWrong);
  const auto optional = [](int64_t opset, std::string_view type) {
    return types_of("Optional", opset, {attribute("type", parse_type(type))});
  };
  CHECK(optional(15, "seq(tensor(int8))") == "optional(seq(tensor(int8)))");
  CHECK(slug_of(optional(15, "tensor(bfloat16)")) == kWrong);
  CHECK(optional(28, "tensor(bfloat16)") == "optional(tensor(bfloat16))");
  CHECK(types_of("Optional", 15, {}, {"tensor(float)"}) == "?");
}

TEST_CASE("LayerNormalization's stash_type is that of its later outputs alone") {
  const auto normalized = [](DType stash, size_t count) {
    return types_of("LayerNormalization", 17, {attribute("stash_type", number(stash))}, {"tensor(float)", "tensor(float)"}, count);
  };
  CHECK(normalized(DType::kBfloat16, 3) == "? tensor(bfloat16) tensor(bfloat16)");
  CHECK(normalized(DType::kDouble, 1) == "?");
  CHECK(slug_of(normalized(DType::kDouble, 2)) == kWrong);
}

TEST_CASE("LabelEncoder: keys type the input, values the output") {
  const auto encoded = [](std::vector<Attribute> attributes, const char* input) {
    return types_of("LabelEncoder", 4, std::move(attributes), {input}, 1, "ai.onnx.ml");
  };
  const Attribute keys = attribute("keys_int64s", std::vector<int64_t>{1});
  const Attribute values = attribute("values_strings", std::vector<std::string>{"a"});
  CHECK(encoded({keys, values}, "tensor(int64)") == "tensor(string)");
  CHECK(encoded({keys, values}, "tensor(float)") ==
        "schema/type-mismatch: input \"X\" is tensor(float), must be tensor(int64) by \"keys_int64s\"");
  CHECK(slug_of(encoded({keys, attribute("values_tensor", one(DType::kBool))}, "tensor(int64)")) == kWrong);
}

TEST_CASE("a reference to a function's attribute says nothing yet") {
  Attribute reference = attribute("to", std::monostate());
  reference.reference = "type";
  CHECK(types_of("Cast", 13, {reference}, {"tensor(float)"}) == "?");
}

TEST_CASE("no attribute with the name of a type's is forgotten") {
  const std::set<std::string_view> names = {"to", "dtype", "output_dtype", "output_datatype"};
  int seen = 0;
  for (const OperatorName& op : all_operator_names()) {
    for (const OpSchema& schema : schema_versions(op.domain, op.name)) {
      for (const AttributeSchema& typing : schema.attributes) {
        if (!names.contains(typing.name)) continue;
        ++seen;
        const Held wrong = typing.kind == Attribute::Kind::kString ? Held(std::string("NONE")) : Held(int64_t{99});
        Node node;
        node.attributes = {attribute(typing.name, wrong)};
        INFO(op.name, "-", schema.since_version, " ", typing.name);
        CHECK_THROWS_AS(types_by_attributes(schema, type_claims(node), {}, 1), Error);
      }
    }
  }
  CHECK(seen >= 38);
}

}  // namespace onnxv
