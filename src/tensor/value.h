// Value: whatever flows along an edge of a graph.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "src/tensor/tensor.h"

namespace onnxv {

// The type of a value: what ValueInfoProto and TypeProto say.
struct Type {
  enum class Kind { kUnknown, kTensor, kSparseTensor, kSequence, kOptional, kMap };
  struct Dim {
    int64_t value = -1;   // -1: not fixed
    std::string symbol;   // "N", or empty
  };
  Kind kind = Kind::kUnknown;
  DType dtype = DType::kUndefined;        // tensor, sparse tensor; a map's key type
  std::optional<std::vector<Dim>> shape;  // tensor, sparse tensor; nullopt: unknown rank
  std::shared_ptr<const Type> element;    // sequence, optional: the element; map: the value

  static Type tensor(DType dtype);
  static Type sequence(Type element);
  static Type optional(Type element);
  static Type map(DType key, Type value);
  // The schema's spelling: "tensor(float)", "seq(tensor(int64))", "map(string, tensor(float))".
  std::string text() const;
};

// Equal kinds and element types all the way down; shapes do not count.
bool same_type(const Type& a, const Type& b);

class Value;

struct Sequence {
  Type element;  // of every item; kUnknown kind where nothing says
  std::vector<Value> items;
};

struct Optional {
  Type element;
  std::shared_ptr<const Value> value;  // null: empty
};

// Entries in the order of the file or of insertion; keys are unique. ONNX maps have int64 or string keys here.
struct Map {
  DType key_type = DType::kInt64;     // kString, or an integer type
  std::vector<int64_t> int_keys;      // one of the two key lists is used
  std::vector<std::string> string_keys;
  Type value_type;                    // of every value
  std::vector<Value> values;          // as many as keys
  size_t size() const;
};

// Coordinates format: values[k] stands at indices[k] (linear positions, sorted) of a tensor of `shape`.
struct SparseTensor {
  Tensor values;   // rank 1, NNZ elements
  Tensor indices;  // int64; [NNZ] linear or [NNZ, rank] coordinates, as given
  Shape shape;
};

class Value {
 public:
  Value() = default;  // nothing: an omitted optional input or output
  Value(Tensor tensor) : held_(std::move(tensor)) {}                 // NOLINT
  Value(Sequence sequence) : held_(std::make_shared<const Sequence>(std::move(sequence))) {}  // NOLINT
  Value(Optional optional) : held_(std::make_shared<const Optional>(std::move(optional))) {}  // NOLINT
  Value(Map map) : held_(std::make_shared<const Map>(std::move(map))) {}                      // NOLINT
  Value(SparseTensor sparse) : held_(std::make_shared<const SparseTensor>(std::move(sparse))) {}  // NOLINT

  bool exists() const { return held_.index() != 0; }
  bool is_tensor() const { return std::holds_alternative<Tensor>(held_); }
  bool is_sequence() const { return held_.index() == 2; }
  bool is_optional() const { return held_.index() == 3; }
  bool is_map() const { return held_.index() == 4; }
  bool is_sparse_tensor() const { return held_.index() == 5; }

  // Internal error when it holds something else.
  const Tensor& tensor() const;
  Tensor& mutable_tensor();
  const Sequence& sequence() const;
  const Optional& optional() const;
  const Map& map() const;
  const SparseTensor& sparse_tensor() const;

  // Shapes included where the value has one.
  Type type() const;

 private:
  std::variant<std::monostate, Tensor, std::shared_ptr<const Sequence>, std::shared_ptr<const Optional>,
               std::shared_ptr<const Map>, std::shared_ptr<const SparseTensor>>
      held_;
};

inline size_t Map::size() const { return values.size(); }

// Same kind, types, shapes and bits, all the way down.
bool same_bits(const Value& a, const Value& b);

}  // namespace onnxv
