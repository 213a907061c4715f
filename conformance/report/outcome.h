// What a run found, as plain structs: filled by the checks, rendered by text, json, junit and html.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/compare/compare.h"
#include "conformance/compare/statistics.h"

namespace onnxv {

enum class Status : uint8_t {
  kPass,
  kFail,
  kUnsupported,
  kError,
  kCrash,
  kTimeout,
  kUndefined,
  kSkipped
};
inline constexpr int kStatusCount = 8;

std::string_view status_name(Status status);
std::optional<Status> status_from_name(std::string_view name);

struct OutputOutcome {
  std::string name;
  int data_set = 0;
  Tolerance tolerance;
  Comparison comparison;
  std::optional<double> expected_ratio;  // largest error over the expected one (numerics.md, 3)
  uint64_t unproved = 0;  // elements of the exact result that the ladder's cap left open
  uint64_t loose = 0;
};

struct NodeOutcome {
  std::string node, op, domain;  // node: its name, or `-> "y"` by its first output
  std::string path;              // inside subgraphs and functions: "loop1/body/3/add"; else ""
  int since_version = 0;
  int64_t index = 0;  // position in the order of evaluation
  Status status = Status::kPass;
  std::string message;
  std::vector<OutputOutcome> outputs;   // alone, on the exact inputs
  std::vector<OutputOutcome> in_model;  // the backend's own values inside the whole model
  std::vector<ValueStatistics> inputs;  // where it diverges
  std::string extracted;
};

struct FirstDivergence {
  std::string node, op, domain;
  int since_version = 0;
  int64_t index = 0;
  std::string output;
  std::string path;
};

struct KnownFailure {
  std::string reason, link;
};

// One test on one backend.
struct Outcome {
  std::string test, path, backend;  // backend: its spelling
  Status status = Status::kPass;
  double seconds = 0;
  std::string message;
  std::vector<std::string> ops;
  std::vector<int> op_versions;  // as many; 0: a version that no schema has
  std::vector<OutputOutcome> outputs;
  std::vector<std::string> warnings;
  std::string erratum;
  std::optional<KnownFailure> known;  // failed as --expect says
  bool unexpected_pass = false;       // --expect says that it fails
  std::vector<std::string> generated_inputs, unstable;
  std::string extracted;
  std::vector<NodeOutcome> nodes;
  std::optional<FirstDivergence> first_divergence;
  // Where the backend's own values leave the tolerance first, errors of earlier nodes included.
  std::optional<FirstDivergence> first_in_model;
};

struct BackendDescription {
  std::string spelling, name, version;
  std::map<std::string, std::string> options;
  std::string device;
  std::string failure;  // why it could not be started; empty: it could
};

struct Summary {
  uint64_t counts[kStatusCount] = {};
  uint64_t expected_fail = 0, unexpected_pass = 0;
  uint64_t count(Status status) const { return counts[static_cast<int>(status)]; }
};

struct Results {
  std::string version;
  std::vector<BackendDescription> backends;
  std::vector<Outcome> outcomes;
};

// Keeps the order of the results' backends.
std::vector<std::pair<std::string, Summary>> summarize(const Results& results);

// The exit code of cli.md: 1 beats 3; 4 where nothing worse happened than `undefined` in the main
// job.
int exit_code(const Results& results, bool strict);

}  // namespace onnxv
