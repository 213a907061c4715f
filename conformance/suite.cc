#include "conformance/suite.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "conformance/backend/reference.h"
#include "conformance/node_directory.h"
#include "conformance/report/json.h"
#include "conformance/trial.h"
#include "src/base/error.h"
#include "src/model/file.h"
#include "src/base/parallel.h"

namespace onnxv {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Runs in a child process; its backends are children of that.
class SuiteWorker : public PoolWorker {
 public:
  SuiteWorker(const std::vector<Case>& tests, const std::vector<size_t>& order,
              const SuiteSettings& settings)
      : tests_(tests), order_(order), settings_(settings) {}

  std::string run(size_t task, int attempt, PhaseClock& clock) override {
    const Case& test = tests_[order_[task]];
    Results results;
    try {
      const auto start = Clock::now();
      clock.begin("interpreter", settings_.check.timeout);
      Trial trial = read_trial(test);
      if (attempt == 0) {
        // Bounds are for who is measured by them.
        const bool bounded = !settings_.backends.empty() || settings_.check.tolerance.derives();
        evaluate_exactly(trial, settings_.check.seed, bounded ? &settings_.check.assumptions : nullptr);
      } else {
        give_up_on_exact(trial);
      }
      if (settings_.backends.empty()) {
        results.outcomes.push_back(check_interpreter(trial, settings_.check));
        results.outcomes.back().seconds = seconds_since(start);
      } else {
        // A backend's time is kept by whoever talks to it.
        clock.begin("backend", 0);
        for (size_t i = 0; i < settings_.backends.size(); ++i) {
          results.outcomes.push_back(check(trial, backend(i)));
          results.backends.push_back(backend(i).description());
        }
      }
    } catch (const Error& error) {
      fail_all(test, status_of(error), error.what(), results);
    } catch (const std::bad_alloc&) {
      fail_all(test, Status::kError, "limit/memory: not enough memory", results);
    } catch (const std::exception& error) {
      fail_all(test, Status::kError, std::string("internal/unforeseen: ") + error.what(), results);
    }
    return to_json(results);
  }

 private:
  // The process that computed the exact result ended: the backend is measured against the files
  // alone.
  static void give_up_on_exact(Trial& trial) {
    for (TrialData& data : trial.data) {
      data.exact_status = Status::kError;
      data.exact_message =
          "limit/exact: the exact result could not be had: a crash, or the time limit";
    }
  }

  Outcome check(const Trial& trial, Backend& backend) {
    const auto start = Clock::now();
    Outcome outcome = check_backend(trial, backend, settings_.check);
    outcome.seconds = seconds_since(start);
    return outcome;
  }

  Backend& backend(size_t index) {
    backends_.resize(settings_.backends.size());
    if (!backends_[index])
      backends_[index] = make_backend(settings_.backends[index], settings_.backend);
    return *backends_[index];
  }

  void fail_all(const Case& test, Status status, const std::string& message, Results& results) {
    std::vector<std::string> names = settings_.backends;
    if (names.empty()) names.push_back("reference");
    for (const std::string& name : names) {
      const auto has = [&](const Outcome& outcome) { return outcome.backend == name; };
      if (std::any_of(results.outcomes.begin(), results.outcomes.end(), has)) continue;
      Outcome& outcome = results.outcomes.emplace_back();
      outcome.test = test.name;
      outcome.path = test.directory;
      outcome.backend = name;
      outcome.status = status;
      outcome.message = message;
    }
  }

  const std::vector<Case>& tests_;
  const std::vector<size_t>& order_;
  const SuiteSettings& settings_;
  std::vector<std::unique_ptr<Backend>> backends_;
};

// Gathers what the workers found and keeps the file on disk near it.
class Collector {
 public:
  Collector(const std::vector<Case>& tests, const SuiteSettings& settings, Results earlier)
      : tests_(tests), settings_(settings), found_(tests.size()) {
    names_ = settings.backends;
    if (names_.empty()) names_.push_back("reference");
    for (const std::string& name : names_) {
      BackendDescription description;
      description.spelling = description.name = name;
      if (settings.backends.empty()) {
        description = ReferenceBackend(name).description();
      }
      descriptions_[name] = description;
    }
    for (BackendDescription& description : earlier.backends) note(description);
    std::map<std::string, size_t> positions;
    for (size_t i = 0; i < tests.size(); ++i) positions[tests[i].directory] = i;
    for (Outcome& outcome : earlier.outcomes) {
      const auto found = positions.find(outcome.path);
      if (found != positions.end()) found_[found->second].push_back(std::move(outcome));
    }
    for (auto& outcomes : found_) {
      if (!complete(outcomes)) outcomes.clear();
    }
  }

  std::vector<size_t> missing() const {
    std::vector<size_t> positions;
    for (size_t i = 0; i < found_.size(); ++i) {
      if (found_[i].empty()) positions.push_back(i);
    }
    return positions;
  }

  // True where another attempt is worth it, without the exact result, whose computation broke.
  bool wants_again(const TaskResult& result) const {
    return !settings_.backends.empty() && !settings_.check.expected_exact && result.attempt == 0 &&
           result.end != TaskResult::End::kDone && result.phase == "interpreter";
  }

