#include "src/model/model_io.h"

#include <algorithm>
#include <climits>
#include <new>

#include "src/base/error.h"
#include "src/model/file.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

// Room for names, nodes and field headers beside the tensors' bytes.
constexpr size_t kLargestInline = (size_t{1} << 31) - (size_t{64} << 20);

Model model_from_bytes(std::string_view bytes, const std::string& directory) {
  try {
    if (bytes.empty()) fail_model("truncated", "the model is empty");
    wire::ModelProto proto;
    parse_wire(bytes, "the model", proto);
    // A tensor's or a text's bytes may happen to parse; a model without a graph computes nothing.
    if (!proto.has_graph()) fail_model("not-a-model", "there is no graph in it");
    ExternalFiles files(directory);
    return model_from_wire(proto, files);
  } catch (const std::bad_alloc&) {
    fail_limit("memory", "there is not enough memory for the model");
  }
}

size_t tensor_bytes(const Tensor& tensor) {
  if (!tensor.is_string()) return tensor.bytes().size();
  size_t total = 0;
  for (const std::string& text : tensor.strings()) total += text.size() + 8;
  return total;
}

size_t tensor_bytes(const SparseTensor& sparse) {
  return tensor_bytes(sparse.values) + tensor_bytes(sparse.indices);
}

size_t tensor_bytes(const Graph& graph);

// What an attribute's tensors take.
struct SizeOf {
  size_t operator()(const Tensor& tensor) const { return tensor_bytes(tensor); }
  size_t operator()(const SparseTensor& sparse) const { return tensor_bytes(sparse); }
  size_t operator()(const std::shared_ptr<const Graph>& graph) const {
    return tensor_bytes(*graph);
  }
  template <class T>
  size_t operator()(const std::vector<T>& values) const {
    if constexpr (std::is_arithmetic_v<T>) {
      return values.size() * 10;
    } else {
      size_t total = 0;
      for (const T& value : values) total += (*this)(value);
      return total;
    }
  }
  size_t operator()(const std::string& text) const { return text.size(); }
  template <class T>
  size_t operator()(const T&) const {
    return 0;
  }
};

size_t tensor_bytes(const std::vector<Node>& nodes) {
  size_t total = 0;
  for (const Node& node : nodes) {
    for (const Attribute& attribute : node.attributes)
      total += std::visit(SizeOf{}, attribute.value);
  }
  return total;
}

size_t tensor_bytes(const Graph& graph) {
  size_t total = tensor_bytes(graph.nodes);
  for (const Initializer& initializer : graph.initializers) {
    const Value& value = initializer.value;
    total += value.is_tensor() ? tensor_bytes(value.tensor()) : tensor_bytes(value.sparse_tensor());
  }
  return total;
}

size_t tensor_bytes(const Model& model) {
  size_t total = model.graph == nullptr ? 0 : tensor_bytes(*model.graph);
  for (const Function& function : model.functions) total += tensor_bytes(function.nodes);
  return total;
}

std::string serialized(const wire::ModelProto& proto) {
  const size_t size = proto.ByteSizeLong();
  if (size > INT_MAX)
    fail_model("too-large", "the model needs " + std::to_string(size) + " bytes",
               "a protobuf holds less than 2 GiB: store its tensors as external data");
  return proto.SerializeAsString();
}

std::string file_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Model read_model(const std::string& path) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  try {
    Model model = model_from_bytes(file->text(), directory_of(path));
    model.path = path;
    return model;
  } catch (const Error& error) {
    throw error.at(path);
  }
}

Model parse_model(std::string_view bytes, const std::string& directory) {
  return model_from_bytes(bytes, directory);
}

std::string serialize_model(const Model& model) {
  wire::ModelProto proto;
  if (tensor_bytes(model) > kLargestInline)
    fail_model("too-large", "the model's tensors exceed 2 GiB",
               "a protobuf holds less: store them as external data");
  model_to_wire(model, proto, nullptr);
  return serialized(proto);
}

void write_model(const Model& model, const std::string& path, size_t largest_inline) {
  if (tensor_bytes(model) <= std::min(largest_inline, kLargestInline)) {
    write_file(path, serialize_model(model));
    return;
  }
  ExternalSink sink(directory_of(path), file_name_of(path) + ".data");
  wire::ModelProto proto;
  model_to_wire(model, proto, &sink);
  const std::string bytes = serialized(proto);
  // The data first: a model never refers to a file that is not there yet.
  sink.commit();
  write_file(path, bytes);
}

}  // namespace onnxv
