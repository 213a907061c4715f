#include "conformance/backend/plugin_values.h"

#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "src/base/error.h"

namespace onnxv {
namespace {

Tensor strings_of(const onnxv_value& given, Shape shape, size_t elements) {
  if (elements > 0 && given.strings == nullptr) fail_backend("plugin-value", "strings is null");
  std::vector<std::string> strings;
  for (const onnxv_string& one : std::span(given.strings, elements)) {
    strings.emplace_back(one.text == nullptr ? "" : one.text, one.text == nullptr ? 0 : one.length);
  }
  return Tensor(std::move(shape), std::move(strings));
}

Tensor tensor_of(const onnxv_value& given) {
  const auto dtype = dtype_from_number(given.element_type);
  if (!dtype) {
    fail_backend("plugin-value", "element type " + std::to_string(given.element_type),
                 "wanted a number of TensorProto.DataType");
  }
  if (given.rank > 0 && given.shape == nullptr) fail_backend("plugin-value", "shape is null");
  Shape shape;
  for (size_t i = 0; i < given.rank; ++i) {
    if (given.shape[i] < 0) {
      fail_backend("plugin-value", "a dimension of " + std::to_string(given.shape[i]));
    }
    shape.push_back(given.shape[i]);
  }
  const auto elements = static_cast<size_t>(shape.elements());
  if (*dtype == DType::kString) return strings_of(given, std::move(shape), elements);
  const size_t wanted = storage_bytes(*dtype, elements);
  if (given.size != wanted || (wanted > 0 && given.data == nullptr)) {
    fail_backend("plugin-value", "a tensor of " + std::to_string(given.size) + " bytes",
                 "wanted " + std::to_string(wanted) + " for " + std::string(dtype_name(*dtype)) +
                     shape.text());
  }
  Tensor tensor(*dtype, std::move(shape));
  if (wanted > 0) std::memcpy(tensor.mutable_bytes().data(), given.data, wanted);
  return tensor;
}

std::span<const onnxv_value> items_of(const onnxv_value& given) {
  if (given.item_count > 0 && given.items == nullptr) {
    fail_backend("plugin-value", "items is null");
  }
  return {given.items, given.item_count};
}

Sequence sequence_of(const onnxv_value& given) {
  Sequence sequence;
  for (const onnxv_value& item : items_of(given)) sequence.items.push_back(value_of(item));
  if (!sequence.items.empty()) sequence.element = sequence.items.front().type();
  return sequence;
}

Optional optional_of(const onnxv_value& given) {
  const auto items = items_of(given);
  if (items.size() > 1) fail_backend("plugin-value", "an optional of several items");
  if (items.empty()) return {};
  auto held = std::make_shared<const Value>(value_of(items.front()));
  return {held->type(), held};
}

Map map_of(const onnxv_value& given) {
  const auto items = items_of(given);
  if (items.size() != 2 || items[0].kind != ONNXV_TENSOR || items[1].kind != ONNXV_SEQUENCE) {
    fail_backend("plugin-value", "a map of " + std::to_string(items.size()) + " items",
                 "wanted a tensor of keys and a sequence of values");
  }
  const Tensor keys = tensor_of(items[0]);
  Map map;
  map.key_type = keys.dtype();
  map.values = sequence_of(items[1]).items;
  if (keys.dtype() == DType::kString) {
    map.string_keys = keys.strings();
  } else if (keys.dtype() == DType::kInt64) {
    map.int_keys.assign(keys.as<int64_t>().begin(), keys.as<int64_t>().end());
  } else {
    fail_backend("plugin-value", "keys of type " + std::string(dtype_name(keys.dtype())),
                 "wanted int64 or string");
  }
  if (keys.size() != map.values.size()) {
    fail_backend("plugin-value", "a map of " + std::to_string(keys.size()) + " keys and " +
                                     std::to_string(map.values.size()) + " values");
  }
  if (!map.values.empty()) map.value_type = map.values.front().type();
  return map;
}

}  // namespace

onnxv_value PluginViews::with_items(onnxv_kind kind, std::vector<onnxv_value> items) {
  const auto& kept = items_.emplace_back(std::move(items));
  onnxv_value view = {};
  view.kind = kind;
  view.item_count = kept.size();
  view.items = kept.data();
  return view;
}

onnxv_value PluginViews::view_tensor(const Tensor& tensor) {
  onnxv_value view = {};
  view.kind = ONNXV_TENSOR;
  view.element_type = static_cast<int32_t>(tensor.dtype());
  view.rank = tensor.shape().size();
  view.shape = tensor.shape().dims().data();
  if (tensor.is_string()) {
    auto& strings = strings_.emplace_back();
    for (const std::string& text : tensor.strings()) strings.push_back({text.data(), text.size()});
    view.strings = strings.data();
  } else {
    view.data = tensor.bytes().data();
    view.size = tensor.bytes().size();
  }
  return view;
}

onnxv_value PluginViews::view_map(const Map& map) {
  const auto count = static_cast<int64_t>(map.size());
  Tensor& keys = keys_.emplace_back();
  keys = map.key_type == DType::kString ? Tensor({count}, map.string_keys)
                                        : Tensor::int64_list(map.int_keys);
  std::vector<onnxv_value> values;
  for (const Value& value : map.values) values.push_back(view(value));
  return with_items(ONNXV_MAP,
                    {view_tensor(keys), with_items(ONNXV_SEQUENCE, std::move(values))});
}

onnxv_value PluginViews::view(const Value& value) {
  if (!value.exists()) return {};
  if (value.is_tensor()) return view_tensor(value.tensor());
  if (value.is_map()) return view_map(value.map());
  if (value.is_sparse_tensor()) fail_backend("sparse", "a sparse tensor", "wanted a dense one");
  std::vector<onnxv_value> items;
  if (value.is_optional()) {
    if (value.optional().value) items.push_back(view(*value.optional().value));
    return with_items(ONNXV_OPTIONAL, std::move(items));
  }
  for (const Value& item : value.sequence().items) items.push_back(view(item));
  return with_items(ONNXV_SEQUENCE, std::move(items));
}

Value value_of(const onnxv_value& given) {
  switch (given.kind) {
    case ONNXV_ABSENT: return {};
    case ONNXV_TENSOR: return tensor_of(given);
    case ONNXV_SEQUENCE: return sequence_of(given);
    case ONNXV_OPTIONAL: return optional_of(given);
    case ONNXV_MAP: return map_of(given);
    default: fail_backend("plugin-value", "kind " + std::to_string(given.kind));
  }
}

}  // namespace onnxv
