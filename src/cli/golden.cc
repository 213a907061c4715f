// onnx-verify golden: test directories with exact outputs.
#include "conformance/golden.h"

#include <cstdio>
#include <filesystem>
#include <map>

#include "src/base/error.h"
#include "src/cli/commands.h"
#include "src/cli/progress.h"
#include "src/cli/settings.h"

namespace onnxv::cli {
namespace {

namespace fs = std::filesystem;

// DIR/STEM by model; two models of one stem would write one directory.
std::vector<std::string> directories_of(const GoldenCommand& command) {
  std::vector<std::string> directories;
  std::map<std::string, std::string> stems;
  for (const std::string& model : command.models) {
    const fs::path path(model);
    const std::string stem =
        path.extension() == ".onnx" ? path.stem().string() : path.filename().string();
    const auto [other, fresh] = stems.emplace(stem, model);
    if (!fresh) {
      fail_usage("same-stem",
                 "\"" + other->second + "\" and \"" + model + "\" are both named " + stem,
                 "each needs a directory of its own");
    }
    directories.push_back((fs::path(command.output) / stem).string());
  }
  return directories;
}

}  // namespace

int run_command(const GoldenCommand& command) {
  apply_settings_with_memory_limit(command.common);
  const std::vector<std::string> directories = directories_of(command);
  std::error_code error;
  if (!command.check) fs::create_directories(command.output, error);
  if (error) fail_usage("output", "\"" + command.output + "\" cannot be made: " + error.message());
  Progress progress(wants_progress(command.common), "golden", command.models.size());
  bool holds = true;
  for (size_t i = 0; i < command.models.size(); ++i) {
    progress.update(i, command.models[i]);
    if (command.check) {
      const std::vector<std::string> broken = check_golden(command.models[i], directories[i], command.inputs.seed);
      holds = holds && broken.empty();
      progress.clear();
      for (const std::string& line : broken) std::printf("%s\n", line.c_str());
      if (broken.empty() && !command.common.quiet) std::printf("%s: holds\n", directories[i].c_str());
      continue;
    }
    const GoldenReport report =
        write_golden(command.models[i], directories[i], {command.inputs, command.sets});
    progress.clear();
    for (const std::string& warning : report.warnings) warn(command.common, warning);
    if (command.common.quiet) continue;
    std::printf("%s\n", directories[i].c_str());
    for (const std::string& how : report.generated) std::printf("  %s\n", how.c_str());
  }
  return holds ? 0 : 1;
}

}  // namespace onnxv::cli
