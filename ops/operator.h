// What an operator's file sees: its call, its table of behaviours, and nothing of graphs or files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/base/error.h"
#include "src/tensor/value.h"

namespace onnxv {

class Body;
class Enclosing;

// The value of an attribute. Floats are float32 as stored; an operator uses their exact value.
using AttributeValue =
    std::variant<std::monostate, int64_t, float, std::string, std::vector<int64_t>, std::vector<float>,
                 std::vector<std::string>, Tensor, std::vector<Tensor>, SparseTensor, Type,
                 std::shared_ptr<Body>, std::vector<std::shared_ptr<Body>>>;

using Outputs = std::vector<Value>;

// A subgraph attribute, as the operator sees it: a function of its inputs that can also see the
// enclosing scope.
class Body {
 public:
  struct Port {
    std::string name;
    Type type;  // as declared, shape included where declared
  };
  virtual ~Body() = default;
  virtual const std::vector<Port>& inputs() const = 0;
  virtual const std::vector<Port>& outputs() const = 0;
  // Evaluates the subgraph; `arguments` are bound to inputs() in order (fewer where trailing inputs
  // have initializers). One value per output.
  virtual Outputs run(std::span<const Value> arguments) = 0;
};

// Elements that the spec leaves open (rulings/README.md): they hold the ruled value, are counted in a
// comparison, and never fail it. `slug` names the ruling.
struct UnspecifiedMark {
  size_t output = 0;
  std::string slug;
  // One byte per element of the output, nonzero: unspecified. Empty: all elements.
  std::vector<uint8_t> elements;
};

struct NamedAttribute {
  std::string_view name;
  const AttributeValue* value;
};
// An output as the node and its graph write it.
struct NamedOutput {
  bool wanted;       // it has a name
  const Type* type;  // null: nothing is declared
};

// One evaluation of one node: inputs by port name, attributes with the schema's defaults filled in.
// Arity and types were checked before; values and shapes are the operator's business.
class OpCall {
 public:
  // --- inputs ---
  // A required tensor input by its port name; for a variadic port, its first.
  const Tensor& tensor(std::string_view port) const;
  // nullptr when the optional input is absent.
  const Tensor* optional_tensor(std::string_view port) const;
  // Any kind of value; `exists()` is false when absent.
  const Value& value(std::string_view port) const;
  bool has_input(std::string_view port) const { return value(port).exists(); }
  // All inputs from a variadic port on.
  std::span<const Value> variadic(std::string_view port) const;
  std::vector<Tensor> variadic_tensors(std::string_view port) const;
  // All inputs in order, absent ones included (trailing ones may be missing).
  std::span<const Value> inputs() const { return inputs_; }

