// Attributes between the file's form and the operators' form.
#pragma once

#include <memory>
#include <vector>

#include "ops/operator.h"
#include "schema/schema.h"
#include "src/model/graph.h"

namespace onnxv {

// The graphs of an attribute that holds one or a list of them; empty for another.
std::vector<std::shared_ptr<const Graph>> graphs_of(const Attribute& attribute);
// Of an attribute that is no graph. `wanted` is the schema's kind (kUndefined: none says it): an
// empty list may have lost its kind in the file. Schema error for a kind that no operator has.
AttributeValue attribute_value(const Attribute& attribute, Attribute::Kind wanted);
// Whether an operator's attribute may hold the value.
bool fits(const AttributeValue& value, const AttributeSchema& schema);
// Every attribute of the schema that has a value, the given or the default. Schema errors: a value of another kind, none where
// one is required.
std::vector<NamedAttribute> with_defaults(std::span<const NamedAttribute> given, const OpSchema& schema);
// A name that tools reserve for their own notes; never handed to operators.
inline bool is_note(const Attribute& attribute) { return attribute.name.starts_with("__"); }
// Arity and attributes of a node that calls a function. Schema errors without a place.
void check_function_call(const Node& node, const Function& function);

}  // namespace onnxv
