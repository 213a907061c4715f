#include "src/run/operator_call.h"

#include <optional>

#include "schema/attribute_types.h"
#include "schema/check.h"
#include "src/number/bound.h"
#include "src/run/attributes.h"

namespace onnxv {
namespace {

void check_evaluable(const NodePlan& node) {
  if (node.behaviour == nullptr) {
    fail_undefined("unimplemented", "this version of " + node.node->op + " has no behaviour here");
  }
  if (!node.behaviour->not_evaluable.empty()) {
    fail_undefined("not-evaluable", "not evaluable: " + std::string(node.behaviour->not_evaluable));
  }
}

bool are_plain(const NodePlan& node, const std::vector<Value>& inputs) {
  constexpr size_t kMany = 8;
  DType alike[kMany] = {};  // by type parameter
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].exists()) continue;
    if (!inputs[i].is_tensor()) return false;
    const PortTypes& types = node.port_types[i];
    const DType dtype = inputs[i].tensor().dtype();
    if ((types.dtypes >> static_cast<unsigned>(dtype) & 1) == 0) return false;
    if (types.parameter < 0) continue;
    if (types.parameter >= static_cast<int>(kMany)) return false;
    DType& first = alike[types.parameter];
    if (first == DType::kUndefined) first = dtype;
    if (first != dtype) return false;
  }
  return true;
}

void check_types(const NodePlan& node, const std::vector<Value>& inputs) {
  if (are_plain(node, inputs)) return;
  std::vector<Type> types;
  types.reserve(inputs.size());
  for (const Value& input : inputs) types.push_back(input.exists() ? input.type() : Type());
  check_input_types(*node.schema, types);
}

// A bound is that of one node on exact inputs: it does not travel from node to node.
void begin_bounds(std::vector<Value>& inputs) {
  std::optional<ComputeType> own;
  for (Value& input : inputs) {
    if (!input.is_tensor()) continue;
    if (input.tensor().bounds() != nullptr) input.mutable_tensor().drop_bounds();
    const DType dtype = input.tensor().dtype();
    if (!own && is_float(dtype) && dtype_bits(dtype) >= 16) own = compute_type(float_format(dtype));
  }
  ToleranceScope::set_own(own);
}

}  // namespace

OperatorCall::OperatorCall(Frame& frame, const NodePlan& node, std::vector<Value> inputs,
                           Enclosing* enclosing)
    : frame_(frame),
      node_(node),
      builder_(node.node->op, node.schema->since_version, node.schema->input_names,
               node.schema->output_names) {
  check_evaluable(node);
  check_types(node, inputs);
  if (ToleranceScope::current() != nullptr) begin_bounds(inputs);
  if (node.schema->deprecated) warnings_.emplace_back("the operator is deprecated");
  if (!node.fixed_attributes) {
    of_this_call_.emplace(node, frame);
    attributes_ = with_defaults(of_this_call_->given(), *node.schema);
    // Those that refer to a function's attributes have their values only now.
    types_by_attributes(*node.schema, type_claims(attributes_), {}, node.named_outputs.size());
  }
  builder_.path(frame.path, node.label)
      .seed(frame.run.options.seed)
      .enclosing(enclosing)
      .report_to(&warnings_, &marks_)
      .inputs(std::move(inputs))
      .outputs(node.named_outputs)
      .attributes(node.fixed_attributes ? *node.fixed_attributes : attributes_);
}

Outputs OperatorCall::run() {
  Outputs outputs = node_.behaviour->run(call());
  if (frame_.run.options.disturber != nullptr) frame_.run.options.disturber->move(&outputs);
  for (const std::string& text : warnings_) frame_.run.warn(node_.place + ": " + text);
  warnings_.clear();
  // A mark without a list means all elements; of an output that has none, nothing is open.
  std::erase_if(marks_, [&](const UnspecifiedMark& mark) {
    return mark.output < outputs.size() && outputs[mark.output].is_tensor() && outputs[mark.output].tensor().size() == 0;
  });
  return outputs;
}

}  // namespace onnxv
