#include "conformance/case.h"

#include <set>

namespace onnxv {

std::vector<const ValueInfo*> required_inputs(const Graph& graph) {
  std::set<std::string_view> initialized;
  for (const Initializer& initializer : graph.initializers) initialized.insert(initializer.name);
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& input : graph.inputs) {
    if (!initialized.contains(input.name)) inputs.push_back(&input);
  }
  return inputs;
}

}  // namespace onnxv
