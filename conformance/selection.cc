#include "conformance/selection.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>

#include "src/base/error.h"

namespace onnxv {
namespace {

std::function<bool(const std::string&)> matcher(const std::string& pattern) {
  try {
    auto expression =
        std::make_shared<std::regex>(pattern, std::regex::ECMAScript | std::regex::optimize);
    return [expression](const std::string& name) { return std::regex_search(name, *expression); };
  } catch (const std::regex_error&) {
    fail_usage("pattern", "\"" + pattern + "\"", "wanted a regular expression");
  }
}

std::optional<int> integer(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Shard checked(const std::string& place, int index, int count) {
  if (count < 1 || index < 0 || index >= count) {
    fail_usage("shard",
               place + ": slice " + std::to_string(index + 1) + " of " + std::to_string(count),
               "wanted I/N with 1 <= I <= N");
  }
  return {index, count};
}

}  // namespace

NamePatterns::NamePatterns(const std::vector<std::string>& include,
                           const std::vector<std::string>& exclude) {
  for (const std::string& pattern : include) include_.push_back(matcher(pattern));
  for (const std::string& pattern : exclude) exclude_.push_back(matcher(pattern));
}

bool NamePatterns::takes(const std::string& name) const {
  const auto matches = [&](const auto& pattern) { return pattern(name); };
  if (!include_.empty() && std::none_of(include_.begin(), include_.end(), matches)) return false;
  return std::none_of(exclude_.begin(), exclude_.end(), matches);
}

Shard choose_shard(const std::string& option,
                   const std::function<const char*(const char*)>& environment) {
  if (!option.empty()) {
    const size_t slash = option.find('/');
    const auto index = integer(std::string_view(option).substr(0, slash));
    const auto count = slash == std::string::npos
                           ? std::nullopt
                           : integer(std::string_view(option).substr(slash + 1));
    if (!index || !count) fail_usage("shard", "\"" + option + "\"", "wanted I/N with 1 <= I <= N");
    return checked("--shard", *index - 1, *count);
  }
  const auto variable = [&](const char* name) -> std::optional<int> {
    const char* text = environment(name);
    if (text == nullptr || *text == '\0') return std::nullopt;
    const auto value = integer(text);
    if (!value) fail_usage("shard", std::string(name) + "=" + text, "wanted an integer");
    return value;
  };
  constexpr struct {
    const char *index, *count;
    int first;
  } kPairs[] = {{"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0},
                {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", 0},
                {"CI_NODE_INDEX", "CI_NODE_TOTAL", 1}};
  for (const auto& pair : kPairs) {
    const auto index = variable(pair.index), count = variable(pair.count);
    if (index && count) return checked(pair.index, *index - pair.first, *count);
  }
  const auto id = variable("SLURM_ARRAY_TASK_ID"), count = variable("SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) return {};
  const int first = variable("SLURM_ARRAY_TASK_MIN").value_or(0);
  const int step = variable("SLURM_ARRAY_TASK_STEP").value_or(1);
  if (step < 1 || (*id - first) % step != 0) {
    fail_usage("shard", "SLURM_ARRAY_TASK_STEP=" + std::to_string(step), "wanted the array's step");
  }
  return checked("SLURM_ARRAY_TASK_ID", (*id - first) / step, *count);
}

namespace {
constexpr std::array<std::string_view, 5> kKeys = {"test", "backend", "status", "reason", "link"};
}  // namespace

KnownFailures KnownFailures::parse(std::string_view json, const std::string& source) {
  KnownFailures failures;
  const auto parsed = nlohmann::json::parse(json, nullptr, false);
  const auto list = parsed.is_object() && parsed.contains("known") ? parsed["known"] : parsed;
  const auto reject = [&](const std::string& what) {
    fail_usage("expect-file", source + ": " + what,
               "wanted {\"known\": [{\"test\": …, \"status\": …, \"reason\": …, \"link\": …}]}");
  };
  if (!list.is_array()) reject("no list of known failures");
  for (const auto& entry : list) {
    if (!entry.is_object() || !entry.contains("test")) reject("an entry names no test");
    for (const auto& [key, value] : entry.items()) {
      const bool known = std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
      if (!known) reject("there is no key \"" + key + "\"");
      if (!value.is_string()) reject("\"" + key + "\" is no string");
    }
    Entry known;
    known.test = entry["test"];
    known.backend = entry.value("backend", "");
    known.known = {entry.value("reason", ""), entry.value("link", "")};
    const std::string status = entry.value("status", "");
    if (!status.empty()) {
      known.status = status_from_name(status);
      if (!known.status || *known.status == Status::kPass)
        reject("\"" + status + "\" is no failing status");
    }
    failures.entries_.push_back(std::move(known));
  }
  return failures;
}

void KnownFailures::apply(Outcome& outcome) const {
  for (const Entry& entry : entries_) {
    if (!entry.backend.empty() && entry.backend != outcome.backend) continue;
    if (fnmatch(entry.test.c_str(), outcome.test.c_str(), 0) != 0) continue;
    if (outcome.status == Status::kPass) {
      outcome.unexpected_pass = true;
      outcome.message = "known to fail, but passed: " + entry.known.reason;
      return;
    }
    if (entry.status && *entry.status != outcome.status) continue;
    if (outcome.status == Status::kSkipped) continue;
    outcome.known = entry.known;
    return;
  }
}

}  // namespace onnxv
