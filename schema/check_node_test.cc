#include <doctest/doctest.h>

#include "schema/check.h"

namespace onnxv {
namespace {

Node node(std::string op, std::vector<std::string> inputs,
          std::vector<std::string> outputs = {"y"}) {
  Node made;
  made.op = std::move(op);
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  return made;
}

Node with(Node made, std::string name, Attribute::Kind kind, decltype(Attribute::value) value) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.kind = kind;
  attribute.value = std::move(value);
  made.attributes.push_back(std::move(attribute));
  return made;
}

// The slug of the finding; "" when there is none.
std::string slug_of(const Node& checked, int64_t opset, std::string_view domain = "") {
  try {
    check_node(checked, *find_schema(domain, checked.op, opset));
  } catch (const Error& error) {
    return error.slug();
  }
  return "";
}

std::string types_of(std::string_view op, int64_t opset, const std::vector<const char*>& texts) {
  std::vector<Type> types;
  for (const char* text : texts) types.push_back(parse_type(text));
  try {
    check_input_types(*find_schema("", op, opset), types);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("arity") {
  CHECK(slug_of(node("Relu", {"x"}), 14) == "");
  CHECK(slug_of(node("Relu", {}), 14) == "schema/arity");
  CHECK(slug_of(node("Relu", {"x", "z"}), 14) == "schema/arity");
  CHECK(slug_of(node("Relu", {"x"}, {"y", "z"}), 14) == "schema/arity");
  CHECK(slug_of(node("Relu", {""}), 14) == "schema/input-missing");
  CHECK(slug_of(node("Clip", {"x", "", "hi"}), 13) == "");
  CHECK(slug_of(node("Sum", {"a", "b", "c", "d"}), 13) == "");
  CHECK(slug_of(node("Sum", {}), 13) == "schema/arity");
  CHECK(slug_of(node("Sum", {"a", ""}), 13) == "schema/input-missing");
  CHECK(slug_of(node("TopK", {"x", "k"}, {"", "i"}), 11) == "schema/output-missing");
  CHECK(slug_of(node("LSTM", {"x", "w", "r"}, {"", "h"}), 14) == "");
}

TEST_CASE("attributes") {
  using Kind = Attribute::Kind;
  const Node softmax = node("Softmax", {"x"});
  CHECK(slug_of(with(softmax, "axis", Kind::kInt, int64_t{0}), 13) == "");
  CHECK(slug_of(with(softmax, "axis", Kind::kFloat, 0.f), 13) == "schema/attribute-kind");
  CHECK(slug_of(with(softmax, "axes", Kind::kInt, int64_t{0}), 13) == "schema/attribute-unknown");
  CHECK(slug_of(with(softmax, "__note", Kind::kString, "by a tool"), 13) == "");
  CHECK(slug_of(node("Concat", {"a", "b"}), 13) == "schema/attribute-missing");
  const Node twice =
      with(with(softmax, "axis", Kind::kInt, int64_t{0}), "axis", Kind::kInt, int64_t{0});
  CHECK(slug_of(twice, 13) == "schema/attribute-twice");
  // A kind that the file leaves out is the value's.
  CHECK(slug_of(with(softmax, "axis", Kind::kUndefined, int64_t{0}), 13) == "");
  CHECK(slug_of(with(softmax, "axis", Kind::kUndefined, 0.f), 13) == "schema/attribute-kind");
}

TEST_CASE("Cast-1 takes its type as text or as number, Cast-6 as number alone") {
  using Kind = Attribute::Kind;
  CHECK(slug_of(with(node("Cast", {"x"}), "to", Kind::kString, "FLOAT"), 1) == "");
  CHECK(slug_of(with(node("Cast", {"x"}), "to", Kind::kInt, int64_t{1}), 1) == "");
  CHECK(slug_of(with(node("Cast", {"x"}), "to", Kind::kString, "FLOAT"), 6) ==
        "schema/attribute-kind");
}

TEST_CASE("types of inputs") {
  CHECK(types_of("Add", 14, {"tensor(float)", "tensor(float)"}) == "");
  CHECK(types_of("Add", 14, {"tensor(float)", "tensor(int64)"}) ==
        "schema/type-mismatch: input \"B\" is tensor(int64), must be tensor(float) as input \"A\" "
        "is");
  CHECK(types_of("Add", 14, {"tensor(float)", "?"}) == "");
  CHECK(types_of("Add", 14, {"tensor(bool)", "tensor(bool)"}) ==
        "schema/type-mismatch: input \"A\" is tensor(bool), which is not among the types of T");
  CHECK(types_of("Reshape", 14, {"tensor(float)", "tensor(int32)"}) ==
        "schema/type-mismatch: input \"shape\" is tensor(int32), must be tensor(int64)");
  CHECK(types_of("Sum", 13, {"tensor(float)", "tensor(float)", "tensor(double)"}) != "");
  CHECK(types_of("Loop", 16,
                 {"tensor(int64)", "tensor(bool)", "tensor(float)", "seq(tensor(int8))"}) == "");
}

TEST_CASE("types of outputs, where the schema decides them") {
  const auto outputs = [](std::string_view op, const std::vector<const char*>& texts,
                          size_t count) {
    std::vector<Type> types;
    for (const char* text : texts) types.push_back(parse_type(text));
    std::string all;
    for (const Type& type : inferred_output_types(*find_schema("", op, 21), types, count)) {
      all += schema_spelling(type) + " ";
    }
    return all;
  };
  CHECK(outputs("Add", {"tensor(int8)", "tensor(int8)"}, 1) == "tensor(int8) ");
  CHECK(outputs("TopK", {"tensor(double)", "tensor(int64)"}, 2) == "tensor(double) tensor(int64) ");
  CHECK(outputs("Cast", {"tensor(double)"}, 1) == "? ");
  CHECK(outputs("Equal", {"tensor(double)", "tensor(double)"}, 1) == "tensor(bool) ");
  CHECK(outputs("If", {"tensor(bool)"}, 2) == "? ? ");
}

TEST_CASE("a node is named by its name, else by its first output") {
  Node hardmax = node("Hardmax", {"x"});
  CHECK(node_place(hardmax, 13) == "node -> \"y\" (Hardmax-13)");
  hardmax.name = "sm";
  CHECK(node_place(hardmax, 13) == "node \"sm\" (Hardmax-13)");
  CHECK(node_place(hardmax, 0) == "node \"sm\" (Hardmax)");
}

}  // namespace onnxv
