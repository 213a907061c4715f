#include "conformance/generate/write_unit.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "conformance/generate/case_model.h"
#include "conformance/generate/case_tolerance.h"
#include "conformance/node_directory.h"
#include "conformance/trial.h"
#include "src/model/model_io.h"
#include "src/run/evaluate.h"

namespace onnxv::generate {
namespace {

using Json = nlohmann::ordered_json;

const Type& innermost(const Type& type) { return type.element ? innermost(*type.element) : type; }

bool has_type(const PlannedCase& planned, const std::vector<DType>& wanted) {
  return wanted.empty() ||
         std::any_of(planned.types.begin(), planned.types.end(), [&](const auto& entry) {
           return std::find(wanted.begin(), wanted.end(), innermost(entry.second).dtype) !=
                  wanted.end();
         });
}

std::string word(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const bool upper = 'A' <= c && c <= 'Z';
    const bool plain = upper || ('a' <= c && c <= 'z') || ('0' <= c && c <= '9');
    if (plain) {
      made += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!made.empty() && made.back() != '_') {
      made += '_';
    }
  }
  while (made.ends_with('_')) made.pop_back();
  return made;
}

// "test_softmax_v13_float16_007", "test_ml_scaler_v1_float_000".
std::string directory_name(const OpSchema& schema, const PlannedCase& planned, size_t number) {
  std::string name = "test_";
  if (schema.domain != "ai.onnx")
    name += word(schema.domain.substr(schema.domain.rfind('.') + 1)) + "_";
  name += word(schema.name) + "_v" + std::to_string(schema.since_version);
  if (!planned.types.empty()) {
    const Type& type = planned.types.front().second;
    name += "_" + word(type.kind == Type::Kind::kTensor ? dtype_name(type.dtype)
                                                        : std::string_view(schema_spelling(type)));
  }
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return name + "_" + digits;
}

// Nodes, inputs' types and inputs as bytes, without what only names the directory.
std::string content_of(const CaseModel& made) {
  Graph unnamed = *made.model.graph;
  unnamed.name.clear();
  Model model;
  model.graph = std::make_shared<const Graph>(std::move(unnamed));
  std::string content = serialize_model(model);
  for (const Value& input : made.inputs) content += serialize_value(input);
  return content;
}

// Elements of the graph's outputs that the text leaves open.
size_t unspecified_elements(const Evaluation& evaluation) {
  size_t count = 0;
  for (size_t i = 0; i < evaluation.unspecified.size(); ++i) {
    for (const UnspecifiedMark& mark : evaluation.unspecified[i]) {
      const bool whole = mark.elements.empty() && evaluation.outputs[i].is_tensor();
      count += whole ? evaluation.outputs[i].tensor().size()
                     : static_cast<size_t>(std::count_if(mark.elements.begin(), mark.elements.end(),
                                                         [](uint8_t open) { return open != 0; }));
    }
  }
  return count;
}

class UnitWriter {
 public:
  UnitWriter(const Unit& unit, std::string directory)
      : unit_(unit), directory_(std::move(directory)) {}

  UnitResult take() && { return std::move(result_); }

  void add(const PlannedCase& planned, size_t number) {
    const OpSchema& schema = *unit_.schema;
    const std::string name = directory_name(schema, planned, number);
    const std::string label = schema.name + "-" + std::to_string(schema.since_version);
    try {
      CaseModel made = case_model(schema, planned, unit_.opset, name);
      if (!seen_.insert(content_of(made)).second) {
        ++result_.counts.equal;
        return;
      }
      evaluate_and_write(std::move(made), name);
    } catch (const Error& error) {
      const bool refused = error.kind() == ErrorKind::kModel ||
                           error.kind() == ErrorKind::kSchema ||
                           error.kind() == ErrorKind::kUndefined;
      if (refused) {
        ++result_.counts.dropped[label + " " + error.what()];
      } else {
        result_.counts.broken.push_back(name + ": " + error.what());
      }
    }
  }

