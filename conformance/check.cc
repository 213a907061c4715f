#include "conformance/check.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "conformance/compare/open_elements.h"
#include "conformance/divergence.h"
#include "conformance/errata.h"
#include "conformance/origin.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

// What a backend is measured against, for one output.
struct Expectation {
  const Value* value = nullptr;  // null: nothing is known
  OpenElements open;
};

// What the marks of a data set's evaluation leave open of an output.
OpenElements open_of(const TrialData& data, size_t output) {
  if (!data.exact || output >= data.exact->unspecified.size()) return {};
  return open_elements(data.exact->unspecified[output], output);
}

Expectation expectation(const TrialData& data, size_t output, bool exact) {
  Expectation expected;
  expected.open = open_of(data, output);
  if (!exact && data.files.outputs[output].exists()) {
    expected.value = &data.files.outputs[output];
  } else if (data.exact) {
    expected.value = &data.exact->outputs[output];
  }
  return expected;
}

DType dtype_of(const Value& value) {
  return value.is_tensor() ? value.tensor().dtype() : DType::kUndefined;
}

class Judge {
 public:
  Judge(const Trial& trial, const CheckSettings& settings, bool by_interpreter)
      : trial_(trial),
        settings_(settings),
        erratum_(erratum_of(trial.name)),
        origins_(output_origins(*trial.model, by_interpreter)) {}

  OutputOutcome compare_output(const TrialData& data, size_t output, const Expectation& expected,
                               const Value& actual, bool recorded) const {
    OutputOutcome result;
    result.name = trial_.model->graph->outputs[output].name;
    result.data_set = data.number;
    result.tolerance = tolerance(output, *expected.value, recorded, data.exact.has_value());
    CompareRequest request;
    request.tolerance = result.tolerance;
    request.policies = settings_.policies;
    request.unspecified = expected.open.elements;
    request.all_unspecified = expected.open.all;
    const bool derived = result.tolerance.kind == Tolerance::Kind::kDerived;
    const Value* exact = data.exact ? &data.exact->outputs[output] : nullptr;
    // A bound belongs to the exact value: that is what `derived` measures from, whatever was recorded.
    const bool by_interpreter = exact == &actual;
    if (derived && exact != nullptr) {
      result.comparison = by_interpreter ? compare(*exact, *expected.value, request) : compare(*exact, actual, request);
      return result;
    }
    result.comparison = compare(*expected.value, actual, request);
    if (exact != nullptr && !by_interpreter && is_single_node(*trial_.model)) take_ratios(*exact, actual, request, result.comparison);
    return result;
  }

  const Erratum* erratum() const { return erratum_; }

 private:
  // How far the output is from its bounds, whatever it is judged by.
  static void take_ratios(const Value& exact, const Value& actual, CompareRequest request, Comparison& comparison) {
    request.tolerance.kind = Tolerance::Kind::kDerived;
    const Comparison bounded = compare(exact, actual, request);
    comparison.bound_ratio = bounded.bound_ratio;
    comparison.expected_ratio = bounded.expected_ratio;
    comparison.loose = bounded.loose;
  }

  Tolerance tolerance(size_t output, const Value& expected, bool recorded, bool has_exact) const {
    const Origin& origin = origins_[output];
    if (origin.random) return origin.distribution;
    if (erratum_ != nullptr && recorded) return erratum_->tolerance;
    const Tolerance asked = resolved(settings_.tolerance, origin, output, expected);
    // Bounds of several nodes do not add up: a model passes `derived` when each of its nodes does (compare_nodes), and as a
    // whole it is held to what it would be without.
    if (asked.kind != Tolerance::Kind::kDerived || (is_single_node(*trial_.model) && has_exact)) return asked;
    return without_bounds(resolved({}, origin, output, expected));
  }
  Tolerance resolved(const ToleranceChoice& choice, const Origin& origin, size_t output, const Value& expected) const {
    const Graph& graph = *trial_.model->graph;
    return resolve(choice, trial_.context, origin.domain, origin.op, origin.since_version, dtype_of(expected),
                   graph.outputs[output].name, trial_.beside ? &*trial_.beside : nullptr,
                   graph.nodes.size() == 1 ? graph.nodes.front().name : "");
  }

  const Trial& trial_;
  const CheckSettings& settings_;
  const Erratum* erratum_;
  std::vector<Origin> origins_;
};

void warn(Outcome& outcome, const std::string& text) {
  if (std::find(outcome.warnings.begin(), outcome.warnings.end(), text) == outcome.warnings.end()) {
    outcome.warnings.push_back(text);
  }
}

Outcome outcome_for(const Trial& trial, const std::string& backend) {
  Outcome outcome;
  outcome.test = trial.name;
  outcome.path = trial.path;
  outcome.backend = backend;
  for (const UsedOperator& used : operators_of(*trial.model)) {
    outcome.ops.push_back(used.name);
    outcome.op_versions.push_back(used.since_version);
  }
  outcome.generated_inputs = trial.generated_inputs;
  return outcome;
}

