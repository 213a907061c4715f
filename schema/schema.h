// Operator schemas: every version of every operator, as data.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/operator.h"
#include "src/model/graph.h"

namespace onnxv {

struct PortSchema {
  enum class Arity { kSingle, kOptional, kVariadic };
  std::string name;
  std::string type;  // a type parameter ("T") or a type spelled out ("tensor(int64)")
  Arity arity = Arity::kSingle;
  bool homogeneous = true;  // variadic: all of one type
  int min_arity = 1;        // variadic
};

struct AttributeSchema {
  std::string name;
  Attribute::Kind kind = Attribute::Kind::kUndefined;
  std::vector<Attribute::Kind> also_kinds;  // accepted beside `kind` (Cast-1's `to` as a number)
  bool required = false;
  AttributeValue default_value;  // monostate: none
};

struct TypeParameter {
  std::string name;
  std::vector<std::string> types;  // schema spellings: "tensor(float)", "seq(tensor(int64))", …
};

struct OpSchema {
  std::string domain;  // "ai.onnx", never ""
  std::string name;
  int since_version = 1;
  bool deprecated = false;
  bool experimental = false;  // stands in onnx-metadata.json alone
  std::string text_hash;      // of all texts of this version; empty where none was published
  std::vector<PortSchema> inputs, outputs;
  std::vector<AttributeSchema> attributes;
  std::vector<TypeParameter> type_parameters;
  int min_inputs = 0, max_inputs = 0, min_outputs = 0, max_outputs = 0;  // max: INT_MAX where variadic
  // For OpCall: the ports' names alone.
  std::vector<std::string> input_names, output_names;

  const AttributeSchema* attribute(std::string_view name) const;
  const TypeParameter* type_parameter(std::string_view name) const;
  // The port that the i-th input or output belongs to; nullptr beyond the last.
  const PortSchema* input_port(size_t i) const;
  const PortSchema* output_port(size_t i) const;
};

// A type by its schema spelling ("map(int64, float)" included); kind kUnknown when it is none.
Type parse_type(std::string_view text);
// How the schemas spell it: a map's value stands without "tensor(…)".
std::string schema_spelling(const Type& type);

// The greatest since_version <= opset of the operator; nullptr if there is none. "" is "ai.onnx".
// An operator that stands in onnx-metadata.json alone is found at any opset of its domain, a real schema first.
const OpSchema* find_schema(std::string_view domain, std::string_view name, int64_t opset);
// All versions, ascending.
std::span<const OpSchema> schema_versions(std::string_view domain, std::string_view name);
struct OperatorName {
  std::string domain, name;
};
// Every operator, sorted by domain and name.
std::span<const OperatorName> all_operator_names();
// Greatest opset version known for a domain; 0 for an unknown domain.
int64_t newest_opset(std::string_view domain);
std::vector<std::string> known_domains();

// The rows of schema/unimplemented.txt: operator versions without a behaviour, with the reason.
struct UnimplementedRow {
  std::string domain, name;
  int since_version = 1;
  std::string reason;
};
std::span<const UnimplementedRow> unimplemented_rows();

}  // namespace onnxv
