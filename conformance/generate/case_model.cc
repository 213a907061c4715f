#include "conformance/generate/case_model.h"

#include <algorithm>
#include <array>
#include <set>

#include "conformance/generate/spec_value.h"

namespace onnxv::generate {
namespace {

// When the IR version rose: the first opset of ai.onnx that came with it.
struct Release {
  int64_t opset, ir_version;
};
constexpr std::array<Release, 12> kReleases = {{{1, 3},
                                                {9, 4},
                                                {10, 5},
                                                {11, 6},
                                                {12, 7},
                                                {15, 8},
                                                {19, 9},
                                                {21, 10},
                                                {23, 11},
                                                {24, 12},
                                                {25, 13},
                                                {28, 14}}};

int64_t ir_version_of(int64_t opset) {
  int64_t version = kReleases[0].ir_version;
  for (const Release& release : kReleases) {
    if (release.opset <= opset) version = release.ir_version;
  }
  return version;
}

// The opset of ai.onnx that a model of another domain imports beside: of the same release, where it
// is known.
int64_t companion_opset(const std::string& domain, int64_t opset) {
  constexpr std::array<int64_t, 5> ml = {10, 11, 16, 20, 21};
  if (domain == "ai.onnx.ml")
    return ml.at(static_cast<size_t>(std::clamp<int64_t>(opset, 1, 5) - 1));
  return domain == "ai.onnx.preview.training" ? 12 : 26;
}

// The shape where the value has one; what is declared of a sequence or an optional.
Type type_with_shape(const Type& declared, const Value& value) {
  return value.is_tensor() || value.is_sparse_tensor() ? value.type() : declared;
}

class Builder {
 public:
  Builder(const OpSchema& schema, const PlannedCase& planned, int64_t opset,
          const std::string& name)
      : schema_(schema), planned_(planned) {
    const bool main_domain = schema.domain == "ai.onnx";
    context_.value_class = planned.value_class;
    context_.key = name_hash(name);
    context_.type_of = [&planned](std::string_view text) { return type_of(planned, text); };
    context_.opset = main_domain ? opset : companion_opset(schema.domain, opset);
    Model& model = made_.model;
    model.ir_version = ir_version_of(context_.opset);
    model.opset_imports.push_back({"", context_.opset});
    if (!main_domain) model.opset_imports.push_back({schema.domain, opset});
    model.producer_name = "onnx-verify";
    graph_.name = name;
    node_.op = schema.name;
    node_.name = "tested";
    if (!main_domain) node_.domain = schema.domain;
  }

  CaseModel take() {
    add_inputs();
    add_outputs();
    add_attributes();
    for (const NodeSpec& before : planned_.recipe->before)
      graph_.nodes.push_back(node_of(before, context_));
    made_.sentence = sentence();
    graph_.nodes.push_back(std::move(node_));
    made_.model.graph = std::make_shared<const Graph>(std::move(graph_));
    return std::move(made_);
  }

 private:
  // "T", "float", "tensor(float)", "seq(T)".
  static Type type_of(const PlannedCase& planned, std::string_view text) {
    if (const auto dtype = dtype_from_name(text)) return Type::tensor(*dtype);
    const Type found = planned.type_of(text);
    if (found.kind != Type::Kind::kUnknown) return found;
    const size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return found;
    const Type inner = type_of(planned, text.substr(open + 1, text.size() - open - 2));
    if (text.starts_with("seq")) return Type::sequence(inner);
    if (text.starts_with("optional")) return Type::optional(inner);
    return text.starts_with("element") && inner.element ? *inner.element : inner;
  }

  bool left_out(const std::string& key) const {
    return std::find(planned_.left_out.begin(), planned_.left_out.end(), key) !=
           planned_.left_out.end();
  }

  const Form::Entry* entry_of(const PortSchema& port, size_t position) const {
    for (const Form::Entry& entry : planned_.form->entries) {
      if (schema_.attribute(entry.key) == nullptr &&
          (entry.key == port.name || entry.key == std::to_string(position)))
        return &entry;
    }
    return nullptr;
  }

  // ---- inputs ----

  void add_inputs() {
    for (size_t i = 0; i < schema_.inputs.size(); ++i) {
      const PortSchema& port = schema_.inputs[i];
      const Form::Entry* entry = entry_of(port, i);
      const bool absent =
          entry == nullptr || (left_out(entry->key) && port.arity == PortSchema::Arity::kOptional);
      if (port.arity == PortSchema::Arity::kVariadic) {
        if (!absent) add_variadic(port, entry->spec);
      } else if (absent) {
        node_.inputs.emplace_back();
      } else {
        add_input(port.name, type_of(planned_, port.type), entry->spec);
      }
    }
    while (!node_.inputs.empty() && node_.inputs.back().empty()) node_.inputs.pop_back();
    for (const Form::Outer& outer : planned_.form->outer)
      add_graph_input(outer.name, type_of(planned_, outer.type), outer.spec);
  }