 private:
  void evaluate_and_write(CaseModel made, const std::string& name) {
    std::map<std::string, Value> inputs;
    const auto& ports = made.model.graph->inputs;
    for (size_t i = 0; i < ports.size(); ++i) inputs[ports[i].name] = made.inputs[i];
    const PreparedModel prepared(std::make_shared<const Model>(made.model));
    Evaluation evaluation = evaluate(prepared, inputs);
    const size_t open = unspecified_elements(evaluation);
    if (open > 0)
      made.sentence += " " + std::to_string(open) + " elements are left open by the text.";
    complete(made, evaluation, name);
    if (!directory_.empty()) {
      CaseContents contents;
      contents.model = &made.model;
      contents.tolerance_json = case_tolerance({made, prepared, inputs, evaluation.outputs});
      contents.data_sets.push_back({made.inputs, std::move(evaluation.outputs)});
      write_case(contents, directory_ + "/" + name);
    }
    note(made, name, open);
  }

  // A single node's outputs carry their bounds.
  static Evaluation evaluate(const PreparedModel& prepared, const std::map<std::string, Value>& inputs) {
    std::optional<ToleranceScope> scope;
    if (is_single_node(prepared.model())) scope.emplace(tolerance_model("", "", {}));
    return prepared.evaluate(inputs);
  }

  // Types as they came out, and the sentence.
  static void complete(CaseModel& made, const Evaluation& evaluation, const std::string& name) {
    auto graph = std::make_shared<Graph>(*made.model.graph);
    for (size_t i = 0; i < graph->outputs.size(); ++i) {
      Type& declared = graph->outputs[i].type;
      const Value& value = evaluation.outputs[i];
      if (value.is_tensor() || declared.kind == Type::Kind::kUnknown) declared = value.type();
    }
    graph->name = name;
    made.model.graph = std::move(graph);
    made.model.doc = made.sentence;
  }

  void note(const CaseModel& made, const std::string& name, size_t open) {
    const OpSchema& schema = *unit_.schema;
    Json types = Json::object();
    for (const auto& [parameter, type] : made.types) types[parameter] = type;
    Json line{{"test", name},
              {"domain", schema.domain},
              {"op", schema.name},
              {"version", schema.since_version},
              {"opset", unit_.opset},
              {"types", types},
              {"sentence", made.sentence}};
    if (open > 0) line["unspecified"] = open;
    result_.index += (result_.index.empty() ? "" : ",\n") + line.dump();
    ++result_.counts.written;
    if (open > 0) ++result_.counts.unspecified;
  }

  const Unit& unit_;
  std::string directory_;
  std::set<std::string> seen_;
  UnitResult result_;
};

}  // namespace

UnitResult write_unit(const Unit& unit, const Slice& slice, const std::string& directory) {
  UnitWriter writer(unit, directory);
  const std::vector<PlannedCase> cases = plan_cases(*unit.schema);
  for (size_t number = 0; number < cases.size(); ++number) {
    if (has_type(cases[number], slice.types)) writer.add(cases[number], number);
  }
  return std::move(writer).take();
}

std::string to_text(const UnitResult& result) {
  const SuiteSummary& counts = result.counts;
  return Json{{"index", result.index},     {"written", counts.written},
              {"equal", counts.equal},     {"unspecified", counts.unspecified},
              {"dropped", counts.dropped}, {"broken", counts.broken}}
      .dump();
}

UnitResult from_text(std::string_view text) {
  const Json json = Json::parse(text);
  UnitResult result;
  result.index = json.at("index").get<std::string>();
  result.counts.written = json.at("written").get<size_t>();
  result.counts.equal = json.at("equal").get<size_t>();
  result.counts.unspecified = json.at("unspecified").get<size_t>();
  result.counts.dropped = json.at("dropped").get<std::map<std::string, size_t>>();
  result.counts.broken = json.at("broken").get<std::vector<std::string>>();
  return result;
}

}  // namespace onnxv::generate
