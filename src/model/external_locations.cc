// Which external files a model names, found without reading its tensors.
#include <algorithm>

#include "src/base/error.h"
#include "src/model/model_io.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

using Locations = std::vector<std::string>;

void collect(const wire::TensorProto& tensor, Locations& found) {
  if (tensor.data_location() != wire::TensorProto::EXTERNAL) return;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() != "location") continue;
    if (std::find(found.begin(), found.end(), entry.value()) == found.end())
      found.push_back(entry.value());
  }
}

void collect(const wire::SparseTensorProto& sparse, Locations& found) {
  collect(sparse.values(), found);
  collect(sparse.indices(), found);
}

void collect(const wire::GraphProto& graph, Locations& found);

void collect(const wire::AttributeProto& attribute, Locations& found) {
  collect(attribute.t(), found);
  collect(attribute.sparse_tensor(), found);
  for (const auto& tensor : attribute.tensors()) collect(tensor, found);
  for (const auto& sparse : attribute.sparse_tensors()) collect(sparse, found);
  if (attribute.has_g()) collect(attribute.g(), found);
  for (const auto& graph : attribute.graphs()) collect(graph, found);
}

void collect(const wire::GraphProto& graph, Locations& found) {
  for (const auto& tensor : graph.initializer()) collect(tensor, found);
  for (const auto& sparse : graph.sparse_initializer()) collect(sparse, found);
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) collect(attribute, found);
  }
}

}  // namespace

std::vector<std::string> external_locations(const std::string& model_path) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(model_path);
  try {
    wire::ModelProto proto;
    parse_wire(file->text(), "the model", proto);
    Locations found;
    collect(proto.graph(), found);
    for (const auto& training : proto.training_info()) {
      collect(training.initialization(), found);
      collect(training.algorithm(), found);
    }
    for (const auto& function : proto.functions()) {
      for (const auto& attribute : function.attribute_proto()) collect(attribute, found);
      for (const auto& node : function.node()) {
        for (const auto& attribute : node.attribute()) collect(attribute, found);
      }
    }
    return found;
  } catch (const Error& error) {
    throw error.at(model_path);
  }
}

}  // namespace onnxv
