// CategoryMapper: integers to strings or strings to integers by two parallel lists.
//   since 1
#include <unordered_map>

#include "ops/ml/ml.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// The place of each element of x in `keys`, -1 where there is none.
// Choice: of a repeated key the last counts.
template <class Key>
std::vector<int64_t> places(const std::vector<Key>& keys, std::span<const Key> x) {
  std::unordered_map<Key, int64_t> known;
  for (size_t i = 0; i < keys.size(); ++i) known[keys[i]] = static_cast<int64_t>(i);
  std::vector<int64_t> source;
  for (const Key& key : x) {
    const auto found = known.find(key);
    source.push_back(found == known.end() ? -1 : found->second);
  }
  return source;
}

// Spec: "one default only must be defined", but both have a schema default: the type of X says the direction.
Tensor category_mapper_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const std::vector<int64_t> integers = call.integers("cats_int64s");
  const std::vector<std::string> texts = call.texts("cats_strings");
  if (integers.size() != texts.size()) {
    fail_schema("list-length", "cats_int64s has " + std::to_string(integers.size()) + " entries, cats_strings " +
                std::to_string(texts.size()), "must have as many");
  }
  const Shape list{static_cast<int64_t>(texts.size())};
  if (x.is_string()) {
    const Tensor missing = Tensor::int64_scalar(call.integer("default_int64"));
    const std::vector<int64_t> source = places<std::string>(texts, x.strings());
    return gather_elements(Tensor::int64_list(integers), x.shape(), source, &missing);
  }
  const Tensor missing(Shape{}, std::vector<std::string>{call.text("default_string")});
  const std::vector<int64_t> source = places<int64_t>(integers, x.as<int64_t>());
  return gather_elements(Tensor(list, texts), x.shape(), source, &missing);
}

}  // namespace

const Operator kCategoryMapper{"ai.onnx.ml", "CategoryMapper", {
    {.since = 1, .run = category_mapper_1},
}};

}  // namespace onnxv
