#include "conformance/report/difference.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace onnxv {
namespace {

using Key = std::pair<std::string, std::string>;  // test, backend

// Without `with_backend` tests of one name are one, whatever ran them.
std::map<Key, const Outcome*> by_key(const Results& results, bool with_backend) {
  std::map<Key, const Outcome*> found;
  for (const Outcome& outcome : results.outcomes)
    found[{outcome.test, with_backend ? outcome.backend : ""}] = &outcome;
  return found;
}

// The spelling of the one backend; "" where there are several, or none.
std::string only_backend(const Results& results) {
  std::set<std::string> backends;
  for (const Outcome& outcome : results.outcomes) backends.insert(outcome.backend);
  return backends.size() == 1 ? *backends.begin() : "";
}

std::string line(const Key& key, const std::string& from, const std::string& to,
                 const std::string& message) {
  const std::string on = key.second.empty() ? "" : " on " + key.second;
  std::string text = fmt::format("  {}{}: {} -> {}", key.first, on, from, to);
  if (!message.empty()) text += ": " + message;
  return text + "\n";
}

// Tests that went one way.
struct Section {
  const char *title, *color;
  std::string lines;
  size_t count = 0;

  void add(const std::string& text) {
    lines += text;
    ++count;
  }
  std::string text(const TextStyle& style) const {
    std::string head = fmt::format("{} ({})", title, count);
    if (style.color && count > 0) head = fmt::format("\x1b[{}m{}\x1b[0m", color, head);
    return head + "\n" + lines;
  }
};

// What a status says to a reader: known failures and unexpected passes have names of their own.
std::string shown(const Outcome& outcome) {
  if (outcome.unexpected_pass) return "unexpected pass";
  return (outcome.known ? "expected " : "") + std::string(status_name(outcome.status));
}

// 0: passes; 1: no verdict; 2: fails, or worse.
int badness(const Outcome& outcome) {
  switch (outcome.status) {
    case Status::kPass: return 0;
    case Status::kUnsupported:
    case Status::kUndefined:
    case Status::kSkipped: return 1;
    case Status::kFail:
    case Status::kError:
    case Status::kCrash:
    case Status::kTimeout: return 2;
  }
  return 2;
}

uint64_t wrong_elements(const Outcome& outcome) {
  uint64_t wrong = 0;
  for (const OutputOutcome& output : outcome.outputs) wrong += output.comparison.mismatched;
  return wrong;
}

struct Difference {
  Section better{"better", "32", "", 0}, worse{"worse", "31", "", 0};
  Section other{"otherwise changed", "33", "", 0}, added{"new", "0", "", 0},
      gone{"gone", "0", "", 0};

  void compare(const Key& key, const Outcome& was, const Outcome& now) {
    const int change = badness(now) - badness(was);
    if (shown(was) != shown(now)) {
      const std::string text = line(key, shown(was), shown(now), now.message);
      (change < 0 ? better : change > 0 ? worse : other).add(text);
      return;
    }
    // The same verdict, but more or fewer elements are wrong.
    const uint64_t before = wrong_elements(was), after = wrong_elements(now);
    if (before == after) return;
    const auto elements = [](uint64_t count) { return fmt::format("{} wrong elements", count); };
    (after < before ? better : worse).add(line(key, elements(before), elements(after), ""));
  }
};

}  // namespace

std::string difference_text(const Results& old_results, const Results& new_results,
                            const TextStyle& style) {
  // Two backends, or one under two sets of options, are compared test by test: what each has alone would say nothing.
  const std::string old_one = only_backend(old_results), new_one = only_backend(new_results);
  const bool across = !old_one.empty() && !new_one.empty() && old_one != new_one;
  const auto before = by_key(old_results, !across), after = by_key(new_results, !across);
  const std::string head = across ? fmt::format("{} -> {}\n", old_one, new_one) : "";
  Difference difference;
  for (const auto& [key, now] : after) {
    const auto found = before.find(key);
    if (found == before.end()) {
      difference.added.add(line(key, "absent", shown(*now), now->message));
    } else {
      difference.compare(key, *found->second, *now);
    }
  }
  for (const auto& [key, was] : before) {
    if (!after.contains(key)) difference.gone.add(line(key, shown(*was), "absent", ""));
  }
  return head + difference.better.text(style) + difference.worse.text(style) +
         difference.other.text(style) + difference.added.text(style) + difference.gone.text(style);
}

}  // namespace onnxv
