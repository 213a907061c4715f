// --version and --help.
#include <cstdio>

#include "src/cli/commands.h"

namespace onnxv::cli {

int run_command(const TextCommand& command) {
  std::fputs(command.text.c_str(), stdout);
  return 0;
}

}  // namespace onnxv::cli
