// Recipes out of JSON.
#include <nlohmann/json.hpp>

#include "conformance/generate/recipe.h"

namespace onnxv::generate {
namespace {

using Json = nlohmann::ordered_json;

Word word_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_integer()) return json.get<int64_t>();
  return json.get<double>();
}

// Of a list, or of a single word.
std::vector<Word> words_of(const Json& json) {
  if (!json.is_array()) return {word_of(json)};
  std::vector<Word> words;
  for (const Json& item : json) words.push_back(word_of(item));
  return words;
}

std::vector<std::string> texts_of(const Json& json) {
  if (json.is_string()) return {json.get<std::string>()};
  return json.get<std::vector<std::string>>();
}

Spec spec_of(const Json& json);

// ["Add", ["a", "b"], ["y"], {"axis": 1}], the operator perhaps as "domain:Op".
NodeSpec node_of(const Json& json) {
  NodeSpec node;
  node.op = json.at(0).get<std::string>();
  if (const size_t colon = node.op.find(':'); colon != std::string::npos) {
    node.domain = node.op.substr(0, colon);
    node.op.erase(0, colon + 1);
  }
  node.inputs = texts_of(json.at(1));
  node.outputs = texts_of(json.at(2));
  if (json.size() > 3) {
    for (const auto& [name, value] : json.at(3).items())
      node.attributes.emplace_back(name, spec_of(value));
  }
  return node;
}

std::vector<NodeSpec> nodes_of(const Json& json) {
  std::vector<NodeSpec> nodes;
  for (const Json& item : json) nodes.push_back(node_of(item));
  return nodes;
}

// ["x", "T", [2, 3]], the shape where it is declared.
std::vector<BodySpec::Port> ports_of(const Json& json) {
  std::vector<BodySpec::Port> ports;
  for (const Json& item : json) {
    BodySpec::Port port{item.at(0).get<std::string>(), item.at(1).get<std::string>(), {}};
    if (item.size() > 2) port.shape = item.at(2).get<std::vector<int64_t>>();
    ports.push_back(std::move(port));
  }
  return ports;
}

std::shared_ptr<const BodySpec> body_of(const Json& json) {
  auto body = std::make_shared<BodySpec>();
  body->inputs = ports_of(json.at("in"));
  body->outputs = ports_of(json.at("out"));
  body->nodes = nodes_of(json.at("nodes"));
  return body;
}

ValueClass class_of(const std::string& name) {
  const auto found = value_class_from_name(name);
  if (!found) fail_internal("recipe", "\"" + name + "\" is no class of values");
  return *found;
}

// "all" stands for every class that operators compute with; what only moves is given as bit
// patterns.
std::vector<ValueClass> classes_of(const Json& json) {
  if (json != "all") {
    std::vector<ValueClass> classes;
    for (const std::string& name : texts_of(json)) classes.push_back(class_of(name));
    return classes;
  }
  using enum ValueClass;
  return {kOrdinary, kZeros, kSignedZeros, kSubnormals, kTies, kExtremes, kInfinities, kNan};
}

void read_rule(const std::string& key, const Json& json, Spec& spec) {
  if (key == "shape") {
    spec.shape = json.get<std::vector<int64_t>>();
  } else if (key == "v") {
    spec.values = words_of(json);
    spec.single = !json.is_array();
  } else if (key == "range") {
    spec.range = {json.at(0).get<double>(), json.at(1).get<double>()};
  } else if (key == "from") {
    spec.from = words_of(json);
  } else if (key == "nonzero") {
    spec.nonzero = json.get<bool>();
  } else if (key == "class") {
    spec.always = class_of(json.get<std::string>());
  } else if (key == "type") {
    spec.type = json.get<std::string>();
  } else if (key == "keys") {
    spec.keys = words_of(json);
  } else if (key == "bytes") {
    spec.bytes = json.get<std::string>();
  } else if (key == "body") {
    spec.body = body_of(json);
  } else if (key == "items") {
    for (const Json& item : json) spec.list.push_back(spec_of(item));
  } else {
    fail_internal("recipe", "\"" + key + "\" is no part of a rule");
  }
}

