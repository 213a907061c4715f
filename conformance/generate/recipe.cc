#include "conformance/generate/recipe.h"

#include <algorithm>
#include <array>

#include "conformance/embedded.h"

namespace onnxv::generate {
namespace {

// The rooms of recipes/, read in this order.
constexpr std::array<std::string_view, 22> kFiles = {
    "defaults.json",     "attention.json", "control.json",  "convolution.json", "elementwise.json",
    "experimental.json", "index.json",     "linear.json",   "losses.json",      "ml.json",
    "movement.json",     "normalize.json", "pool.json",     "quantize.json",    "random.json",
    "recurrent.json",    "reduce.json",    "sequence.json", "signal.json",      "text.json",
    "training.json",     "vision.json"};

std::string default_name(const OpSchema& schema) {
  if (schema.inputs.size() == 1 && schema.inputs[0].arity == PortSchema::Arity::kVariadic)
    return "*n";
  return "*" + std::to_string(schema.inputs.size());
}

bool names(const Recipe& recipe, const std::string& op) {
  return std::find(recipe.ops.begin(), recipe.ops.end(), op) != recipe.ops.end();
}

const std::vector<Recipe>& all_recipes() {
  static const std::vector<Recipe> recipes = [] {
    std::vector<Recipe> made;
    for (const std::string_view file : kFiles) {
      for (Recipe& recipe : parse_recipes(embedded_text(file), file))
        made.push_back(std::move(recipe));
    }
    for (Recipe& recipe : made) {
      if (recipe.forms_of.empty()) continue;
      for (const Recipe& other : made) {
        if (names(other, recipe.forms_of)) recipe.forms = other.forms;
      }
    }
    return made;
  }();
  return recipes;
}

bool is_kind(const Type& type, std::string_view word) {
  switch (type.kind) {
    case Type::Kind::kTensor:
      return word == "tensors" || (word == "floats" && is_float(type.dtype)) ||
             (word == "integers" && is_integer(type.dtype)) ||
             (word == "signed" && (is_float(type.dtype) || is_signed_integer(type.dtype)));
    case Type::Kind::kSequence: return word == "sequences";
    case Type::Kind::kOptional: return word == "optionals";
    default: return false;
  }
}

// Whether the innermost element type is none of those that ONNX began with.
bool is_recent(const Type& type) {
  if (type.element) return is_recent(*type.element);
  return type.dtype > DType::kComplex128;
}

bool is_named(const Type& type, std::string_view word) {
  const bool bare = type.kind == Type::Kind::kTensor && word == dtype_name(type.dtype);
  return bare || (word == "recent" && is_recent(type)) || is_kind(type, word) ||
         word == schema_spelling(type);
}

}  // namespace

std::vector<const Recipe*> recipes_for(const OpSchema& schema) {
  std::vector<const Recipe*> own, fallback;
  bool known = false;
  for (const Recipe& recipe : all_recipes()) {
    const bool holds = recipe.since <= schema.since_version && schema.since_version <= recipe.until;
    if (recipe.domain == schema.domain && names(recipe, schema.name)) {
      known = true;
      if (holds) own.push_back(&recipe);
    } else if (names(recipe, default_name(schema))) {
      fallback.push_back(&recipe);
    }
  }
  return known ? own : fallback;
}

bool accepts_type(std::span<const std::string> words, const Type& type) {
  bool wanted = true, asked = false;
  for (const std::string& word : words) {
    if (word.starts_with('!')) {
      if (is_named(type, std::string_view(word).substr(1))) return false;
    } else {
      if (!asked) wanted = false;
      asked = true;
      wanted = wanted || is_named(type, word);
    }
  }
  return wanted;
}

}  // namespace onnxv::generate
