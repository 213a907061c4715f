// From the plain structs to the wire's messages.
#include "src/base/error.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

using google::protobuf::RepeatedPtrField;

// Writing starts from what reading left over.
void start(google::protobuf::MessageLite& proto, const std::string& leftover) {
  if (!proto.ParseFromString(leftover)) fail_internal("leftover", "unknown fields do not parse");
}

void add_strings(const std::vector<std::string>& from, RepeatedPtrField<std::string>* to) {
  for (const std::string& text : from) *to->Add() = text;
}

void add_pairs(const std::vector<std::pair<std::string, std::string>>& from,
               RepeatedPtrField<wire::StringStringEntryProto>* to) {
  for (const auto& [key, value] : from) {
    auto* entry = to->Add();
    entry->set_key(key);
    entry->set_value(value);
  }
}

void add_opset_imports(const std::vector<OpsetImport>& from,
                       RepeatedPtrField<wire::OperatorSetIdProto>* to) {
  for (const OpsetImport& import : from) {
    auto* written = to->Add();
    written->set_domain(import.domain);
    written->set_version(import.version);
  }
}

// A type that was kept whole (it says more than Type can) is written as it was, unless the struct's
// type changed.
void type_over_leftover(const Type& type, wire::TypeProto& proto) {
  wire::TypeProto kept, wanted;
  type_to_wire(type_from_wire(proto), kept);
  type_to_wire(type, wanted);
  if (kept.SerializeAsString() == wanted.SerializeAsString()) return;
  proto.Swap(&wanted);
}

void graph_to_wire(const Graph& graph, wire::GraphProto& proto, ExternalSink* sink);

// One overload for each alternative of Attribute::value.
struct ValueWriter {
  wire::AttributeProto& proto;
  ExternalSink* sink;

  void operator()(std::monostate) const {}
  void operator()(int64_t value) const { proto.set_i(value); }
  void operator()(float value) const { proto.set_f(value); }
  void operator()(const std::string& value) const { proto.set_s(value); }
  void operator()(const Tensor& value) const { tensor_to_wire(value, *proto.mutable_t(), sink); }
  void operator()(const std::shared_ptr<const Graph>& value) const {
    graph_to_wire(*value, *proto.mutable_g(), sink);
  }
  void operator()(const std::vector<int64_t>& values) const {
    for (const int64_t value : values) proto.add_ints(value);
  }
  void operator()(const std::vector<float>& values) const {
    for (const float value : values) proto.add_floats(value);
  }
  void operator()(const std::vector<std::string>& values) const {
    add_strings(values, proto.mutable_strings());
  }
  void operator()(const std::vector<Tensor>& values) const {
    for (const Tensor& value : values) tensor_to_wire(value, *proto.add_tensors(), sink);
  }
  void operator()(const std::vector<std::shared_ptr<const Graph>>& values) const {
    for (const auto& value : values) graph_to_wire(*value, *proto.add_graphs(), sink);
  }
  void operator()(const SparseTensor& value) const {
    sparse_to_wire(value, *proto.mutable_sparse_tensor(), sink);
  }
  void operator()(const std::vector<SparseTensor>& values) const {
    for (const SparseTensor& value : values)
      sparse_to_wire(value, *proto.add_sparse_tensors(), sink);
  }
  void operator()(const Type& value) const { type_over_leftover(value, *proto.mutable_tp()); }
  void operator()(const std::vector<Type>& values) const {
    for (const Type& value : values) type_to_wire(value, *proto.add_type_protos());
  }
};

void attribute_to_wire(const Attribute& attribute, wire::AttributeProto& proto,
                       ExternalSink* sink) {
  start(proto, attribute.unknown_fields);
  // What was left of a value of another kind than the one that is written now would be a second
  // value.
  if (attribute.kind != Attribute::Kind::kTensor) proto.clear_t();
  if (attribute.kind != Attribute::Kind::kSparseTensor) proto.clear_sparse_tensor();
  if (attribute.kind != Attribute::Kind::kTypeProto) proto.clear_tp();
  proto.set_name(attribute.name);
  proto.set_type(static_cast<wire::AttributeProto::AttributeType>(attribute.kind));
  if (!attribute.reference.empty()) proto.set_ref_attr_name(attribute.reference);
  if (!attribute.doc.empty()) proto.set_doc_string(attribute.doc);
  std::visit(ValueWriter{proto, sink}, attribute.value);
}

