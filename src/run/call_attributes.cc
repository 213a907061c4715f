// The attributes of one call, in the operators' form.
#include "src/run/attributes.h"
#include "src/run/frame.h"

namespace onnxv {
namespace {

const AttributeValue* bound(const AttributeBindings* bindings, std::string_view name) {
  if (bindings == nullptr) return nullptr;
  for (const auto& [known, value] : *bindings) {
    if (known == name) return &value;
  }
  return nullptr;
}

AttributeValue bodies_value(const GivenAttribute& given, Frame& frame, const std::string& path) {
  if (!given.is_list) return make_body(given.bodies.front(), frame, path + "/" + given.name);
  std::vector<std::shared_ptr<Body>> list;
  for (const auto& plan : given.bodies) {
    list.push_back(make_body(plan, frame, path + "/" + given.name + std::to_string(list.size())));
  }
  return list;
}

}  // namespace

CallAttributes::CallAttributes(const NodePlan& node, Frame& frame) {
  for (const GivenAttribute& given : node.attributes) {
    if (!given.reference.empty()) {
      // A reference to an attribute that the call does not give leaves this one absent, too.
      if (const AttributeValue* value = bound(frame.attributes, given.reference)) {
        given_.push_back({given.name, value});
      }
    } else if (!given.bodies.empty()) {
      bodies_.push_back(
          std::make_unique<AttributeValue>(bodies_value(given, frame, frame.path_of(node))));
      given_.push_back({given.name, bodies_.back().get()});
    } else {
      given_.push_back({given.name, &given.value});
    }
  }
}

const AttributeValue* CallAttributes::find(std::string_view name) const {
  for (const auto& [known, value] : given_) {
    if (known == name) return value;
  }
  return nullptr;
}

AttributeBindings CallAttributes::bindings(const FunctionPlan& function) const {
  AttributeBindings bindings;
  for (const auto& [name, value] : given_) bindings.emplace_back(name, *value);
  for (const auto& [name, value] : function.defaults) {
    if (find(name) == nullptr) bindings.emplace_back(name, value);
  }
  return bindings;
}

}  // namespace onnxv
