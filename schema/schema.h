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
  std::vector<PortSchema> inputs, outputs;
  std::vector<AttributeSchema> attributes;
  std::vector<TypeParameter> type_parameters;
  int min_inputs = 0, max_inputs = 0, min_outputs = 0, max_outputs = 0;  // max: INT_MAX where variadic
  // For OpCall: the ports' names alone.
  std::vector<std::string> input_names, output_names;

  const AttributeSchema* attribute(std::string_view name) const;
};

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
