// Recipes: what fits together for an operator, as data (recipes/*.json; recipes/README.md says how
// to read them). An operator without a recipe of its own takes the default for its number of
// inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/generate/value_class.h"
#include "schema/schema.h"

namespace onnxv::generate {

using Word = std::variant<int64_t, double, std::string>;
struct BodySpec;

// What a recipe writes for an input or an attribute. A bare list of numbers is the shape of an
// input and the value of an attribute.
struct Spec {
  enum class Kind : uint8_t { kNull, kWord, kWords, kList, kRule };
  Kind kind = Kind::kNull;  // kNull: absent; for a sequence or an optional: empty
  std::vector<Word> words;  // kWord: one
  std::vector<Spec> list;   // kList: items of a variadic port, a sequence or a list attribute

  // kRule. Values: literal ones, or drawn from a range or a list, or (none of these) by class.
  std::optional<std::vector<int64_t>> shape;
  std::optional<std::vector<Word>> values;
  bool single = false;  // `values` was written without brackets: a scalar
  std::optional<std::pair<double, double>> range;
  std::vector<Word> from;
  bool nonzero = false;              // a zero of an integer type becomes 1
  std::optional<ValueClass> always;  // this class, whatever the directory is about
  std::string type;                  // of a tensor or type attribute: "float", or a type parameter
  std::vector<Word> keys;            // of a map, or positions in a sparse tensor
  std::string bytes;                 // in hexadecimal: a uint8 tensor of rank 1
  std::shared_ptr<const BodySpec> body;
};

// A node of a subgraph, or one before the node under test.
struct NodeSpec {
  std::string op, domain;
  std::vector<std::string> inputs, outputs;
  std::vector<std::pair<std::string, Spec>> attributes;
};

struct BodySpec {
  struct Port {
    std::string name, type;  // a type parameter, or a type spelled out ("int64", "seq(T)")
    std::optional<std::vector<int64_t>> shape;
  };
  std::vector<Port> inputs, outputs;
  std::vector<NodeSpec> nodes;
};

// Restricts a type parameter: words as accepts_type reads them.
struct TypeFilter {
  std::string parameter;
  std::vector<std::string> words;
};

// One valid choice of shapes, of values that belong to them, and of attributes that depend on both.
struct Form {
  struct Entry {
    std::string key;  // an input's name or position, or an attribute's name
    bool optional =
        false;  // written "B?": directories with and without; dropped by versions without
    Spec spec;
  };
  // A graph input that the node does not take, for its subgraphs to see.
  struct Outer {
    std::string name, type;
    Spec spec;
  };
  std::string note;
  std::vector<Outer> outer;
  std::optional<size_t> outputs;   // how many are named
  int since = 0, until = 1000000;  // versions
  std::vector<TypeFilter> only;
  std::vector<Entry> entries;
};

struct Recipe {
  std::string domain;
  std::vector<std::string> ops;
  int since = 0, until = 1000000;  // versions
  // A parameter that follows from others: "T", "seq(T)", "optional(V)", "element(S)", or "@to": an
  // attribute that names the type.
  std::vector<std::pair<std::string, std::string>> types;
  std::vector<TypeFilter> only;
  std::vector<std::pair<std::string, std::vector<Spec>>> any;  // attributes that depend on nothing
  std::vector<ValueClass> classes;
  std::vector<NodeSpec> before;
  std::vector<Form> forms;
  std::string forms_of;  // "*1": those of a default recipe instead
};

// The recipes of an operator at a version: its own, else the default. Empty where it has neither.
std::vector<const Recipe*> recipes_for(const OpSchema& schema);

// Whether `type` is among what the words name: "float16", "seq(tensor(float))", or a group:
// "floats", "integers", "signed", "tensors", "sequences", "optionals", "recent" (of an element type
// that ONNX began without); "!bool" takes away. No word: every type.
bool accepts_type(std::span<const std::string> words, const Type& type);

// Reads recipes; internal error "recipe" that names `source`. For tests and for what is compiled
// in.
std::vector<Recipe> parse_recipes(std::string_view json, std::string_view source);

}  // namespace onnxv::generate
