#include "conformance/generate/spec_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

#include "src/number/format.h"

namespace onnxv::generate {
namespace {

constexpr size_t kSequenceItems = 2;

double number(const Word& word) {
  if (const auto* integer = std::get_if<int64_t>(&word)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&word)) return *real;
  const std::string& text = std::get<std::string>(word);
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  fail_internal("recipe", "\"" + text + "\" is no number");
}

int64_t integer(const Word& word) {
  if (const auto* whole = std::get_if<int64_t>(&word)) return *whole;
  fail_internal("recipe", "an integer is wanted");
}

std::string word_text(const Word& word) {
  if (const auto* text = std::get_if<std::string>(&word)) return *text;
  if (const auto* whole = std::get_if<int64_t>(&word)) return std::to_string(*whole);
  std::array<char, 32> buffer{};
  return std::string(
      buffer.data(),
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::get<double>(word)).ptr);
}

// Elements of a list, converted.
template <class Convert>
auto mapped(const std::vector<Word>& words, Convert convert) {
  std::vector<decltype(convert(words[0]))> result;
  for (const Word& word : words) result.push_back(convert(word));
  return result;
}

// ---- tensors ----

void set_word(Tensor& tensor, size_t element, const Word& word) {
  const DType dtype = tensor.dtype();
  if (dtype == DType::kString) {
    tensor.mutable_strings()[element] = word_text(word);
  } else if (dtype == DType::kComplex64) {
    tensor.mutable_as<std::array<float, 2>>()[element] = {static_cast<float>(number(word)), 0};
  } else if (dtype == DType::kComplex128) {
    tensor.mutable_as<std::array<double, 2>>()[element] = {number(word), 0};
  } else if (is_float(dtype)) {
    tensor.set_code(element, encode(float_format(dtype), {number(word), 0}, Rounding::kNearestEven,
                                    Overflow::kInfinity));
  } else {
    const IntegerFormat format{dtype == DType::kBool ? 8 : dtype_bits(dtype),
                               is_signed_integer(dtype)};
    tensor.set_code(element, saturate_integer(format, integer(word)));
  }
}

// Uniform in [low, high]: integers, or reals on a fine grid.
void fill_range(Tensor& tensor, std::pair<double, double> range, const PhiloxStream& stream) {
  const auto [low, high] = range;
  for (size_t i = 0; i < tensor.size(); ++i) {
    const uint64_t bits = stream.bits(i) >> 11;
    if (is_float(tensor.dtype()) || is_complex(tensor.dtype())) {
      set_word(tensor, i, low + (high - low) * (static_cast<double>(bits) * 0x1p-53));
    } else {
      const auto first = static_cast<int64_t>(low);
      const auto count = static_cast<uint64_t>(static_cast<int64_t>(high) - first + 1);
      set_word(tensor, i, first + static_cast<int64_t>(bits % count));
    }
  }
}

std::vector<int64_t> shape_of(const Spec& spec) {
  if (spec.kind == Spec::Kind::kWords) return mapped(spec.words, integer);
  if (spec.shape) return *spec.shape;
  if (spec.values && !spec.single) return {static_cast<int64_t>(spec.values->size())};
  return {};
}

Tensor bytes_tensor(const std::string& hexadecimal) {
  Tensor tensor(DType::kUint8, Shape{static_cast<int64_t>(hexadecimal.size() / 2)});
  for (size_t i = 0; i < tensor.size(); ++i) {
    unsigned byte = 0;
    std::from_chars(hexadecimal.data() + 2 * i, hexadecimal.data() + 2 * i + 2, byte, 16);
    tensor.set_code(i, byte);
  }
  return tensor;
}

void replace_zeros(Tensor& tensor) {
  if (!is_integer(tensor.dtype())) return;
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (tensor.code(i) == 0) tensor.set_code(i, 1);
  }
}

