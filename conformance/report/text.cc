#include "conformance/report/text.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace onnxv {
namespace {

std::string painted(const std::string& text, const char* code, const TextStyle& style) {
  return style.color ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
}

const char* color_of(Status status) {
  switch (status) {
    case Status::kPass: return "32";
    case Status::kFail:
    case Status::kCrash:
    case Status::kTimeout:
    case Status::kError: return "31";
    case Status::kUnsupported:
    case Status::kUndefined:
    case Status::kSkipped: return "33";
  }
  return "0";
}

bool is_bad(const Outcome& outcome) {
  if (outcome.known) return false;
  if (outcome.unexpected_pass) return true;
  return outcome.status == Status::kFail || outcome.status == Status::kError ||
         outcome.status == Status::kCrash || outcome.status == Status::kTimeout;
}

std::string index_text(const std::vector<int64_t>& index) {
  std::string text = "[";
  for (size_t i = 0; i < index.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(index[i]);
  return text + "]";
}

std::string size_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "inf";
}

std::string tolerance_text(const Tolerance& tolerance) {
  switch (tolerance.kind) {
    case Tolerance::Kind::kOfficial:
      return fmt::format("official: rtol {:g}, atol {:g}", tolerance.rtol, tolerance.atol);
    case Tolerance::Kind::kScaled: return fmt::format("scaled:{:g}", tolerance.scale);
    case Tolerance::Kind::kUlp: return fmt::format("ulp:{}", tolerance.ulps);
    default: return std::string(kind_name(tolerance.kind));
  }
}

std::string output_text(const OutputOutcome& output, const std::string& indent) {
  const Comparison& c = output.comparison;
  std::string text = fmt::format("{}{} {}{}", indent, output.name, c.dtype, index_text(c.shape));
  if (output.data_set != 0) text += fmt::format(" (data set {})", output.data_set);
  if (!c.problem.empty()) return text + ": " + c.problem + "\n";
  text += fmt::format(": {} of {} elements differ ({}), max abs {}, max rel {}, max ulp {}",
                      c.mismatched, c.elements, tolerance_text(output.tolerance),
                      size_text(c.max_abs), size_text(c.max_rel), c.max_ulp);
  if (c.bound_ratio) text += fmt::format(", {} times its bound", size_text(*c.bound_ratio));
  if (c.unspecified > 0) text += fmt::format(", {} unspecified", c.unspecified);
  text += "\n";
  if (c.first_mismatch) {
    text += fmt::format("{}  first at {}: expected {}, got {}\n", indent,
                        index_text(c.first_mismatch->index), c.first_mismatch->expected,
                        c.first_mismatch->actual);
  }
  return text;
}

std::string version_text(const std::string& op, int since_version) {
  return since_version > 0 ? fmt::format("{}-{}", op, since_version) : op;
}

std::string input_text(const ValueStatistics& input, const std::string& indent) {
  std::string text = fmt::format("{}input {} {}{}{}", indent, input.name, input.type,
                                 index_text(input.shape), input.constant ? ", constant" : "");
  if (!input.minimum.empty()) {
    text += fmt::format(": from {} to {}", input.minimum, input.maximum);
    if (!input.smallest_magnitude.empty()) text += ", nearest to zero " + input.smallest_magnitude;
  }
  const std::pair<const char*, uint64_t> counts[] = {{"zeros", input.zero},
                                                     {"subnormal", input.subnormal},
                                                     {"infinite", input.infinite},
                                                     {"NaN", input.nan}};
  for (const auto& [name, count] : counts) {
    if (count > 0) text += fmt::format(", {} {}", count, name);
  }
  return text + "\n";
}

const NodeOutcome* node_at(const Outcome& outcome, int64_t index) {
  for (const NodeOutcome& node : outcome.nodes) {
    if (node.index == index) return &node;
  }
  return nullptr;
}

// The node that is wrong by itself: what it gave, what it was given, where it was written to.
std::string broken_node_text(const NodeOutcome& node, const std::string& indent) {
  std::string text;
  if (node.outputs.empty())
    text += indent + std::string(status_name(node.status)) + ": " + node.message + "\n";
  for (const OutputOutcome& output : node.outputs) {
    if (!output.comparison.matches) text += output_text(output, indent);
  }
  for (const ValueStatistics& input : node.inputs) text += input_text(input, indent);
  if (!node.extracted.empty()) text += indent + "written to " + node.extracted + "\n";
  return text;
}

std::string place_text(const FirstDivergence& first) {
  return fmt::format("node {} ({}){}{}", first.node, version_text(first.op, first.since_version),
                     first.path.empty() ? "" : " at " + first.path,
                     first.output.empty() ? "" : fmt::format(", output \"{}\"", first.output));
}

// The backend's own values in the whole model.
std::string in_model_text(const Outcome& outcome, const std::string& indent) {
  if (!outcome.first_in_model) return "";
  const FirstDivergence& first = *outcome.first_in_model;
  std::string text = indent + "in the whole model its values leave the tolerance first at " +
                     place_text(first) + "\n";
  if (const NodeOutcome* node = node_at(outcome, first.index)) {
    for (const OutputOutcome& output : node->in_model) {
      if (output.name == first.output) text += output_text(output, indent + "  ");
    }
  }
  return text;
}

std::string divergence_text(const Outcome& outcome, const std::string& indent,
                            const TextStyle& style) {
  std::string text;
  if (outcome.first_divergence) {
    const FirstDivergence& first = *outcome.first_divergence;
    text = indent + painted("first divergence", "31", style) + ": " + place_text(first) + "\n";
    if (const NodeOutcome* node = node_at(outcome, first.index)) {
      text += broken_node_text(*node, indent + "  ");
    }
  } else if (!outcome.nodes.empty() && outcome.status == Status::kFail) {
    text = indent + "no node diverges alone: the error grows along the graph\n";
  }
  return text + in_model_text(outcome, indent);
}

std::string head(const Outcome& outcome, const TextStyle& style) {
  std::string status(status_name(outcome.status));
  if (outcome.known) status = "expected " + status;
  if (outcome.unexpected_pass) status = "unexpected pass";
  const char* color = outcome.known             ? "33"
                      : outcome.unexpected_pass ? "31"
                                                : color_of(outcome.status);
  std::string text = painted(status, color, style) + " " + outcome.test + " on " + outcome.backend;
  if (!outcome.message.empty()) text += ": " + outcome.message;
  return text + "\n";
}

std::string notes(const Outcome& outcome, const TextStyle& style) {
  std::string text;
  for (const std::string& warning : outcome.warnings) {
    text += "  " + painted("warning", "33", style) + ": " + warning + "\n";
  }
  if (!outcome.erratum.empty()) text += "  erratum: " + outcome.erratum + "\n";
  for (const std::string& name : outcome.unstable) {
    text += "  unstable: the bits of output \"" + name + "\" change between runs\n";
  }
  return text;
}

}  // namespace

