// Deterministic parallelism: the work is cut into blocks whose results do not depend on who runs them.
#pragma once

#include <cstddef>

namespace onnxv {

// Number of threads that `parallel_for` uses (1: everything in the caller). Set once at start-up.
void set_thread_count(int threads);
int thread_count();

// Non-owning reference to a callable: cheaper than std::function and header-light.
class BlockWork {
 public:
  template <class Callable>
  BlockWork(const Callable& work)  // NOLINT: implicit on purpose
      : object_(&work), call_([](const void* object, size_t begin, size_t end) {
          (*static_cast<const Callable*>(object))(begin, end);
        }) {}
  void operator()(size_t begin, size_t end) const { call_(object_, begin, end); }

 private:
  const void* object_;
  void (*call_)(const void*, size_t, size_t);
};

// Calls work(begin, end) for disjoint blocks of at most `grain` that cover [0, count).
// The first exception thrown by a block is rethrown here after all blocks ended.
void parallel_for(size_t count, size_t grain, const BlockWork& work);

}  // namespace onnxv
