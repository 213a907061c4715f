#include "conformance/generate/plan.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "conformance/generate/pairs.h"
#include "schema/ledger.h"

namespace onnxv::generate {
namespace {

// Fewer elements than this show little of a class of values.
constexpr int64_t kFewElements = 2;

const Form::Entry* entry_named(const Form& form, std::string_view key) {
  for (const Form::Entry& entry : form.entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

DType innermost(const Type& type) { return type.element ? innermost(*type.element) : type.dtype; }

// ---- whether a form can be said at a version ----

bool is_given(const Form& form, const Recipe& recipe, const std::string& name) {
  if (entry_named(form, name) != nullptr) return true;
  for (const auto& [attribute, levels] : recipe.any) {
    if (attribute == name) return true;
  }
  for (const auto& [parameter, rule] : recipe.types) {
    if (rule == "@" + name) return true;
  }
  return false;
}

bool applies(const Form& form, const Recipe& recipe, const OpSchema& schema) {
  if (schema.since_version < form.since || schema.since_version > form.until) return false;
  std::set<const PortSchema*> given;
  for (const Form::Entry& entry : form.entries) {
    if (schema.attribute(entry.key) != nullptr) continue;
    const PortSchema* port = input_named(schema, entry.key);
    if (port == nullptr && !entry.optional) return false;
    given.insert(port);
  }
  for (const PortSchema& port : schema.inputs) {
    const bool needed = port.arity == PortSchema::Arity::kSingle ||
                        (port.arity == PortSchema::Arity::kVariadic && port.min_arity > 0);
    if (needed && !given.contains(&port)) return false;
  }
  return std::all_of(schema.attributes.begin(), schema.attributes.end(),
                     [&](const AttributeSchema& attribute) {
                       return !attribute.required || is_given(form, recipe, attribute.name);
                     });
}

int64_t elements(const std::vector<int64_t>& shape) { return Shape(shape).elements(); }

// Elements that follow the class, of the largest tensor in the entry.
int64_t class_elements(const Spec& spec) {
  int64_t most = 0;
  switch (spec.kind) {
    case Spec::Kind::kWords: {
      std::vector<int64_t> shape;
      for (const Word& word : spec.words) {
        if (!std::holds_alternative<int64_t>(word)) return 0;
        shape.push_back(std::get<int64_t>(word));
      }
      return elements(shape);
    }
    case Spec::Kind::kList:
      for (const Spec& item : spec.list) most = std::max(most, class_elements(item));
      return most;
    case Spec::Kind::kRule: {
      for (const Spec& item : spec.list) most = std::max(most, class_elements(item));
      return follows_class(spec) && spec.shape ? std::max(most, elements(*spec.shape)) : most;
    }
    default: return 0;
  }
}

// ---- types ----

// What a rule of Recipe::types makes of the parameter it names.
struct Derivation {
  std::string parameter, from;
  std::function<Type(const Type&)> of;
};

std::optional<std::string> argument(const std::string& rule, std::string_view function) {
  if (!rule.starts_with(function) || !rule.ends_with(')')) return std::nullopt;
  return rule.substr(function.size(), rule.size() - function.size() - 1);
}

std::optional<Derivation> derivation(const std::string& parameter, const std::string& rule) {
  if (rule.starts_with('@')) return std::nullopt;
  if (const auto from = argument(rule, "seq(")) {
    return Derivation{parameter, *from, [](const Type& type) { return Type::sequence(type); }};
  }
  if (const auto from = argument(rule, "optional(")) {
    return Derivation{parameter, *from, [](const Type& type) { return Type::optional(type); }};
  }
  if (const auto from = argument(rule, "element(")) {
    return Derivation{parameter, *from,
                      [](const Type& type) { return type.element ? *type.element : type; }};
  }
  return Derivation{parameter, rule, [](const Type& type) { return type; }};
}

std::vector<Type> types_of(const TypeParameter& parameter) {
  std::vector<Type> types;
  for (const std::string& spelling : parameter.types) types.push_back(parse_type(spelling));
  return types;
}

bool contains(const std::vector<Type>& types, const Type& type) {
  return std::any_of(types.begin(), types.end(),
                     [&](const Type& other) { return same_type(type, other); });
}

// A type parameter as a factor.
struct TypeFactor {
  std::string name;
  std::vector<Type> types;
  std::vector<size_t> fresh;  // levels that the version before had not
};

// ---- the factors of one recipe at one version ----

class RecipeFactors {
 public:
  RecipeFactors(const Recipe& recipe, const OpSchema& schema, const OpSchema* before)
      : recipe_(recipe), schema_(schema) {
    for (const Form& form : recipe.forms) {
      if (applies(form, recipe, schema)) forms_.push_back(&form);
    }
    add_types(before);
    for (const ValueClass value_class : recipe.classes) classes_.push_back(value_class);
    for (const auto& attribute : recipe.any) {
      if (schema.attribute(attribute.first) != nullptr) any_.push_back(&attribute);
    }
    for (const Form* form : forms_) add_optionals(*form);
    const auto is_optional = [](const PortSchema& port) {
      return port.arity == PortSchema::Arity::kOptional;
    };
    const auto optional = static_cast<size_t>(
        std::count_if(schema.outputs.begin(), schema.outputs.end(), is_optional));
    output_choices_ = std::min<size_t>(optional, 2) + 1;
  }

  bool empty() const { return forms_.empty(); }

  Factors factors() const {
    Factors factors;
    factors.levels = {forms_.size(), classes_.size(), output_choices_};
    for (const TypeFactor& type : types_) factors.levels.push_back(type.types.size());
    for (const auto* attribute : any_) factors.levels.push_back(attribute->second.size());
    factors.levels.insert(factors.levels.end(), optionals_.size(), 2);
    factors.allowed = [this](size_t f, size_t a, size_t g, size_t b) {
      return allowed(f, a, g, b);
    };
    return factors;
  }

  std::vector<Row> rows(bool only_types_changed) const {
    const Factors all = factors();
    if (std::find(all.levels.begin(), all.levels.end(), 0) != all.levels.end()) return {};
    if (!only_types_changed) return pairwise_rows(all);
    std::vector<Row> rows = single_rows(all);
    for (size_t t = 0; t < types_.size(); ++t) {
      if (types_[t].fresh.empty()) continue;
      Factors fresh = all;
      for (const size_t levels : all.levels) {
        fresh.usable.emplace_back();
        for (size_t level = 0; level < levels; ++level) fresh.usable.back().push_back(level);
      }
      fresh.usable[kFirstType + t] = types_[t].fresh;
      for (Row& row : pairwise_rows(fresh)) rows.push_back(std::move(row));
    }
    return rows;
  }

  PlannedCase planned(const Row& row) const {
    PlannedCase planned;
    planned.recipe = &recipe_;
    planned.form = forms_[row[kForm]];
    planned.value_class = classes_[row[kClass]];
    planned.outputs = static_cast<OutputChoice>(row[kOutputs]);
    for (size_t t = 0; t < types_.size(); ++t)
      planned.types.emplace_back(types_[t].name, types_[t].types[row[kFirstType + t]]);
    for (const Derivation& rule : derivations_)
      planned.types.emplace_back(rule.parameter, rule.of(planned.type_of(rule.from)));
    for (size_t i = 0; i < any_.size(); ++i) {
      if (entry_named(*planned.form, any_[i]->first) == nullptr)
        planned.attributes.emplace_back(any_[i]->first, &any_[i]->second[row[first_any() + i]]);
    }
    for (size_t i = 0; i < optionals_.size(); ++i) {
      if (row[first_optional() + i] == 1) planned.left_out.push_back(optionals_[i]);
    }
    return planned;
  }

 private:
  static constexpr size_t kForm = 0, kClass = 1, kOutputs = 2, kFirstType = 3;
  size_t first_any() const { return kFirstType + types_.size(); }
  size_t first_optional() const { return first_any() + any_.size(); }

  void add_types(const OpSchema* before) {
    for (const auto& [parameter, rule] : recipe_.types) {
      if (schema_.type_parameter(parameter) == nullptr) continue;
      if (auto made = derivation(parameter, rule)) derivations_.push_back(std::move(*made));
    }
    for (const TypeParameter& parameter : schema_.type_parameters) {
      if (is_derived(parameter.name)) continue;
      const TypeParameter* earlier =
          before == nullptr ? nullptr : before->type_parameter(parameter.name);
      TypeFactor factor{parameter.name, {}, {}};
      for (Type& type : types_of(parameter)) {
        if (!usable(parameter.name, type)) continue;
        if (earlier == nullptr || !contains(types_of(*earlier), type))
          factor.fresh.push_back(factor.types.size());
        factor.types.push_back(std::move(type));
      }
      types_.push_back(std::move(factor));
    }
  }

  bool is_derived(const std::string& parameter) const {
    return std::any_of(derivations_.begin(), derivations_.end(),
                       [&](const Derivation& rule) { return rule.parameter == parameter; });
  }

  // Allowed by the recipe, and what follows from it is a type of its own parameter.
  bool usable(const std::string& parameter, const Type& type) const {
    for (const TypeFilter& filter : recipe_.only) {
      if (filter.parameter == parameter && !accepts_type(filter.words, type)) return false;
    }
    return std::all_of(derivations_.begin(), derivations_.end(), [&](const Derivation& rule) {
      return rule.from != parameter ||
             contains(types_of(*schema_.type_parameter(rule.parameter)), rule.of(type));
    });
  }

  void add_optionals(const Form& form) {
    for (const Form::Entry& entry : form.entries) {
      const PortSchema* port = input_named(schema_, entry.key);
      const bool may = schema_.attribute(entry.key) != nullptr ||
                       (port != nullptr && port->arity == PortSchema::Arity::kOptional);
      if (entry.optional && may &&
          std::find(optionals_.begin(), optionals_.end(), entry.key) == optionals_.end())
        optionals_.push_back(entry.key);
    }
  }

  bool allowed(size_t f, size_t a, size_t g, size_t b) const {
    if (f == kForm && g == kClass) return form_takes_class(*forms_[a], classes_[b]);
    if (f == kForm && g == kOutputs) return !forms_[a]->outputs || b == 0;
    if (f == kForm && g < first_any()) return form_takes_type(*forms_[a], g - kFirstType, b);
    if (f == kForm && g < first_optional()) {
      return b == 0 || entry_named(*forms_[a], any_[g - first_any()]->first) == nullptr;
    }
    if (f == kForm) {
      const Form::Entry* entry = entry_named(*forms_[a], optionals_[g - first_optional()]);
      return b == 0 || (entry != nullptr && entry->optional);
    }
    if (f == kClass && g >= kFirstType && g < first_any()) return class_fits(a, g - kFirstType, b);
    return true;
  }

  bool form_takes_type(const Form& form, size_t factor, size_t level) const {
    return std::all_of(form.only.begin(), form.only.end(), [&](const TypeFilter& filter) {
      return filter.parameter != types_[factor].name ||
             accepts_type(filter.words, types_[factor].types[level]);
    });
  }

  // The type that a form's first entry by class has: of a port or of a tensor attribute.
  std::string class_type(const Form& form) const {
    for (const Form::Entry& entry : form.entries) {
      if (!follows_class(entry.spec)) continue;
      const PortSchema* port = input_named(schema_, entry.key);
      if (schema_.attribute(entry.key) == nullptr && port != nullptr) return port->type;
      if (!entry.spec.type.empty()) return entry.spec.type;
    }
    return "";
  }

  bool form_takes_class(const Form& form, ValueClass value_class) const {
    if (value_class == classes_[0]) return true;
    int64_t most = 0;
    for (const Form::Entry& entry : form.entries) {
      if (schema_.attribute(entry.key) == nullptr || !entry.spec.type.empty())
        most = std::max(most, class_elements(entry.spec));
    }
    if (most < kFewElements) return false;
    const std::string name = class_type(form);
    if (schema_.type_parameter(name) != nullptr) return true;
    return has_class(innermost(parse_type(name)), value_class);
  }

  bool class_fits(size_t class_level, size_t factor, size_t level) const {
    const auto is_first = [&](const Form* form) {
      const std::string name = class_type(*form);
      if (name == types_[factor].name) return true;
      return std::any_of(derivations_.begin(), derivations_.end(), [&](const Derivation& rule) {
        return rule.parameter == name && rule.from == types_[factor].name;
      });
    };
    if (class_level == 0 || std::none_of(forms_.begin(), forms_.end(), is_first)) return true;
    return has_class(innermost(types_[factor].types[level]), classes_[class_level]);
  }

  const Recipe& recipe_;
  const OpSchema& schema_;
  std::vector<const Form*> forms_;
  std::vector<TypeFactor> types_;
  std::vector<Derivation> derivations_;
  std::vector<ValueClass> classes_;
  std::vector<const std::pair<std::string, std::vector<Spec>>*> any_;
  std::vector<std::string> optionals_;
  size_t output_choices_ = 1;
};

const OpSchema* version_before(const OpSchema& schema) {
  const OpSchema* before = nullptr;
  for (const OpSchema& version : schema_versions(schema.domain, schema.name)) {
    if (version.since_version < schema.since_version) before = &version;
  }
  return before;
}

}  // namespace

Type PlannedCase::type_of(std::string_view parameter) const {
  for (const auto& [name, type] : types) {
    if (name == parameter) return type;
  }
  return parse_type(parameter);
}

const PortSchema* input_named(const OpSchema& schema, std::string_view key) {
  size_t position = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), position);
  const bool by_position = error == std::errc() && end == key.data() + key.size();
  for (size_t i = 0; i < schema.inputs.size(); ++i) {
    if (by_position ? i == position : schema.inputs[i].name == key) return &schema.inputs[i];
  }
  return nullptr;
}

bool follows_class(const Spec& spec) {
  switch (spec.kind) {
    case Spec::Kind::kWords: return true;
    case Spec::Kind::kList: return std::any_of(spec.list.begin(), spec.list.end(), follows_class);
    case Spec::Kind::kRule:
      return !spec.values && !spec.range && spec.from.empty() && !spec.always &&
             spec.bytes.empty() && spec.body == nullptr;
    default: return false;
  }
}

std::vector<PlannedCase> plan_cases(const OpSchema& schema) {
  const OpSchema* before = version_before(schema);
  const bool only_types_changed = before != nullptr && only_types_differ(*before, schema);
  std::vector<PlannedCase> cases;
  for (const Recipe* recipe : recipes_for(schema)) {
    const RecipeFactors factors(*recipe, schema, only_types_changed ? before : nullptr);
    if (factors.empty()) continue;
    for (const Row& row : factors.rows(only_types_changed)) cases.push_back(factors.planned(row));
  }
  return cases;
}

}  // namespace onnxv::generate
