#include "conformance/report/merge.h"

#include <algorithm>
#include <map>
#include <utility>

namespace onnxv {

Results merge(std::vector<Results> parts) {
  Results merged;
  std::map<std::string, size_t> order;
  std::map<std::pair<std::string, size_t>, Outcome> outcomes;
  for (Results& part : parts) {
    if (merged.version.empty()) merged.version = part.version;
    for (BackendDescription& backend : part.backends) {
      const auto [place, is_new] = order.emplace(backend.spelling, order.size());
      if (is_new) {
        merged.backends.push_back(std::move(backend));
        continue;
      }
      BackendDescription& known = merged.backends[place->second];
      if (known.version.empty()) known.version = backend.version;
      if (known.failure.empty()) known.failure = backend.failure;
    }
    for (Outcome& outcome : part.outcomes) {
      const auto [place, is_new] = order.emplace(outcome.backend, order.size());
      if (is_new) merged.backends.push_back({outcome.backend, outcome.backend, "", {}, "", ""});
      const std::pair key(outcome.path, place->second);
      outcomes[key] = std::move(outcome);
    }
  }
  for (auto& [key, outcome] : outcomes) merged.outcomes.push_back(std::move(outcome));
  return merged;
}

}  // namespace onnxv
