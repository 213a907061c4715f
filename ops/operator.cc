#include "ops/operator.h"

#include <algorithm>
#include <atomic>

#include "ops/path_use.h"
#include "ops/unspecified.h"

namespace onnxv {
namespace {

const Value kAbsent;

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

// The attribute's alternative, or an internal error: kinds were checked against the schema.
template <class T>
const T& held(const AttributeValue* value, std::string_view name) {
  if (value != nullptr) {
    if (const T* held = std::get_if<T>(value)) return *held;
    if (!std::holds_alternative<std::monostate>(*value)) {
      fail_internal("attribute-kind", "attribute " + quoted(name) + " is read as another kind");
    }
  }
  fail_schema("attribute-missing", "attribute " + quoted(name) + " is absent", "is required");
}

template <class T>
T held_or(const AttributeValue* value, std::string_view name, T otherwise) {
  if (value == nullptr || std::holds_alternative<std::monostate>(*value)) return otherwise;
  return held<T>(value, name);
}

}  // namespace

// ---- inputs ----

const Value& OpCall::value(std::string_view port) const {
  for (size_t i = 0; i < input_ports_.size(); ++i) {
    if (input_ports_[i] == port) return i < inputs_.size() ? inputs_[i] : kAbsent;
  }
  fail_internal("port-name", "there is no input " + quoted(port));
}

const Tensor& OpCall::tensor(std::string_view port) const {
  const Value& given = value(port);
  if (!given.exists()) fail_schema("input-missing", "input " + quoted(port) + " is absent", "is required");
  if (!given.is_tensor()) {
    fail_schema("type-mismatch", "input " + quoted(port) + " is " + given.type().text(), "must be a tensor");
  }
  return given.tensor();
}

const Tensor* OpCall::optional_tensor(std::string_view port) const {
  return has_input(port) ? &tensor(port) : nullptr;
}

std::span<const Value> OpCall::variadic(std::string_view port) const {
  for (size_t i = 0; i < input_ports_.size(); ++i) {
    if (input_ports_[i] != port) continue;
    if (i >= inputs_.size()) return {};
    return std::span<const Value>(inputs_).subspan(i);
  }
  fail_internal("port-name", "there is no input " + quoted(port));
}

std::vector<Tensor> OpCall::variadic_tensors(std::string_view port) const {
  std::vector<Tensor> tensors;
  for (const Value& value : variadic(port)) {
    if (!value.is_tensor()) {
      fail_schema("input-missing", "an input of " + quoted(port) + " is absent or no tensor", "must be a tensor");
    }
    tensors.push_back(value.tensor());
  }
  return tensors;
}

// ---- attributes ----

const AttributeValue* OpCall::find(std::string_view name) const {
  for (const NamedAttribute& attribute : attributes_) {
    if (attribute.name == name) return attribute.value;
  }
  return nullptr;
}

bool OpCall::has_attribute(std::string_view name) const {
  const AttributeValue* value = find(name);
  return value != nullptr && !std::holds_alternative<std::monostate>(*value);
}

bool OpCall::holds_text(std::string_view name) const {
  const AttributeValue* value = find(name);
  return value != nullptr && std::holds_alternative<std::string>(*value);
}

int64_t OpCall::integer(std::string_view name) const { return held<int64_t>(find(name), name); }
DType OpCall::float_type(std::string_view name) const {
  const int64_t number = integer(name);
  switch (number) {
    case 1: return DType::kFloat;
    case 10: return DType::kFloat16;
    case 11: return DType::kDouble;
    case 16: return DType::kBfloat16;
    default: break;
  }
  fail_schema("attribute-value", std::string(name) + " is " + std::to_string(number), "must be 1, 10, 11 or 16");
}
int64_t OpCall::integer_or(std::string_view name, int64_t otherwise) const {
  return held_or<int64_t>(find(name), name, otherwise);
}
double OpCall::real(std::string_view name) const { return held<float>(find(name), name); }
double OpCall::real_or(std::string_view name, double otherwise) const {
  return has_attribute(name) ? real(name) : otherwise;
}
const std::string& OpCall::text(std::string_view name) const { return held<std::string>(find(name), name); }
std::string OpCall::text_or(std::string_view name, std::string_view otherwise) const {
  return held_or<std::string>(find(name), name, std::string(otherwise));
}
std::vector<int64_t> OpCall::integers(std::string_view name) const {
  return held_or<std::vector<int64_t>>(find(name), name, {});
}
std::vector<float> OpCall::reals(std::string_view name) const {
  return held_or<std::vector<float>>(find(name), name, {});
}
std::vector<std::string> OpCall::texts(std::string_view name) const {
  return held_or<std::vector<std::string>>(find(name), name, {});
}
const Tensor* OpCall::tensor_attribute(std::string_view name) const {
  return has_attribute(name) ? &held<Tensor>(find(name), name) : nullptr;
}
const SparseTensor* OpCall::sparse_attribute(std::string_view name) const {
  return has_attribute(name) ? &held<SparseTensor>(find(name), name) : nullptr;
}
const Type* OpCall::type_attribute(std::string_view name) const {
  return has_attribute(name) ? &held<Type>(find(name), name) : nullptr;
}
Body& OpCall::body(std::string_view name) const {
  return *held<std::shared_ptr<Body>>(find(name), name);
}
int64_t OpCall::axis(int64_t rank, std::string_view name) const {
  return normalized_axis(integer(name), rank, name);
}

// ---- outputs ----

bool OpCall::wants(std::string_view port) const {
  for (size_t i = 0; i < output_ports_.size(); ++i) {
    if (output_ports_[i] == port) return wants(i);
  }
  fail_internal("port-name", "there is no output " + quoted(port));
}

namespace {
std::atomic<size_t> g_paths_asked{0};
}  // namespace

size_t paths_asked() { return g_paths_asked; }

std::string OpCall::path() const {
  ++g_paths_asked;
  return outer_path_.empty() ? std::string(label_) : std::string(outer_path_) + "/" + std::string(label_);
}

void OpCall::mark_unspecified(size_t output, std::string_view slug, std::vector<uint8_t> elements) const {
  if (!elements.empty() && std::find_if(elements.begin(), elements.end(), [](uint8_t e) { return e != 0; }) ==
                               elements.end()) {
    return;
  }
  const UnspecifiedRule* rule = unspecified_rule(slug);
  if (rule == nullptr || !may_mark(*rule, op_)) {
    fail_internal("unlisted-mark", std::string(op_) + " marks elements as \"" + std::string(slug) + "\"", "must be listed in ops/unspecified.cc");
  }
  marks_->push_back({output, std::string(slug), std::move(elements)});
}

// ---- OpCallBuilder ----

OpCallBuilder::OpCallBuilder(std::string_view op, int since_version, std::span<const std::string> input_ports,
                             std::span<const std::string> output_ports) {
  call_.op_ = op;
  call_.since_version_ = since_version;
  call_.input_ports_ = input_ports;
  call_.output_ports_ = output_ports;
}
OpCallBuilder& OpCallBuilder::inputs(std::vector<Value> inputs) {
  call_.inputs_ = std::move(inputs);
  return *this;
}
OpCallBuilder& OpCallBuilder::attributes(std::span<const NamedAttribute> attributes) {
  call_.attributes_ = attributes;
  return *this;
}
OpCallBuilder& OpCallBuilder::outputs(std::span<const NamedOutput> outputs) {
  call_.outputs_ = outputs;
  return *this;
}
OpCallBuilder& OpCallBuilder::path(std::string_view outer, std::string_view label) {
  call_.outer_path_ = outer;
  call_.label_ = label;
  return *this;
}
OpCallBuilder& OpCallBuilder::seed(uint64_t seed) {
  call_.seed_ = seed;
  return *this;
}
OpCallBuilder& OpCallBuilder::enclosing(Enclosing* enclosing) {
  call_.enclosing_ = enclosing;
  return *this;
}
OpCallBuilder& OpCallBuilder::report_to(std::vector<std::string>* warnings, std::vector<UnspecifiedMark>* marks) {
  call_.warnings_ = warnings;
  call_.marks_ = marks;
  return *this;
}

// ---- behaviours ----

Outputs Behaviour::Run::operator()(const OpCall& call) const {
  if (many != nullptr) return many(call);
  Outputs outputs;
  outputs.emplace_back(one(call));
  return outputs;
}

const Behaviour* Operator::behaviour(int since_version) const {
  const Behaviour* found = nullptr;
  for (const Behaviour& behaviour : behaviours) {
    if (behaviour.since <= since_version) found = &behaviour;
  }
  return found;
}

}  // namespace onnxv
