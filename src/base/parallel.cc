#include "src/base/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace onnxv {
namespace {

std::atomic<int> g_threads{1};
// Work that is itself inside a block runs its own blocks in place: no nesting of threads.
thread_local bool t_inside = false;

// Blocks that any number of threads take one after the other.
class Job {
 public:
  Job(size_t count, size_t grain, const BlockWork& work) : count_(count), grain_(grain), work_(work) {}

  void take_blocks() {
    t_inside = true;
    for (size_t begin; (begin = next_.fetch_add(grain_, std::memory_order_relaxed)) < count_;) {
      try {
        work_(begin, std::min(count_, begin + grain_));
      } catch (...) {
        keep_error(begin);
      }
    }
    t_inside = false;
  }
  void throw_error() {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // The error of the first block, whichever thread met one first: messages stay the same for any number of threads.
  void keep_error(size_t begin) {
    const std::lock_guard lock(error_mutex_);
    if (error_ && begin > error_begin_) return;
    error_begin_ = begin;
    error_ = std::current_exception();
  }

  const size_t count_, grain_;
  const BlockWork& work_;
  std::atomic<size_t> next_{0};
  std::mutex error_mutex_;
  size_t error_begin_ = 0;
  std::exception_ptr error_;
};

// Threads that are made once and wait for jobs. A job does not wait for them: the caller takes blocks at once, those who come
// find what is left.
class Helpers {
 public:
  // The threads that help at most are `helpers`. False: others are being helped, nothing was done.
  bool run(Job& job, int helpers) {
    const std::unique_lock one_job(running_, std::try_to_lock);
    if (!one_job) return false;
    {
      const std::lock_guard lock(mutex_);
      make_threads(helpers);
      job_ = &job;
      wanted_ = helpers;
      posted_.fetch_add(1, std::memory_order_release);
      if (asleep_ > 0) wake_.notify_all();
    }
    job.take_blocks();
    std::unique_lock lock(mutex_);
    job_ = nullptr;
    idle_.wait(lock, [&] { return busy_ == 0; });
    return true;
  }

 private:
  void make_threads(int count) {
    try {
      for (; threads_ < count; ++threads_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
      // The system has no more of them: those that there are do the work.
    }
  }

  [[noreturn]] void serve() {
    for (uint64_t seen = 0;;) {
      await_post(seen);
      std::unique_lock lock(mutex_);
      ++asleep_;
      wake_.wait(lock, [&] { return posted_.load(std::memory_order_relaxed) != seen; });
      --asleep_;
      seen = posted_.load(std::memory_order_relaxed);
      if (job_ == nullptr || wanted_ == 0) continue;
      --wanted_;
      ++busy_;
      Job& job = *job_;
      lock.unlock();
      job.take_blocks();
      lock.lock();
      if (--busy_ == 0) idle_.notify_one();
    }
  }

  // The next job of a model comes within microseconds, and waking a thread that sleeps takes longer than many a job.
  void await_post(uint64_t seen) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::microseconds(30);
    while (posted_.load(std::memory_order_acquire) == seen && Clock::now() < end) {
    }
  }

  std::mutex running_;  // one job at a time
  std::mutex mutex_;    // all below
  std::condition_variable wake_, idle_;
  std::atomic<uint64_t> posted_{0};  // jobs so far
  Job* job_ = nullptr;
  int threads_ = 0, wanted_ = 0, busy_ = 0, asleep_ = 0;
};

Helpers* g_helpers = nullptr;

// Never destroyed: its threads wait in it until the process ends. A child process has none of its parent's threads, and may
// have been born while one of them held a lock: it begins anew.
Helpers& helpers() {
  static const bool made = [] {
    g_helpers = new Helpers;
    pthread_atfork(nullptr, nullptr, [] { g_helpers = new Helpers; });
    return true;
  }();
  static_cast<void>(made);
  return *g_helpers;
}

}  // namespace

void set_thread_count(int threads) { g_threads = std::max(1, threads); }
int thread_count() { return g_threads; }

void parallel_for(size_t count, size_t grain, const BlockWork& work) {
  grain = std::max<size_t>(grain, 1);
  const size_t blocks = count / grain + (count % grain != 0 ? 1 : 0);
  const size_t threads = std::min<size_t>(blocks, static_cast<size_t>(thread_count()));
  if (threads > 1 && !t_inside) {
    Job job(count, grain, work);
    if (helpers().run(job, static_cast<int>(threads) - 1)) return job.throw_error();
  }
  for (size_t begin = 0; begin < count; begin += grain) work(begin, std::min(count, begin + grain));
}

}  // namespace onnxv
