// Commands whose files are not in this tree: the program says so instead of failing to link.
#include "src/base/error.h"
#include "src/cli/commands.h"

namespace onnxv::cli {
namespace {

[[noreturn, maybe_unused]] int not_built(const char* name) {
  fail_usage("command-not-built",
             "the command \"" + std::string(name) + "\" is not part of this build");
}

}  // namespace

#ifdef ONNXV_WITHOUT_VERIFY
int run_command(const VerifyCommand&) { not_built("MODEL --backend"); }
#endif
#ifdef ONNXV_WITHOUT_SUITE
int run_command(const SuiteCommand&) { not_built("suite"); }
#endif
#ifdef ONNXV_WITHOUT_GOLDEN
int run_command(const GoldenCommand&) { not_built("golden"); }
#endif
#ifdef ONNXV_WITHOUT_GENERATE
int run_command(const GenerateCommand&) { not_built("generate"); }
#endif
#ifdef ONNXV_WITHOUT_REPORT
int run_command(const ReportCommand&) { not_built("report"); }
#endif

}  // namespace onnxv::cli
