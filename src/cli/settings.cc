#include "src/cli/settings.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "src/base/parallel.h"
#include "src/number/ladder.h"
#include "src/tensor/tensor.h"

namespace onnxv::cli {
namespace {

bool wanted(When when, int descriptor) {
  if (when != When::kAuto) return when == When::kAlways;
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// Private writable bytes that the process has now, as RLIMIT_DATA counts them (VmData).
uint64_t data_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "VmData:") continue;
    uint64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

void apply_settings(const CommonOptions& common, int jobs) {
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  set_thread_count(common.threads > 0 ? common.threads
                                      : std::max(1, processors / std::max(1, jobs)));
  if (common.memory > 0) set_tensor_memory_limit(common.memory);
  set_rigorous(common.rigorous);
}

void apply_settings_with_memory_limit(const CommonOptions& common) {
  apply_settings(common);
  if (common.memory == 0) return;
  // Each thread's stack counts, too, and is reserved at once.
  constexpr uint64_t kStack = uint64_t{16} << 20;
  const uint64_t allowed =
      data_bytes() + common.memory + kStack * static_cast<uint64_t>(thread_count());
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(allowed, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

bool wants_color(const CommonOptions& common) {
  if (common.color == When::kAuto && std::getenv("NO_COLOR") != nullptr) return false;
  return wanted(common.color, STDOUT_FILENO);
}

bool wants_progress(const CommonOptions& common) {
  return !(common.quiet && common.progress == When::kAuto) &&
         wanted(common.progress, STDERR_FILENO);
}

void warn(const CommonOptions& common, const std::string& text) {
  if (!common.quiet) std::fprintf(stderr, "warning: %s\n", text.c_str());
}

}  // namespace onnxv::cli
