#include "schema/ledger.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

#include "schema/texts.h"

namespace onnxv {
namespace {

std::string version_text(std::string_view name, int version) {
  return std::string(name) + "-" + std::to_string(version);
}

std::string label(std::string_view domain, std::string_view name, int version) {
  return std::string(domain) + " " + version_text(name, version);
}

// "domain Op-version: reason"
UnimplementedRow row_from(std::string_view line) {
  const size_t blank = line.find(' ');
  const size_t colon = line.find(": ");
  const size_t dash = line.substr(0, colon).rfind('-');
  if (blank == std::string_view::npos || colon == std::string_view::npos ||
      dash == std::string_view::npos || dash < blank) {
    fail_internal("schema-data", "unimplemented.txt: \"" + std::string(line) +
                                     "\" is not \"domain Op-version: reason\"");
  }
  UnimplementedRow row;
  row.domain = line.substr(0, blank);
  row.name = line.substr(blank + 1, dash - blank - 1);
  std::from_chars(line.data() + dash + 1, line.data() + colon, row.since_version);
  row.reason = line.substr(colon + 2);
  return row;
}

bool has_row(const OpSchema& schema) {
  static const std::set<std::string> labels = [] {
    std::set<std::string> made;
    for (const UnimplementedRow& row : unimplemented_rows())
      made.insert(label(row.domain, row.name, row.since_version));
    return made;
  }();
  return labels.contains(label(schema.domain, schema.name, schema.since_version));
}

const OpSchema* version_before(const OpSchema& schema) {
  const OpSchema* before = nullptr;
  for (const OpSchema& version : schema_versions(schema.domain, schema.name)) {
    if (version.since_version < schema.since_version) before = &version;
  }
  return before;
}

bool lists(const Behaviour& behaviour, int version) {
  return std::find(behaviour.also.begin(), behaviour.also.end(), version) != behaviour.also.end();
}

bool same_port(const PortSchema& a, const PortSchema& b) {
  return a.name == b.name && a.type == b.type && a.arity == b.arity &&
         a.homogeneous == b.homogeneous && a.min_arity == b.min_arity;
}

bool same_float(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

// Of defaults, which are numbers, strings and lists of them.
bool same_default(const AttributeValue& a, const AttributeValue& b) {
  if (a.index() != b.index()) return false;
  const auto equal = [&]<class T>(const T& value) {
    const T& other = std::get<T>(b);
    if constexpr (std::is_same_v<T, float>) {
      return same_float(value, other);
    } else if constexpr (std::is_same_v<T, std::vector<float>>) {
      return std::equal(value.begin(), value.end(), other.begin(), other.end(), same_float);
    } else if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, int64_t> ||
                         std::is_same_v<T, std::string> ||
                         std::is_same_v<T, std::vector<int64_t>> ||
                         std::is_same_v<T, std::vector<std::string>>) {
      return value == other;
    } else {
      return false;
    }
  };
  return std::visit(equal, a);
}

bool same_attribute(const AttributeSchema& a, const AttributeSchema& b) {
  return a.name == b.name && a.kind == b.kind && a.also_kinds == b.also_kinds &&
         a.required == b.required && same_default(a.default_value, b.default_value);
}

void check_version(const OpSchema& schema, bool (*is_tested)(const OpSchema&),
                   std::vector<std::string>& problems) {
  const std::string place = label(schema.domain, schema.name, schema.since_version);
  const bool has_test = is_tested(schema);
  const OpSchema* before = version_before(schema);
  switch (standing(schema)) {
    case Standing::kMissing:
      problems.push_back(place + ": no behaviour, and no row in schema/unimplemented.txt");
      break;
    case Standing::kStarts:
      if (!has_test)
        problems.push_back(place + ": a behaviour starts here, but no test case names the version");
      break;
    case Standing::kAlso:
      if (!has_test && (before == nullptr || !only_types_differ(*before, schema))) {
        problems.push_back(
            place +
            ": listed in `also`, but its text, ports, attributes or defaults differ from those of"
            " the version before, and no test case names the version");
      }
      break;
    default: break;
  }
}

// Versions named in ops/ that no schema has, lists out of order.
void check_behaviours(const Operator& op, std::vector<std::string>& problems) {
  std::set<int> versions;
  for (const OpSchema& schema : schema_versions(op.domain, op.name))
    versions.insert(schema.since_version);
  std::set<int> seen;
  int last = 0;
  const auto claim = [&](int version) {
    const std::string place = label(op.domain, op.name, version);
    if (!versions.contains(version))
      problems.push_back(place + ": named in ops/, but no schema has this version");
    if (!seen.insert(version).second) problems.push_back(place + ": named twice in ops/");
    if (version <= last) problems.push_back(place + ": stands in ops/ behind a later version");
    last = version;
  };
  for (const Behaviour& behaviour : op.behaviours) {
    claim(behaviour.since);
    for (int version : behaviour.also) claim(version);
  }
}

void check_rows(std::vector<std::string>& problems) {
  std::pair<std::pair<std::string, std::string>, int> last;
  for (const UnimplementedRow& row : unimplemented_rows()) {
    const std::string place =
        "schema/unimplemented.txt: " + label(row.domain, row.name, row.since_version);
    const auto versions = schema_versions(row.domain, row.name);
    const auto schema = std::find_if(
        versions.begin(), versions.end(),
        [&](const OpSchema& version) { return version.since_version == row.since_version; });
    const std::pair<std::pair<std::string, std::string>, int> key{{row.domain, row.name},
                                                                  row.since_version};
    if (key <= last) problems.push_back(place + ": out of order, or twice");
    last = key;
    if (schema == versions.end()) {
      problems.push_back(place + ": no schema has this version");
    } else if (standing(*schema) != Standing::kUnimplemented) {
      problems.push_back(place + ": stale, a behaviour exists");
    }
  }
}

}  // namespace

std::span<const UnimplementedRow> unimplemented_rows() {
  static const std::vector<UnimplementedRow> rows = [] {
    std::vector<UnimplementedRow> made;
    std::string_view text = unimplemented_text();
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      if (end > 0) made.push_back(row_from(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return made;
  }();
  return rows;
}

bool only_types_differ(const OpSchema& a, const OpSchema& b) {
  return !a.text_hash.empty() && a.text_hash == b.text_hash && a.min_inputs == b.min_inputs &&
         a.max_inputs == b.max_inputs && a.min_outputs == b.min_outputs &&
         a.max_outputs == b.max_outputs &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                    same_port) &&
         std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                    same_port) &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(),
                    b.attributes.end(), same_attribute);
}

