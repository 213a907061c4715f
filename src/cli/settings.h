// What the common options set up for the process.
#pragma once

#include "src/cli/commands.h"

namespace onnxv::cli {

// Threads (0: the processors divided by `jobs`) and the limit of a single tensor.
void apply_settings(const CommonOptions& common, int jobs = 1);
// The same, and the process's own memory is limited to --memory: a command that evaluates in this
// process.
void apply_settings_with_memory_limit(const CommonOptions& common);

// Whether to use colors on stdout; progress on stderr.
bool wants_color(const CommonOptions& common);
bool wants_progress(const CommonOptions& common);

// A warning on stderr, unless --quiet.
void warn(const CommonOptions& common, const std::string& text);

}  // namespace onnxv::cli
