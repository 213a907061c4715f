// Attributes between the file's form and the operators' form.
#pragma once

#include <memory>
#include <vector>

#include "ops/operator.h"
#include "src/model/graph.h"

namespace onnxv {

bool is_graph(const Attribute& attribute);  // one graph, or a list of them
std::vector<std::shared_ptr<const Graph>> graphs_of(const Attribute& attribute);
// Of an attribute that is no graph. Schema error for a kind that no operator has.
AttributeValue attribute_value(const Attribute& attribute);
// The kind that the value would have in a file.
Attribute::Kind kind_of(const AttributeValue& value);
// Arity and attributes of a node that calls a function. Schema errors without a place.
void check_function_call(const Node& node, const Function& function);

}  // namespace onnxv
