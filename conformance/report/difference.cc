#include "conformance/report/difference.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace onnxv {
namespace {

using Key = std::pair<std::string, std::string>;  // test, backend

std::map<Key, const Outcome*> by_key(const Results& results) {
  std::map<Key, const Outcome*> found;
  for (const Outcome& outcome : results.outcomes) found[{outcome.test, outcome.backend}] = &outcome;
  return found;
}

std::string line(const Key& key, const char* from, const char* to, const std::string& message) {
  std::string text = fmt::format("  {} on {}: {} -> {}", key.first, key.second, from, to);
  if (!message.empty()) text += ": " + message;
  return text + "\n";
}

std::string section(const std::string& title, const std::string& lines, size_t count,
                    const char* color, const TextStyle& style) {
  std::string head = fmt::format("{} ({})", title, count);
  if (style.color && count > 0) head = fmt::format("\x1b[{}m{}\x1b[0m", color, head);
  return head + "\n" + lines;
}

}  // namespace

std::string difference_text(const Results& old_results, const Results& new_results,
                            const TextStyle& style) {
  const auto before = by_key(old_results), after = by_key(new_results);
  std::string better, worse, other, added, gone;
  size_t counts[5] = {};
  for (const auto& [key, now] : after) {
    const auto found = before.find(key);
    const std::string status(status_name(now->status));
    if (found == before.end()) {
      added += line(key, "absent", status.c_str(), now->message);
      ++counts[3];
      continue;
    }
    const Status was = found->second->status;
    if (was == now->status) continue;
    const std::string old_status(status_name(was));
    const std::string text = line(key, old_status.c_str(), status.c_str(), now->message);
    if (now->status == Status::kPass) {
      better += text;
      ++counts[0];
    } else if (was == Status::kPass) {
      worse += text;
      ++counts[1];
    } else {
      other += text;
      ++counts[2];
    }
  }
  for (const auto& [key, outcome] : before) {
    if (after.contains(key)) continue;
    gone += line(key, std::string(status_name(outcome->status)).c_str(), "absent", "");
    ++counts[4];
  }
  return section("better", better, counts[0], "32", style) +
         section("worse", worse, counts[1], "31", style) +
         section("otherwise changed", other, counts[2], "33", style) +
         section("new", added, counts[3], "0", style) +
         section("gone", gone, counts[4], "0", style);
}

}  // namespace onnxv
