// The model as plain structs: what a file says, nothing resolved and nothing checked beyond form.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "src/tensor/value.h"

namespace onnxv {

struct Graph;

struct Attribute {
  enum class Kind {  // AttributeProto.AttributeType's numbers
    kUndefined = 0, kFloat = 1, kInt = 2, kString = 3, kTensor = 4, kGraph = 5, kFloats = 6, kInts = 7,
    kStrings = 8, kTensors = 9, kGraphs = 10, kSparseTensor = 11, kSparseTensors = 12, kTypeProto = 13,
    kTypeProtos = 14,
  };
  std::string name;
  Kind kind = Kind::kUndefined;
  std::string reference;  // ref_attr_name: the value comes from the enclosing function's attribute
  std::string doc;
  std::variant<std::monostate, int64_t, float, std::string, Tensor, std::shared_ptr<const Graph>,
               std::vector<int64_t>, std::vector<float>, std::vector<std::string>, std::vector<Tensor>,
               std::vector<std::shared_ptr<const Graph>>, SparseTensor, std::vector<SparseTensor>, Type,
               std::vector<Type>>
      value;
  std::string unknown_fields = {};
};

struct Node {
  std::string name;
  std::string op;
  std::string domain;    // as written: "" and "ai.onnx" are the same
  std::string overload;
  std::vector<std::string> inputs;   // "": absent
  std::vector<std::string> outputs;  // "": not wanted
  std::vector<Attribute> attributes;
  std::string doc;
  std::vector<std::pair<std::string, std::string>> metadata;
  // What the wire holds beyond these members (documented fields that nothing here interprets, and unknown ones),
  // serialized, kept for write. The same in every struct below and above.
  std::string unknown_fields;
};

struct ValueInfo {
  std::string name;
  Type type;
  std::string doc;
  std::string unknown_fields;
};

struct Initializer {
  std::string name;
  Value value;  // Tensor or SparseTensor
  std::string unknown_fields = {};
};

struct Graph {
  std::string name;
  std::vector<ValueInfo> inputs, outputs, value_infos;
  std::vector<Initializer> initializers;  // dense and sparse
  std::vector<Node> nodes;
  std::string doc;
  std::string unknown_fields;
};

struct OpsetImport {
  std::string domain;  // "" for ai.onnx
  int64_t version = 0;
};

struct Function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs;
  std::vector<std::string> attributes;           // required ones, without default
  std::vector<Attribute> attribute_defaults;     // attribute_proto
  std::vector<Node> nodes;
  std::vector<OpsetImport> opset_imports;
  std::vector<ValueInfo> value_infos;
  std::string doc;
  std::string unknown_fields;
};

struct Model {
  int64_t ir_version = 0;
  std::vector<OpsetImport> opset_imports;
  std::string producer_name, producer_version, domain, doc;
  int64_t model_version = 0;
  std::shared_ptr<const Graph> graph;
  std::vector<Function> functions;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string unknown_fields;
  std::string path;  // of the file; empty when made in memory
};

}  // namespace onnxv
