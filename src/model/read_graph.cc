// From the wire's messages to the plain structs.
#include <array>

#include "src/base/error.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

using google::protobuf::RepeatedPtrField;

std::vector<std::string> moved(RepeatedPtrField<std::string>& from) {
  std::vector<std::string> to;
  to.reserve(static_cast<size_t>(from.size()));
  for (std::string& text : from) to.push_back(std::move(text));
  from.Clear();
  return to;
}

std::string moved(std::string* from) {
  std::string to = std::move(*from);
  from->clear();
  return to;
}

std::vector<std::pair<std::string, std::string>> moved(
    RepeatedPtrField<wire::StringStringEntryProto>& from) {
  std::vector<std::pair<std::string, std::string>> to;
  for (auto& entry : from)
    to.emplace_back(std::move(*entry.mutable_key()), std::move(*entry.mutable_value()));
  from.Clear();
  return to;
}

std::vector<OpsetImport> opset_imports_from_wire(RepeatedPtrField<wire::OperatorSetIdProto>& from) {
  std::vector<OpsetImport> to;
  for (auto& import : from) to.push_back({std::move(*import.mutable_domain()), import.version()});
  from.Clear();
  return to;
}

// True when writing `type` gives `proto` back: then nothing of it need be kept.
bool reproduces(const Type& type, const wire::TypeProto& proto) {
  wire::TypeProto written;
  type_to_wire(type, written);
  return written.SerializeAsString() == proto.SerializeAsString();
}

// ---- attributes

using Kind = Attribute::Kind;

std::vector<Kind> kinds_present(const wire::AttributeProto& proto) {
  const std::array<std::pair<bool, Kind>, 14> fields{{
      {proto.has_f(), Kind::kFloat},
      {proto.has_i(), Kind::kInt},
      {proto.has_s(), Kind::kString},
      {proto.has_t(), Kind::kTensor},
      {proto.has_g(), Kind::kGraph},
      {proto.has_sparse_tensor(), Kind::kSparseTensor},
      {proto.has_tp(), Kind::kTypeProto},
      {proto.floats_size() != 0, Kind::kFloats},
      {proto.ints_size() != 0, Kind::kInts},
      {proto.strings_size() != 0, Kind::kStrings},
      {proto.tensors_size() != 0, Kind::kTensors},
      {proto.graphs_size() != 0, Kind::kGraphs},
      {proto.sparse_tensors_size() != 0, Kind::kSparseTensors},
      {proto.type_protos_size() != 0, Kind::kTypeProtos},
  }};
  std::vector<Kind> kinds;
  for (const auto& [present, kind] : fields) {
    if (present) kinds.push_back(kind);
  }
  return kinds;
}

// The type field decides; files of IR version 1 have none, there the one value that is given does.
Kind attribute_kind(const wire::AttributeProto& proto) {
  const std::vector<Kind> present = kinds_present(proto);
  auto kind = static_cast<Kind>(proto.type());
  if (kind == Kind::kUndefined && present.size() == 1) kind = present.front();
  for (const Kind other : present) {
    if (other != kind)
      fail_model("attribute-value", "a value stands in another field than its type says");
  }
  const bool message = kind == Kind::kTensor || kind == Kind::kGraph ||
                       kind == Kind::kSparseTensor || kind == Kind::kTypeProto;
  if (message && present.empty() && proto.ref_attr_name().empty())
    fail_model("attribute-value", "its type says that there is a value, but there is none");
  return kind;
}

template <class Message, class Read>
auto read_all(RepeatedPtrField<Message>& from, Read read) {
  std::vector<decltype(read(*from.begin()))> to;
  to.reserve(static_cast<size_t>(from.size()));
  for (Message& message : from) to.push_back(read(message));
  from.Clear();
  return to;
}

std::shared_ptr<const Graph> shared_graph(wire::GraphProto& proto, ExternalFiles& files) {
  return std::make_shared<const Graph>(graph_from_wire(proto, files));
}

