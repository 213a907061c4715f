#include "ops/control/bodies.h"

namespace onnxv {

void learn_symbols(const Type& port, const Shape& shape, SymbolSizes& sizes) {
  if (port.kind != Type::Kind::kTensor || !port.shape || port.shape->size() != shape.size()) return;
  for (size_t i = 0; i < port.shape->size(); ++i) {
    const Type::Dim& dim = (*port.shape)[i];
    if (dim.value < 0 && !dim.symbol.empty()) sizes.emplace(dim.symbol, shape[static_cast<int64_t>(i)]);
  }
}

std::optional<Shape> declared_shape(const Type& port, const SymbolSizes& sizes) {
  if (port.kind != Type::Kind::kTensor || !port.shape) return std::nullopt;
  Shape shape;
  for (const Type::Dim& dim : *port.shape) {
    const auto known = sizes.find(dim.symbol);
    if (dim.value >= 0) {
      shape.push_back(dim.value);
    } else if (!dim.symbol.empty() && known != sizes.end()) {
      shape.push_back(known->second);
    } else {
      return std::nullopt;
    }
  }
  return shape;
}

void check_element_count(size_t count) {
  constexpr size_t kMost = size_t{1} << 26;
  if (count <= kMost) return;
  fail_limit("scan-length", "a scan output would have " + std::to_string(count) + " elements",
             "must be at most " + std::to_string(kMost));
}

const Tensor& tensor_output(const Value& value, const Body::Port& port) {
  if (!value.is_tensor()) {
    fail_schema("type-mismatch", "body output \"" + port.name + "\" is " + value.type().text(),
                "must be a tensor");
  }
  return value.tensor();
}

void check_unchanged(const Tensor& before, const Tensor& now, std::string_view name) {
  if (now.dtype() != before.dtype()) {
    fail_schema("type-mismatch",
                "body output \"" + std::string(name) + "\" becomes " + std::string(dtype_name(now.dtype())),
                "must stay " + std::string(dtype_name(before.dtype())));
  }
  if (now.shape() != before.shape()) {
    fail_schema("shape-mismatch",
                "body output \"" + std::string(name) + "\" changes its shape to " + now.shape().text(),
                "must stay " + before.shape().text());
  }
}

}  // namespace onnxv
