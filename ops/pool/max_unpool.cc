// MaxUnpool: every element of X goes where I says, into a tensor of zeros.
//   since 9   (11: strides default to 1 in words; 22: bfloat16.) In com.ms.internal.nhwc channels stand last.
//   Output sizes without output_shape: (in - 1) · stride - pads + kernel.
//
// Choice: with output_shape the indices still count in the tensor that kernel and strides alone give (pads are ignored);
// it stands in the corner of the larger output, as the example printed in the text has it. Of equal indices the last wins.
// Choice: in com.ms.internal.nhwc X, I and the output are [N, spatial..., C]; indices count as MaxPool writes them, in
// [N, C, spatial...].
#include "ops/operator.h"
#include "ops/pool/pooling.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

enum class Layout { kChannelsFirst, kChannelsLast };

// [N, C, spatial...] from a tensor's own order, and back.
Shape channels_first(const Shape& shape, Layout layout) {
  if (layout == Layout::kChannelsFirst) return shape;
  std::vector<int64_t> dims{shape[0], shape.back()};
  dims.insert(dims.end(), shape.begin() + 1, shape.end() - 1);
  return Shape(dims);
}
Shape in_layout(const Shape& shape, Layout layout) {
  if (layout == Layout::kChannelsFirst) return shape;
  std::vector<int64_t> dims{shape[0]};
  dims.insert(dims.end(), shape.begin() + 2, shape.end());
  dims.push_back(shape[1]);
  return Shape(dims);
}

// What the indices count in: [N, C, spatial...].
Shape counted_shape(const OpCall& call, const Shape& x, bool ignore_pads) {
  const std::vector<int64_t> spatial(x.begin() + 2, x.end());
  WindowAttributes attributes;
  attributes.kernel = call.integers("kernel_shape");
  attributes.strides = call.integers("strides");
  if (!ignore_pads) attributes.pads = call.integers("pads");
  Shape shape{x[0], x[1]};
  for (const WindowAxis& axis : window_axes(spatial, attributes)) {
    const int64_t full = checked_add(checked_multiply(axis.input - 1, axis.stride), axis.kernel);
    const int64_t size = full - axis.pad_begin - axis.pad_end;
    if (size < 1) {
      fail_schema("empty-window", "an axis of " + std::to_string(axis.input) + " would become " + std::to_string(size),
                  "must have one cell or more");
    }
    shape.push_back(size);
  }
  return shape;
}

Shape requested_shape(const Tensor& given, const Shape& counted, Layout layout) {
  const Shape own(int64_values(given));
  const std::string wanted = "must hold " + in_layout(counted, layout).text() + " with the same batch and channels";
  if (given.rank() != 1 || own.rank() != counted.rank()) fail_schema("shape-mismatch", "output_shape is " + own.text(), wanted);
  const Shape shape = channels_first(own, layout);
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    const bool fits = axis < 2 ? shape[axis] == counted[axis] : shape[axis] >= counted[axis];
    if (!fits) fail_undefined("input-range", "output_shape is " + own.text(), wanted);
  }
  return shape;
}

// Positions in the output, in its own layout, of an index that counts in `counted`.
class Places {
 public:
  Places(const Shape& counted, const Shape& output, Layout layout) : counted_(counted), strides_(strides_of(output)) {
    if (layout == Layout::kChannelsFirst) return;
    const std::vector<int64_t> own = strides_of(in_layout(output, layout));
    strides_ = {own[0], own.back()};
    strides_.insert(strides_.end(), own.begin() + 1, own.end() - 1);
  }
  int64_t operator()(int64_t index) const {
    int64_t at = 0;
    for (int64_t axis = counted_.rank(); axis-- > 0;) {
      at += index % counted_[axis] * strides_[static_cast<size_t>(axis)];
      index /= counted_[axis];
    }
    return at;
  }

 private:
  Shape counted_;
  std::vector<int64_t> strides_;
};

Tensor unpooled(const OpCall& call, Layout layout) {
  const Tensor& x = call.tensor("X");
  const Tensor& indices = call.tensor("I");
  if (x.rank() < 3) fail_schema("rank", "X is " + x.shape().text(), "must have a batch, channels and at least one spatial axis");
  if (indices.shape() != x.shape()) {
    fail_schema("shape-mismatch", "X is " + x.shape().text() + " and I is " + indices.shape().text(), "must be equal");
  }
  const Tensor* output_shape = call.optional_tensor("output_shape");
  const Shape counted = counted_shape(call, channels_first(x.shape(), layout), output_shape != nullptr);
  const Shape output = output_shape == nullptr ? counted : requested_shape(*output_shape, counted, layout);
  const Tensor zeros(x.dtype(), in_layout(output, layout));
  const int64_t size = counted.elements();
  const Places places(counted, output, layout);
  std::vector<int64_t> source(zeros.size(), -1);
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t index = indices.as<int64_t>()[i];
    if (index < 0 || index >= size) {
      fail_undefined("index-range", "I has " + std::to_string(index), "must be in [0, " + std::to_string(size - 1) + "]");
    }
    source[static_cast<size_t>(places(index))] = static_cast<int64_t>(i);
  }
  return gather_elements(x, zeros.shape(), source);
}

Tensor max_unpool_9(const OpCall& call) { return unpooled(call, Layout::kChannelsFirst); }

Tensor nhwc_max_unpool_9(const OpCall& call) {
  const std::string activation = call.text_or("activation", "");
  if (!activation.empty()) fail_undefined("activation", "activation is \"" + activation + "\"", "the text defines none");
  return unpooled(call, Layout::kChannelsLast);
}

}  // namespace

extern const Operator kMaxUnpool, kNhwcMaxUnpool;
const Operator kMaxUnpool{"ai.onnx", "MaxUnpool", {{.since = 9, .also = {11, 22}, .run = max_unpool_9}}};
const Operator kNhwcMaxUnpool{"com.ms.internal.nhwc", "MaxUnpool", {{.since = 9, .run = nhwc_max_unpool_9}}};

}  // namespace onnxv
