// The index over the compiled-in schemas: names at once, a schema's JSON on first use.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "schema/load.h"
#include "schema/schema.h"
#include "schema/texts.h"

namespace onnxv {
namespace {

using Key = std::pair<std::string_view, std::string_view>;

struct Entry {
  std::vector<const OperatorText*> texts;  // the real one, the experimental one, or both
  std::once_flag once;
  std::vector<OpSchema> versions;  // ascending
};

// Built once from the names alone; the entries never move, so schemas may be pointed at.
std::map<Key, Entry>& index() {
  static std::map<Key, Entry>& all = *[] {
    auto* made = new std::map<Key, Entry>;
    for (const OperatorText& text : operator_texts())
      (*made)[{text.domain, text.name}].texts.push_back(&text);
    return made;
  }();
  return all;
}

std::string_view spelled(std::string_view domain) { return domain.empty() ? "ai.onnx" : domain; }

void load(Entry& entry) {
  for (const OperatorText* text : entry.texts) {
    for (OpSchema& schema : load_operator(text->json)) entry.versions.push_back(std::move(schema));
  }
  std::stable_sort(
      entry.versions.begin(), entry.versions.end(),
      [](const OpSchema& a, const OpSchema& b) { return a.since_version < b.since_version; });
}

template <class Item>
const Item* by_name(const std::vector<Item>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

const PortSchema* port_at(const std::vector<PortSchema>& ports, size_t i) {
  if (i < ports.size()) return &ports[i];
  if (ports.empty() || ports.back().arity != PortSchema::Arity::kVariadic) return nullptr;
  return &ports.back();
}

}  // namespace

const AttributeSchema* OpSchema::attribute(std::string_view wanted) const {
  return by_name(attributes, wanted);
}
const TypeParameter* OpSchema::type_parameter(std::string_view wanted) const {
  return by_name(type_parameters, wanted);
}
const PortSchema* OpSchema::input_port(size_t i) const { return port_at(inputs, i); }
const PortSchema* OpSchema::output_port(size_t i) const { return port_at(outputs, i); }

std::span<const OpSchema> schema_versions(std::string_view domain, std::string_view name) {
  const auto found = index().find({spelled(domain), name});
  if (found == index().end()) return {};
  std::call_once(found->second.once, load, std::ref(found->second));
  return found->second.versions;
}

const OpSchema* find_schema(std::string_view domain, std::string_view name, int64_t opset) {
  const OpSchema* real = nullptr;
  const OpSchema* experimental = nullptr;
  for (const OpSchema& schema : schema_versions(domain, name)) {
    if (schema.experimental)
      experimental = &schema;
    else if (schema.since_version <= opset)
      real = &schema;
  }
  return real != nullptr ? real : experimental;
}

std::span<const OperatorName> all_operator_names() {
  static const std::vector<OperatorName> names = [] {
    std::vector<OperatorName> made;
    for (const auto& [key, entry] : index())
      made.push_back({std::string(key.first), std::string(key.second)});
    return made;
  }();
  return names;
}

int64_t newest_opset(std::string_view domain) {
  // Choice: ONNX Runtime numbers its NHWC twins of ai.onnx operators by ai.onnx's own opsets.
  if (domain == "com.ms.internal.nhwc") domain = "ai.onnx";
  int64_t newest = 0;
  for (const OperatorText& text : operator_texts()) {
    if (text.domain == spelled(domain)) newest = std::max<int64_t>(newest, text.newest);
  }
  return newest;
}

std::vector<std::string> known_domains() {
  std::set<std::string> domains;
  for (const OperatorText& text : operator_texts()) domains.emplace(text.domain);
  return {domains.begin(), domains.end()};
}

}  // namespace onnxv
