// Types of ports that attributes name: Cast's `to`, Constant's `value`, the stash_type of LayerNormalization.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/schema.h"

namespace onnxv {

// What an attribute says of a type: the number or the name of an element type, or a whole type (unknown: that it is there). Nothing:
// a reference to a function's attribute, which says it when the function is called.
using TypeClaim = std::variant<std::monostate, int64_t, std::string, Type>;
// nullopt where the node does not give the attribute.
using TypeClaims = std::function<std::optional<TypeClaim>(std::string_view attribute)>;
TypeClaims type_claims(const Node& node);
TypeClaims type_claims(std::span<const NamedAttribute> attributes);

// The types that attributes give to the first `count` outputs; kind kUnknown where they give none. Throws a schema error
// without a place: "attribute-type" where one names no type or one that its port does not allow, "type-mismatch" where an input
// says otherwise. `inputs[i]` of kind kUnknown is not checked.
std::vector<Type> types_by_attributes(const OpSchema& schema, const TypeClaims& claims,
                                      const std::vector<Type>& inputs, size_t count);

}  // namespace onnxv
