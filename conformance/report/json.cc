#include "conformance/report/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "src/base/error.h"

namespace onnxv {
namespace {

// Keys in the order of cli.md.
using Json = nlohmann::ordered_json;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

double number_from(const Json& json) {
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    if (text == "nan") return std::nan("");
    return text == "-inf" ? -INFINITY : INFINITY;
  }
  return json.get<double>();
}

std::optional<double> optional_from(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return number_from(*found);
}

Json to_json(const Tolerance& tolerance) {
  Json json = {{"kind", kind_name(tolerance.kind)}};
  switch (tolerance.kind) {
    case Tolerance::Kind::kOfficial:
      json["rtol"] = tolerance.rtol;
      json["atol"] = tolerance.atol;
      break;
    case Tolerance::Kind::kNode: json["rtol"] = tolerance.rtol; break;
    case Tolerance::Kind::kScaled:
      json["scale"] = tolerance.scale;
      json["atol"] = tolerance.atol;
      break;
    case Tolerance::Kind::kUlp: json["ulps"] = tolerance.ulps; break;
    case Tolerance::Kind::kExact:
    case Tolerance::Kind::kDerived:
    case Tolerance::Kind::kDistribution: break;
  }
  return json;
}

Tolerance tolerance_from(const Json& json) {
  Tolerance tolerance;
  const std::string kind = json.value("kind", "official");
  for (const auto candidate :
       {Tolerance::Kind::kOfficial, Tolerance::Kind::kNode, Tolerance::Kind::kScaled,
        Tolerance::Kind::kExact, Tolerance::Kind::kUlp, Tolerance::Kind::kDerived,
        Tolerance::Kind::kDistribution}) {
    if (kind_name(candidate) == kind) tolerance.kind = candidate;
  }
  tolerance.rtol = json.value("rtol", tolerance.rtol);
  tolerance.atol = json.value("atol", tolerance.atol);
  tolerance.scale = json.value("scale", 0.0);
  tolerance.ulps = json.value("ulps", uint64_t{0});
  return tolerance;
}

void add_profile(const ErrorProfile& profile, Json& json) {
  if (profile.ulp_counts.empty()) return;
  json["magnitude"] = number(profile.magnitude);
  json["ulp_counts"] = profile.ulp_counts;
  json["ulp_by_exponent"] = Json::array();
  for (const auto& [exponent, ulp] : profile.ulp_by_exponent) {
    json["ulp_by_exponent"].push_back({exponent, ulp});
  }
}

ErrorProfile profile_from(const Json& json) {
  ErrorProfile profile;
  profile.magnitude = optional_from(json, "magnitude").value_or(0);
  profile.ulp_counts = json.value("ulp_counts", std::vector<uint64_t>{});
  for (const Json& pair : json.value("ulp_by_exponent", Json::array())) {
    profile.ulp_by_exponent[pair.at(0).get<int>()] = pair.at(1).get<uint64_t>();
  }
  return profile;
}

Json to_json(const OutputOutcome& output) {
  const Comparison& comparison = output.comparison;
  Json json = {{"name", output.name},
               {"data_set", output.data_set},
               {"dtype", comparison.dtype},
               {"shape", comparison.shape},
               {"tolerance", to_json(output.tolerance)},
               {"max_abs", number(comparison.max_abs)},
               {"max_rel", number(comparison.max_rel)},
               {"max_ulp", comparison.max_ulp},
               {"bound_ratio", number(comparison.bound_ratio)},
               {"expected_ratio", number(output.expected_ratio)},
               {"mismatched", comparison.mismatched},
               {"unspecified", comparison.unspecified},
               {"unproved", output.unproved},
               {"loose", output.loose},
               {"elements", comparison.elements}};
  if (!comparison.problem.empty()) json["problem"] = comparison.problem;
  add_profile(comparison.profile, json);
  if (comparison.first_mismatch) {
    json["first_mismatch"] = {{"index", comparison.first_mismatch->index},
                              {"expected", comparison.first_mismatch->expected},
                              {"actual", comparison.first_mismatch->actual}};
  }
  return json;
}

OutputOutcome output_from(const Json& json) {
  OutputOutcome output;
  output.name = json.value("name", "");
  output.data_set = json.value("data_set", 0);
  output.tolerance = tolerance_from(json.value("tolerance", Json::object()));
  output.expected_ratio = optional_from(json, "expected_ratio");
  output.unproved = json.value("unproved", uint64_t{0});
  output.loose = json.value("loose", uint64_t{0});
  Comparison& comparison = output.comparison;
  comparison.dtype = json.value("dtype", "");
  comparison.shape = json.value("shape", std::vector<int64_t>{});
  comparison.max_abs = optional_from(json, "max_abs").value_or(0);
  comparison.max_rel = optional_from(json, "max_rel").value_or(0);
  comparison.max_ulp = json.value("max_ulp", uint64_t{0});
  comparison.bound_ratio = optional_from(json, "bound_ratio");
  comparison.mismatched = json.value("mismatched", uint64_t{0});
  comparison.unspecified = json.value("unspecified", uint64_t{0});
  comparison.elements = json.value("elements", uint64_t{0});
  comparison.problem = json.value("problem", "");
  comparison.profile = profile_from(json);
  if (const auto found = json.find("first_mismatch"); found != json.end()) {
    comparison.first_mismatch = Mismatch{found->value("index", std::vector<int64_t>{}),
                                         found->value("expected", ""), found->value("actual", "")};
  }
  comparison.matches = comparison.mismatched == 0 && comparison.problem.empty();
  return output;
}

Json to_json(const ValueStatistics& input) {
  return {{"name", input.name},         {"type", input.type},
          {"shape", input.shape},       {"constant", input.constant},
          {"elements", input.elements}, {"minimum", input.minimum},
          {"maximum", input.maximum},   {"smallest_magnitude", input.smallest_magnitude},
          {"nan", input.nan},           {"infinite", input.infinite},
          {"zero", input.zero},         {"subnormal", input.subnormal}};
}

ValueStatistics statistics_from(const Json& json) {
  ValueStatistics input;
  input.name = json.value("name", "");
  input.type = json.value("type", "");
  input.shape = json.value("shape", std::vector<int64_t>{});
  input.constant = json.value("constant", false);
  input.elements = json.value("elements", uint64_t{0});
  input.minimum = json.value("minimum", "");
  input.maximum = json.value("maximum", "");
  input.smallest_magnitude = json.value("smallest_magnitude", "");
  input.nan = json.value("nan", uint64_t{0});
  input.infinite = json.value("infinite", uint64_t{0});
  input.zero = json.value("zero", uint64_t{0});
  input.subnormal = json.value("subnormal", uint64_t{0});
  return input;
}

Json to_json(const NodeOutcome& node);

template <class Items>
Json list_of(const Items& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}

Json to_json(const FirstDivergence& first) {
  return {{"node", first.node},     {"op", first.op},
          {"domain", first.domain}, {"since_version", first.since_version},
          {"index", first.index},   {"output", first.output},
          {"path", first.path}};
}

FirstDivergence divergence_from(const Json& json) {
  return {json.value("node", ""),          json.value("op", ""),
          json.value("domain", ""),        json.value("since_version", 0),
          json.value("index", int64_t{0}), json.value("output", ""),
          json.value("path", "")};
}

Json to_json(const NodeOutcome& node) {
  Json json = {{"node", node.node},
               {"op", node.op},
               {"domain", node.domain},
               {"path", node.path},
               {"since_version", node.since_version},
               {"index", node.index},
               {"status", status_name(node.status)},
               {"message", node.message},
               {"outputs", list_of(node.outputs)}};
  if (!node.in_model.empty()) json["in_model"] = list_of(node.in_model);
  if (!node.inputs.empty()) json["inputs"] = list_of(node.inputs);
  if (!node.extracted.empty()) json["extracted"] = node.extracted;
  return json;
}

Status status_from(const Json& json) {
  const auto status = status_from_name(json.value("status", ""));
  if (!status) throw Json::other_error::create(501, "a status is unknown", &json);
  return *status;
}

NodeOutcome node_from(const Json& json) {
  NodeOutcome node;
  node.node = json.value("node", "");
  node.op = json.value("op", "");
  node.domain = json.value("domain", "");
  node.path = json.value("path", "");
  node.since_version = json.value("since_version", 0);
  node.index = json.value("index", int64_t{0});
  node.status = status_from(json);
  node.message = json.value("message", "");
  node.extracted = json.value("extracted", "");
  for (const Json& output : json.value("outputs", Json::array())) {
    node.outputs.push_back(output_from(output));
  }
  for (const Json& output : json.value("in_model", Json::array())) {
    node.in_model.push_back(output_from(output));
  }
  for (const Json& input : json.value("inputs", Json::array())) {
    node.inputs.push_back(statistics_from(input));
  }
  return node;
}

Json to_json(const Outcome& outcome) {
  Json json = {{"test", outcome.test},         {"path", outcome.path},
               {"backend", outcome.backend},   {"status", status_name(outcome.status)},
               {"seconds", outcome.seconds},   {"message", outcome.message},
               {"ops", outcome.ops},           {"outputs", list_of(outcome.outputs)},
               {"warnings", outcome.warnings}, {"erratum", outcome.erratum}};
  if (outcome.known) {
    json["known"] = {{"reason", outcome.known->reason}, {"link", outcome.known->link}};
  }
  if (outcome.unexpected_pass) json["unexpected_pass"] = true;
  json["generated_inputs"] = outcome.generated_inputs;
  json["extracted"] = outcome.extracted;
  json["unstable"] = outcome.unstable;
  json["nodes"] = list_of(outcome.nodes);
  if (outcome.first_divergence) json["first_divergence"] = to_json(*outcome.first_divergence);
  if (outcome.first_in_model) json["first_in_model"] = to_json(*outcome.first_in_model);
  if (!outcome.op_versions.empty()) json["op_versions"] = outcome.op_versions;
  return json;
}

Outcome outcome_from(const Json& json) {
  Outcome outcome;
  outcome.test = json.value("test", "");
  outcome.path = json.value("path", "");
  outcome.backend = json.value("backend", "");
  outcome.status = status_from(json);
  outcome.seconds = json.value("seconds", 0.0);
  outcome.message = json.value("message", "");
  outcome.ops = json.value("ops", std::vector<std::string>{});
  outcome.warnings = json.value("warnings", std::vector<std::string>{});
  outcome.erratum = json.value("erratum", "");
  outcome.unexpected_pass = json.value("unexpected_pass", false);
  outcome.generated_inputs = json.value("generated_inputs", std::vector<std::string>{});
  outcome.unstable = json.value("unstable", std::vector<std::string>{});
  outcome.extracted = json.value("extracted", "");
  for (const Json& output : json.value("outputs", Json::array())) {
    outcome.outputs.push_back(output_from(output));
  }
  for (const Json& node : json.value("nodes", Json::array())) {
    outcome.nodes.push_back(node_from(node));
  }
  if (const auto known = json.find("known"); known != json.end()) {
    outcome.known = KnownFailure{known->value("reason", ""), known->value("link", "")};
  }
  if (const auto first = json.find("first_divergence"); first != json.end()) {
    outcome.first_divergence = divergence_from(*first);
  }
  if (const auto first = json.find("first_in_model"); first != json.end()) {
    outcome.first_in_model = divergence_from(*first);
  }
  outcome.op_versions = json.value("op_versions", std::vector<int>{});
  return outcome;
}

Json to_json(const Summary& summary) {
  Json json;
  for (int i = 0; i < kStatusCount; ++i) {
    json[std::string(status_name(static_cast<Status>(i)))] = summary.counts[i];
  }
  json["expected_fail"] = summary.expected_fail;
  json["unexpected_pass"] = summary.unexpected_pass;
  return json;
}

Json to_json(const BackendDescription& backend) {
  Json json = {{"spelling", backend.spelling},
               {"name", backend.name},
               {"version", backend.version},
               {"options", Json::object()},
               {"device", backend.device}};
  for (const auto& [key, value] : backend.options) json["options"][key] = value;
  if (!backend.failure.empty()) json["failure"] = backend.failure;
  return json;
}

BackendDescription backend_from(const Json& json) {
  BackendDescription backend;
  backend.spelling = json.value("spelling", "");
  backend.name = json.value("name", "");
  backend.version = json.value("version", "");
  backend.device = json.value("device", "");
  backend.failure = json.value("failure", "");
  const Json options = json.value("options", Json::object());
  for (const auto& [key, value] : options.items()) {
    backend.options[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return backend;
}

// File names and strings of a model may hold bytes that are no UTF-8.
std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const Results& results) {
  Json json = {{"tool", "onnx-verify"},
               {"format", 1},
               {"version", results.version},
               {"backends", Json::array()},
               {"summary", Json::object()}};
  for (const BackendDescription& backend : results.backends) {
    json["backends"].push_back(to_json(backend));
  }
  for (const auto& [name, summary] : summarize(results)) json["summary"][name] = to_json(summary);
  std::string text = dump(json, -1);
  text.pop_back();
  // One result a line: large files stay readable and quick to write.
  text += ",\"results\":[";
  const char* separator = "\n";
  for (const Outcome& outcome : results.outcomes) {
    text += separator + dump(to_json(outcome), -1);
    separator = ",\n";
  }
  return text + "]}\n";
}

Results results_from_json(std::string_view text, const std::string& source) {
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("tool", "") != "onnx-verify" || json.value("format", 0) != 1) {
      fail_usage("results-file", source, "wanted results of onnx-verify, format 1");
    }
    Results results;
    results.version = json.value("version", "");
    for (const Json& backend : json.at("backends"))
      results.backends.push_back(backend_from(backend));
    for (const Json& outcome : json.at("results"))
      results.outcomes.push_back(outcome_from(outcome));
    return results;
  } catch (const Json::exception& error) {
    // Without the library's own number in front: "[json.exception.parse_error.101] ".
    const std::string_view reason = error.what();
    fail_usage("results-file", source + ": " + std::string(reason.substr(reason.find("] ") + 2)), "wanted results of onnx-verify");
  }
}

}  // namespace onnxv
