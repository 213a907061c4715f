#include "conformance/divergence.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "conformance/inner_values.h"
#include "conformance/lanes.h"
#include "conformance/node_directory.h"
#include "conformance/node_trial.h"
#include "conformance/shrink.h"
#include "conformance/subgraphs.h"
#include "src/base/error.h"
#include "src/run/evaluate.h"

namespace onnxv {
namespace {

std::string shown_name(const NodeEvent& event) {
  if (!event.node->name.empty()) return event.node->name;
  for (const std::string& output : event.node->outputs) {
    if (!output.empty()) return "-> \"" + output + "\"";
  }
  return event.path;
}

// A folder's name out of a node's: letters, digits, dash, dot; at most 80 of them.
std::string folder_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.';
    name += plain ? c : '_';
  }
  return name.substr(0, 80);
}

NodeOutcome outcome_of(const NodeEvent& event, int64_t index) {
  NodeOutcome outcome;
  outcome.node = shown_name(event);
  outcome.op = event.node->op;
  outcome.domain = event.domain;
  if (event.depth > 0) outcome.path = event.path;
  outcome.since_version = event.since_version;
  outcome.index = index;
  return outcome;
}

bool diverges(Status status) {
  return status == Status::kFail || status == Status::kCrash || status == Status::kTimeout ||
         status == Status::kError;
}

// What is said of the node's inputs: of those it was given, before anything is made smaller.
std::vector<ValueStatistics> statistics_of_inputs(const SingleNode& alone) {
  std::vector<ValueStatistics> statistics;
  const Graph& graph = *alone.model.graph;
  std::map<std::string, std::pair<const Value*, bool>> values;
  for (const Initializer& initializer : graph.initializers) {
    values[initializer.name] = {&initializer.value, true};
  }
  const auto required = required_inputs(graph);
  for (size_t i = 0; i < required.size(); ++i) {
    values[required[i]->name] = {&alone.inputs[i], false};
  }
  for (const std::string& name : graph.nodes.front().inputs) {
    const auto found = values.find(name);
    if (found == values.end()) continue;
    statistics.push_back(statistics_of(name, *found->second.first));
    statistics.back().constant = found->second.second;
  }
  return statistics;
}

// The one node is an If, a Loop, a call of a local function…
bool holds_nodes(const Model& model) {
  const Node& node = model.graph->nodes.front();
  bool holds = false;
  for_each_subgraph(node, [&](const Graph&) { holds = true; });
  for (const Function& function : model.functions) holds |= function.name == node.op;
  return holds;
}

// A node on its way through a lane.
struct Task {
  NodeTrial trial;
  NodeOutcome outcome;
};

// Puts one node to a backend and looks closer where it diverges.
class NodeExaminer {
 public:
  NodeExaminer(Backend& backend, const CheckSettings& settings, const std::string& test)
      : checker_(backend, settings, test), settings_(settings), test_(test) {
    folder_ = settings.extract;
    if (settings.several_backends) folder_ += "/" + folder_name(backend.description().spelling);
  }

  void examine(Task& task) const {
    checker_.check(task.trial, task.outcome);
    if (!diverges(task.outcome.status)) return;
    task.outcome.inputs = statistics_of_inputs(task.trial.alone);
    if (settings_.extract.empty()) return;
    try {
      extract(task);
    } catch (const Error& error) {
      task.outcome.message += std::string("; not written: ") + error.what();
    }
  }

 private:
  void extract(Task& task) const {
    NodeOutcome shrunk = task.outcome;
    // A crash or a hang costs a start of the backend, and what diverges inside a subgraph or a
    // function is written as a node of its own: those are written as they are.
    const bool whole = task.outcome.status != Status::kFail || holds_nodes(task.trial.alone.model);
    const NodeTrial trial = !whole ? shrink(std::move(task.trial), shrunk, checker_, settings_.seed)
                                   : std::move(task.trial);
    CaseContents contents;
    contents.model = &trial.alone.model;
    contents.data_sets.push_back({trial.alone.inputs, trial.expected});
    if (!settings_.tolerance.automatic) contents.tolerance_json = tolerance_text(trial);
    task.outcome.extracted = folder_ + "/" +
                             folder_name(test_ + "_" + std::to_string(task.outcome.index) + "_" +
                                         task.outcome.op + "_" + task.outcome.node);
    write_case(contents, task.outcome.extracted);
  }

  static std::string tolerance_text(const NodeTrial& trial) {
    DirectoryTolerance beside;
    for (size_t i = 0; i < trial.tolerances.size(); ++i) {
      beside.outputs.push_back({trial.alone.model.graph->outputs[i].name, trial.tolerances[i]});
    }
    return beside.json();
  }

  const NodeChecker checker_;
  const CheckSettings& settings_;
  const std::string test_;
  std::string folder_;
};