void read_list(wire::AttributeProto& proto, Attribute& attribute, ExternalFiles& files) {
  auto& value = attribute.value;
  switch (attribute.kind) {
    case Kind::kFloats:
      value = std::vector<float>(proto.floats().begin(), proto.floats().end());
      proto.clear_floats();
      break;
    case Kind::kInts:
      value = std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
      proto.clear_ints();
      break;
    case Kind::kStrings: value = moved(*proto.mutable_strings()); break;
    case Kind::kTensors:
      value = read_all(*proto.mutable_tensors(),
                       [&](wire::TensorProto& t) { return tensor_from_wire(t, files); });
      break;
    case Kind::kGraphs:
      value = read_all(*proto.mutable_graphs(),
                       [&](wire::GraphProto& g) { return shared_graph(g, files); });
      break;
    case Kind::kSparseTensors:
      value = read_all(*proto.mutable_sparse_tensors(),
                       [&](wire::SparseTensorProto& t) { return sparse_from_wire(t, files); });
      break;
    case Kind::kTypeProtos:
      value = read_all(*proto.mutable_type_protos(),
                       [](const wire::TypeProto& t) { return type_from_wire(t); });
      break;
    default: break;
  }
}

// A message that has something left (a tensor's name, its doc string) stays, to be written again.
void read_value(wire::AttributeProto& proto, Attribute& attribute, ExternalFiles& files) {
  auto& value = attribute.value;
  switch (attribute.kind) {
    case Kind::kFloat:
      value = proto.f();
      proto.clear_f();
      break;
    case Kind::kInt:
      value = proto.i();
      proto.clear_i();
      break;
    case Kind::kString:
      value = moved(proto.mutable_s());
      proto.clear_s();
      break;
    case Kind::kTensor:
      value = tensor_from_wire(*proto.mutable_t(), files);
      if (proto.t().ByteSizeLong() == 0) proto.clear_t();
      break;
    case Kind::kGraph:
      value = shared_graph(*proto.mutable_g(), files);
      proto.clear_g();
      break;
    case Kind::kSparseTensor:
      value = sparse_from_wire(*proto.mutable_sparse_tensor(), files);
      break;
    case Kind::kTypeProto: {
      Type type = type_from_wire(proto.tp());
      if (reproduces(type, proto.tp())) proto.clear_tp();
      value = std::move(type);
      break;
    }
    default: read_list(proto, attribute, files);
  }
}

Attribute attribute_from_wire(wire::AttributeProto& proto, ExternalFiles& files) {
  const std::string place = "attribute \"" + proto.name() + "\"";
  try {
    Attribute attribute;
    attribute.name = moved(proto.mutable_name());
    attribute.kind = attribute_kind(proto);
    attribute.reference = moved(proto.mutable_ref_attr_name());
    attribute.doc = moved(proto.mutable_doc_string());
    const bool valued = attribute.reference.empty() || !kinds_present(proto).empty();
    if (valued && attribute.kind != Kind::kUndefined) read_value(proto, attribute, files);
    proto.clear_name();
    proto.clear_type();
    proto.clear_ref_attr_name();
    proto.clear_doc_string();
    attribute.unknown_fields = proto.SerializeAsString();
    return attribute;
  } catch (const Error& error) {
    throw error.at(place);
  }
}

std::vector<Attribute> attributes_from_wire(RepeatedPtrField<wire::AttributeProto>& from,
                                            ExternalFiles& files) {
  return read_all(from, [&](wire::AttributeProto& a) { return attribute_from_wire(a, files); });
}

// ---- nodes and graphs

std::string node_place(const wire::NodeProto& proto) {
  if (!proto.name().empty()) return "node \"" + proto.name() + "\" (" + proto.op_type() + ")";
  const std::string output = proto.output_size() == 0 ? "" : proto.output(0);
  return "node -> \"" + output + "\" (" + proto.op_type() + ")";
}

Node node_from_wire(wire::NodeProto& proto, ExternalFiles& files) {
  Node node;
  try {
    node.attributes = attributes_from_wire(*proto.mutable_attribute(), files);
  } catch (const Error& error) {
    throw error.at(node_place(proto));
  }
  node.name = moved(proto.mutable_name());
  node.op = moved(proto.mutable_op_type());
  node.domain = moved(proto.mutable_domain());
  node.overload = moved(proto.mutable_overload());
  node.inputs = moved(*proto.mutable_input());
  node.outputs = moved(*proto.mutable_output());
  node.doc = moved(proto.mutable_doc_string());
  node.metadata = moved(*proto.mutable_metadata_props());
  proto.clear_name();
  proto.clear_op_type();
  proto.clear_domain();
  proto.clear_overload();
  proto.clear_doc_string();
  node.unknown_fields = proto.SerializeAsString();
  return node;
}

