#include "conformance/input_rules.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <string_view>

#include "conformance/subgraphs.h"

namespace onnxv {
namespace {

using Form = InputRule::Form;

// Where the largest value comes from.
enum class Most : uint8_t {
  kFixed,      // `high`
  kIndex,      // the size of an axis of another input, less one
  kLength,     // that size
  kNdIndices,  // the smallest size, less one
  kDepth,      // the value of another input, less one
  kRank,       // the rank of another input, less one
};

// What one input of an operator must hold. The axis is an attribute's value, else `axis`.
struct Demand {
  std::string_view op;
  size_t input;
  std::string_view words;
  double low, high;
  Most most = Most::kFixed;
  size_t of = 0;
  std::string_view axis_attribute = {};
  int64_t axis = 0;
  Form form = Form::kAny;
  bool integers_only = false;
};

constexpr Demand kDemands[] = {
    {"Gather", 1, "indices", 0, 0, Most::kIndex, 0, "axis", 0},
    {"GatherElements", 1, "indices", 0, 0, Most::kIndex, 0, "axis", 0},
    {"Scatter", 1, "indices", 0, 0, Most::kIndex, 0, "axis", 0},
    {"ScatterElements", 1, "indices", 0, 0, Most::kIndex, 0, "axis", 0},
    {"GatherND", 1, "indices", 0, 0, Most::kNdIndices, 0},
    {"ScatterND", 1, "indices", 0, 0, Most::kNdIndices, 0},
    {"OneHot", 0, "indices", 0, 0, Most::kDepth, 1},
    {"OneHot", 1, "depth", 1, 9},
    {"ArrayFeatureExtractor", 1, "indices", 0, 0, Most::kIndex, 0, "", -1},
    {"RotaryEmbedding", 3, "positions", 0, 0, Most::kIndex, 1, "", 0, Form::kAscending},
    {"RoiAlign", 2, "batch indices", 0, 0, Most::kIndex, 0, "", 0},
    {"RoiAlign", 1, "boxes", 0, 8, Most::kFixed, 0, "", 0, Form::kCorners},
    {"NonMaxSuppression", 0, "boxes", 0, 1, Most::kFixed, 0, "", 0, Form::kCorners},
    {"NonMaxSuppression", 2, "a count", 1, 9},
    {"NonMaxSuppression", 3, "a threshold", 0, 1},
    {"NonMaxSuppression", 4, "a threshold", 0, 1},
    {"SoftmaxCrossEntropyLoss", 1, "classes", 0, 0, Most::kIndex, 0, "", 1},
    {"NegativeLogLikelihoodLoss", 1, "classes", 0, 0, Most::kIndex, 0, "", 1},
    {"LSTM", 4, "lengths", 1, 0, Most::kLength, 0, "", 0},
    {"GRU", 4, "lengths", 1, 0, Most::kLength, 0, "", 0},
    {"RNN", 4, "lengths", 1, 0, Most::kLength, 0, "", 0},
    {"ReverseSequence", 1, "lengths", 1, 0, Most::kLength, 0, "time_axis", 0},
    {"TopK", 1, "k", 1, 0, Most::kLength, 0, "axis", -1},
    {"SplitToSequence", 1, "a length", 1, 0, Most::kLength, 0, "axis", 0},
    {"CumSum", 1, "an axis", 0, 0, Most::kRank, 0},
    {"CumProd", 1, "an axis", 0, 0, Most::kRank, 0},
    {"Reshape", 1, "a shape", -1, 1, Most::kFixed, 0, "", 0, Form::kShape},
    {"Expand", 1, "a shape", 1, 1},
    {"ConstantOfShape", 0, "a shape", 1, 4},
    {"CenterCropPad", 1, "a shape", 1, 4},
    {"Tile", 1, "repeats", 1, 2},
    {"Pad", 1, "pads", 0, 2},
    {"Slice", 1, "starts", 0, 0},
    {"Slice", 2, "ends", 1, 9},
    {"Slice", 3, "axes", 0, 8, Most::kFixed, 0, "", 0, Form::kAscending},
    {"Slice", 4, "steps", 1, 2},
    {"Unsqueeze", 1, "axes", 0, 8, Most::kFixed, 0, "", 0, Form::kAscending},
    {"Resize", 2, "scales", 1, 2},
    {"Resize", 3, "sizes", 1, 4},
    {"Upsample", 1, "scales", 1, 2},
    {"Range", 0, "the start", 0, 0},
    {"Range", 1, "the limit", 1, 9},
    {"Range", 2, "the step", 1, 1},
    {"Trilu", 1, "a diagonal", -1, 1},
    {"Loop", 0, "a trip count", 1, 3},
    {"Loop", 1, "a condition", 1, 1},
    {"SequenceAt", 1, "a position", 0, 1},
    {"SequenceErase", 1, "a position", 0, 1},
    {"SequenceInsert", 2, "a position", 0, 1},
    {"Clip", 1, "the lower bound", -1, 0},
    {"Clip", 2, "the upper bound", 0, 1},
    {"Dropout", 1, "a ratio", 0, 0.5},
    {"Dropout", 2, "not training", 0, 0},
    {"Bernoulli", 0, "probabilities", 0, 1},
    {"BatchNormalization", 4, "variances", 0.125, 1},
    {"QuantizeLinear", 1, "scales", 0.125, 1},
    {"Div", 1, "divisors", 1, 9, Most::kFixed, 0, "", 0, Form::kAny, true},
    {"Mod", 1, "divisors", 1, 9, Most::kFixed, 0, "", 0, Form::kAny, true},
    {"BitShift", 1, "distances", 0, 7},
    {"STFT", 1, "a step", 1, 4},
    {"HannWindow", 0, "a size", 1, 9},
    {"HammingWindow", 0, "a size", 1, 9},
    {"BlackmanWindow", 0, "a size", 1, 9},
};

// Nodes that hand values on as they are: what is asked of the output is asked of input 0.
bool hands_on(const Node& node) {
  constexpr std::string_view kNames[] = {"Identity", "Unsqueeze", "Squeeze", "Reshape",
                                         "Flatten",  "Transpose", "Expand",  "Slice",
                                         "Cast",     "Tile",      "Gather",  "SplitToSequence",
                                         "Split",    "Concat",    "CastLike"};
  return std::find(std::begin(kNames), std::end(kNames), node.op) != std::end(kNames);
}

std::optional<int64_t> integer_attribute(const Node& node, std::string_view name) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name != name) continue;
    if (const auto* value = std::get_if<int64_t>(&attribute.value)) return *value;
  }
  return std::nullopt;
}

