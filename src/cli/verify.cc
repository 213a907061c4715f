// onnx-verify MODEL --backend=X: the main job.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <new>
#include <optional>

#include "conformance/backend/scratch.h"
#include "conformance/inputs.h"
#include "conformance/node_directory.h"
#include "conformance/report/json.h"
#include "conformance/report/text.h"
#include "src/base/error.h"
#include "src/base/parallel.h"
#include "src/cli/commands.h"
#include "src/cli/comparison.h"
#include "src/cli/progress.h"
#include "src/cli/settings.h"
#include "src/tensor/tensor.h"

namespace onnxv::cli {
namespace {

InputSources sources_of(const InputOptions& options) {
  return {options.files,  options.npz,    options.data, options.seed,
          options.ranges, options.shapes, options.dims};
}

Trial trial_of(const VerifyCommand& command) {
  Trial trial;
  trial.name = std::filesystem::path(command.model).stem().string();
  trial.path = trial.model_path = command.model;
  trial.context = ToleranceContext::kModelOutput;
  trial.model = std::make_shared<const Model>(read_model(command.model));
  if (!trial.model->graph) fail_model("no-graph", command.model, "wanted a model with a graph");
  trial.required = required_inputs(*trial.model->graph);
  ModelInputs given = gather_inputs(*trial.model, sources_of(command.inputs));
  trial.generated_inputs = given.generated;
  TrialData& data = trial.data.emplace_back();
  if (!command.inputs.data.empty()) {
    data.files = read_data_set(data_set_at(command.inputs.data), *trial.model);
  }
  data.files.outputs.resize(trial.model->graph->outputs.size());
  data.files.inputs.clear();
  data.files.input_paths.clear();
  data.files.overridden.clear();
  for (const ValueInfo* input : trial.required) {
    const auto found = given.values.find(input->name);
    data.files.inputs.push_back(found == given.values.end() ? Value() : found->second);
    if (found != given.values.end()) given.values.erase(found);
  }
  data.files.input_paths.resize(trial.required.size());
  data.files.overridden = std::move(given.values);
  return trial;
}

bool has_recorded(const Trial& trial) {
  for (const Value& output : trial.data.front().files.outputs) {
    if (output.exists()) return true;
  }
  return false;
}

// The exact result in a process of its own, so that --timeout and --memory hold for it too; and all
// backends after it.
class VerifyWorker : public PoolWorker {
 public:
  VerifyWorker(Trial& trial, const SuiteSettings& settings, bool progress)
      : trial_(trial),
        settings_(settings),
        progress_(progress, "nodes", trial.model->graph->nodes.size()) {
    settings_.check.node_done = [this](size_t done, const std::string& node) {
      progress_.update(done, node);
    };
  }

  std::string run(size_t, int, PhaseClock& clock) override {
    try {
      clock.begin("interpreter", settings_.check.timeout);
      evaluate_exactly(trial_, settings_.check.seed, &settings_.check.assumptions);
      clock.begin("backend", 0);
      return to_json(check());
    } catch (const Error& error) {
      return error_line(error);
    } catch (const std::bad_alloc&) {
      return error_line(Error(ErrorKind::kLimit, "memory", "not enough memory"));
    }
  }

  // An error on its way to the parent: kind, slug, got, wanted, place on lines of their own (none
  // holds a line break).
  static std::string error_line(const Error& error) {
    return "error\n" + std::to_string(static_cast<int>(error.kind())) + "\n" + error.slug() + "\n" +
           error.got() + "\n" + error.wanted() + "\n" + error.place();
  }

 private:
  Results check() {
    Results results;
    results.version = ONNXV_VERSION;
    const TrialData& data = trial_.data.front();
    if (!data.exact) throw *data.exact_error;
    if (has_recorded(trial_)) {
      timed(results, [&] { return check_interpreter(trial_, settings_.check); });
      results.backends.push_back(make_backend("reference", settings_.backend)->description());
    }
    for (const std::string& spelling : settings_.backends) {
      const std::unique_ptr<Backend> backend = make_backend(spelling, settings_.backend);
      timed(results, [&] { return check_backend(trial_, *backend, settings_.check); });
      results.backends.push_back(backend->description());
    }
    return results;
  }