std::string outcome_text(const Outcome& outcome, const TextStyle& style) {
  const bool strictly_bad = style.strict && !outcome.known && (outcome.status != Status::kPass || !outcome.warnings.empty());
  if (!is_bad(outcome) && !strictly_bad && !style.verbose) return "";
  std::string text = head(outcome, style);
  for (const OutputOutcome& output : outcome.outputs) {
    if (style.verbose || !output.comparison.matches) text += output_text(output, "  ");
  }
  return text + divergence_text(outcome, "  ", style) +
         (style.verbose || style.strict ? notes(outcome, style) : "");
}

std::string verdict_text(const Outcome& outcome, const TextStyle& style) {
  std::string text = head(outcome, style);
  for (const OutputOutcome& output : outcome.outputs) {
    text += "  " + painted(output.comparison.matches ? "ok" : "differs",
                           output.comparison.matches ? "32" : "31", style);
    text += output_text(output, " ");
  }
  for (const std::string& input : outcome.generated_inputs)
    text += "  generated input " + input + "\n";
  text += notes(outcome, style);
  if (!outcome.nodes.empty()) {
    size_t good = 0;
    for (const NodeOutcome& node : outcome.nodes) good += node.status == Status::kPass ? 1 : 0;
    text += fmt::format("  {} nodes compared one by one, {} agree\n", outcome.nodes.size(), good);
    for (const NodeOutcome& node : outcome.nodes) {
      if (!style.verbose && node.status != Status::kFail) continue;
      text += fmt::format("  {} node {} ({}){}{}\n", status_name(node.status), node.node,
                          version_text(node.op, node.since_version),
                          node.path.empty() ? "" : " at " + node.path,
                          node.message.empty() ? "" : ": " + node.message);
    }
  }
  return text + divergence_text(outcome, "  ", style);
}

std::string summary_text(const Results& results, const TextStyle& style) {
  std::string text;
  for (const BackendDescription& backend : results.backends) {
    if (!backend.failure.empty()) {
      text += painted("backend " + backend.spelling + " " + backend.failure, "31", style) + "\n";
    }
  }
  std::set<std::string> errata;
  for (const Outcome& outcome : results.outcomes) {
    if (!outcome.erratum.empty() && errata.insert(outcome.test).second) {
      text += "erratum " + outcome.test + ": " + outcome.erratum + "\n";
    }
  }
  for (const auto& [name, summary] : summarize(results)) {
    text += name + ":";
    const char* separator = " ";
    for (int i = 0; i < kStatusCount; ++i) {
      const auto status = static_cast<Status>(i);
      if (summary.counts[i] == 0 && status != Status::kPass && status != Status::kFail) continue;
      text += separator + painted(fmt::format("{} {}", summary.counts[i], status_name(status)),
                                  summary.counts[i] > 0 ? color_of(status) : "0", style);
      separator = ", ";
    }
    if (summary.expected_fail > 0) text += fmt::format(", {} expected fail", summary.expected_fail);
    if (summary.unexpected_pass > 0) {
      text +=
          ", " + painted(fmt::format("{} unexpected pass", summary.unexpected_pass), "31", style);
    }
    text += "\n";
  }
  return text;
}

}  // namespace onnxv
