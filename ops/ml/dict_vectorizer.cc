// DictVectorizer: y[i] = x[vocabulary[i]], zero or "" where the map has no such key.
//   since 1
#include <unordered_map>

#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/index.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

// The place of every key in the vocabulary; of a repeated entry the last.
template <class Key>
std::vector<size_t> places(std::span<const Key> keys, std::span<const Key> vocabulary) {
  std::unordered_map<Key, size_t> known;
  for (size_t i = 0; i < vocabulary.size(); ++i) known[vocabulary[i]] = i;
  std::vector<size_t> found;
  for (const Key& key : keys) {
    const auto place = known.find(key);
    // Spec: all keys of the map must be in the vocabulary.
    if (place == known.end()) fail_undefined("unknown-key", "a key of X is not in the vocabulary", "must be");
    found.push_back(place->second);
  }
  return found;
}

Tensor values_of(const Map& map) {
  std::vector<Tensor> values;
  for (const Value& value : map.values) {
    if (!value.is_tensor() || value.tensor().size() != 1) {
      fail_schema("type-mismatch", "a value of X is " + value.type().text(), "must be one number or string");
    }
    values.push_back(value.tensor().reshaped({1}));
  }
  return values.empty() ? Tensor(map.value_type.dtype, Shape{0}) : concatenate(values, 0);
}

// Spec: the output is called "1-D" in the text, "[1,C]" in the type's description: it is 1-D.
Tensor dict_vectorizer_1(const OpCall& call) {
  const Value& x = call.value("X");
  if (!x.is_map()) fail_schema("type-mismatch", "X is " + x.type().text(), "must be a map");
  const Map& map = x.map();
  const Tensor vocabulary = one_list_of(call, "int64_vocabulary", "string_vocabulary");
  const bool strings = map.key_type == DType::kString;
  if (strings != vocabulary.is_string()) {
    fail_schema("type-mismatch", "X has " + std::string(dtype_name(map.key_type)) + " keys",
                "must have the vocabulary's type");
  }
  const std::vector<size_t> found = strings ? places<std::string>(map.string_keys, vocabulary.strings())
                                            : places<int64_t>(map.int_keys, vocabulary.as<int64_t>());
  std::vector<int64_t> source(vocabulary.size(), -1);
  for (size_t i = 0; i < found.size(); ++i) source[found[i]] = static_cast<int64_t>(i);
  return gather_elements(values_of(map), vocabulary.shape(), source);
}

}  // namespace

const Operator kDictVectorizer{"ai.onnx.ml", "DictVectorizer", {
    {.since = 1, .run = dict_vectorizer_1},
}};

}  // namespace onnxv
