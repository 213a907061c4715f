// Worker processes of our own: a test that crashes, hangs or eats all memory costs itself, never
// the run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace onnxv {

// How a worker tells the parent that a stretch of work begins and how long it may take.
class PhaseClock {
 public:
  virtual ~PhaseClock() = default;
  // From now on `seconds` (0: as long as it takes). `phase` is named when time runs out.
  virtual void begin(const std::string& phase, double seconds) = 0;
};

// Lives in a child process.
class PoolWorker {
 public:
  virtual ~PoolWorker() = default;
  // Does one task; the text travels to the parent. May not throw. `attempt` is 0, or 1 when `done`
  // asked for another.
  virtual std::string run(size_t task, int attempt, PhaseClock& clock) = 0;
};

struct TaskResult {
  enum class End { kDone, kCrash, kTimeout };
  End end = End::kDone;
  std::string
      text;  // kDone: what the worker returned; else the reason: "signal 11 (Segmentation fault)"
  std::string phase;  // the last one begun
  int attempt = 0;
  double seconds = 0;
};

struct PoolOptions {
  int jobs = 1;
  uint64_t memory = 0;  // bytes of private memory per worker; 0: no limit
};

// Runs tasks 0 to count - 1, each in one of `jobs` forked children (the caller must have no other
// threads). `done` is called in the parent as tasks end, in any order; where it returns true, the
// task is done once more. Returns false when it was interrupted by SIGINT or SIGTERM.
bool run_pool(size_t count, const PoolOptions& options,
              const std::function<std::unique_ptr<PoolWorker>()>& make_worker,
              const std::function<bool(size_t, TaskResult)>& done);

}  // namespace onnxv
