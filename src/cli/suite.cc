// onnx-verify suite DIR... [--backend=X]
#include "conformance/suite.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "conformance/backend/scratch.h"
#include "conformance/report/json.h"
#include "conformance/report/text.h"
#include "src/base/error.h"
#include "src/cli/commands.h"
#include "src/cli/comparison.h"
#include "src/cli/progress.h"
#include "src/cli/settings.h"
#include "src/tensor/tensor.h"

namespace onnxv::cli {
namespace {

std::vector<Case> selected_tests(const SuiteCommand& command) {
  const NamePatterns patterns(command.comparison.include, command.comparison.exclude);
  const Shard shard =
      choose_shard(command.comparison.shard, [](const char* name) { return std::getenv(name); });
  std::vector<Case> chosen, slice;
  for (Case& test : find_suite(command.directories)) {
    if (patterns.takes(test.name)) chosen.push_back(std::move(test));
  }
  if (chosen.empty())
    fail_usage("no-tests", "no test is selected",
               "wanted a name that --include and --exclude leave");
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (shard.takes(i)) slice.push_back(std::move(chosen[i]));
  }
  return slice;
}

// Where the file is not there yet, the run was interrupted before it was written.
Results earlier_results(const std::string& path) {
  if (path.empty() || !std::filesystem::exists(path)) return {};
  return results_from_json(read_text_file(path), path);
}

void print(const Results& results, const SuiteCommand& command) {
  TextStyle style = text_style(command.common);
  style.strict = command.comparison.strict;
  if (!command.common.quiet) {
    size_t warned = 0;
    for (const Outcome& outcome : results.outcomes) {
      std::fputs(outcome_text(outcome, style).c_str(), stdout);
      warned += outcome.warnings.empty() ? 0 : 1;
    }
    if (warned > 0 && !style.verbose && !style.strict)
      std::printf("%zu with warnings, which --verbose shows\n", warned);
  }
  std::fputs(summary_text(results, style).c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

int run_command(const SuiteCommand& command) {
  if (!command.expected.empty() && command.expected != "exact") {
    fail_usage("expected", "--expected " + command.expected, "wanted exact");
  }
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  SuiteSettings settings = suite_settings(command.comparison, command.common, 60, processors);
  settings.check.expected_exact = command.expected == "exact";
  settings.json =
      command.comparison.json.empty() ? command.comparison.resume : command.comparison.json;
  set_tensor_memory_limit(command.common.memory);
  const std::vector<Case> tests = selected_tests(command);
  Results earlier = earlier_results(command.comparison.resume);
  const ScratchDirectory scratch;
  settings.check.scratch = settings.backend.scratch = scratch.path();
  bool interrupted = false;
  Results results;
  {
    Progress progress(wants_progress(command.common), "suite", tests.size());
    const auto show = [&](const SuiteProgress& state) {
      progress.update(state.done, state.outcomes->empty() ? "" : state.outcomes->front().test);
    };
    results = run_suite(tests, settings, std::move(earlier), show, interrupted);
  }
  print_assumptions(settings, command.common);
  print(results, command);
  write_reports(results, command.comparison);
  if (interrupted) fail_limit("interrupted", "a signal ended the run", "--resume continues it");
  return exit_code(results, command.comparison.strict);
}

}  // namespace onnxv::cli