  // --- attributes (defaults of the schema included) ---
  bool has_attribute(std::string_view name) const;
  // For an attribute of two kinds (`to` of Cast-1): whether it holds a string.
  bool holds_text(std::string_view name) const;
  int64_t integer(std::string_view name) const;
  int64_t integer_or(std::string_view name, int64_t otherwise) const;
  // An integer that names float16, bfloat16, float or double; schema error "attribute-value" for another.
  DType float_type(std::string_view name) const;
  // The exact value of a float attribute.
  double real(std::string_view name) const;
  double real_or(std::string_view name, double otherwise) const;
  const std::string& text(std::string_view name) const;
  std::string text_or(std::string_view name, std::string_view otherwise) const;
  // Empty when absent.
  std::vector<int64_t> integers(std::string_view name) const;
  std::vector<float> reals(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  // nullptr when absent.
  const Tensor* tensor_attribute(std::string_view name) const;
  const SparseTensor* sparse_attribute(std::string_view name) const;
  const Type* type_attribute(std::string_view name) const;
  // Schema error "attribute-missing" when absent.
  Body& body(std::string_view name) const;
  // The attribute's axis in [0, rank - 1]; schema error "attribute-range" when it is outside [-rank, rank - 1].
  int64_t axis(int64_t rank, std::string_view name = "axis") const;

  // --- outputs ---
  // Number of outputs the node names (trailing empty names not counted).
  size_t output_count() const { return outputs_.size(); }
  // True when the node gives the output a name.
  bool wants(size_t output) const { return output < outputs_.size() && outputs_[output].wanted; }
  bool wants(std::string_view port) const;
  // The type the graph declares for an output, if it declares one.
  const Type* declared_output_type(size_t output) const { return output < outputs_.size() ? outputs_[output].type : nullptr; }

  // --- the node ---
  std::string_view op() const { return op_; }
  // The version whose text applies: the greatest since_version not above the model's opset.
  int since_version() const { return since_version_; }
  // Path of the node in the graph ("loop1/body/add"), for keys of random generators.
  std::string path() const;
  uint64_t seed() const { return seed_; }  // the command's --seed
  Enclosing* enclosing() const { return enclosing_; }  // for Gradient only

  // --- what the caller learns beside the outputs ---
  void warn(std::string text) const { warnings_->push_back(std::move(text)); }
  void mark_unspecified(size_t output, std::string_view slug, std::vector<uint8_t> elements = {}) const;

 private:
  friend class OpCallBuilder;
  OpCall() = default;
  const AttributeValue* find(std::string_view name) const;

  std::string_view op_, outer_path_, label_;
  int since_version_ = 0;
  uint64_t seed_ = 0;
  std::span<const std::string> input_ports_;   // names by the schema; the last may be variadic
  std::span<const std::string> output_ports_;
  std::vector<Value> inputs_;
  std::span<const NamedAttribute> attributes_;
  std::span<const NamedOutput> outputs_;
  Enclosing* enclosing_ = nullptr;
  std::vector<std::string>* warnings_ = nullptr;
  std::vector<UnspecifiedMark>* marks_ = nullptr;
};

// Fills an OpCall. What is given by view or pointer must outlive the call: only the inputs are the call's own.
class OpCallBuilder {
 public:
  OpCallBuilder(std::string_view op, int since_version, std::span<const std::string> input_ports,
                std::span<const std::string> output_ports);
  OpCallBuilder& inputs(std::vector<Value> inputs);
  OpCallBuilder& attributes(std::span<const NamedAttribute> attributes);
  OpCallBuilder& outputs(std::span<const NamedOutput> outputs);
  // The path of the graph's activation ("" for the main graph), and the node's name in it.
  OpCallBuilder& path(std::string_view outer, std::string_view label);
  OpCallBuilder& seed(uint64_t seed);
  OpCallBuilder& enclosing(Enclosing* enclosing);
  OpCallBuilder& report_to(std::vector<std::string>* warnings, std::vector<UnspecifiedMark>* marks);
  OpCall& call() { return call_; }

 private:
  OpCall call_;
};

// What an operator does from one version on.
struct Behaviour {
  // One output, or several. Exactly one of the two constructors' forms is used.
  struct Run {
    Tensor (*one)(const OpCall&) = nullptr;
    Outputs (*many)(const OpCall&) = nullptr;
    constexpr Run() = default;
    constexpr Run(Tensor (*run)(const OpCall&)) : one(run) {}   // NOLINT
    constexpr Run(Outputs (*run)(const OpCall&)) : many(run) {}  // NOLINT
    Outputs operator()(const OpCall& call) const;
  };

  int since = 1;                // the first version that means this
  std::vector<int> also = {};   // later versions whose text was read and means the same
  Run run = {};
  // Why no value exists by the text (ATen); then `run` is empty and every call is exit 4.
  std::string_view not_evaluable = {};
};

struct Operator {
  std::string_view domain;  // "ai.onnx", "ai.onnx.ml", …
  std::string_view name;
  std::vector<Behaviour> behaviours;  // by ascending `since`

  // The behaviour whose `since` is the greatest <= since_version; nullptr if there is none.
  const Behaviour* behaviour(int since_version) const;
};

// Every operator, in no order that means anything. Joined from the families' lists in all_operators.cc.
std::span<const Operator* const> all_operators();
// nullptr when no behaviour is written for the name. "" is "ai.onnx".
const Operator* find_operator(std::string_view domain, std::string_view name);

}  // namespace onnxv
