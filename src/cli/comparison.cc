#include "src/cli/comparison.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <thread>

#include "conformance/report/html.h"
#include "conformance/report/json.h"
#include "conformance/report/junit.h"
#include "src/cli/settings.h"

namespace onnxv::cli {

SuiteSettings suite_settings(const ComparisonOptions& options, const CommonOptions& common,
                             double timeout, int jobs) {
  SuiteSettings settings;
  settings.check.tolerance = ToleranceChoice::parse(options.tolerance);
  settings.check.assumptions = tolerance_model(options.compute_type, options.allow, settings.check.tolerance);
  settings.check.policies = ComparePolicies::parse(options.nan, options.inf, options.zero);
  settings.check.policies.strict = options.strict;
  settings.check.nodes = options.nodes;
  settings.check.extract = options.extract;
  settings.check.timeout = options.timeout.value_or(timeout);
  settings.check.repeat = std::max(1, options.repeat);
  std::set<std::string> seen;
  for (const std::string& spelling : options.backends) {
    check_backend_spelling(spelling);
    if (seen.insert(spelling).second) settings.backends.push_back(spelling);
  }
  settings.check.several_backends = settings.backends.size() > 1;
  settings.backend.python = options.backend_python;
  settings.backend.memory = common.memory;
  settings.backend.start_limit = options.timeout.value_or(60);
  settings.pool.jobs = options.jobs > 0 ? options.jobs : jobs;
  settings.pool.memory = common.memory;
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  settings.threads = common.threads > 0 ? common.threads
                                        : std::max(1, processors / std::max(1, settings.pool.jobs));
  if (!options.expect.empty()) {
    settings.known = KnownFailures::parse(read_text_file(options.expect), options.expect);
  }
  return settings;
}

void print_assumptions(const SuiteSettings& settings, const CommonOptions& common) {
  if (common.quiet || !settings.check.tolerance.derives()) return;
  std::printf("derived bounds assume: %s\n", assumptions_text(settings.check.assumptions).c_str());
}

TextStyle text_style(const CommonOptions& common) { return {wants_color(common), common.verbose, false}; }

void write_reports(const Results& results, const ComparisonOptions& options) {
  if (!options.json.empty()) write_text_file(options.json, to_json(results));
  if (!options.junit.empty()) write_text_file(options.junit, to_junit(results));
  if (!options.html.empty()) write_text_file(options.html, to_html(results));
}

}  // namespace onnxv::cli