Standing standing(const OpSchema& schema) {
  const Operator* op = find_operator(schema.domain, schema.name);
  if (op != nullptr) {
    for (const Behaviour& behaviour : op->behaviours) {
      if (behaviour.since == schema.since_version) return Standing::kStarts;
      if (lists(behaviour, schema.since_version)) return Standing::kAlso;
    }
  }
  if (has_row(schema)) return Standing::kUnimplemented;
  const OpSchema* before = version_before(schema);
  if (before != nullptr && only_types_differ(*before, schema)) return Standing::kTypesOnly;
  if (before != nullptr && schema.deprecated) return Standing::kDeprecated;
  return Standing::kMissing;
}

const Behaviour* ledger_behaviour(const OpSchema& schema) {
  switch (standing(schema)) {
    case Standing::kStarts:
    case Standing::kAlso:
      return find_operator(schema.domain, schema.name)->behaviour(schema.since_version);
    case Standing::kTypesOnly:
    case Standing::kDeprecated: return ledger_behaviour(*version_before(schema));
    case Standing::kUnimplemented:
    case Standing::kMissing: return nullptr;
  }
  return nullptr;
}

OpStatus ledger_status(const OpSchema& schema) {
  const Behaviour* behaviour = ledger_behaviour(schema);
  if (behaviour == nullptr) return OpStatus::kUnimplemented;
  return behaviour->not_evaluable.empty() ? OpStatus::kImplemented : OpStatus::kNotEvaluable;
}

std::string_view status_name(OpStatus status) {
  switch (status) {
    case OpStatus::kImplemented: return "implemented";
    case OpStatus::kUnimplemented: return "unimplemented";
    case OpStatus::kNotEvaluable: return "not_evaluable";
  }
  return "unimplemented";
}

std::vector<std::string> ledger_problems(bool (*is_tested)(const OpSchema& version)) {
  std::vector<std::string> problems;
  for (const OperatorName& name : all_operator_names()) {
    for (const OpSchema& schema : schema_versions(name.domain, name.name))
      check_version(schema, is_tested, problems);
  }
  for (const Operator* op : all_operators()) check_behaviours(*op, problems);
  check_rows(problems);
  return problems;
}

}  // namespace onnxv
