// onnx-verify report FILE... [--html F] [--junit F] [--json F] [--diff OLD NEW]
#include <cstdio>

#include "conformance/report/difference.h"
#include "conformance/report/html.h"
#include "conformance/report/json.h"
#include "conformance/report/junit.h"
#include "conformance/report/merge.h"
#include "conformance/report/text.h"
#include "src/base/error.h"
#include "src/cli/commands.h"
#include "src/cli/comparison.h"

namespace onnxv::cli {

int run_command(const ReportCommand& command) {
  const auto load = [](const std::string& path) {
    return results_from_json(read_text_file(path), path);
  };
  if (!command.diff.empty()) {
    if (command.diff.size() != 2) fail_usage("diff", "--diff", "wanted OLD and NEW");
    std::fputs(
        difference_text(load(command.diff[0]), load(command.diff[1]), text_style(command.common))
            .c_str(),
        stdout);
    if (command.files.empty()) return 0;
  }
  if (command.files.empty()) fail_usage("no-files", "no results are given", "wanted result files");
  std::vector<Results> parts;
  for (const std::string& path : command.files) parts.push_back(load(path));
  const Results results = merge(std::move(parts));
  if (!command.json.empty()) write_text_file(command.json, to_json(results));
  if (!command.junit.empty()) write_text_file(command.junit, to_junit(results));
  if (!command.html.empty()) write_text_file(command.html, to_html(results));
  if (!command.common.quiet)
    std::fputs(summary_text(results, text_style(command.common)).c_str(), stdout);
  return 0;
}

}  // namespace onnxv::cli