// Takes a worse status; the first message of it stays.
void worsen(Outcome& outcome, Status status, const std::string& message) {
  if (outcome.status == Status::kPass ||
      (status == Status::kFail && outcome.status != Status::kFail)) {
    outcome.status = status;
    outcome.message = message;
  }
}

void add(Outcome& outcome, OutputOutcome output) {
  take_bounds(output, outcome.warnings);
  if (!output.comparison.matches) worsen(outcome, Status::kFail, mismatch_text(output));
  outcome.outputs.push_back(std::move(output));
}

void take_warnings(const TrialData& data, const Graph& graph, Outcome& outcome) {
  if (!data.exact) return;
  for (const std::string& text : data.exact->warnings) warn(outcome, text);
  const auto& below = data.exact->downstream_of_unspecified;
  for (size_t i = 0; i < below.size() && i < graph.outputs.size(); ++i) {
    if (below[i]) {
      warn(outcome, "output \"" + graph.outputs[i].name +
                        "\" lies below a node some of whose elements the spec leaves open");
    }
  }
}

void take_erratum(const Judge& judge, Outcome& outcome) {
  if (judge.erratum() != nullptr) outcome.erratum = judge.erratum()->reason;
}

// The files' outputs and the exact ones should agree; where they do not, someone should know.
void compare_expectations(const Trial& trial, const TrialData& data, const CheckSettings& settings,
                          Outcome& outcome) {
  if (!data.exact) return;
  // Whatever is asked of the backend, recorded data were never exact.
  CheckSettings usual = settings;
  usual.tolerance = {};
  const Judge judge(trial, usual, true);
  for (size_t i = 0; i < data.files.outputs.size(); ++i) {
    if (!data.files.outputs[i].exists()) continue;
    const Expectation expected{&data.files.outputs[i], open_of(data, i)};
    const OutputOutcome result =
        judge.compare_output(data, i, expected, data.exact->outputs[i], true);
    if (!result.comparison.matches) {
      warn(outcome, "the recorded output and the exact one differ: " + mismatch_text(result));
    }
  }
}

// A data set that holds some outputs and lacks others is likely damaged.
void warn_of_missing(const Trial& trial, const TrialData& data, Outcome& outcome) {
  const auto& outputs = data.files.outputs;
  const auto& paths = data.files.output_paths;
  if (std::none_of(outputs.begin(), outputs.end(), [](const Value& output) { return output.exists(); })) return;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].exists() || (i < paths.size() && !paths[i].empty())) continue;
    warn(outcome, "output \"" + trial.model->graph->outputs[i].name + "\" has no file, and is not compared");
  }
}

BackendJob job_for(const Trial& trial, const TrialData& data, const CheckSettings& settings) {
  BackendJob job;
  job.model_path = trial.model_path;
  job.model = trial.model.get();
  job.test = trial.name;
  job.data_set = data.number;
  job.inputs = data.files.inputs;
  job.input_paths = data.files.input_paths;
  for (const ValueInfo* input : trial.required) job.kinds.push_back(kind_text(input->type));
  for (const ValueInfo& output : trial.model->graph->outputs) {
    job.want.push_back(output.name);
    job.types.push_back(output.type);
  }
  job.time_limit = settings.timeout;
  return job;
}

void note_unstable(const BackendJob& job, const BackendAnswer& first, const BackendAnswer& again,
                   Outcome& outcome) {
  if (again.status != Status::kPass || again.outputs.size() != first.outputs.size()) {
    return warn(outcome, "another run ended otherwise: " + std::string(status_name(again.status)) +
                             " " + again.message);
  }
  for (size_t i = 0; i < first.outputs.size(); ++i) {
    const auto& list = outcome.unstable;
    if (same_bits(first.outputs[i], again.outputs[i])) continue;
    if (std::find(list.begin(), list.end(), job.want[i]) == list.end()) {
      outcome.unstable.push_back(job.want[i]);
    }
  }
}

void check_data(const Trial& trial, const TrialData& data, const Judge& judge, Backend& backend,
                const CheckSettings& settings, Outcome& outcome) {
  const BackendJob job = job_for(trial, data, settings);
  const BackendAnswer answer = backend.run(job);
  if (answer.status != Status::kPass) return worsen(outcome, answer.status, answer.message);
  for (int round = 1; round < settings.repeat; ++round) {
    note_unstable(job, answer, backend.run(job), outcome);
  }
  if (answer.outputs.size() != job.want.size()) {
    return worsen(outcome, Status::kError,
                  "it gave " + std::to_string(answer.outputs.size()) + " outputs, wanted " +
                      std::to_string(job.want.size()));
  }
  bool compared = false;
  for (size_t i = 0; i < job.want.size(); ++i) {
    const Expectation expected = expectation(data, i, settings.expected_exact);
    if (expected.value == nullptr) continue;
    const bool recorded = expected.value == &data.files.outputs[i];
    add(outcome, judge.compare_output(data, i, expected, answer.outputs[i], recorded));
    compared = true;
  }
  if (!compared) worsen(outcome, data.exact_status, data.exact_message);
}