void node_to_wire(const Node& node, wire::NodeProto& proto, ExternalSink* sink) {
  start(proto, node.unknown_fields);
  add_strings(node.inputs, proto.mutable_input());
  add_strings(node.outputs, proto.mutable_output());
  if (!node.name.empty()) proto.set_name(node.name);
  proto.set_op_type(node.op);
  if (!node.domain.empty()) proto.set_domain(node.domain);
  if (!node.overload.empty()) proto.set_overload(node.overload);
  if (!node.doc.empty()) proto.set_doc_string(node.doc);
  add_pairs(node.metadata, proto.mutable_metadata_props());
  for (const Attribute& attribute : node.attributes)
    attribute_to_wire(attribute, *proto.add_attribute(), sink);
}

void value_info_to_wire(const ValueInfo& info, wire::ValueInfoProto& proto) {
  start(proto, info.unknown_fields);
  proto.set_name(info.name);
  if (!info.doc.empty()) proto.set_doc_string(info.doc);
  if (proto.has_type() || info.type.kind != Type::Kind::kUnknown)
    type_over_leftover(info.type, *proto.mutable_type());
}

void initializer_to_wire(const Initializer& initializer, wire::GraphProto& graph,
                         ExternalSink* sink) {
  if (initializer.value.is_sparse_tensor()) {
    auto& proto = *graph.add_sparse_initializer();
    start(proto, initializer.unknown_fields);
    proto.mutable_values()->set_name(initializer.name);
    sparse_to_wire(initializer.value.sparse_tensor(), proto, sink);
    return;
  }
  auto& proto = *graph.add_initializer();
  start(proto, initializer.unknown_fields);
  proto.set_name(initializer.name);
  tensor_to_wire(initializer.value.tensor(), proto, sink);
}

void graph_to_wire(const Graph& graph, wire::GraphProto& proto, ExternalSink* sink) {
  start(proto, graph.unknown_fields);
  proto.set_name(graph.name);
  if (!graph.doc.empty()) proto.set_doc_string(graph.doc);
  for (const Node& node : graph.nodes) node_to_wire(node, *proto.add_node(), sink);
  for (const ValueInfo& info : graph.inputs) value_info_to_wire(info, *proto.add_input());
  for (const ValueInfo& info : graph.outputs) value_info_to_wire(info, *proto.add_output());
  for (const ValueInfo& info : graph.value_infos) value_info_to_wire(info, *proto.add_value_info());
  for (const Initializer& initializer : graph.initializers)
    initializer_to_wire(initializer, proto, sink);
}

void function_to_wire(const Function& function, wire::FunctionProto& proto, ExternalSink* sink) {
  start(proto, function.unknown_fields);
  proto.set_name(function.name);
  proto.set_domain(function.domain);
  if (!function.overload.empty()) proto.set_overload(function.overload);
  if (!function.doc.empty()) proto.set_doc_string(function.doc);
  add_strings(function.inputs, proto.mutable_input());
  add_strings(function.outputs, proto.mutable_output());
  add_strings(function.attributes, proto.mutable_attribute());
  add_opset_imports(function.opset_imports, proto.mutable_opset_import());
  for (const Attribute& attribute : function.attribute_defaults)
    attribute_to_wire(attribute, *proto.add_attribute_proto(), sink);
  for (const Node& node : function.nodes) node_to_wire(node, *proto.add_node(), sink);
  for (const ValueInfo& info : function.value_infos)
    value_info_to_wire(info, *proto.add_value_info());
}

}  // namespace

void model_to_wire(const Model& model, wire::ModelProto& proto, ExternalSink* sink) {
  start(proto, model.unknown_fields);
  proto.set_ir_version(model.ir_version);
  if (!model.producer_name.empty()) proto.set_producer_name(model.producer_name);
  if (!model.producer_version.empty()) proto.set_producer_version(model.producer_version);
  if (!model.domain.empty()) proto.set_domain(model.domain);
  if (!model.doc.empty()) proto.set_doc_string(model.doc);
  if (model.model_version != 0) proto.set_model_version(model.model_version);
  add_opset_imports(model.opset_imports, proto.mutable_opset_import());
  add_pairs(model.metadata, proto.mutable_metadata_props());
  if (model.graph != nullptr) graph_to_wire(*model.graph, *proto.mutable_graph(), sink);
  for (const Function& function : model.functions)
    function_to_wire(function, *proto.add_functions(), sink);
}

}  // namespace onnxv
