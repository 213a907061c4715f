#include "conformance/lanes.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>

namespace onnxv {
namespace {

struct Number {
  int given = 0, made = 0;
};

TEST_CASE("results come back in the order of giving, and few are open at a time") {
  std::vector<int> made;
  std::atomic<int> open = 0, most = 0, workers = 0;
  Lanes<Number> lanes(
      3,
      [&] {
        ++workers;
        return [&](Number& number) {
          // The first of each three takes longest.
          std::this_thread::sleep_for(std::chrono::milliseconds(number.given % 3 == 0 ? 8 : 1));
          number.made = 10 * number.given;
        };
      },
      [&](Number& number) {
        --open;
        made.push_back(number.made);
      });
  for (int i = 0; i < 30; ++i) {
    ++open;
    lanes.give({i, 0});
    most = std::max(most.load(), open.load());
  }
  lanes.finish();
  REQUIRE(made.size() == 30);
  for (int i = 0; i < 30; ++i) CHECK(made[static_cast<size_t>(i)] == 10 * i);
  CHECK(most <= 7);
  CHECK(workers <= 3);
}

}  // namespace
}  // namespace onnxv
