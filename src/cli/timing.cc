#include "src/cli/timing.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "src/kernel/product_counts.h"
#include "src/number/ladder.h"

namespace onnxv::cli {
namespace {

constexpr int kFewest = 3;

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void print_timing(const PreparedModel& model, const std::map<std::string, Value>& inputs, const EvaluateOptions& options,
                  double seconds) {
  model.evaluate(inputs, options);
  const double begin = clock_seconds();
  for (int done = 0; done < kFewest || clock_seconds() - begin < seconds; ++done) {
    reset_ladder_counts();
    reset_product_counts();
    const double clock = clock_seconds(), processor = processor_seconds();
    model.evaluate(inputs, options);
    std::printf("%.9f %.9f\n", clock_seconds() - clock, processor_seconds() - processor);
  }
}

uint64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "VmHWM:") continue;
    uint64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes;
  }
  return 0;
}

}  // namespace onnxv::cli
