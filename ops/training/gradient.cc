// Gradient (ai.onnx.preview.training 1): the derivatives of the sum of y's elements by each of xs, where y is the part of
// the graph that leads from xs and zs to it, evaluated again on the node's inputs.
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto itself = []<class Real>(Real x) -> Real { return x; };

}  // namespace
ELEMENTWISE_FORMULA(kGradientFormula, itself, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <optional>

#include "ops/training/derivative_rules.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr std::string_view kDomain = "ai.onnx.preview.training";

// A value of the cut. `ids` where it is a float tensor that depends on a variable.
struct Traced {
  Value value;
  std::optional<Ids> ids;
};

bool is_float_tensor(const Value& value) {
  return value.exists() && value.is_tensor() && is_float(value.tensor().dtype());
}

class Differentiation {
 public:
  Differentiation(Tape& tape, const OpCall& call) : tape_(tape), call_(call), enclosing_(*call.enclosing()) {}

  // The scalars of the gradients by each of xs; the id kNone is 0. `outer`: by input, what it depends on in turn.
  std::vector<Ids> gradients(std::span<const Ids* const> outer);

 private:
  void give(const Enclosing::Cut& cut, std::span<const Ids* const> outer);
  void evaluate(const Enclosing::CutNode& node);
  std::vector<Ids> scalars_of(const Enclosing::CutNode& node, const OpCall& call, const Outputs& outputs);
  std::optional<Ids> rounded(const Ids& scalars, const Tensor& output);
  Traced& at(int number) { return values_[static_cast<size_t>(number)]; }

  Tape& tape_;
  const OpCall& call_;
  Enclosing& enclosing_;
  std::vector<Traced> values_;
  std::vector<Ids> variables_;  // of xs
};

std::vector<std::string> given_names(const OpCall& call) {
  std::vector<std::string> names = call.texts("xs");
  const std::vector<std::string> constants = call.texts("zs");
  names.insert(names.end(), constants.begin(), constants.end());
  if (names.size() != call.inputs().size()) {
    fail_schema("input-count", std::to_string(call.inputs().size()) + " inputs",
                "xs and zs name " + std::to_string(names.size()));
  }
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) fail_schema("attribute-value", "xs and zs name \"" + *twice + "\" twice", "once each");
  return names;
}

void Differentiation::give(const Enclosing::Cut& cut, std::span<const Ids* const> outer) {
  const size_t variables = call_.texts("xs").size();
  for (size_t i = 0; i < cut.given.size(); ++i) {
    const Value& value = call_.inputs()[i];
    const bool differentiated = i < variables;
    if (differentiated && !is_float_tensor(value)) {
      fail_schema("type-mismatch", "input " + std::to_string(i) + " is no tensor of floats", "as one of xs it must be");
    }
    std::optional<Ids> ids;
    if (differentiated || (is_float_tensor(value) && outer[i] != nullptr)) {
      std::vector<double> numbers(value.tensor().size());
      decode_elements(value.tensor(), 0, numbers.size(), numbers.data());
      ids.emplace(DType::kDouble, value.tensor().shape());
      for (size_t e = 0; e < numbers.size(); ++e) {
        const Tape::Id of = outer[i] == nullptr ? Tape::kNone : id_at(*outer[i], e);
        set_id(*ids, e, differentiated ? tape_.variable(numbers[e], of) : tape_.rounded(of, numbers[e], float_format(value.tensor().dtype())));
      }
    }
    if (differentiated) variables_.push_back(*ids);
    if (cut.given[i] != Enclosing::kAbsent) at(cut.given[i]) = {value, ids};
  }
}

// Spec: rounds every tensor between xs and y to its type; a local derivative is the exact one at rounded operands.
std::optional<Ids> Differentiation::rounded(const Ids& scalars, const Tensor& output) {
  std::vector<double> numbers(output.size());
  decode_elements(output, 0, numbers.size(), numbers.data());
  Ids ids(DType::kDouble, output.shape());
  bool depends = false;
  for (size_t e = 0; e < numbers.size(); ++e) {
    const Tape::Id of = id_at(scalars, e);
    set_id(ids, e, of == Tape::kNone ? tape_.constant(numbers[e]) : tape_.rounded(of, numbers[e], float_format(output.dtype())));
    depends = depends || (of != Tape::kNone && tape_.depends(of));
  }
  if (!depends) return std::nullopt;
  return ids;
}

