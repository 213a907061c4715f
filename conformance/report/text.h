// Results for people: on the terminal.
#pragma once

#include <string>

#include "conformance/report/outcome.h"

namespace onnxv {

struct TextStyle {
  bool color = false;
  bool verbose = false;  // every test and every output, not only what went wrong
  bool strict = false;   // what has no verdict, and what comes with a warning, went wrong too
};

// One test: a line, and what is known of it below. "" when the style leaves it out.
std::string outcome_text(const Outcome& outcome, const TextStyle& style);

// The main job's report: outputs, nodes, verdict.
std::string verdict_text(const Outcome& outcome, const TextStyle& style);

// Counts per backend, errata that were used, backends that could not be started.
std::string summary_text(const Results& results, const TextStyle& style);

}  // namespace onnxv