bool wants_nodes(const Trial& trial, const TrialData& data, const Backend& backend,
                 const CheckSettings& settings, const Outcome& outcome) {
  if (!backend.runs_any_model() || !data.exact) return false;
  if (settings.nodes) return *settings.nodes;
  if (settings.tolerance.derives() && !is_single_node(*trial.model)) return true;
  // A test of one node is its own isolation, unless its node is to be written down.
  const bool several = trial.model->graph->nodes.size() > 1 || !trial.model->functions.empty();
  return outcome.status == Status::kFail && (several || !settings.extract.empty());
}

// A model passes `derived` when each of its nodes does: what the whole differs by beyond that is error that grew on the way.
void judge_by_nodes(Outcome& outcome) {
  const auto passes = [](const NodeOutcome& node) { return node.status == Status::kPass; };
  if (outcome.status != Status::kFail || outcome.nodes.empty() || !std::all_of(outcome.nodes.begin(), outcome.nodes.end(), passes)) return;
  outcome.status = Status::kPass;
  warn(outcome, "every node alone is within its bound, the whole is not within the usual tolerance: " + outcome.message);
  outcome.message.clear();
}

}  // namespace

void take_bounds(OutputOutcome& output, std::vector<std::string>& warnings) {
  const Comparison& comparison = output.comparison;
  output.expected_ratio = comparison.expected_ratio;
  output.loose = comparison.loose;
  std::string text;
  if (comparison.expected_ratio.value_or(0) > 1 && comparison.bound_ratio.value_or(0) <= 1) {
    text = fmt::format("output \"{}\": the largest error is {:.3g} times what is to be expected; constant or sorted data summed "
                       "in sequence can do that honestly", output.name, *comparison.expected_ratio);
  }
  if (comparison.step_distance && comparison.matches) {
    text = fmt::format("output \"{}\" is a step away where the exact number lies up to {:.3g} from the point where it jumps",
                       output.name, *comparison.step_distance);
  }
  if (!text.empty() && std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

std::string mismatch_text(const OutputOutcome& output) {
  const Comparison& comparison = output.comparison;
  std::string text = "output \"" + output.name + "\"";
  if (output.data_set != 0) text += " of data set " + std::to_string(output.data_set);
  if (!comparison.problem.empty()) return text + ": " + comparison.problem;
  if (!comparison.first_mismatch) return text;
  const Mismatch& first = *comparison.first_mismatch;
  text += "[";
  for (size_t i = 0; i < first.index.size(); ++i) {
    text += (i > 0 ? "," : "") + std::to_string(first.index[i]);
  }
  return text + "]: expected " + first.expected + ", got " + first.actual + " (" +
         std::to_string(comparison.mismatched) + " of " + std::to_string(comparison.elements) +
         " elements differ)";
}

Outcome check_interpreter(const Trial& trial, const CheckSettings& settings) {
  Outcome outcome = outcome_for(trial, "reference");
  const Judge judge(trial, settings, true);
  take_erratum(judge, outcome);
  bool compared = false;
  for (const TrialData& data : trial.data) {
    if (!data.exact) {
      worsen(outcome, data.exact_status, data.exact_message);
      continue;
    }
    take_warnings(data, *trial.model->graph, outcome);
    warn_of_missing(trial, data, outcome);
    for (size_t i = 0; i < data.files.outputs.size(); ++i) {
      if (!data.files.outputs[i].exists()) continue;
      const Expectation expected{&data.files.outputs[i], open_of(data, i)};
      add(outcome, judge.compare_output(data, i, expected, data.exact->outputs[i], true));
      compared = true;
    }
  }
  if (outcome.status == Status::kPass && !compared) {
    outcome.status = Status::kSkipped;
    outcome.message = "there is no output to compare with";
  }
  return outcome;
}

Outcome check_backend(const Trial& trial, Backend& backend, const CheckSettings& settings) {
  Outcome outcome = outcome_for(trial, backend.description().spelling);
  const Judge judge(trial, settings, false);
  take_erratum(judge, outcome);
  for (const TrialData& data : trial.data) {
    take_warnings(data, *trial.model->graph, outcome);
    compare_expectations(trial, data, settings, outcome);
    check_data(trial, data, judge, backend, settings, outcome);
  }
  for (const TrialData& data : trial.data) {
    if (!wants_nodes(trial, data, backend, settings, outcome)) continue;
    compare_nodes(trial, data, backend, settings, outcome);
    if (outcome.first_divergence) break;
  }
  if (settings.tolerance.derives()) judge_by_nodes(outcome);
  return outcome;
}

}  // namespace onnxv