ValueInfo value_info_from_wire(wire::ValueInfoProto& proto) {
  ValueInfo info;
  info.name = moved(proto.mutable_name());
  info.doc = moved(proto.mutable_doc_string());
  try {
    info.type = type_from_wire(proto.type());
  } catch (const Error& error) {
    throw error.at("value \"" + info.name + "\"");
  }
  // Denotations and opaque types have no place in Type.
  if (reproduces(info.type, proto.type())) proto.clear_type();
  proto.clear_name();
  proto.clear_doc_string();
  info.unknown_fields = proto.SerializeAsString();
  return info;
}

Initializer initializer_from_wire(wire::TensorProto& proto, ExternalFiles& files) {
  Initializer initializer;
  initializer.value = tensor_from_wire(proto, files);
  initializer.name = moved(proto.mutable_name());
  proto.clear_name();
  initializer.unknown_fields = proto.SerializeAsString();
  return initializer;
}

Initializer initializer_from_wire(wire::SparseTensorProto& proto, ExternalFiles& files) {
  Initializer initializer;
  initializer.value = sparse_from_wire(proto, files);
  initializer.name = moved(proto.mutable_values()->mutable_name());
  proto.mutable_values()->clear_name();
  initializer.unknown_fields = proto.SerializeAsString();
  return initializer;
}

template <class Message>
void add_initializers(RepeatedPtrField<Message>& from, ExternalFiles& files, Graph& graph) {
  graph.initializers.reserve(graph.initializers.size() + static_cast<size_t>(from.size()));
  for (Message& message : from) graph.initializers.push_back(initializer_from_wire(message, files));
  from.Clear();
}

Function function_from_wire(wire::FunctionProto& proto, ExternalFiles& files) {
  Function function;
  function.name = moved(proto.mutable_name());
  function.domain = moved(proto.mutable_domain());
  function.overload = moved(proto.mutable_overload());
  function.inputs = moved(*proto.mutable_input());
  function.outputs = moved(*proto.mutable_output());
  function.attributes = moved(*proto.mutable_attribute());
  function.doc = moved(proto.mutable_doc_string());
  function.opset_imports = opset_imports_from_wire(*proto.mutable_opset_import());
  try {
    function.attribute_defaults = attributes_from_wire(*proto.mutable_attribute_proto(), files);
    function.nodes = read_all(*proto.mutable_node(),
                              [&](wire::NodeProto& n) { return node_from_wire(n, files); });
    function.value_infos = read_all(*proto.mutable_value_info(), value_info_from_wire);
  } catch (const Error& error) {
    throw error.at("function \"" + function.name + "\"");
  }
  proto.clear_name();
  proto.clear_domain();
  proto.clear_overload();
  proto.clear_doc_string();
  function.unknown_fields = proto.SerializeAsString();
  return function;
}

}  // namespace

Graph graph_from_wire(wire::GraphProto& proto, ExternalFiles& files) {
  Graph graph;
  graph.name = moved(proto.mutable_name());
  graph.doc = moved(proto.mutable_doc_string());
  graph.inputs = read_all(*proto.mutable_input(), value_info_from_wire);
  graph.outputs = read_all(*proto.mutable_output(), value_info_from_wire);
  graph.value_infos = read_all(*proto.mutable_value_info(), value_info_from_wire);
  add_initializers(*proto.mutable_initializer(), files, graph);
  add_initializers(*proto.mutable_sparse_initializer(), files, graph);
  graph.nodes =
      read_all(*proto.mutable_node(), [&](wire::NodeProto& n) { return node_from_wire(n, files); });
  proto.clear_name();
  proto.clear_doc_string();
  graph.unknown_fields = proto.SerializeAsString();
  return graph;
}

Model model_from_wire(wire::ModelProto& proto, ExternalFiles& files) {
  Model model;
  model.ir_version = proto.ir_version();
  model.opset_imports = opset_imports_from_wire(*proto.mutable_opset_import());
  model.producer_name = moved(proto.mutable_producer_name());
  model.producer_version = moved(proto.mutable_producer_version());
  model.domain = moved(proto.mutable_domain());
  model.doc = moved(proto.mutable_doc_string());
  model.model_version = proto.model_version();
  model.graph = shared_graph(*proto.mutable_graph(), files);
  model.functions = read_all(*proto.mutable_functions(),
                             [&](wire::FunctionProto& f) { return function_from_wire(f, files); });
  model.metadata = moved(*proto.mutable_metadata_props());
  proto.clear_ir_version();
  proto.clear_producer_name();
  proto.clear_producer_version();
  proto.clear_domain();
  proto.clear_doc_string();
  proto.clear_model_version();
  proto.clear_graph();
  model.unknown_fields = proto.SerializeAsString();
  return model;
}

}  // namespace onnxv
