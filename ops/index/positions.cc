#include "ops/index/positions.h"

#include <string>

#include "src/tensor/index.h"

namespace onnxv {
namespace {

int64_t index_in(int64_t index, int64_t dim, std::string_view port, size_t at) {
  if (index < -dim || index >= dim) {
    fail_undefined(
        "index-range",
        std::string(port) + " holds " + std::to_string(index) + " at element " + std::to_string(at),
        dim == 0 ? "but the axis is empty"
                 : "must be in [" + std::to_string(-dim) + ", " + std::to_string(dim - 1) + "]");
  }
  return index < 0 ? index + dim : index;
}

void check_element_shapes(const Shape& data, const Shape& indices, int64_t axis) {
  bool fits = data.rank() == indices.rank();
  for (int64_t i = 0; fits && i < data.rank(); ++i) fits = i == axis || indices[i] <= data[i];
  if (!fits) {
    fail_schema("shape-mismatch", "indices have shape " + indices.text(),
                "must have the rank of the data of shape " + data.text() +
                    " and be no longer on the other axes");
  }
}

}  // namespace

void check_has_axes(const Tensor& tensor, std::string_view port) {
  if (tensor.rank() == 0)
    fail_schema("rank-mismatch", std::string(port) + " is a scalar", "must have rank 1 or more");
}

std::vector<int64_t> indices_in(const Tensor& indices, int64_t dim, std::string_view port) {
  std::vector<int64_t> values = int64_values(indices);
  for (size_t i = 0; i < values.size(); ++i) values[i] = index_in(values[i], dim, port, i);
  return values;
}

std::vector<int64_t> element_positions(const Shape& data, const Tensor& indices, int64_t axis) {
  check_element_shapes(data, indices.shape(), axis);
  std::vector<int64_t> positions = indices_in(indices, data[axis]);
  const std::vector<int64_t> strides = strides_of(data);
  size_t element = 0;
  for (Odometer at(indices.shape()); at.more(); at.next(), ++element) {
    int64_t position = 0;
    for (int64_t i = 0; i < data.rank(); ++i) {
      position += (i == axis ? positions[element] : at[i]) * strides[static_cast<size_t>(i)];
    }
    positions[element] = position;
  }
  return positions;
}

TuplePositions tuple_positions(const Shape& data, const Tensor& indices, int64_t batch) {
  const int64_t length = indices.shape().back();
  if (length > data.rank() - batch) {
    fail_schema("shape-mismatch", "indices have shape " + indices.shape().text(),
                "the last dimension must not exceed " + std::to_string(data.rank() - batch) +
                    ", the axes that it may index");
  }
  TuplePositions tuples;
  tuples.tuple_axes = length;
  tuples.slice = data.elements(batch + length, data.rank());
  const std::vector<int64_t> strides = strides_of(data), values = int64_values(indices);
  const int64_t count = indices.shape().elements(0, indices.rank() - 1),
                batches = data.elements(0, batch);
  const int64_t batch_stride = data.elements(batch, data.rank());
  for (int64_t tuple = 0; tuple < count; ++tuple) {
    // Tuples are row-major behind the batch axes, so an equal share of them belongs to each batch
    // entry.
    int64_t start = tuple / (count / batches) * batch_stride;
    for (int64_t i = 0; i < length; ++i) {
      const auto element = static_cast<size_t>(tuple * length + i);
      start += index_in(values[element], data[batch + i], "indices", element) *
               strides[static_cast<size_t>(batch + i)];
    }
    tuples.starts.push_back(start);
  }
  return tuples;
}

}  // namespace onnxv
