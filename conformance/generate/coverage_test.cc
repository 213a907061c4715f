// The whole suite, evaluated but not written: what it must hold.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/generate/case_model.h"
#include "conformance/generate/write_unit.h"
#include "schema/ledger.h"
#include "src/model/model_io.h"

namespace onnxv::generate {
namespace {

using Json = nlohmann::json;

std::string label(const OpSchema& schema) {
  return schema.domain + " " + schema.name + "-" + std::to_string(schema.since_version);
}

// Attributes of the node under test, as a text that two equal sets share.
std::string attribute_set(const Model& model) {
  Graph alone;
  alone.nodes.push_back({});
  alone.nodes[0].attributes = model.graph->nodes.back().attributes;
  std::sort(alone.nodes[0].attributes.begin(), alone.nodes[0].attributes.end(),
            [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
  Model bare;
  bare.graph = std::make_shared<const Graph>(std::move(alone));
  return serialize_model(bare);
}

// Operators whose attributes allow fewer than five sets.
const std::map<std::string, size_t> kFewSets = {
    {"ai.onnx AffineGrid", 3},           // align_corners absent, 0, 1
    {"ai.onnx BitShift", 2},             // LEFT, RIGHT
    {"ai.onnx CausalConvWithState", 4},  // activation absent or one of three
    {"ai.onnx GRUUnit", 3},              // drop_states absent, 0, 1
    {"ai.onnx Gelu", 3},                 // approximate absent or one of two
    {"ai.onnx ImageDecoder", 4},         // pixel_format absent or one of three
    {"ai.onnx Mod", 3},                  // fmod absent, 0, 1
    {"ai.onnx NonMaxSuppression", 3},    // center_point_box absent, 0, 1
    {"ai.onnx STFT", 3},                 // onesided absent, 0, 1
    {"ai.onnx Trilu", 3},                // upper absent, 0, 1
    {"ai.onnx.ml Normalizer", 4},        // norm absent or one of three
};

}  // namespace

TEST_CASE("everything: 20,000 directories and more, every operator, version and type") {
  std::set<std::string> found, names;
  size_t dropped = 0;
  for (const Unit& unit : units_of({})) {
    const UnitResult result = write_unit(unit, {}, "");
    CAPTURE(label(*unit.schema));
    CHECK(result.counts.broken.empty());
    CHECK(result.counts.written > 0);
    for (const auto& [reason, count] : result.counts.dropped) dropped += count;
    for (const Json& line : Json::parse("[" + result.index + "]")) {
      CHECK(names.insert(line.at("test").get<std::string>()).second);
      for (const auto& [parameter, type] : line.at("types").items())
        found.insert(label(*unit.schema) + " " + parameter + " " + type.get<std::string>());
    }
  }
  std::cout << names.size() << " directories, " << dropped << " combinations dropped\n";
  CHECK(names.size() >= 20000);
  CHECK(dropped < names.size() / 500);
  for (const OperatorName& name : all_operator_names()) {
    for (const OpSchema& schema : schema_versions(name.domain, name.name)) {
      if (ledger_status(schema) != OpStatus::kImplemented) continue;
      for (const TypeParameter& parameter : schema.type_parameters) {
        for (const std::string& type : parameter.types) {
          // Strings cannot be added: Col2Im of them has no value.
          if (schema.name == "Col2Im" && type == "tensor(string)") continue;
          const std::string wanted = label(schema) + " " + parameter.name + " " + type;
          CHECK_MESSAGE(found.contains(wanted), wanted);
        }
      }
    }
  }
}

TEST_CASE("at least five attribute sets for each operator that has attributes") {
  std::map<std::string, std::set<std::string>> sets;
  std::set<std::string> with_attributes;
  for (const Unit& unit : units_of({})) {
    const std::string name = unit.schema->domain + " " + unit.schema->name;
    if (!unit.schema->attributes.empty()) with_attributes.insert(name);
    for (const PlannedCase& planned : plan_cases(*unit.schema))
      sets[name].insert(attribute_set(case_model(*unit.schema, planned, unit.opset, "x").model));
  }
  for (const std::string& name : with_attributes) {
    const auto few = kFewSets.find(name);
    const size_t wanted = few == kFewSets.end() ? 5 : few->second;
    CAPTURE(name);
    CHECK(sets[name].size() >= wanted);
  }
}

}  // namespace onnxv::generate