std::vector<Ids> Differentiation::scalars_of(const Enclosing::CutNode& node, const OpCall& call, const Outputs& outputs) {
  std::vector<std::optional<Ids>> constants(node.inputs.size());
  std::vector<const Ids*> ids(node.inputs.size(), nullptr);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (node.inputs[i] == Enclosing::kAbsent) continue;
    const Traced& input = at(node.inputs[i]);
    if (!input.ids && is_float_tensor(input.value)) constants[i] = constants_of(tape_, input.value.tensor());
    ids[i] = input.ids ? &*input.ids : constants[i] ? &*constants[i] : nullptr;
  }
  if (node.domain == kDomain && node.op == "Gradient") return Differentiation(tape_, call).gradients(ids);
  const DerivativeRule rule = node.domain == "ai.onnx" ? find_derivative_rule(node.op) : nullptr;
  if (rule == nullptr) fail_undefined("not-evaluable", "not evaluable: no derivative rule for " + node.op);
  return rule({tape_, enclosing_, node, call, ids, outputs});
}

void Differentiation::evaluate(const Enclosing::CutNode& node) {
  std::vector<Value> inputs;
  bool depends = false;
  for (const int number : node.inputs) {
    inputs.push_back(number == Enclosing::kAbsent ? Value() : at(number).value);
    depends = depends || (number != Enclosing::kAbsent && at(number).ids.has_value());
  }
  const OpCall& call = enclosing_.call(node, std::move(inputs));
  const Outputs outputs = enclosing_.run(node, call);
  const bool floats = std::ranges::any_of(outputs, is_float_tensor);
  // What is no float (a shape, a comparison) is a constant.
  const std::vector<Ids> scalars = depends && floats ? scalars_of(node, call, outputs) : std::vector<Ids>();
  for (size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
    if (node.outputs[i] == Enclosing::kAbsent) continue;
    Traced& made = at(node.outputs[i]);
    made.value = outputs[i];
    if (i < scalars.size() && is_float_tensor(outputs[i])) made.ids = rounded(scalars[i], outputs[i].tensor());
  }
}

std::vector<Ids> Differentiation::gradients(std::span<const Ids* const> outer) {
  const std::vector<std::string> names = given_names(call_);
  const Enclosing::Cut cut = enclosing_.cut(names, call_.text("y"));
  values_.resize(cut.value_count);
  give(cut, outer);
  const Tape::Id first = tape_.size();
  for (const auto& [number, value] : cut.constants) at(number).value = value;
  for (const Enclosing::CutNode& node : cut.nodes) evaluate(node);
  const Traced& target = at(cut.target);
  if (!is_float_tensor(target.value)) fail_schema("type-mismatch", "y is no tensor of floats", "it must be");
  std::vector<Tape::Id> targets, variables;
  for (size_t e = 0; target.ids && e < target.ids->size(); ++e) targets.push_back(id_at(*target.ids, e));
  for (const Ids& ids : variables_) {
    for (size_t e = 0; e < ids.size(); ++e) variables.push_back(id_at(ids, e));
  }
  const std::vector<Tape::Id> found = tape_.gradients(targets, variables, first);
  std::vector<Ids> gradients = variables_;
  size_t next = 0;
  for (Ids& ids : gradients) {
    for (size_t e = 0; e < ids.size(); ++e) set_id(ids, e, found[next++]);
  }
  return gradients;
}

Outputs gradient_1(const OpCall& call) {
  Tape tape;
  const std::vector<const Ids*> nothing(call.inputs().size(), nullptr);
  const std::vector<Ids> gradients = Differentiation(tape, call).gradients(nothing);
  if (call.output_count() > gradients.size()) {
    fail_schema("output-count", std::to_string(call.output_count()) + " outputs",
                "xs names " + std::to_string(gradients.size()));
  }
  Outputs outputs(call.output_count());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!call.wants(i)) continue;
    const Tensor& x = call.inputs()[i].tensor();
    std::vector<Tape::Id> ids;
    for (size_t e = 0; e < x.size(); ++e) ids.push_back(id_at(gradients[i], e));
    Tensor gradient(x.dtype(), x.shape());
    LineJob(kGradientFormula, x.size())
        .source(tape.source(std::move(ids)))
        .lines_to(&gradient, LineLayout::elements(x.size()))
        .run();
    outputs[i] = gradient;
  }
  return outputs;
}

}  // namespace

extern const Operator kGradient;
const Operator kGradient{kDomain, "Gradient", {{.since = 1, .run = gradient_1}}};

}  // namespace onnxv
#endif
