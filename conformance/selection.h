// Which tests a run takes: patterns, slices, and what is known to fail.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/outcome.h"

namespace onnxv {

// --include and --exclude: regular expressions (ECMAScript) found anywhere in a name. No include:
// every name.
class NamePatterns {
 public:
  // Usage error "pattern" for an expression that cannot be read.
  NamePatterns(const std::vector<std::string>& include, const std::vector<std::string>& exclude);
  bool takes(const std::string& name) const;

 private:
  std::vector<std::function<bool(const std::string&)>> include_, exclude_;
};

// Slice `index` of `count`, index from 0.
struct Shard {
  int index = 0, count = 1;
  bool takes(size_t position) const {
    return position % static_cast<size_t>(count) == static_cast<size_t>(index);
  }
};

// `option`: "I/N" from 1, or "". Without it the environment is asked (cli.md names the variables).
// Usage error "shard".
Shard choose_shard(const std::string& option,
                   const std::function<const char*(const char*)>& environment);

// --expect F: failures that are known. A JSON file {"known": [{"test": pattern with * and ?,
// "backend": …, "status": …, "reason": …, "link": …}]}; backend and status may be left out: any,
// any but pass.
class KnownFailures {
 public:
  KnownFailures() = default;
  static KnownFailures parse(std::string_view json, const std::string& source);
  // Marks the outcome as known, or as an unexpected pass.
  void apply(Outcome& outcome) const;

 private:
  struct Entry {
    std::string test, backend;
    std::optional<Status> status;
    KnownFailure known;
  };
  std::vector<Entry> entries_;
};

}  // namespace onnxv