bool is_number(const ValueInfo& info) {
  const DType dtype = info.type.dtype;
  return info.type.kind == Type::Kind::kTensor &&
         (is_integer(dtype) || is_float(dtype) || dtype == DType::kBool);
}

bool named(const std::string& name, std::string_view part) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.find(part) != std::string::npos;
}

// Shapes and small constants of a model, as far as they are written down.
class Facts {
 public:
  Facts(const Model& model, const std::map<std::string, std::vector<int64_t>>& known)
      : shapes_(known) {
    collect(*model.graph);
  }

  // Empty where nothing is known; -1 for a dimension that is not.
  std::vector<int64_t> shape(const std::string& name) const {
    const auto found = shapes_.find(name);
    return found == shapes_.end() ? std::vector<int64_t>() : found->second;
  }
  std::optional<int64_t> integer(const std::string& name) const {
    const auto found = integers_.find(name);
    return found == integers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  void collect(const Graph& graph) {
    for (const ValueInfo& info : graph.value_infos) note(info);
    for (const Initializer& initializer : graph.initializers)
      note(initializer.name, initializer.value);
    for (const Node& node : graph.nodes) {
      if (node.op == "Constant" && !node.attributes.empty() && !node.outputs.empty()) {
        if (const auto* value = std::get_if<Tensor>(&node.attributes.front().value)) {
          note(node.outputs.front(), Value(*value));
        }
      }
      for_each_subgraph(node, [&](const Graph& inner) { collect(inner); });
    }
  }
  void note(const ValueInfo& info) {
    if (!info.type.shape) return;
    std::vector<int64_t> dims;
    for (const Type::Dim& dim : *info.type.shape) dims.push_back(dim.value);
    shapes_.emplace(info.name, std::move(dims));
  }
  void note(const std::string& name, const Value& value) {
    if (!value.is_tensor()) return;
    const Tensor& tensor = value.tensor();
    shapes_.emplace(name, tensor.shape().list());
    if (tensor.dtype() == DType::kInt64 && tensor.size() == 1)
      integers_[name] = tensor.as<int64_t>()[0];
    if (tensor.dtype() == DType::kInt32 && tensor.size() == 1)
      integers_[name] = tensor.as<int32_t>()[0];
  }

  std::map<std::string, std::vector<int64_t>> shapes_;
  std::map<std::string, int64_t> integers_;
};

// Follows one input to the nodes that take it.
class Search {
 public:
  Search(const Model& model, const Facts& facts, bool integers)
      : model_(model), facts_(facts), integers_(integers) {}

  std::optional<InputRule> rule(const std::string& name) {
    follow(*model_.graph, name, 0);
    return rule_;
  }

