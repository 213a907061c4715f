// onnx-verify check: what is wrong with models, one line each.
#include <cstdio>

#include "schema/check.h"
#include "src/base/error.h"
#include "src/cli/commands.h"
#include "src/cli/settings.h"
#include "src/model/model_io.h"

namespace onnxv::cli {

int run_command(const CheckCommand& command) {
  apply_settings_with_memory_limit(command.common);
  bool violated = false;
  int unreadable = 0;
  for (const std::string& path : command.models) {
    try {
      size_t violations = 0;
      for (const Finding& finding : check_model(read_model(path))) {
        if (finding.warning && command.common.quiet) continue;
        violations += finding.warning ? 0 : 1;
        std::printf("%s: %s%s\n", path.c_str(), finding.warning ? "warning: " : "",
                    finding.line.c_str());
      }
      violated = violated || violations > 0;
      if (violations == 0 && !command.common.quiet) std::printf("%s: valid\n", path.c_str());
    } catch (const Error& error) {
      // Every model gets its line; the worst decides the code.
      std::fprintf(stderr, "%s\n", error.what());
      unreadable = std::max(unreadable, exit_code(error.kind()));
    }
  }
  return unreadable > 0 ? unreadable : violated ? 1 : 0;
}

}  // namespace onnxv::cli