  template <class Check>
  void timed(Results& results, const Check& check) {
    const auto start = std::chrono::steady_clock::now();
    results.outcomes.push_back(check());
    results.outcomes.back().seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Trial& trial_;
  SuiteSettings settings_;
  Progress progress_;  // on stderr, which the child shares
};

[[noreturn]] void throw_error_line(const std::string& text) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (parts.size() < 6) {
    const size_t end = text.find('\n', start);
    parts.push_back(text.substr(start, end == std::string::npos ? end : end - start));
    start = end == std::string::npos ? text.size() : end + 1;
  }
  throw Error(static_cast<ErrorKind>(std::stoi(parts[1])), parts[2], parts[3], parts[4], parts[5]);
}

// What is known when there is no exact result: its reason, for each backend.
Results without_exact(const Trial& trial, const SuiteSettings& settings, const Error& error) {
  Results results;
  results.version = ONNXV_VERSION;
  for (const std::string& spelling : settings.backends) {
    BackendDescription& backend = results.backends.emplace_back();
    backend.spelling = backend.name = spelling;
    Outcome& outcome = results.outcomes.emplace_back();
    outcome.test = trial.name;
    outcome.path = trial.path;
    outcome.backend = spelling;
    outcome.status = error.kind() == ErrorKind::kUndefined ? Status::kUndefined : Status::kError;
    outcome.message = error.what();
    outcome.generated_inputs = trial.generated_inputs;
  }
  return results;
}

Results results_of(const TaskResult& task) {
  if (task.end == TaskResult::End::kTimeout)
    fail_limit("time", "the exact result took too long", "--timeout allows more");
  if (task.end == TaskResult::End::kCrash) {
    fail_internal("crash", "the process that computes the exact result ended: " + task.text);
  }
  if (task.text.compare(0, 6, "error\n") == 0) throw_error_line(task.text);
  return results_from_json(task.text, "our own results");
}

}  // namespace

int run_command(const VerifyCommand& command) {
  SuiteSettings settings = suite_settings(command.comparison, command.common, 0, 1);
  settings.check.expected_exact = true;
  settings.check.seed = command.inputs.seed;
  set_tensor_memory_limit(command.common.memory);
  Trial trial = trial_of(command);
  if (settings.backends.empty() && !has_recorded(trial)) {
    fail_usage("no-backend", "nothing to compare with",
               "wanted --backend=X, or --data with outputs");
  }
  const ScratchDirectory scratch;
  settings.check.scratch = settings.backend.scratch = scratch.path();
  settings.check.backend = settings.backend;
  settings.check.node_jobs = settings.pool.jobs;  // one model: its nodes are what runs side by side
  settings.pool.jobs = 1;
  Results results;
  const auto make_worker = [&]() -> std::unique_ptr<PoolWorker> {
    set_thread_count(settings.threads);
    return std::make_unique<VerifyWorker>(trial, settings, wants_progress(command.common));
  };
  std::optional<TaskResult> end;
  const bool finished = run_pool(1, settings.pool, make_worker, [&](size_t, TaskResult result) {
    end = std::move(result);
    return false;
  });
  if (!finished || !end) fail_limit("interrupted", "a signal ended the run");
  try {
    results = results_of(*end);
  } catch (const Error& error) {
    if (exit_code(error.kind()) != 2) {
      write_reports(without_exact(trial, settings, error), command.comparison);
    }
    throw;
  }
  print_assumptions(settings, command.common);
  const TextStyle style = text_style(command.common);
  for (Outcome& outcome : results.outcomes) {
    settings.known.apply(outcome);
    if (!command.common.quiet) std::fputs(verdict_text(outcome, style).c_str(), stdout);
  }
  std::fputs(summary_text(results, style).c_str(), stdout);
  std::fflush(stdout);
  write_reports(results, command.comparison);
  return exit_code(results, command.comparison.strict);
}

}  // namespace onnxv::cli