 private:
  void follow(const Graph& graph, const std::string& name, int depth) {
    constexpr int kDeepest = 12;
    if (depth > kDeepest || name.empty()) return;
    for (const Node& node : graph.nodes) {
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i] == name) taken(graph, node, i, depth);
      }
      for_each_subgraph(node, [&](const Graph& inner) { follow(inner, name, depth + 1); });
    }
  }

  void taken(const Graph& graph, const Node& node, size_t input, int depth) {
    if (!node.domain.empty() && node.domain != "ai.onnx" && node.domain != "ai.onnx.ml") return;
    for (const Demand& demand : kDemands) {
      if (demand.op == node.op && demand.input == input && (!demand.integers_only || integers_)) {
        note(demand, node);
      }
    }
    if (node.op == "Cast" && integers_ && integer_attribute(node, "to") == kBoolCode) {
      narrow({0, 1, Form::kAny, "a mask: cast to bool"});
    }
    if (node.op == "Equal" && integers_ && node.inputs.size() == 2) note_equal(node, input);
    const bool first = input == 0 || node.op == "Concat";
    if (first && hands_on(node) && !node.outputs.empty()) {
      follow(graph, node.outputs.front(), depth + 1);
    }
  }

  void note(const Demand& demand, const Node& node) {
    const std::string of = demand.of < node.inputs.size() ? node.inputs[demand.of] : "";
    const std::vector<int64_t> shape = facts_.shape(of);
    InputRule rule{demand.low, demand.high, demand.form,
                   std::string(demand.words) + " of " + node.op +
                       (node.name.empty() ? "" : " \"" + node.name + "\"")};
    switch (demand.most) {
      case Most::kFixed: break;
      case Most::kIndex: rule.high = static_cast<double>(axis_size(demand, node, shape) - 1); break;
      case Most::kLength: rule.high = static_cast<double>(axis_size(demand, node, shape)); break;
      case Most::kNdIndices: rule.high = static_cast<double>(smallest(shape) - 1); break;
      case Most::kDepth: rule.high = static_cast<double>(facts_.integer(of).value_or(1) - 1); break;
      case Most::kRank:
        rule.high = shape.empty() ? 0 : static_cast<double>(shape.size() - 1);
        break;
    }
    rule.high = std::max(rule.high, rule.low);
    narrow(rule);
  }

  // A switch, like a sample rate: the value that it is compared with.
  void note_equal(const Node& node, size_t input) {
    const std::optional<int64_t> other = facts_.integer(node.inputs[1 - input]);
    if (!other) return;
    const auto value = static_cast<double>(*other);
    narrow({value, value, Form::kAny, "compared with " + std::to_string(*other)});
  }

  // 1 where nothing says: position 0 and length 1 are always there.
  static int64_t axis_size(const Demand& demand, const Node& node,
                           const std::vector<int64_t>& shape) {
    const auto rank = static_cast<int64_t>(shape.size());
    int64_t axis = integer_attribute(node, demand.axis_attribute).value_or(demand.axis);
    const bool batch_first = integer_attribute(node, "layout").value_or(0) == 1;
    if (batch_first && demand.most == Most::kLength && demand.axis_attribute.empty()) axis = 1;
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return 1;
    return std::max<int64_t>(shape[static_cast<size_t>(axis)], 1);
  }

  static int64_t smallest(const std::vector<int64_t>& shape) {
    int64_t size = shape.empty() ? 1 : std::numeric_limits<int64_t>::max();
    for (const int64_t dim : shape) size = std::min(size, std::max<int64_t>(dim, 1));
    return size;
  }

  // Every node that takes the input has its say.
  void narrow(const InputRule& rule) {
    if (!rule_) {
      rule_ = rule;
      return;
    }
    if (rule_->form == Form::kAny) rule_->form = rule.form;
    const double low = std::max(rule_->low, rule.low), high = std::min(rule_->high, rule.high);
    if (low > high) return;  // no value suits both
    if (low != rule_->low || high != rule_->high) rule_->reason = rule.reason;
    rule_->low = low;
    rule_->high = high;
  }

  static constexpr int64_t kBoolCode = 9;  // TensorProto's number
  const Model& model_;
  const Facts& facts_;
  const bool integers_;
  std::optional<InputRule> rule_;
};

// Where the nodes compute with an input before they use it, its name alone tells: an attention mask
// that is multiplied, the lengths of what lies in the rows of another input.
std::optional<InputRule> rule_by_name(const Graph& graph, const ValueInfo& input,
                                      const Facts& facts) {
  if (named(input.name, "mask")) return InputRule{0, 1, Form::kAny, "a mask by its name"};
  if (!named(input.name, "len") || facts.shape(input.name).size() != 1) return std::nullopt;
  for (const ValueInfo& other : graph.inputs) {
    const std::vector<int64_t> shape = facts.shape(other.name);
    if (other.name == input.name || shape.size() < 2 || shape[1] < 1) continue;
    return InputRule{1, static_cast<double>(shape[1]), Form::kAny,
                     "lengths of \"" + other.name + "\" by its name"};
  }
  return std::nullopt;
}

}  // namespace

std::map<std::string, InputRule> input_rules(
    const Model& model, const std::map<std::string, std::vector<int64_t>>& known) {
  std::map<std::string, InputRule> rules;
  const Facts facts(model, known);
  for (const ValueInfo& input : model.graph->inputs) {
    if (!is_number(input)) continue;
    const bool integers = is_integer(input.type.dtype);
    std::optional<InputRule> rule = Search(model, facts, integers).rule(input.name);
    if (!rule && integers) rule = rule_by_name(*model.graph, input, facts);
    if (rule) rules[input.name] = *rule;
  }
  return rules;
}

}  // namespace onnxv
