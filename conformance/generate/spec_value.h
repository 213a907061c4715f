// Values and attributes as a recipe describes them.
#pragma once

#include <functional>
#include <string>

#include "conformance/generate/recipe.h"
#include "src/model/graph.h"

namespace onnxv::generate {

// What a spec means in one directory.
struct SpecContext {
  ValueClass value_class = ValueClass::kOrdinary;
  uint64_t key = 0;  // of the directory: its random values are nobody else's
  std::function<Type(std::string_view)> type_of;  // of a parameter, or of a type spelled out
  int64_t opset = 0;                              // of ai.onnx, in subgraphs
};

// A value of the type. `name` chooses the random stream. Internal error where the spec does not say
// enough.
Value value_of(const Spec& spec, const Type& type, const SpecContext& context,
               const std::string& name);

Attribute attribute_of(const std::string& name, Attribute::Kind kind, const Spec& spec,
                       const SpecContext& context);
// An attribute that names a type: a number, a name or the type itself, as the schema asks.
Attribute type_attribute(const std::string& name, Attribute::Kind kind, const Type& type);

// A node whose attributes' kinds follow from its schema at the context's opset.
Node node_of(const NodeSpec& spec, const SpecContext& context);

// As a sentence shows it: "[2,3]", "1.5", "linear".
std::string spec_text(const Spec& spec);

}  // namespace onnxv::generate
