#include "src/run/plan.h"

#include <algorithm>
#include <unordered_set>

#include "schema/check.h"
#include "schema/ledger.h"
#include "src/run/attributes.h"
#include "src/run/lifetimes.h"
#include "src/run/scope.h"
#include "src/tensor/sparse.h"

namespace onnxv {
namespace {

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string function_key(std::string_view domain, std::string_view name,
                         std::string_view overload) {
  std::string key = normalized_domain(domain);
  key.append(1, '\0').append(name).append(1, '\0').append(overload);
  return key;
}

OpsetVersions opset_versions(const std::vector<OpsetImport>& imports) {
  OpsetVersions versions;
  for (const OpsetImport& import : imports)
    versions[normalized_domain(import.domain)] = import.version;
  return versions;
}

void check_nesting(int depth) {
  if (depth <= kMaxNesting) return;
  fail_limit("nesting", "subgraphs and functions are nested " + std::to_string(depth) + " deep",
             "must be at most " + std::to_string(kMaxNesting));
}

bool declares(const Function& function, const std::string& name) {
  const auto& required = function.attributes;
  const auto& defaults = function.attribute_defaults;
  return std::find(required.begin(), required.end(), name) != required.end() ||
         std::any_of(defaults.begin(), defaults.end(),
                     [&](const Attribute& a) { return a.name == name; });
}

void check_reference(const Attribute& attribute, const Function* function) {
  if (function != nullptr && declares(*function, attribute.reference)) return;
  fail_schema("attribute-reference",
              "attribute " + quoted(attribute.name) + " refers to " + quoted(attribute.reference),
              "must be an attribute of the enclosing function");
}

// A sparse one may be too large to be dense.
Value dense_initializer(const Initializer& initializer) {
  try {
    return Value(dense(initializer.value.sparse_tensor()));
  } catch (const Error& error) {
    throw error.at("initializer " + quoted(initializer.name));
  }
}

std::string label_of(const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const std::string& output : node.outputs) {
    if (!output.empty()) return output;
  }
  return node.op;
}

PortTypes port_types(const OpSchema& schema, size_t input) {
  PortTypes types;
  const PortSchema* port = schema.input_port(input);
  if (port == nullptr) return types;
  const auto add = [&](const std::string& spelling) {
    const Type type = parse_type(spelling);
    if (type.kind == Type::Kind::kTensor) types.dtypes |= uint32_t{1} << static_cast<unsigned>(type.dtype);
  };
  const TypeParameter* parameter = schema.type_parameter(port->type);
  if (parameter == nullptr) {
    add(port->type);
    return types;
  }
  for (const std::string& spelling : parameter->types) add(spelling);
  const bool alike = port->arity != PortSchema::Arity::kVariadic || port->homogeneous;
  if (alike) types.parameter = static_cast<int>(parameter - schema.type_parameters.data());
  return types;
}

// Whether everything that the operator is given is the same in every evaluation.
bool is_constant(const NodePlan& plan, const SlotScope& scope, bool in_function) {
  const auto slot_is_constant = [&](int slot) { return scope.is_constant(slot); };
  return plan.function == nullptr && std::all_of(plan.inputs.begin(), plan.inputs.end(), slot_is_constant) &&
         std::all_of(plan.captured.begin(), plan.captured.end(), slot_is_constant) &&
         std::all_of(plan.attributes.begin(), plan.attributes.end(), [&](const GivenAttribute& given) {
           // The nodes of a body may refer to the function's attributes.
           return given.reference.empty() && (given.bodies.empty() || !in_function);
         });
}

// What does not change from call to call.
void prepare_calls(NodePlan& plan) {
  for (size_t i = 0; i < plan.inputs.size(); ++i) plan.port_types.push_back(port_types(*plan.schema, i));
  size_t named = plan.outputs.size();
  while (named > 0 && plan.outputs[named - 1] == kNoSlot) --named;
  for (size_t i = 0; i < named; ++i) {
    plan.named_outputs.push_back({plan.outputs[i] != kNoSlot, plan.output_types[i] ? &*plan.output_types[i] : nullptr});
  }
  const bool fixed = std::all_of(plan.attributes.begin(), plan.attributes.end(), [](const GivenAttribute& given) {
    return given.reference.empty() && given.bodies.empty();
  });
  if (!fixed) return;
  std::vector<NamedAttribute> given;
  for (const GivenAttribute& attribute : plan.attributes) given.push_back({attribute.name, &attribute.value});
  plan.fixed_attributes = with_defaults(given, *plan.schema);
}

}  // namespace

std::string normalized_domain(std::string_view domain) {
  return domain.empty() ? "ai.onnx" : std::string(domain);
}

