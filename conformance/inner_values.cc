#include "conformance/inner_values.h"

#include <algorithm>
#include <utility>

#include "conformance/backend/scratch.h"
#include "conformance/compare/open_elements.h"
#include "conformance/node_directory.h"
#include "conformance/origin.h"
#include "src/base/error.h"
#include "src/model/model_io.h"

namespace onnxv {
namespace {

constexpr uint64_t kLeastPortion = uint64_t{128} << 20;  // bytes: each portion is a run of the whole model
constexpr uint64_t kMostHeld = uint64_t{8} << 20;        // bytes of exact values that wait in memory

// As much as the model's own constants take: what the backend holds stays near the model's size.
uint64_t portion_for(const Graph& graph) {
  uint64_t bytes = 0;
  for (const Initializer& initializer : graph.initializers) {
    if (initializer.value.is_tensor() && !initializer.value.tensor().is_string()) {
      bytes += initializer.value.tensor().bytes().size();
    }
  }
  return std::max(bytes, kLeastPortion);
}

// Tensors alone: sequences, maps and optionals inside a graph are no outputs that every backend
// has.
bool can_be_output(const std::string& name, const Value& value) {
  return !name.empty() && value.is_tensor();
}

// The same model with other outputs.
Model with_outputs(const Model& model, std::vector<ValueInfo> outputs) {
  Model changed = model;
  Graph graph = *model.graph;
  graph.outputs = std::move(outputs);
  changed.graph = std::make_shared<const Graph>(std::move(graph));
  return changed;
}

}  // namespace

InnerValues::InnerValues(const Trial& trial, const TrialData& data, Backend& backend,
                         const CheckSettings& settings, Outcome& outcome)
    : trial_(trial),
      data_(data),
      backend_(backend),
      settings_(settings),
      outcome_(outcome),
      portion_(portion_for(*trial.model->graph)) {
  possible_ = trial.model->graph->nodes.size() > 1;
}

void InnerValues::note(const NodeEvent& event, size_t index) {
  if (!possible_ || event.depth > 0) return;
  for (size_t i = 0; i < event.node->outputs.size() && i < event.outputs->size(); ++i) {
    const Value& value = (*event.outputs)[i];
    if (!can_be_output(event.node->outputs[i], value)) continue;
    Noted noted{index, event.node->outputs[i], value.type(), value, "", {}};
    noted.value.mutable_tensor().drop_bounds();  // those are of the node alone
    for (const UnspecifiedMark& mark : *event.unspecified) {
      if (mark.output == i) noted.marks.push_back({0, mark.slug, mark.elements});
    }
    set_aside(noted);
    noted_.push_back(std::move(noted));
  }
  if (noted_bytes_ >= portion_) ask();
}

void InnerValues::set_aside(Noted& noted) {
  const Tensor& tensor = noted.value.tensor();
  const uint64_t bytes = tensor.is_string() ? tensor.size() : tensor.bytes().size();
  noted_bytes_ += bytes;
  if (tensor.is_string() || held_ + bytes <= kMostHeld) {
    held_ += bytes;
    return;
  }
  if (files_ == nullptr) files_ = std::make_unique<ScratchDirectory>(settings_.scratch);
  noted.file = files_->path() + "/" + std::to_string(noted_.size()) + ".pb";
  write_value(noted.value, noted.file);
  noted.value = Value();
}

BackendJob InnerValues::job() const {
  BackendJob job;
  job.model_path = trial_.model_path;
  job.model = trial_.model.get();
  job.test = trial_.name;
  job.data_set = data_.number;
  job.inputs = data_.files.inputs;
  for (const ValueInfo* input : trial_.required) job.kinds.push_back(kind_text(input->type));
  for (const Noted& noted : noted_) {
    job.want.push_back(noted.name);
    job.types.push_back(noted.type);
  }
  job.time_limit = settings_.timeout;
  return job;
}

BackendAnswer InnerValues::answer(const Model& opened, BackendJob whole) const {
  if (backend_.gives_inner_values()) return backend_.run(whole);
  const ScratchDirectory scratch(settings_.scratch);
  whole.model_path = scratch.path() + "/model.onnx";
  whole.model = &opened;
  write_model(opened, whole.model_path, uint64_t{1} << 30);
  return backend_.run(whole);
}

void InnerValues::ask() {
  if (noted_.empty()) return;
  std::vector<ValueInfo> outputs;
  for (const Noted& noted : noted_) outputs.push_back({noted.name, noted.type, {}, {}});
  const Model opened = with_outputs(*trial_.model, std::move(outputs));
  const std::vector<Origin> origins = output_origins(opened, false);
  size_t taken = 0;
  const auto take = [&](size_t i, const Value& actual) {
    compare(noted_[i], actual, origins[i]);
    ++taken;
  };
  BackendAnswer answered;
  try {
    BackendJob whole = job();
    whole.take = take;
    answered = answer(opened, std::move(whole));
    const size_t kept = answered.status == Status::kPass ? std::min(answered.outputs.size(), noted_.size()) : 0;
    for (size_t i = 0; i < kept; ++i) take(i, answered.outputs[i]);
  } catch (const Error& error) {
    answered = {Status::kError, error.what(), {}};
  }
  possible_ = answered.status == Status::kPass && taken == noted_.size();
  if (!possible_) {
    outcome_.warnings.push_back("the backend's own values inside the model could not be had: " +
                                std::string(status_name(answered.status)) + " " + answered.message);
  }
  noted_.clear();
  if (files_ != nullptr) files_->clear();
  noted_bytes_ = held_ = 0;
}

void InnerValues::compare(const Noted& noted, const Value& actual, const Origin& origin) {
  OutputOutcome output;
  output.name = noted.name;
  output.data_set = data_.number;
  output.tolerance = origin.random ? origin.distribution
                                   : resolve({}, ToleranceContext::kModelOutput, "", "", 0,
                                             noted.type.dtype, noted.name, nullptr);
  CompareRequest request;
  request.tolerance = output.tolerance;
  request.policies = settings_.policies;
  const OpenElements open = open_elements(noted.marks, 0);
  request.unspecified = open.elements;
  request.all_unspecified = open.all;
  const Value exact = noted.value.exists() ? noted.value : read_value(noted.file, noted.type);
  output.comparison = onnxv::compare(exact, actual, request);
  NodeOutcome& node = outcome_.nodes[noted.node];
  if (!output.comparison.matches && !outcome_.first_in_model) {
    outcome_.first_in_model = FirstDivergence{
        node.node, node.op, node.domain, node.since_version, node.index, output.name, node.path};
  }
  node.in_model.push_back(std::move(output));
}

void InnerValues::finish() { ask(); }

}  // namespace onnxv