  void add_variadic(const PortSchema& port, const Spec& spec) {
    const std::string stem =
        port.name.ends_with("_0") ? port.name.substr(0, port.name.size() - 2) : port.name;
    for (size_t k = 0; k < spec.list.size(); ++k) {
      const Spec& item = spec.list[k];
      const Type type = type_of(planned_, item.type.empty() ? port.type : item.type);
      add_input(stem + "_" + std::to_string(k), type, item);
    }
  }

  void add_input(const std::string& name, const Type& type, const Spec& spec) {
    add_graph_input(name, type, spec);
    node_.inputs.push_back(name);
  }

  void add_graph_input(const std::string& name, const Type& type, const Spec& spec) {
    Value value = value_of(spec, type, context_, name);
    graph_.inputs.push_back({name, type_with_shape(type, value), "", ""});
    shapes_ += (shapes_.empty() ? "" : ", ") + name + " " +
               (value.is_tensor() ? value.tensor().shape().text() : type.text());
    made_.inputs.push_back(std::move(value));
  }

  // ---- outputs ----

  void add_outputs() {
    for (size_t i = 0; i < schema_.outputs.size(); ++i) {
      const PortSchema& port = schema_.outputs[i];
      if (port.arity == PortSchema::Arity::kVariadic) {
        const size_t wanted = std::max(planned_.form->outputs.value_or(i + 1), i) - i;
        for (size_t k = 0; k < wanted; ++k) add_output(port, port.name + "_" + std::to_string(k));
      } else if (wants(port, i)) {
        add_output(port, port.name);
      } else {
        node_.outputs.emplace_back();
      }
    }
    while (!node_.outputs.empty() && node_.outputs.back().empty()) node_.outputs.pop_back();
  }

  bool wants(const PortSchema& port, size_t position) const {
    if (planned_.form->outputs) return position < *planned_.form->outputs;
    if (port.arity == PortSchema::Arity::kSingle || planned_.outputs == OutputChoice::kAll)
      return true;
    const bool last = position + 1 == schema_.outputs.size();
    if (planned_.outputs == OutputChoice::kLast) return last;
    return position == 0;  // something must be asked for
  }

  void add_output(const PortSchema& port, std::string name) {
    const auto taken = [&](const ValueInfo& input) { return input.name == name; };
    if (std::any_of(graph_.inputs.begin(), graph_.inputs.end(), taken)) name += "_out";
    node_.outputs.push_back(name);
    graph_.outputs.push_back({name, type_of(planned_, port.type), "", ""});
  }

  // ---- attributes ----

  void add_attributes() {
    for (const auto& [parameter, rule] : planned_.recipe->types) {
      const AttributeSchema* attribute =
          rule.starts_with('@') ? schema_.attribute(rule.substr(1)) : nullptr;
      if (attribute == nullptr) continue;
      const Type type = planned_.type_of(parameter);
      node_.attributes.push_back(type_attribute(attribute->name, attribute->kind, type));
      settings_ += ", " + attribute->name + " = " + std::string(type.text());
    }
    for (const auto& [name, spec] : planned_.attributes) add_attribute(name, *spec);
    for (const Form::Entry& entry : planned_.form->entries) {
      if (!left_out(entry.key)) add_attribute(entry.key, entry.spec);
    }
  }

  void add_attribute(const std::string& name, const Spec& spec) {
    const AttributeSchema* attribute = schema_.attribute(name);
    if (attribute == nullptr || spec.kind == Spec::Kind::kNull) return;
    node_.attributes.push_back(attribute_of(name, attribute->kind, spec, context_));
    settings_ += ", " + name + " = " + spec_text(spec);
  }

  // ---- words ----

  std::string sentence() {
    std::string types;
    for (const auto& [parameter, type] : planned_.types) {
      const std::string name = type.kind == Type::Kind::kTensor
                                   ? std::string(dtype_display_name(type.dtype))
                                   : schema_spelling(type);
      types += (types.empty() ? " for " : ", ") + parameter + " = " + name;
      made_.types.emplace_back(parameter, schema_spelling(type));
    }
    std::string text =
        schema_.name + "-" + std::to_string(schema_.since_version) + types + settings_;
    if (!shapes_.empty()) text += "; " + shapes_;
    for (const std::string& key : planned_.left_out) text += ", no " + key;
    if (planned_.value_class != ValueClass::kOrdinary)
      text += "; " + std::string(value_class_words(planned_.value_class));
    if (planned_.outputs != OutputChoice::kAll && !planned_.form->outputs)
      text += "; outputs " + named_outputs() + " alone";
    if (!planned_.form->note.empty()) text += "; " + planned_.form->note;
    return text + ".";
  }

  std::string named_outputs() const {
    std::string text;
    for (const std::string& name : node_.outputs) {
      if (!name.empty()) text += (text.empty() ? "" : " and ") + name;
    }
    return text;
  }

  const OpSchema& schema_;
  const PlannedCase& planned_;
  SpecContext context_;
  CaseModel made_;
  Graph graph_;
  Node node_;
  std::string shapes_, settings_;
};

}  // namespace

CaseModel case_model(const OpSchema& schema, const PlannedCase& planned, int64_t opset,
                     const std::string& name) {
  return Builder(schema, planned, opset, name).take();
}

}  // namespace onnxv::generate
