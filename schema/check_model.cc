// A whole model: versions, imports, functions; the graphs are check_graph's.
#include <set>

#include "schema/check_graph.h"

namespace onnxv {
namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::map<std::string, int64_t> opsets_by_domain(const std::vector<OpsetImport>& imports) {
  std::map<std::string, int64_t> opsets;
  for (const OpsetImport& import : imports) {
    opsets.emplace(import.domain.empty() ? "ai.onnx" : import.domain, import.version);
  }
  return opsets;
}

// Before IR version 3 a model could not say its opset: it was 1.
std::map<std::string, int64_t> opsets_of(const Model& model) {
  if (model.opset_imports.empty() && model.ir_version < 3) return {{"ai.onnx", 1}};
  return opsets_by_domain(model.opset_imports);
}

void check_ir_version(const Model& model, GraphChecker& checker) {
  if (model.ir_version >= 1 && model.ir_version <= kNewestIrVersion) return;
  checker.report("ir-version", "model", "ir_version is " + std::to_string(model.ir_version),
                 "must be 1 to " + std::to_string(kNewestIrVersion), ErrorKind::kModel);
}

void check_imports(const std::vector<OpsetImport>& imports, const std::string& place,
                   GraphChecker& checker) {
  std::map<std::string, int64_t> seen;
  for (const OpsetImport& import : imports) {
    const std::string domain = import.domain.empty() ? "ai.onnx" : import.domain;
    const std::string got =
        "opset " + std::to_string(import.version) + " of " + quoted(domain) + " is imported";
    const auto [first, fresh] = seen.emplace(domain, import.version);
    if (!fresh && first->second != import.version) {
      checker.report("opset-twice", place, got,
                     "and opset " + std::to_string(first->second) + " too", ErrorKind::kModel);
    }
    const int64_t newest = newest_opset(domain);
    if (import.version < 1) {
      checker.report("opset-version", place, got, "opsets count from 1", ErrorKind::kModel);
    } else if (newest > 0 && import.version > newest) {
      checker.report("opset-unknown", place, got, "the newest known is " + std::to_string(newest),
                     ErrorKind::kModel);
    }
  }
}

void check_functions(const Model& model, const FunctionIndex& functions, GraphChecker& checker) {
  std::set<FunctionKey> seen;
  for (const Function& function : model.functions) {
    const std::string place = "function " + text(key_of(function));
    if (function.name.empty()) checker.report("name-empty", place, "it has no name");
    if (!seen.insert(key_of(function)).second) {
      checker.report("function-twice", place, "two functions have this domain, name and overload");
    }
    check_imports(function.opset_imports, place, checker);
    checker.check_function(function, {opsets_by_domain(function.opset_imports), &function});
  }
  const std::vector<FunctionKey> ring = find_recursion(functions);
  if (ring.empty()) return;
  std::string way;
  for (const FunctionKey& key : ring) way += text(key) + " -> ";
  checker.report("function-recursion", "function " + text(ring.front()),
                 "it calls itself: " + way + text(ring.front()), "functions must not recur");
}

}  // namespace

int64_t imported_opset(const Model& model, std::string_view domain) {
  const auto opsets = opsets_of(model);
  const auto found = opsets.find(domain.empty() ? "ai.onnx" : std::string(domain));
  return found == opsets.end() ? 0 : found->second;
}

std::vector<Finding> check_model(const Model& model) {
  std::vector<Finding> findings;
  const FunctionIndex functions = index_functions(model.functions);
  GraphChecker checker(model.ir_version, functions, findings);
  check_ir_version(model, checker);
  const auto opsets = opsets_of(model);
  if (opsets.empty()) {
    checker.report("opset-import", "model", "no opset is imported", "required since IR version 3",
                   ErrorKind::kModel);
  }
  check_imports(model.opset_imports, "model", checker);
  if (model.graph == nullptr) {
    checker.report("graph-missing", "model", "it has no graph", {}, ErrorKind::kModel);
  } else {
    checker.check_graph(*model.graph, {opsets, nullptr}, nullptr, "", 0);
  }
  check_functions(model, functions, checker);
  return findings;
}

}  // namespace onnxv
