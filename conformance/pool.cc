#include "conformance/pool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/backend/child_process.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

using Clock = std::chrono::steady_clock;

volatile sig_atomic_t interrupted = 0;
void note_interrupt(int) { interrupted = 1; }

// SIGINT and SIGTERM end the run in order, so that results reach the disk; the old handlers come
// back.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action = {};
    action.sa_handler = note_interrupt;
    interrupted = 0;
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
    signal(SIGPIPE, SIG_IGN);
  }
  ~InterruptGuard() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
  }

 private:
  struct sigaction old_interrupt_ = {}, old_terminate_ = {};
};

bool write_all(int descriptor, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::write(descriptor, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool read_all(int descriptor, void* data, size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = ::read(descriptor, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

// From child to parent: a header, then `size` bytes of text.
struct Frame {
  enum class Kind : uint32_t { kPhase, kResult };
  Kind kind = Kind::kPhase;
  uint64_t size = 0;
  double seconds = 0;
};

// From parent to child.
struct Order {
  uint64_t task = 0, attempt = 0;
};

class ChildClock : public PhaseClock {
 public:
  explicit ChildClock(int descriptor) : descriptor_(descriptor) {}
  void begin(const std::string& phase, double seconds) override {
    send({Frame::Kind::kPhase, phase.size(), seconds}, phase);
  }
  void send(Frame frame, const std::string& text) {
    if (!write_all(descriptor_, &frame, sizeof(frame)) ||
        !write_all(descriptor_, text.data(), text.size())) {
      _exit(1);  // the parent is gone
    }
  }

 private:
  int descriptor_;
};

[[noreturn]] void serve(int tasks, int results, uint64_t memory, pid_t parent,
                        const std::function<std::unique_ptr<PoolWorker>()>& make_worker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  signal(SIGINT, SIG_IGN);  // the parent decides when to stop
  signal(SIGTERM, SIG_IGN);
  rlimit limit{0, 0};
  setrlimit(RLIMIT_CORE, &limit);
  if (memory > 0) {
    limit.rlim_cur = limit.rlim_max = memory;
    setrlimit(RLIMIT_DATA, &limit);
  }
  {
    std::unique_ptr<PoolWorker> worker = make_worker();
    ChildClock clock(results);
    Order order;
    while (read_all(tasks, &order, sizeof(order))) {
      const std::string text = worker->run(order.task, static_cast<int>(order.attempt), clock);
      clock.send({Frame::Kind::kResult, text.size(), 0}, text);
    }
  }
  _exit(0);
}

struct Slot {
  pid_t pid = -1;
  int tasks = -1, results = -1;
  std::optional<size_t> task;
  int attempt = 0;
  Clock::time_point started;
  std::optional<Clock::time_point> deadline;
  std::string phase, buffer;
};

class Pool {
 public:
  Pool(size_t count, const PoolOptions& options,
       const std::function<std::unique_ptr<PoolWorker>()>& make_worker,
       const std::function<bool(size_t, TaskResult)>& done)
      : count_(count), options_(options), make_worker_(make_worker), done_(done) {
    slots_.resize(std::clamp<size_t>(static_cast<size_t>(std::max(options.jobs, 1)), 1,
                                     std::max<size_t>(count, 1)));
  }
  ~Pool() {
    for (Slot& slot : slots_) close_slot(slot);
    for (Slot& slot : slots_) reap(slot);
  }

  bool run() {
    while (!interrupted) {
      for (Slot& slot : slots_) feed(slot);
      if (std::none_of(slots_.begin(), slots_.end(),
                       [](const Slot& s) { return s.task.has_value(); })) {
        return true;
      }
      wait();
    }
    for (Slot& slot : slots_) {
      if (slot.pid > 0) ::kill(slot.pid, SIGKILL);
    }
    return false;
  }

 private:
  void feed(Slot& slot) {
    if (slot.task || (next_ >= count_ && again_.empty())) return;
    if (slot.pid < 0) start(slot);
    Order order;
    if (again_.empty()) {
      order.task = next_++;
    } else {
      order = {again_.back(), 1};
      again_.pop_back();
    }
    slot.task = order.task;
    slot.attempt = static_cast<int>(order.attempt);
    slot.started = Clock::now();
    slot.deadline.reset();
    slot.phase.clear();
    // A child that died between tasks is noticed by the end of its results.
    write_all(slot.tasks, &order, sizeof(order));
  }

  void start(Slot& slot) {
    int to_child[2], from_child[2];
    if (pipe2(to_child, O_CLOEXEC) != 0 || pipe2(from_child, O_CLOEXEC) != 0) {
      fail_limit("pipes", "no pipe could be made");
    }
    const pid_t parent = getpid();
    slot.pid = fork();
    if (slot.pid < 0) fail_limit("processes", "no process could be made");
    if (slot.pid == 0) {
      ::close(to_child[1]);
      ::close(from_child[0]);
      for (const Slot& other : slots_) {  // else a sibling never sees the end of its tasks
        if (other.tasks >= 0) ::close(other.tasks);
        if (other.results >= 0) ::close(other.results);
      }
      serve(to_child[0], from_child[1], options_.memory, parent, make_worker_);
    }
    ::close(to_child[0]);
    ::close(from_child[1]);
    slot.tasks = to_child[1];
    slot.results = from_child[0];
    fcntl(slot.results, F_SETFL, fcntl(slot.results, F_GETFL) | O_NONBLOCK);
    slot.buffer.clear();
  }

  int patience() const {
    int shortest = 1000;
    for (const Slot& slot : slots_) {
      if (!slot.task || !slot.deadline) continue;
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(*slot.deadline - Clock::now()).count();
      shortest = static_cast<int>(std::clamp<int64_t>(left, 0, shortest));
    }
    return shortest;
  }

  void wait() {
    std::vector<pollfd> watched;
    for (const Slot& slot : slots_) {
      if (slot.results >= 0) watched.push_back({slot.results, POLLIN, 0});
    }
    poll(watched.data(), watched.size(), patience());
    for (Slot& slot : slots_) {
      if (slot.results >= 0) read_slot(slot);
      if (slot.task && slot.deadline && Clock::now() >= *slot.deadline) {
        ::kill(slot.pid, SIGKILL);
        finish(slot, TaskResult::End::kTimeout, "no end within the time limit");
        close_slot(slot);
        reap(slot);
      }
    }
  }

  void read_slot(Slot& slot) {
    char buffer[65536];
    for (;;) {
      const ssize_t count = ::read(slot.results, buffer, sizeof(buffer));
      if (count > 0) {
        slot.buffer.append(buffer, static_cast<size_t>(count));
        take_frames(slot);
        continue;
      }
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
      close_slot(slot);
      const std::string end = reap(slot);
      if (slot.task) finish(slot, TaskResult::End::kCrash, end);
      return;
    }
  }

  void take_frames(Slot& slot) {
    Frame frame;
    while (slot.buffer.size() >= sizeof(frame)) {
      std::memcpy(&frame, slot.buffer.data(), sizeof(frame));
      if (slot.buffer.size() - sizeof(frame) < frame.size) return;
      std::string text = slot.buffer.substr(sizeof(frame), frame.size);
      slot.buffer.erase(0, sizeof(frame) + frame.size);
      if (frame.kind == Frame::Kind::kResult) {
        if (slot.task) finish(slot, TaskResult::End::kDone, std::move(text));
        continue;
      }
      slot.phase = std::move(text);
      slot.deadline.reset();
      if (frame.seconds > 0) {
        slot.deadline =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(std::min(frame.seconds, 1e8)));
      }
    }
  }

  void finish(Slot& slot, TaskResult::End end, std::string text) {
    TaskResult result;
    result.end = end;
    result.text = std::move(text);
    result.phase = slot.phase;
    result.seconds = std::chrono::duration<double>(Clock::now() - slot.started).count();
    const size_t task = *slot.task;
    slot.task.reset();
    slot.deadline.reset();
    result.attempt = slot.attempt;
    if (done_(task, std::move(result)) && slot.attempt == 0) again_.push_back(task);
  }

  void close_slot(Slot& slot) {
    for (int* end : {&slot.tasks, &slot.results}) {
      if (*end >= 0) ::close(*end);
      *end = -1;
    }
  }

  // Waits for the child, which has been killed or has closed its results; at most a moment, then
  // kills.
  std::string reap(Slot& slot) {
    if (slot.pid < 0) return "";
    int status = 0;
    for (int round = 0; waitpid(slot.pid, &status, WNOHANG) == 0; ++round) {
      if (round == 2000) ::kill(slot.pid, SIGKILL);
      usleep(1000);
    }
    slot.pid = -1;
    return end_text(status);
  }

  size_t count_, next_ = 0;
  const PoolOptions& options_;
  const std::function<std::unique_ptr<PoolWorker>()>& make_worker_;
  const std::function<bool(size_t, TaskResult)>& done_;
  std::vector<size_t> again_;
  std::vector<Slot> slots_;
};

}  // namespace

bool run_pool(size_t count, const PoolOptions& options,
              const std::function<std::unique_ptr<PoolWorker>()>& make_worker,
              const std::function<bool(size_t, TaskResult)>& done) {
  const InterruptGuard guard;
  return Pool(count, options, make_worker, done).run();
}

}  // namespace onnxv