class NodeComparer : public Observer {
 public:
  NodeComparer(const Trial& trial, const TrialData& data, Backend& backend,
               const CheckSettings& settings, Outcome& outcome)
      : trial_(trial),
        settings_(settings),
        outcome_(outcome),
        constants_(constant_names(*trial.model)),
        inner_(trial, data, backend, settings, outcome) {
    if (settings.node_jobs < 2) {
      examiner_.emplace(backend, settings, trial.name);
      return;
    }
    const std::string spelling = backend.description().spelling;
    lanes_ = std::make_unique<Lanes<Task>>(
        settings.node_jobs, [this, spelling] { return lane(spelling); },
        [this](Task& task) { take(task); });
  }

  void node(const NodeEvent& event) override {
    const auto index = static_cast<int64_t>(outcome_.nodes.size());
    Task task{{}, outcome_of(event, index)};
    std::string problem;
    std::optional<NodeTrial> alone =
        node_trial(*trial_.model, event, constants_, settings_.tolerance, problem);
    if (!alone) {
      task.outcome.status = Status::kSkipped;
      task.outcome.message = problem;
    }
    outcome_.nodes.push_back(task.outcome);
    if (alone) {
      task.trial = std::move(*alone);
      give(std::move(task));
    }
    inner_.note(event, static_cast<size_t>(index));
    if (settings_.node_done) settings_.node_done(outcome_.nodes.size(), outcome_.nodes.back().node);
  }

  // After the evaluation, be it whole or not.
  void finish() {
    if (lanes_) lanes_->finish();
    inner_.finish();
    for (const Status wanted : {Status::kFail, Status::kCrash, Status::kTimeout, Status::kError}) {
      // What breaks counts where no node's values differ.
      if (outcome_.first_divergence && wanted == Status::kCrash) return;
      for (const NodeOutcome& node : outcome_.nodes) {
        if (node.status == wanted) note_divergence(node);
      }
    }
  }

 private:
  void give(Task task) {
    if (lanes_) return lanes_->give(std::move(task));
    examiner_->examine(task);
    take(task);
  }

  // A backend of its own for each lane, made where it is used.
  Lanes<Task>::Worker lane(const std::string& spelling) const {
    struct Own {
      std::unique_ptr<Backend> backend;
      std::optional<NodeExaminer> examiner;
    };
    auto own = std::make_shared<Own>();
    return [this, own, spelling](Task& task) {
      try {
        if (!own->backend) {
          own->backend = make_backend(spelling, settings_.backend);
          own->examiner.emplace(*own->backend, settings_, trial_.name);
        }
        own->examiner->examine(task);
        task.trial = NodeTrial();  // its values: what was said of them is enough until its turn to be taken back
      } catch (const Error& error) {
        task.outcome.status = Status::kError;
        task.outcome.message = error.what();
      }
    };
  }

  void take(Task& task) {
    NodeOutcome& kept = outcome_.nodes[static_cast<size_t>(task.outcome.index)];
    task.outcome.in_model = std::move(kept.in_model);
    kept = std::move(task.outcome);
    for (OutputOutcome& output : kept.outputs) take_bounds(output, outcome_.warnings);
    if (!kept.extracted.empty() && outcome_.extracted.empty()) outcome_.extracted = kept.extracted;
  }

  void note_divergence(const NodeOutcome& node) {
    if (outcome_.first_divergence && outcome_.first_divergence->index <= node.index) return;
    FirstDivergence first{node.node,  node.op, node.domain, node.since_version,
                          node.index, "",      node.path};
    for (const OutputOutcome& output : node.outputs) {
      if (first.output.empty() && !output.comparison.matches) first.output = output.name;
    }
    outcome_.first_divergence = first;
  }

  const Trial& trial_;
  const CheckSettings& settings_;
  Outcome& outcome_;
  const std::set<std::string> constants_;
  InnerValues inner_;
  std::optional<NodeExaminer> examiner_;  // one node at a time, on the backend at hand
  std::unique_ptr<Lanes<Task>> lanes_;
};

}  // namespace

void compare_nodes(const Trial& trial, const TrialData& data, Backend& backend,
                   const CheckSettings& settings, Outcome& outcome) {
  // Of an earlier data set: nothing diverged there.
  outcome.nodes.clear();
  outcome.first_in_model.reset();
  const ToleranceScope scope(settings.assumptions);
  NodeComparer comparer(trial, data, backend, settings, outcome);
  try {
    const PreparedModel prepared(trial.model);
    EvaluateOptions options;
    options.seed = settings.seed;
    options.observer = &comparer;
    prepared.evaluate(inputs_by_name(trial, data), options);
  } catch (const Error& error) {
    outcome.warnings.push_back(std::string("node by node ended early: ") + error.what());
  }
  comparer.finish();
  const auto failed =
      std::find_if(outcome.nodes.begin(), outcome.nodes.end(),
                   [](const NodeOutcome& node) { return node.status == Status::kFail; });
  if (outcome.status != Status::kPass) return;
  if (failed == outcome.nodes.end()) {
    if (outcome.first_divergence) {
      outcome.warnings.push_back("the model passes, but node " + outcome.first_divergence->node +
                                 " alone does not run: see its message");
    }
    return;
  }
  outcome.status = Status::kFail;
  outcome.message = "node " + failed->node + " (" + failed->op + "): " + failed->message;
}

}  // namespace onnxv
