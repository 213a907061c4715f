// Every floating operator version has a bound, or is said to have no freedom; and what is said is what its outputs show.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "conformance/compare/tolerance.h"
#include "conformance/origin.h"
#include "conformance/suite.h"
#include "conformance/trial.h"
#include "schema/schema.h"

namespace onnxv {
namespace {

bool makes_floats(const OpSchema& schema) {
  for (const TypeParameter& parameter : schema.type_parameters) {
    for (const std::string& type : parameter.types) {
      if (type.find("float") != std::string::npos || type.find("double") != std::string::npos) return true;
    }
  }
  return schema.domain == "ai.onnx.ml";  // their float outputs have no type parameter
}

TEST_CASE("every operator version that knows floats says where its freedom lies") {
  size_t versions = 0;
  std::map<std::string, size_t> counts;
  for (const OperatorName& name : all_operator_names()) {
    for (const OpSchema& schema : schema_versions(name.domain, name.name)) {
      if (!makes_floats(schema) || name.name == "ATen") continue;  // ATen: nothing defines its values
      ++versions;
      const Freedom* freedom = ToleranceTable::built_in().freedom(name.domain, name.name, schema.since_version);
      CAPTURE(name.domain);
      CAPTURE(name.name);
      CAPTURE(schema.since_version);
      REQUIRE(freedom != nullptr);
      CHECK_FALSE(freedom->reason.empty());
      ++counts[std::string(freedom_name(freedom->kind))];
    }
  }
  std::printf("freedom: %zu versions that know floats:", versions);
  for (const auto& [kind, count] : counts) std::printf(" %zu %s", count, kind.c_str());
  std::printf("\n");
}

// What a tensor shows: no bounds or only exact ones, or some with room.
bool has_room(const Tensor& tensor) {
  if (tensor.bounds() == nullptr) return false;
  for (const Bound& bound : *tensor.bounds()) {
    if (bound.known() && bound.low != bound.high) return true;
  }
  return false;
}

// An output whose every element is one of an input (a selection, a sum of one, a reduction over no axes) has nothing computed.
bool is_moved(const Tensor& output, const TrialData& data) {
  std::set<uint64_t> codes;
  for (const Value& input : data.files.inputs) {
    if (!input.is_tensor() || input.tensor().dtype() != output.dtype()) continue;
    for (size_t i = 0; i < input.tensor().size(); ++i) codes.insert(input.tensor().code(i));
  }
  for (size_t i = 0; i < output.size(); ++i) {
    if (!codes.contains(output.code(i))) return false;
  }
  return true;
}

// One test of one node: what is wrong with its float outputs; "" where nothing is.
std::string wrong_with(const Trial& trial, const Freedom& freedom) {
  for (const TrialData& data : trial.data) {
    if (!data.exact) continue;
    for (const Value& output : data.exact->outputs) {
      if (!output.is_tensor() || !is_float(output.tensor().dtype()) || output.tensor().size() == 0) continue;
      const Tensor& tensor = output.tensor();
      if (freedom.kind == Freedom::Kind::kBits && has_room(tensor)) return "has room, against its freedom";
      if (freedom.kind == Freedom::Kind::kBound && tensor.bounds() == nullptr && !is_moved(tensor, data)) return "has no bounds";
    }
  }
  return "";
}

TEST_CASE("the suites' single nodes: outputs carry the bounds that their operators' freedom promises") {
  const char* suites = std::getenv("ONNXV_SUITES");
  if (suites == nullptr || !std::filesystem::exists(std::string(suites) + "/oracle")) {
    MESSAGE("no suites: scripts/test unpacks them");
    return;
  }
  std::map<std::string, int> seen;
  std::set<std::string> with_bounds;
  const ToleranceModel assumptions;
  for (const Case& test : find_suite({std::string(suites) + "/oracle"})) {
    Trial trial;
    try {
      trial = read_trial(test);
    } catch (const Error&) {
      continue;
    }
    if (!is_single_node(*trial.model)) continue;
    const std::vector<Origin> origins = output_origins(*trial.model, false);
    if (origins.empty() || origins[0].op.empty()) continue;
    const Origin& origin = origins[0];
    const Freedom* freedom = ToleranceTable::built_in().freedom(origin.domain, origin.op, origin.since_version);
    const std::string version = origin.op + "-" + std::to_string(origin.since_version);
    constexpr int kOfEach = 2;
    if (freedom == nullptr || ++seen[version] > kOfEach) continue;
    evaluate_exactly(trial, 0, &assumptions);
    CAPTURE(test.name);
    CAPTURE(version);
    CHECK(wrong_with(trial, *freedom) == "");
    if (freedom->kind == Freedom::Kind::kBound || freedom->kind == Freedom::Kind::kSteps) with_bounds.insert(version);
  }
  std::printf("bounds: %zu operator versions run, %zu with bounds\n", seen.size(), with_bounds.size());
  CHECK(with_bounds.size() >= 80);  // what the packed suites hold as single nodes
}

}  // namespace
}  // namespace onnxv