Planner::Planner(const Model& model) : model_(model) {
  for (const Function& function : model.functions) {
    const auto key = function_key(function.domain, function.name, function.overload);
    if (!functions_.emplace(key, &function).second) {
      fail_schema("function-twice", "function " + quoted(function.name) + " of domain " +
                                        quoted(function.domain) + " is defined twice");
    }
  }
}

std::shared_ptr<const GraphPlan> Planner::main_graph() {
  if (model_.graph == nullptr) fail_model("graph-missing", "the model has no graph");
  Unit unit{opset_versions(model_.opset_imports)};
  if (unit.opsets.empty()) {
    if (model_.ir_version >= 3)
      fail_model("opset-import", "the model imports no operator set", "must import one");
    unit.opsets["ai.onnx"] = 1;
  }
  return plan_graph(*model_.graph, nullptr, unit, 0);
}

std::shared_ptr<GraphPlan> Planner::plan_graph(const Graph& graph, SlotScope* outer,
                                               const Unit& unit, int depth) {
  check_nesting(depth);
  auto plan = std::make_shared<GraphPlan>();
  plan->graph = &graph;
  plan->depth = depth;
  SlotScope scope(*plan, outer);
  Unit inner{unit.opsets, unit.function};
  for (const auto* list : {&graph.value_infos, &graph.outputs}) {
    for (const ValueInfo& info : *list) inner.declared[info.name] = &info.type;
  }
  for (const ValueInfo& input : graph.inputs) {
    plan->inputs.push_back({input.name, input.type});
    plan->input_slots.push_back(scope.define(input.name, "input"));
  }
  plan->has_initializer.resize(graph.inputs.size());
  std::unordered_set<std::string> initialized;
  for (const Initializer& initializer : graph.initializers) {
    if (!initialized.insert(initializer.name).second) {
      fail_schema("name-twice", "initializer " + quoted(initializer.name) + " is defined twice");
    }
    const auto input =
        std::find_if(graph.inputs.begin(), graph.inputs.end(),
                     [&](const ValueInfo& info) { return info.name == initializer.name; });
    const bool is_input = input != graph.inputs.end();
    if (is_input) plan->has_initializer[static_cast<size_t>(input - graph.inputs.begin())] = true;
    const int slot =
        is_input ? scope.find(initializer.name) : scope.define(initializer.name, "initializer");
    if (!is_input) scope.set_constant(slot);
    const Value& value = initializer.value;
    plan->constants.emplace_back(slot, value.is_sparse_tensor() ? dense_initializer(initializer) : value);
    const Value& constant = plan->constants.back().second;
    if (constant.is_tensor() && !constant.tensor().is_string()) {
      plan->weights.push_back(std::make_unique<Weights>(constant.tensor()));
    }
  }
  plan_nodes(graph.nodes, scope, inner);
  for (const ValueInfo& output : graph.outputs) {
    const int slot = scope.find(output.name);
    if (slot == kNoSlot)
      fail_schema("output-undefined", "graph output " + quoted(output.name) + " is not defined");
    plan->outputs.push_back({output.name, output.type});
    plan->output_slots.push_back(slot);
  }
  plan_lifetimes(*plan);
  return plan;
}

void Planner::plan_nodes(const std::vector<Node>& nodes, SlotScope& scope, const Unit& unit) {
  scope.plan().nodes.reserve(nodes.size());
  for (const Node& node : nodes) scope.plan().nodes.push_back(plan_node(node, scope, unit));
}

NodePlan Planner::plan_node(const Node& node, SlotScope& scope, const Unit& unit) {
  NodePlan plan;
  plan.node = &node;
  plan.domain = normalized_domain(node.domain);
  plan.label = label_of(node);
  plan.place = node_place(node, 0);
  try {
    resolve(plan, unit, scope.plan().depth);
    for (const std::string& input : node.inputs) {
      plan.inputs.push_back(input.empty() ? kNoSlot : scope.find(input));
      if (!input.empty() && plan.inputs.back() == kNoSlot) {
        fail_schema("name-undefined", "input " + quoted(input) + " is not defined",
                    "must be defined before its use");
      }
    }
    plan_attributes(plan, scope, unit);
    if (is_constant(plan, scope, unit.function != nullptr)) plan.constant = constant_nodes_++;
    for (const std::string& output : node.outputs) {
      plan.outputs.push_back(output.empty() ? kNoSlot : scope.define(output, "output"));
      if (plan.constant >= 0 && !output.empty()) scope.set_constant(plan.outputs.back());
      const auto declared = unit.declared.find(output);
      const bool known =
          declared != unit.declared.end() && declared->second->kind != Type::Kind::kUnknown;
      plan.output_types.push_back(known ? std::optional(*declared->second) : std::nullopt);
    }
    if (plan.schema != nullptr) prepare_calls(plan);
  } catch (const Error& error) {
    throw error.at(plan.place);
  }
  return plan;
}

