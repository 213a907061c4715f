// Between our values and those of the plug-ins' C interface.
#pragma once

#include <deque>
#include <vector>

#include "conformance/onnx_verify_backend.h"
#include "src/tensor/value.h"

namespace onnxv {

// Views of values, for as long as this and the values live.
class PluginViews {
 public:
  // Sparse tensors: backend error "sparse".
  onnxv_value view(const Value& value);

 private:
  onnxv_value view_tensor(const Tensor& tensor);
  onnxv_value with_items(onnxv_kind kind, std::vector<onnxv_value> items);
  onnxv_value view_map(const Map& map);

  std::deque<std::vector<onnxv_value>> items_;
  std::deque<std::vector<onnxv_string>> strings_;
  std::deque<Tensor> keys_;
};

// A copy of what a plug-in gave. Backend error where it contradicts itself; kLimit where it is too
// large.
Value value_of(const onnxv_value& given);

}  // namespace onnxv
