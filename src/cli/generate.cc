// onnx-verify generate: the conformance suite, out of schemas and recipes.
#include <algorithm>
#include <cstdio>
#include <thread>

#include "conformance/generate/write_suite.h"
#include "src/base/error.h"
#include "src/cli/commands.h"
#include "src/cli/progress.h"
#include "src/cli/settings.h"

namespace onnxv::cli {
namespace {

// Of cases that failed though they should not; the rest are counted.
constexpr size_t kShownProblems = 20;

generate::Slice slice_of(const GenerateCommand& command) {
  generate::Slice slice{command.ops, command.opset, {}};
  for (const std::string& name : command.types) {
    const auto dtype = dtype_from_name(name);
    if (!dtype) fail_usage("unknown-type", "there is no element type \"" + name + "\"");
    slice.types.push_back(*dtype);
  }
  return slice;
}

void print(const generate::SuiteSummary& summary, const GenerateCommand& command) {
  size_t dropped = 0;
  for (const auto& [reason, count] : summary.dropped) {
    dropped += count;
    if (command.common.verbose) std::printf("dropped %zu: %s\n", count, reason.c_str());
  }
  for (size_t i = 0; i < std::min(summary.broken.size(), kShownProblems); ++i)
    std::fprintf(stderr, "%s\n", summary.broken[i].c_str());
  if (command.common.quiet) return;
  std::printf("%zu directories in %s, %zu of them with elements that the text leaves open\n",
              summary.written, command.output.c_str(), summary.unspecified);
  std::printf("%zu combinations left out as equal to another, %zu dropped as without a value\n",
              summary.equal, dropped);
}

}  // namespace

int run_command(const GenerateCommand& command) {
  apply_settings_with_memory_limit(command.common);
  const generate::Slice slice = slice_of(command);
  const std::vector<generate::Unit> units = generate::units_of(slice);
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int jobs = command.common.threads > 0 ? command.common.threads : processors;
  generate::SuiteSummary summary;
  {
    Progress progress(wants_progress(command.common), "generate", units.size());
    summary = generate::write_suite(
        units, slice, command.output, jobs,
        [&](size_t done, std::string_view what) { progress.update(done, what); });
  }
  print(summary, command);
  if (summary.interrupted) fail_limit("interrupted", "a signal ended the run");
  if (!summary.broken.empty())
    fail_internal("generate", std::to_string(summary.broken.size()) + " cases failed");
  if (summary.written == 0)
    fail_usage("no-tests", "no directory is generated",
               "the slice holds no operator with such types");
  return 0;
}

}  // namespace onnxv::cli