  const std::vector<Outcome>& take(size_t position, const TaskResult& result) {
    std::vector<Outcome>& outcomes = found_[position];
    if (result.end == TaskResult::End::kDone) {
      Results part = results_from_json(result.text, "a worker's results");
      outcomes = std::move(part.outcomes);
      for (const BackendDescription& description : part.backends) note(description);
    } else {
      outcomes = lost(tests_[position], result);
    }
    for (Outcome& outcome : outcomes) settings_.known.apply(outcome);
    return outcomes;
  }

  Results results() const {
    Results results;
    results.version = ONNXV_VERSION;
    for (const std::string& name : names_) results.backends.push_back(descriptions_.at(name));
    for (const auto& outcomes : found_) {
      results.outcomes.insert(results.outcomes.end(), outcomes.begin(), outcomes.end());
    }
    return results;
  }

  // Not more often than its cost allows.
  void save(bool now) {
    if (settings_.json.empty()) return;
    if (!now && (!can_be_replaced(settings_.json) || seconds_since(saved_) < std::max(1.0, 20 * cost_))) return;
    const auto start = Clock::now();
    write_text_file(settings_.json, to_json(results()));
    saved_ = Clock::now();
    cost_ = seconds_since(start);
  }

 private:
  bool complete(const std::vector<Outcome>& outcomes) const {
    std::set<std::string> present;
    for (const Outcome& outcome : outcomes) present.insert(outcome.backend);
    return outcomes.size() == names_.size() &&
           std::all_of(names_.begin(), names_.end(),
                       [&](const auto& name) { return present.contains(name); });
  }

  void note(const BackendDescription& description) {
    const auto found = descriptions_.find(description.spelling);
    if (found == descriptions_.end()) return;
    // One worker in one process may fail to start where others did: what was learnt stays.
    const std::string failure = found->second.failure;
    if (found->second.version.empty() || !description.version.empty()) found->second = description;
    if (!failure.empty()) found->second.failure = failure;
  }

  // A worker of ours that ended in the midst of a test: the interpreter's fault (or of what it was
  // given), never a backend's.
  std::vector<Outcome> lost(const Case& test, const TaskResult& result) const {
    std::vector<Outcome> outcomes;
    const bool timeout = result.end == TaskResult::End::kTimeout;
    for (const std::string& name : names_) {
      Outcome outcome;
      outcome.test = test.name;
      outcome.path = test.directory;
      outcome.backend = name;
      outcome.seconds = result.seconds;
      outcome.message = result.text;
      if (settings_.backends.empty()) {
        outcome.status = timeout ? Status::kTimeout : Status::kCrash;
      } else {
        outcome.status = Status::kError;
        outcome.message =
            timeout ? "limit/time: the exact result took too long"
                    : "internal/crash: the process that computes the exact result ended: " +
                          result.text;
      }
      outcomes.push_back(std::move(outcome));
    }
    return outcomes;
  }

  const std::vector<Case>& tests_;
  const SuiteSettings& settings_;
  std::vector<std::string> names_;
  std::map<std::string, BackendDescription> descriptions_;
  std::vector<std::vector<Outcome>> found_;
  Clock::time_point saved_ = Clock::now();
  double cost_ = 0;
};

// Folders above are put in front of equal names until they differ.
void tell_apart(std::vector<Case>& tests) {
  for (int round = 0; round < 16; ++round) {
    std::map<std::string, int> counts;
    for (const Case& test : tests) ++counts[test.name];
    bool changed = false;
    for (Case& test : tests) {
      if (counts[test.name] < 2 || test.name.size() + 2 > test.directory.size()) continue;
      const size_t above = test.directory.size() - test.name.size() - 2;
      const size_t slash = test.directory.rfind('/', above);
      test.name = test.directory.substr(slash == std::string::npos ? 0 : slash + 1);
      changed = true;
    }
    if (!changed) return;
  }
}

}  // namespace

std::vector<Case> find_suite(const std::vector<std::string>& directories) {
  std::vector<Case> tests;
  for (const std::string& directory : directories) {
    std::vector<Case> found = find_cases(directory);
    std::move(found.begin(), found.end(), std::back_inserter(tests));
  }
  std::sort(tests.begin(), tests.end(),
            [](const Case& a, const Case& b) { return a.directory < b.directory; });
  const auto same = [](const Case& a, const Case& b) { return a.directory == b.directory; };
  tests.erase(std::unique(tests.begin(), tests.end(), same), tests.end());
  tell_apart(tests);
  return tests;
}

Results run_suite(const std::vector<Case>& tests, const SuiteSettings& settings, Results earlier,
                  const std::function<void(const SuiteProgress&)>& progress, bool& interrupted) {
  Collector collector(tests, settings, std::move(earlier));
  const std::vector<size_t> order = collector.missing();
  SuiteProgress state;
  state.total = tests.size();
  state.done = tests.size() - order.size();
  collector.save(true);
  const auto make_worker = [&]() -> std::unique_ptr<PoolWorker> {
    set_thread_count(settings.threads);
    return std::make_unique<SuiteWorker>(tests, order, settings);
  };
  interrupted =
      !run_pool(order.size(), settings.pool, make_worker, [&](size_t task, TaskResult result) {
        if (collector.wants_again(result)) return true;
        state.outcomes = &collector.take(order[task], result);
        ++state.done;
        progress(state);
        collector.save(false);
        return false;
      });
  collector.save(true);
  return collector.results();
}

}  // namespace onnxv
