#include "conformance/pool.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <map>

namespace onnxv {
namespace {

// Task 1 crashes, 2 hangs, 3 exits; all others return their number.
class Unruly : public PoolWorker {
 public:
  std::string run(size_t task, int attempt, PhaseClock& clock) override {
    if (attempt == 1) return "again";
    clock.begin("work", 0.5);
    signal(SIGSEGV, SIG_DFL);  // the test program has a handler of its own
    if (task == 1) raise(SIGSEGV);
    if (task == 2) sleep(1000);
    if (task == 3) _exit(7);
    return std::to_string(task) + std::string(100'000, 'x');
  }
};

TEST_CASE("a task that crashes, hangs or leaves costs itself") {
  for (const int jobs : {1, 3}) {
    std::map<size_t, TaskResult> results;
    PoolOptions options;
    options.jobs = jobs;
    CHECK(run_pool(
        10, options, [] { return std::make_unique<Unruly>(); },
        [&](size_t task, TaskResult result) {
          const bool again = task == 4 && result.attempt == 0;
          if (!again) results[task] = std::move(result);
          return again;
        }));
    REQUIRE(results.size() == 10);
    CHECK(results[1].end == TaskResult::End::kCrash);
    CHECK(results[1].text.find("signal 11") != std::string::npos);
    CHECK(results[2].end == TaskResult::End::kTimeout);
    CHECK(results[2].phase == "work");
    CHECK(results[3].text == "exit code 7");
    CHECK(results[4].text == "again");
    for (const size_t task : {0, 5, 9}) {
      CHECK(results[task].end == TaskResult::End::kDone);
      CHECK(results[task].text.size() == 100'001);
    }
  }
}

TEST_CASE("no task, no child") {
  CHECK(run_pool(
      0, {}, [] { return std::make_unique<Unruly>(); },
      [](size_t, TaskResult) {
        FAIL("a task");
        return false;
      }));
}

}  // namespace
}  // namespace onnxv
