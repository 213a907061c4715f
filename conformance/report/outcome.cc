#include "conformance/report/outcome.h"

#include <algorithm>

namespace onnxv {
namespace {

constexpr std::string_view kNames[kStatusCount] = {"pass",  "fail",    "unsupported", "error",
                                                   "crash", "timeout", "undefined",   "skipped"};

void count(const Outcome& outcome, Summary& summary) {
  if (outcome.known) {
    ++summary.expected_fail;
  } else if (outcome.unexpected_pass) {
    ++summary.unexpected_pass;
  } else {
    ++summary.counts[static_cast<int>(outcome.status)];
  }
}

}  // namespace

std::string_view status_name(Status status) { return kNames[static_cast<int>(status)]; }

std::optional<Status> status_from_name(std::string_view name) {
  for (int i = 0; i < kStatusCount; ++i) {
    if (kNames[i] == name) return static_cast<Status>(i);
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, Summary>> summarize(const Results& results) {
  std::vector<std::pair<std::string, Summary>> summaries;
  const auto of = [&](const std::string& backend) -> Summary& {
    const auto found = std::find_if(summaries.begin(), summaries.end(),
                                    [&](const auto& entry) { return entry.first == backend; });
    if (found != summaries.end()) return found->second;
    return summaries.emplace_back(backend, Summary{}).second;
  };
  for (const BackendDescription& backend : results.backends) of(backend.spelling);
  for (const Outcome& outcome : results.outcomes) count(outcome, of(outcome.backend));
  return summaries;
}

namespace {

// Every test was refused for what the user gave: nothing was run.
bool all_refused(const Results& results) {
  const auto refused = [](const Outcome& outcome) { return outcome.status == Status::kError && outcome.message.starts_with("usage/"); };
  return !results.outcomes.empty() && std::all_of(results.outcomes.begin(), results.outcomes.end(), refused);
}

}  // namespace

int exit_code(const Results& results, bool strict) {
  if (all_refused(results)) return 2;
  bool failed = false, broken = false;
  for (const BackendDescription& backend : results.backends) broken |= !backend.failure.empty();
  for (const auto& [name, summary] : summarize(results)) {
    failed |= summary.count(Status::kFail) > 0 || summary.unexpected_pass > 0;
    broken |= summary.count(Status::kError) > 0 || summary.count(Status::kCrash) > 0 ||
              summary.count(Status::kTimeout) > 0;
    if (strict) {
      failed |= summary.count(Status::kUnsupported) > 0 || summary.count(Status::kSkipped) > 0 ||
                summary.count(Status::kUndefined) > 0;
    }
  }
  if (strict) {
    for (const Outcome& outcome : results.outcomes) {
      failed |= !outcome.warnings.empty() && !outcome.known;
    }
  }
  return failed ? 1 : broken ? 3 : 0;
}

}  // namespace onnxv