Spec spec_of(const Json& json) {
  Spec spec;
  if (json.is_null()) return spec;
  if (json.is_object()) {
    spec.kind = Spec::Kind::kRule;
    for (const auto& [key, value] : json.items()) read_rule(key, value, spec);
  } else if (json.is_array() && !json.empty() && !json[0].is_primitive()) {
    spec.kind = Spec::Kind::kList;
    for (const Json& item : json) spec.list.push_back(spec_of(item));
  } else if (json.is_array() && !json.empty() && json[0].is_null()) {
    spec.kind = Spec::Kind::kList;
    for (const Json& item : json) spec.list.push_back(spec_of(item));
  } else {
    spec.kind = json.is_array() ? Spec::Kind::kWords : Spec::Kind::kWord;
    spec.words = words_of(json);
  }
  return spec;
}

std::vector<TypeFilter> filters_of(const Json& json) {
  std::vector<TypeFilter> filters;
  for (const auto& [parameter, words] : json.items())
    filters.push_back({parameter, texts_of(words)});
  return filters;
}

Form form_of(const Json& json) {
  Form form;
  for (const auto& [key, value] : json.items()) {
    if (key == "$note") {
      form.note = value.get<std::string>();
    } else if (key == "$outputs") {
      form.outputs = value.get<size_t>();
    } else if (key == "$outer") {
      for (const Json& item : value) {
        form.outer.push_back(
            {item.at(0).get<std::string>(), item.at(1).get<std::string>(), spec_of(item.at(2))});
      }
    } else if (key == "$since") {
      form.since = value.get<int>();
    } else if (key == "$until") {
      form.until = value.get<int>();
    } else if (key == "$for") {
      form.only = filters_of(value);
    } else {
      const bool optional = key.ends_with('?');
      form.entries.push_back(
          {key.substr(0, key.size() - (optional ? 1 : 0)), optional, spec_of(value)});
    }
  }
  return form;
}

void read_member(const std::string& key, const Json& json, Recipe& recipe) {
  if (key == "op") {
    recipe.ops = texts_of(json);
  } else if (key == "domain") {
    recipe.domain = json.get<std::string>();
  } else if (key == "since") {
    recipe.since = json.get<int>();
  } else if (key == "until") {
    recipe.until = json.get<int>();
  } else if (key == "types") {
    for (const auto& [parameter, rule] : json.items())
      recipe.types.emplace_back(parameter, rule.get<std::string>());
  } else if (key == "for") {
    recipe.only = filters_of(json);
  } else if (key == "any") {
    for (const auto& [name, list] : json.items()) {
      recipe.any.emplace_back(name, std::vector<Spec>());
      for (const Json& item : list) recipe.any.back().second.push_back(spec_of(item));
    }
  } else if (key == "values") {
    recipe.classes = classes_of(json);
  } else if (key == "before") {
    recipe.before = nodes_of(json);
  } else if (key == "forms" && json.is_string()) {
    recipe.forms_of = json.get<std::string>();
  } else if (key == "forms") {
    for (const Json& item : json) recipe.forms.push_back(form_of(item));
  } else {
    fail_internal("recipe", "\"" + key + "\" is no part of a recipe");
  }
}

Recipe recipe_of(const Json& json) {
  Recipe recipe;
  recipe.domain = "ai.onnx";
  for (const auto& [key, value] : json.items()) read_member(key, value, recipe);
  if (recipe.classes.empty()) recipe.classes = {ValueClass::kOrdinary};
  return recipe;
}

}  // namespace

std::vector<Recipe> parse_recipes(std::string_view text, std::string_view source) {
  std::string last;
  try {
    const Json json = Json::parse(text, nullptr, true, true);
    std::vector<Recipe> recipes;
    for (const Json& item : json) {
      last = item.at("op").dump();
      recipes.push_back(recipe_of(item));
    }
    return recipes;
  } catch (const Json::exception& error) {
    fail_internal("recipe", std::string(source) + ": " + last + ": " + error.what());
  } catch (const Error& error) {
    throw error.at(std::string(source) + ": " + last);
  }
}

}  // namespace onnxv::generate
