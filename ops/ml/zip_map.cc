// ZipMap: each row becomes a map from the class labels to the row's values.
//   since 1
#include <algorithm>

#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

// Choice: of a repeated label the last column counts; it stands where the label came first.
struct Labels {
  Map empty;                     // keys alone
  std::vector<int64_t> columns;  // of each key
};

template <class Key>
void add_labels(std::span<const Key> given, std::vector<Key>& keys, std::vector<int64_t>& columns) {
  for (size_t i = 0; i < given.size(); ++i) {
    const auto known = std::find(keys.begin(), keys.end(), given[i]);
    if (known != keys.end()) {
      columns[static_cast<size_t>(known - keys.begin())] = static_cast<int64_t>(i);
      continue;
    }
    keys.push_back(given[i]);
    columns.push_back(static_cast<int64_t>(i));
  }
}

Labels labels_of(const Tensor& given) {
  Labels labels;
  labels.empty.key_type = given.dtype();
  labels.empty.value_type = Type::tensor(DType::kFloat);
  if (given.is_string()) {
    add_labels<std::string>(given.strings(), labels.empty.string_keys, labels.columns);
  } else {
    add_labels<int64_t>(given.as<int64_t>(), labels.empty.int_keys, labels.columns);
  }
  return labels;
}

Outputs zip_map_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Rows rows = rows_of(x);
  const Tensor given = one_list_of(call, "classlabels_int64s", "classlabels_strings");
  if (static_cast<int64_t>(given.size()) != rows.width) {
    fail_schema("list-length", "there are " + std::to_string(given.size()) + " class labels",
                "must be as many as X has columns: " + std::to_string(rows.width));
  }
  // Rows without columns may be any number.
  constexpr int64_t kMostRows = int64_t{1} << 26;
  if (rows.count > kMostRows) {
    fail_limit("sequence-length", "the sequence would have " + std::to_string(rows.count) + " maps",
               "must be at most " + std::to_string(kMostRows));
  }
  const Labels labels = labels_of(given);
  const Tensor flat = x.reshaped({static_cast<int64_t>(x.size())});
  Sequence sequence{Type::map(given.dtype(), Type::tensor(DType::kFloat)), {}};
  for (int64_t row = 0; row < rows.count; ++row) {
    Map map = labels.empty;
    for (int64_t column : labels.columns) map.values.emplace_back(item_at(flat, 0, row * rows.width + column));
    sequence.items.emplace_back(std::move(map));
  }
  return {Value(std::move(sequence))};
}

}  // namespace

const Operator kZipMap{"ai.onnx.ml", "ZipMap", {
    {.since = 1, .run = zip_map_1},
}};

}  // namespace onnxv