Tensor tensor_of(const Spec& spec, DType dtype, const SpecContext& context,
                 const std::string& name) {
  if (!spec.bytes.empty()) return bytes_tensor(spec.bytes);
  Tensor tensor(dtype, Shape(shape_of(spec)));
  const PhiloxStream stream(context.key, name_hash(name));
  if (spec.values) {
    if (spec.values->empty() && tensor.size() > 0) fail_internal("recipe", name + " has no values");
    for (size_t i = 0; i < tensor.size(); ++i)
      set_word(tensor, i, (*spec.values)[i % spec.values->size()]);
  } else if (spec.range) {
    fill_range(tensor, *spec.range, stream);
  } else if (!spec.from.empty()) {
    for (size_t i = 0; i < tensor.size(); ++i)
      set_word(tensor, i, spec.from[stream.bits(i) % spec.from.size()]);
  } else {
    fill_by_class(tensor, spec.always.value_or(context.value_class), stream);
  }
  if (spec.nonzero) replace_zeros(tensor);
  return tensor;
}

// ---- other kinds of values ----

Value sequence_of(const Spec& spec, const Type& type, const SpecContext& context,
                  const std::string& name) {
  Sequence sequence{*type.element, {}};
  const auto add = [&](const Spec& item) {
    sequence.items.push_back(
        value_of(item, *type.element, context, name + "/" + std::to_string(sequence.items.size())));
  };
  if (!spec.list.empty() || spec.kind == Spec::Kind::kList) {
    for (const Spec& item : spec.list) add(item);
  } else if (spec.kind != Spec::Kind::kNull) {
    for (size_t i = 0; i < kSequenceItems; ++i) add(spec);
  }
  return sequence;
}

Value map_of(const Spec& spec, const Type& type, const std::string& name) {
  Map map;
  map.key_type = type.dtype;
  map.value_type = *type.element;
  if (!spec.values || spec.values->size() != spec.keys.size())
    fail_internal("recipe", name + ": a map needs as many values as keys");
  for (size_t i = 0; i < spec.keys.size(); ++i) {
    if (type.dtype == DType::kString) {
      map.string_keys.push_back(word_text(spec.keys[i]));
    } else {
      map.int_keys.push_back(integer(spec.keys[i]));
    }
    Tensor value(type.element->dtype, Shape{});
    set_word(value, 0, (*spec.values)[i]);
    map.values.emplace_back(std::move(value));
  }
  return map;
}

SparseTensor sparse_of(const Spec& spec, DType dtype, const SpecContext& context,
                       const std::string& name) {
  SparseTensor sparse;
  sparse.shape = Shape(spec.shape.value_or(std::vector<int64_t>()));
  const std::vector<int64_t> positions = mapped(spec.keys, integer);
  sparse.indices = Tensor::int64_list(positions);
  Spec values = spec;
  values.shape = {static_cast<int64_t>(positions.size())};
  sparse.values = tensor_of(values, dtype, context, name);
  return sparse;
}

// ---- attributes ----

ValueInfo value_info(const BodySpec::Port& port, const SpecContext& context) {
  ValueInfo info{port.name, context.type_of(port.type), "", ""};
  if (port.shape && info.type.kind == Type::Kind::kTensor) {
    info.type.shape.emplace();
    for (const int64_t dim : *port.shape) info.type.shape->push_back({.value = dim, .symbol = {}});
  }
  return info;
}

std::shared_ptr<const Graph> graph_of(const BodySpec& body, const std::string& name,
                                      const SpecContext& context) {
  auto graph = std::make_shared<Graph>();
  graph->name = name;
  for (const BodySpec::Port& port : body.inputs) graph->inputs.push_back(value_info(port, context));
  for (const BodySpec::Port& port : body.outputs)
    graph->outputs.push_back(value_info(port, context));
  for (const NodeSpec& node : body.nodes) graph->nodes.push_back(node_of(node, context));
  return graph;
}

std::vector<Word> words_of(const Spec& spec) {
  if (spec.values) return *spec.values;
  return spec.words;
}

Word word_of(const Spec& spec) {
  const std::vector<Word> words = words_of(spec);
  if (words.size() != 1) fail_internal("recipe", "one value is wanted");
  return words[0];
}

float as_float(const Word& word) { return static_cast<float>(number(word)); }

}  // namespace

