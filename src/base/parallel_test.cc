#include "src/base/parallel.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <doctest/doctest.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace onnxv {
namespace {

// How often each of `count` things was worked on.
std::vector<int> visits(size_t count, size_t grain) {
  std::vector<int> visits(count);
  parallel_for(count, grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) ++visits[i];
  });
  return visits;
}

TEST_CASE("everything is worked on once, by any number of threads, job after job") {
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    for (size_t count = 0; count < 300; ++count) {
      CHECK(visits(count, count % 7) == std::vector<int>(count, 1));
    }
  }
  set_thread_count(1);
}

TEST_CASE("blocks begin at multiples of the grain for any number of threads") {
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    std::atomic<size_t> wrong{0};
    parallel_for(1001, 10, [&](size_t begin, size_t end) { wrong += begin % 10 != 0 || end != std::min<size_t>(1001, begin + 10); });
    CHECK(wrong == 0);
  }
  set_thread_count(1);
}

TEST_CASE("work inside a block stays on its thread") {
  set_thread_count(4);
  std::atomic<size_t> elsewhere{0};
  parallel_for(16, 1, [&](size_t, size_t) {
    const auto self = std::this_thread::get_id();
    parallel_for(16, 1, [&](size_t, size_t) { elsewhere += std::this_thread::get_id() != self; });
  });
  CHECK(elsewhere == 0);
  set_thread_count(1);
}

TEST_CASE("the error of the first block that has one is thrown when all have ended") {
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    for (int turn = 0; turn < 50; ++turn) {
      std::atomic<size_t> done{0};
      std::string said;
      try {
        parallel_for(64, 1, [&](size_t begin, size_t) {
          ++done;
          if (begin % 10 == 3) throw std::runtime_error(std::to_string(begin));
        });
      } catch (const std::runtime_error& error) {
        said = error.what();
      }
      CHECK(said == "3");
      CHECK(done == 64);
    }
  }
  set_thread_count(1);
}

TEST_CASE("callers on several threads do not wait for each other's helpers") {
  set_thread_count(3);
  std::atomic<size_t> sum{0};
  std::vector<std::thread> callers;
  for (int k = 0; k < 4; ++k) {
    callers.emplace_back([&] {
      for (int turn = 0; turn < 100; ++turn) parallel_for(100, 3, [&](size_t begin, size_t end) { sum += end - begin; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(sum == 40000);
  set_thread_count(1);
}

#ifndef __SANITIZE_THREAD__  // it knows no threads made by a child
TEST_CASE("a child process works, though it has none of the threads") {
  set_thread_count(3);
  for (int turn = 0; turn < 20; ++turn) {
    visits(1000, 1);
    const pid_t child = fork();
    if (child == 0) _exit(visits(1000, 1) == std::vector<int>(1000, 1) ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  set_thread_count(1);
}
#endif

}  // namespace
}  // namespace onnxv
