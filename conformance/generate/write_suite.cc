#include "conformance/generate/write_suite.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "conformance/generate/plan.h"
#include "conformance/generate/write_unit.h"
#include "conformance/pool.h"
#include "src/base/error.h"
#include "src/base/parallel.h"
#include "src/model/file.h"

namespace onnxv::generate {
namespace {

namespace fs = std::filesystem;

class SuiteWorker : public PoolWorker {
 public:
  SuiteWorker(const std::vector<Unit>& units, const std::vector<size_t>& order, const Slice& slice,
              std::string directory)
      : units_(units), order_(order), slice_(slice), directory_(std::move(directory)) {}

  std::string run(size_t task, int /*attempt*/, PhaseClock& clock) override {
    clock.begin("", 0);
    const Unit& unit = units_[order_[task]];
    try {
      return to_text(write_unit(unit, slice_, directory_));
    } catch (const std::exception& error) {
      UnitResult result;
      result.counts.broken.push_back(unit.schema->name + ": " + error.what());
      return to_text(result);
    }
  }

 private:
  const std::vector<Unit>& units_;
  const std::vector<size_t>& order_;
  const Slice& slice_;
  std::string directory_;
};

void make_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) fail_usage("output", "\"" + directory + "\" cannot be made: " + error.message());
  if (!fs::is_empty(directory, error))
    fail_usage("not-empty", "\"" + directory + "\" holds something", "must be new or empty");
}

// The largest first, so that no long one begins when all others end.
std::vector<size_t> by_size(const std::vector<Unit>& units) {
  std::vector<size_t> sizes, order(units.size());
  for (const Unit& unit : units) sizes.push_back(plan_cases(*unit.schema).size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  return order;
}

void add(SuiteSummary& all, const SuiteSummary& one) {
  all.written += one.written;
  all.equal += one.equal;
  all.unspecified += one.unspecified;
  for (const auto& [reason, count] : one.dropped) all.dropped[reason] += count;
  all.broken.insert(all.broken.end(), one.broken.begin(), one.broken.end());
}

std::string index_text(const std::vector<UnitResult>& results) {
  std::string lines;
  for (const UnitResult& result : results) {
    if (result.index.empty()) continue;
    lines += (lines.empty() ? "" : ",\n") + result.index;
  }
  return "{\"tool\":\"onnx-verify\",\"format\":1,\"tests\":[\n" + lines + "\n]}\n";
}

}  // namespace

SuiteSummary write_suite(const std::vector<Unit>& units, const Slice& slice,
                         const std::string& directory, int jobs,
                         const std::function<void(size_t, std::string_view)>& progress) {
  make_directory(directory);
  const std::vector<size_t> order = by_size(units);
  std::vector<UnitResult> results(units.size());
  set_thread_count(1);  // the tests are small; the processes are the parallelism
  size_t done = 0;
  PoolOptions options;
  options.jobs = jobs;
  const bool whole = run_pool(
      units.size(), options,
      [&] { return std::make_unique<SuiteWorker>(units, order, slice, directory); },
      [&](size_t task, TaskResult result) {
        UnitResult& unit = results[order[task]];
        const std::string& name = units[order[task]].schema->name;
        if (result.end == TaskResult::End::kDone) {
          unit = from_text(result.text);
        } else {
          unit.counts.broken.push_back(name + ": " + result.text);
        }
        progress(++done, name);
        return false;
      });
  SuiteSummary summary;
  for (const UnitResult& result : results) add(summary, result.counts);
  summary.interrupted = !whole;
  write_file((fs::path(directory) / "index.json").string(), index_text(results));
  return summary;
}

}  // namespace onnxv::generate
