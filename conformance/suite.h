// A run over many tests: in worker processes, resumable, its results on disk as they come.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case.h"
#include "conformance/check.h"
#include "conformance/pool.h"
#include "conformance/selection.h"

namespace onnxv {

struct SuiteSettings {
  CheckSettings check;
  BackendSettings backend;
  std::vector<std::string> backends;  // spellings; none: the interpreter is tested
  PoolOptions pool;
  int threads = 1;  // of each worker
  KnownFailures known;
  std::string json;  // written as results come; "": not
};

// Every test below the directories, by path; two of one name are told apart by the folders above.
std::vector<Case> find_suite(const std::vector<std::string>& directories);

struct SuiteProgress {
  size_t done = 0, total = 0;
  const std::vector<Outcome>* outcomes = nullptr;  // of the test that just ended
};

// `earlier`: results of an interrupted run; its tests are not run again. Results are in the order
// of the tests. `interrupted` is set when a signal ended the run before all tests were done.
Results run_suite(const std::vector<Case>& tests, const SuiteSettings& settings, Results earlier,
                  const std::function<void(const SuiteProgress&)>& progress, bool& interrupted);

}  // namespace onnxv
