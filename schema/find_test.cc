#include <doctest/doctest.h>

#include <climits>
#include <cmath>

#include "schema/schema.h"

namespace onnxv {
namespace {

int version_at(std::string_view name, int64_t opset, std::string_view domain = "") {
  const OpSchema* schema = find_schema(domain, name, opset);
  return schema == nullptr ? 0 : schema->since_version;
}

}  // namespace

TEST_CASE("the greatest version not above the opset is found") {
  CHECK(version_at("Softmax", 1) == 1);
  CHECK(version_at("Softmax", 12) == 11);
  CHECK(version_at("Softmax", 13) == 13);
  CHECK(version_at("Softmax", 28) == 13);
  CHECK(version_at("Gelu", 19) == 0);
  CHECK(version_at("Gelu", 20) == 20);
  CHECK(version_at("Softmax", 13, "ai.onnx") == 13);
  CHECK(version_at("Softmax", 13, "ai.onnx.ml") == 0);
  CHECK(version_at("LabelEncoder", 3, "ai.onnx.ml") == 2);
  CHECK(version_at("MaxUnpool", 22, "com.ms.internal.nhwc") == 9);
  CHECK(version_at("NoSuchOperator", 13) == 0);
}

TEST_CASE("an experimental operator is found at any opset, a real one of its name first") {
  CHECK(version_at("ConstantFill", 21) == 1);
  CHECK(find_schema("", "ConstantFill", 21)->experimental);
  CHECK(find_schema("", "MeanVarianceNormalization", 8)->experimental);
  CHECK(version_at("MeanVarianceNormalization", 9) == 9);
  CHECK(version_at("ThresholdedRelu", 9) == 1);
  CHECK(version_at("ThresholdedRelu", 10) == 10);
}

TEST_CASE("a schema holds ports, attributes and defaults") {
  const OpSchema& softmax1 = *find_schema("", "Softmax", 1);
  REQUIRE(softmax1.attributes.size() == 1);
  CHECK(softmax1.attribute("axis")->kind == Attribute::Kind::kInt);
  CHECK(std::get<int64_t>(softmax1.attribute("axis")->default_value) == 1);
  CHECK(std::get<int64_t>(find_schema("", "Softmax", 13)->attribute("axis")->default_value) == -1);

  const OpSchema& lstm = *find_schema("", "LSTM", 14);
  CHECK(lstm.min_inputs == 3);
  CHECK(lstm.max_inputs == 8);
  CHECK(lstm.input_names.at(4) == "sequence_lens");
  CHECK(lstm.inputs.at(4).arity == PortSchema::Arity::kOptional);
  CHECK(std::get<std::string>(lstm.attribute("direction")->default_value) == "forward");

  const OpSchema& concat = *find_schema("", "Concat", 13);
  CHECK(concat.max_inputs == INT_MAX);
  CHECK(concat.attribute("axis")->required);
  CHECK(concat.input_port(7)->name == "inputs");
  CHECK(find_schema("", "Relu", 14)->input_port(1) == nullptr);
}

TEST_CASE("float defaults are the float32 values of the package") {
  CHECK(std::get<float>(
            find_schema("", "BatchNormalization", 15)->attribute("epsilon")->default_value) ==
        1e-5f);
  CHECK(std::get<float>(find_schema("", "Selu", 6)->attribute("alpha")->default_value) ==
        1.67326319217681884765625f);
  const auto& encoder = *find_schema("ai.onnx.ml", "LabelEncoder", 4);
  CHECK(std::signbit(std::get<float>(encoder.attribute("default_float")->default_value)));
}

TEST_CASE("domains and their newest opsets") {
  CHECK(newest_opset("") == 28);
  CHECK(newest_opset("ai.onnx") == 28);
  CHECK(newest_opset("ai.onnx.ml") == 5);
  CHECK(newest_opset("ai.onnx.preview.training") == 1);
  CHECK(newest_opset("com.ms.internal.nhwc") == 28);
  CHECK(newest_opset("com.example") == 0);
  CHECK(known_domains().size() == 5);
}

TEST_CASE("every schema can be read") {
  size_t versions = 0;
  for (const OperatorName& name : all_operator_names()) {
    int last = 0;
    for (const OpSchema& schema : schema_versions(name.domain, name.name)) {
      CHECK(schema.since_version > last);
      CHECK(schema.input_names.size() == schema.inputs.size());
      last = schema.since_version;
      ++versions;
    }
  }
  CHECK(versions ==
        659 + 14 + 1);  // the package's, the metadata's own, MaxUnpool of the NHWC domain
}

TEST_CASE("types are read and spelled as the schemas spell them") {
  for (const char* text : {"tensor(float)", "tensor(float8e4m3fn)", "seq(tensor(int64))",
                           "optional(seq(tensor(bool)))", "seq(map(string, float))",
                           "map(int64, double)", "sparse_tensor(float)"}) {
    CHECK(schema_spelling(parse_type(text)) == text);
  }
  CHECK(schema_spelling(Type::map(DType::kString, Type::tensor(DType::kFloat))) ==
        "map(string, float)");
  for (const char* text :
       {"", "tensor", "tensor()", "tensor(floaty)", "seq(float", "map(int64)", "seq()"}) {
    CHECK(parse_type(text).kind == Type::Kind::kUnknown);
  }
}

}  // namespace onnxv
