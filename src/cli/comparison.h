// What suite and the main job make of their common options.
#pragma once

#include <string>

#include "conformance/report/text.h"
#include "conformance/suite.h"
#include "src/cli/commands.h"

namespace onnxv::cli {

// Everything but what depends on the command. `timeout` and `jobs` are the command's defaults.
// Usage errors for whatever cannot be read, backends included.
SuiteSettings suite_settings(const ComparisonOptions& options, const CommonOptions& common,
                             double timeout, int jobs);

// What the bounds of --tolerance derived assume, in a line; nothing under another tolerance or with --quiet.
void print_assumptions(const SuiteSettings& settings, const CommonOptions& common);

TextStyle text_style(const CommonOptions& common);

// Writes --json, --junit and --html.
void write_reports(const Results& results, const ComparisonOptions& options);

}  // namespace onnxv::cli
