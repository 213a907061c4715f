#include "src/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace onnxv {
namespace {

std::atomic<int> g_threads{1};
// Work that is itself inside a block runs its own blocks in place: no nesting of threads.
thread_local bool t_inside = false;

}  // namespace

void set_thread_count(int threads) { g_threads = std::max(1, threads); }
int thread_count() { return g_threads; }

void parallel_for(size_t count, size_t grain, const BlockWork& work) {
  grain = std::max<size_t>(grain, 1);
  const size_t blocks = (count + grain - 1) / grain;
  const size_t threads = std::min<size_t>(blocks, static_cast<size_t>(thread_count()));
  if (threads <= 1 || t_inside) {
    for (size_t begin = 0; begin < count; begin += grain) work(begin, std::min(count, begin + grain));
    return;
  }
  std::atomic<size_t> next{0};
  std::exception_ptr first_error;
  size_t first_error_block = blocks;
  std::mutex error_mutex;
  const auto run = [&] {
    t_inside = true;
    for (size_t block; (block = next.fetch_add(1)) < blocks;) {
      try {
        work(block * grain, std::min(count, (block + 1) * grain));
      } catch (...) {
        // The error of the first block, whichever thread met one first: messages stay the same
        // for any number of threads.
        const std::lock_guard lock(error_mutex);
        if (block < first_error_block) {
          first_error_block = block;
          first_error = std::current_exception();
        }
      }
    }
    t_inside = false;
  };
  std::vector<std::thread> pool;
  for (size_t i = 1; i < threads; ++i) pool.emplace_back(run);
  run();
  for (std::thread& thread : pool) thread.join();
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace onnxv