Value value_of(const Spec& spec, const Type& type, const SpecContext& context,
               const std::string& name) {
  switch (type.kind) {
    case Type::Kind::kTensor: return tensor_of(spec, type.dtype, context, name);
    case Type::Kind::kSequence: return sequence_of(spec, type, context, name);
    case Type::Kind::kOptional:
      if (spec.kind == Spec::Kind::kNull) return Optional{*type.element, nullptr};
      return Optional{*type.element,
                      std::make_shared<const Value>(value_of(spec, *type.element, context, name))};
    case Type::Kind::kMap: return map_of(spec, type, name);
    case Type::Kind::kSparseTensor: return sparse_of(spec, type.dtype, context, name);
    default: fail_internal("recipe", name + " has no type");
  }
}

Attribute attribute_of(const std::string& name, Attribute::Kind kind, const Spec& spec,
                       const SpecContext& context) {
  // A body's Cast to a type of the directory.
  if (kind == Attribute::Kind::kInt && !spec.type.empty())
    return type_attribute(name, kind, context.type_of(spec.type));
  Attribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  const auto element = [&] { return context.type_of(spec.type).dtype; };
  switch (kind) {
    case Attribute::Kind::kInt: attribute.value = integer(word_of(spec)); break;
    case Attribute::Kind::kFloat: attribute.value = as_float(word_of(spec)); break;
    case Attribute::Kind::kString: attribute.value = word_text(word_of(spec)); break;
    case Attribute::Kind::kInts: attribute.value = mapped(words_of(spec), integer); break;
    case Attribute::Kind::kFloats: attribute.value = mapped(words_of(spec), as_float); break;
    case Attribute::Kind::kStrings: attribute.value = mapped(words_of(spec), word_text); break;
    case Attribute::Kind::kTensor:
      attribute.value = tensor_of(spec, element(), context, name);
      break;
    case Attribute::Kind::kSparseTensor:
      attribute.value = sparse_of(spec, element(), context, name);
      break;
    case Attribute::Kind::kTypeProto: attribute.value = context.type_of(spec.type); break;
    case Attribute::Kind::kGraph:
      if (spec.body == nullptr) fail_internal("recipe", name + " has no body");
      attribute.value = graph_of(*spec.body, name, context);
      break;
    default:
      fail_internal("recipe", "attribute " + name + " is of a kind that recipes do not write");
  }
  return attribute;
}

Attribute type_attribute(const std::string& name, Attribute::Kind kind, const Type& type) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  if (kind == Attribute::Kind::kTypeProto) {
    attribute.value = type;
  } else if (kind == Attribute::Kind::kInt) {
    attribute.value = static_cast<int64_t>(type.element ? type.element->dtype : type.dtype);
  } else {
    std::string text(dtype_name(type.dtype));
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
      return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    attribute.value = text;
  }
  return attribute;
}

Node node_of(const NodeSpec& spec, const SpecContext& context) {
  Node node;
  node.op = spec.op;
  node.domain = spec.domain;
  node.inputs = spec.inputs;
  node.outputs = spec.outputs;
  const int64_t opset = spec.domain.empty() ? context.opset : newest_opset(spec.domain);
  const OpSchema* schema = find_schema(spec.domain, spec.op, opset);
  for (const auto& [name, value] : spec.attributes) {
    const AttributeSchema* attribute = schema == nullptr ? nullptr : schema->attribute(name);
    if (attribute == nullptr)
      fail_internal("recipe",
                    spec.op + " has no attribute " + name + " at opset " + std::to_string(opset));
    node.attributes.push_back(attribute_of(name, attribute->kind, value, context));
  }
  return node;
}

std::string spec_text(const Spec& spec) {
  if (spec.kind == Spec::Kind::kWord) return word_text(spec.words[0]);
  if (spec.body != nullptr)
    return "a graph of " + std::to_string(spec.body->nodes.size()) + " nodes";
  if (!spec.type.empty()) return "a tensor of " + spec.type;
  const std::vector<Word> words = words_of(spec);
  if (spec.single && words.size() == 1) return word_text(words[0]);
  std::string text = "[";
  for (const Word& word : words) text += (text.size() > 1 ? "," : "") + word_text(word);
  return text + "]";
}

}  // namespace onnxv::generate