// Choice: where a local function and an operator have one name, the function is meant (the text
// leaves it to the runtime; a model that brings a function brings it to be used).
void Planner::resolve(NodePlan& plan, const Unit& unit, int depth) {
  const Node& node = *plan.node;
  const auto import = unit.opsets.find(plan.domain);
  if (import != unit.opsets.end()) plan.opset = import->second;
  if (const auto local = functions_.find(function_key(node.domain, node.op, node.overload));
      local != functions_.end()) {
    plan.function = plan_function(*local->second, depth + 1);
    check_function_call(node, *local->second);
    return;
  }
  if (import == unit.opsets.end()) {
    fail_schema("domain-not-imported", "domain " + quoted(plan.domain) + " is not imported",
                "must be");
  }
  if (!node.overload.empty()) {
    fail_schema("unknown-operator",
                "overload " + quoted(node.overload) + " of " + quoted(node.op) + " is not defined");
  }
  plan.schema = find_schema(plan.domain, node.op, plan.opset);
  if (plan.schema == nullptr) {
    fail_schema("unknown-operator", plan.domain + " " + std::to_string(plan.opset) +
                                        " has no operator " + quoted(node.op));
  }
  plan.place = node_place(node, plan.schema->since_version);
  check_node(node, *plan.schema);
  plan.behaviour = ledger_behaviour(*plan.schema);
}

void Planner::plan_attributes(NodePlan& plan, SlotScope& scope, const Unit& unit) {
  for (const Attribute& attribute : plan.node->attributes) {
    if (is_note(attribute)) continue;
    GivenAttribute given{attribute.name, {}, {}, false, attribute.reference};
    if (!given.reference.empty()) {
      check_reference(attribute, unit.function);
    } else if (const auto graphs = graphs_of(attribute); !graphs.empty()) {
      given.is_list = attribute.kind == Attribute::Kind::kGraphs;
      for (const auto& graph : graphs) {
        const auto body = plan_graph(*graph, &scope, unit, scope.plan().depth + 1);
        for (const auto& [outer, own] : body->captures) plan.captured.push_back(outer);
        plan.captured_names.insert(plan.captured_names.end(), body->capture_names.begin(),
                                   body->capture_names.end());
        given.bodies.push_back(body);
      }
    } else {
      const AttributeSchema* schema =
          plan.schema == nullptr ? nullptr : plan.schema->attribute(attribute.name);
      given.value = attribute_value(attribute,
                                    schema == nullptr ? Attribute::Kind::kUndefined : schema->kind);
    }
    plan.attributes.push_back(std::move(given));
  }
}

const FunctionPlan* Planner::plan_function(const Function& function, int depth) {
  const auto [known, is_new] = planned_.emplace(&function, nullptr);
  if (!is_new && known->second == nullptr) {
    fail_schema("function-recursion", "function " + quoted(function.name) + " calls itself",
                "must not");
  }
  if (!is_new) return known->second;
  check_nesting(depth);
  auto plan = std::make_unique<FunctionPlan>();
  auto body = std::make_shared<GraphPlan>();
  body->depth = depth;
  Unit unit{opset_versions(function.opset_imports), &function};
  for (const ValueInfo& info : function.value_infos) unit.declared[info.name] = &info.type;
  SlotScope scope(*body, nullptr);
  try {
    for (const std::string& input : function.inputs) {
      body->inputs.push_back({input, {}});
      body->input_slots.push_back(scope.define(input, "input"));
    }
    plan_nodes(function.nodes, scope, unit);
    for (const std::string& output : function.outputs) {
      body->outputs.push_back({output, {}});
      body->output_slots.push_back(scope.find(output));
      if (body->output_slots.back() == kNoSlot)
        fail_schema("output-undefined", "output " + quoted(output) + " is not defined");
    }
    for (const Attribute& attribute : function.attribute_defaults) {
      plan->defaults.emplace_back(attribute.name, attribute_value(attribute, attribute.kind));
    }
  } catch (const Error& error) {
    throw error.at("function " + quoted(function.name));
  }
  plan_lifetimes(*body);
  plan->function = &function;
  plan->body = std::move(body);
  function_plans_.push_back(std::move(plan));
  return planned_[&function] = function_plans_.back().get();
}

}  // namespace onnxv
