// Gather: output[j…, i…, k…] = data[j…, indices[i…], k…], with `axis` between j and k.
//   since 1   (11: negative indices, read as the same rule; a scalar index drops the axis.)
// GatherElements: output[i…] = data[i… with indices[i…] in the place of axis].
// GatherND: each tuple along the last axis of the indices names a slice of the data.
//   since 11
//   since 12  batch_dims leading axes are shared.
#include <algorithm>
#include <cstring>

#include "ops/index/family.h"
#include "ops/index/positions.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

template <class T>
void copy_single(const std::byte* from, const std::vector<int64_t>& taken, std::byte* to) {
  for (size_t i = 0; i < taken.size(); ++i) {
    std::memcpy(to + i * sizeof(T), from + static_cast<size_t>(taken[i]) * sizeof(T), sizeof(T));
  }
}

// Slices of `bytes` bytes each, what stands behind the axis.
Tensor whole_slices(const Tensor& data, int64_t axis, size_t bytes, const std::vector<int64_t>& taken, Shape shape) {
  Tensor out = Tensor::unfilled(data.dtype(), std::move(shape));
  if (out.size() == 0) return out;
  const auto rows = static_cast<size_t>(data.shape().elements(0, axis)), dim = static_cast<size_t>(data.shape()[axis]);
  const std::byte* from = data.bytes().data();
  std::byte* to = out.mutable_bytes().data();
  for (size_t row = 0; row < rows; ++row, from += dim * bytes, to += taken.size() * bytes) {
    switch (bytes) {
      case 1: copy_single<uint8_t>(from, taken, to); break;
      case 2: copy_single<uint16_t>(from, taken, to); break;
      case 4: copy_single<uint32_t>(from, taken, to); break;
      case 8: copy_single<uint64_t>(from, taken, to); break;
      default:
        for (size_t i = 0; i < taken.size(); ++i) std::memcpy(to + i * bytes, from + static_cast<size_t>(taken[i]) * bytes, bytes);
    }
  }
  return out;
}

Tensor gather_1(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  const Tensor& indices = call.tensor("indices");
  check_has_axes(data, "data");
  const int64_t axis = call.axis(data.rank());
  const std::vector<int64_t> taken = indices_in(indices, data.shape()[axis]);
  Shape shape = data.shape();
  shape.erase(axis);
  for (int64_t i = 0; i < indices.rank(); ++i) shape.insert(axis + i, indices.shape()[i]);
  const auto inner = static_cast<size_t>(data.shape().elements(axis + 1, data.rank()));
  if (!data.is_string() && dtype_bits(data.dtype()) >= 8) {
    return whole_slices(data, axis, inner * static_cast<size_t>(dtype_bits(data.dtype())) / 8, taken, std::move(shape));
  }
  std::vector<AxisMap> maps;
  for (int64_t dim : data.shape()) maps.push_back({dim, {}});
  maps[static_cast<size_t>(axis)] = {static_cast<int64_t>(taken.size()),
                                     [&](int64_t i) { return taken[static_cast<size_t>(i)]; }};
  return map_axes(data, maps).reshaped(std::move(shape));
}

Tensor gather_elements_11(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  const Tensor& indices = call.tensor("indices");
  check_has_axes(data, "data");
  const std::vector<int64_t> positions =
      element_positions(data.shape(), indices, call.axis(data.rank()));
  return gather_elements(data, indices.shape(), positions);
}

Tensor gathered_slices(const OpCall& call, int64_t batch) {
  const Tensor& data = call.tensor("data");
  const Tensor& indices = call.tensor("indices");
  check_has_axes(data, "data");
  check_has_axes(indices, "indices");
  if (batch < 0 || batch >= std::min(data.rank(), indices.rank())) {
    fail_schema(
        "attribute-range", "batch_dims is " + std::to_string(batch),
        "must be in [0, " + std::to_string(std::min(data.rank(), indices.rank()) - 1) + "]");
  }
  for (int64_t i = 0; i < batch; ++i) {
    if (data.shape()[i] == indices.shape()[i]) continue;
    fail_schema(
        "shape-mismatch",
        "data and indices have shapes " + data.shape().text() + " and " + indices.shape().text(),
        "must agree on the first " + std::to_string(batch) + " axes");
  }
  // Spec: a tuple of length 0 is not among those allowed, although it would name the whole data.
  if (indices.shape().back() < 1) {
    fail_schema("shape-mismatch", "indices have shape " + indices.shape().text(),
                "the last dimension must be positive");
  }
  const TuplePositions tuples = tuple_positions(data.shape(), indices, batch);
  Shape shape;
  for (int64_t i = 0; i + 1 < indices.rank(); ++i) shape.push_back(indices.shape()[i]);
  for (int64_t i = batch + tuples.tuple_axes; i < data.rank(); ++i)
    shape.push_back(data.shape()[i]);
  Tensor out(data.dtype(), shape);
  const auto slice = static_cast<size_t>(tuples.slice);
  for (size_t i = 0; i < tuples.starts.size(); ++i) {
    copy_elements(data, static_cast<size_t>(tuples.starts[i]), slice, out, i * slice);
  }
  return out;
}

Tensor gather_nd_11(const OpCall& call) { return gathered_slices(call, 0); }

Tensor gather_nd_12(const OpCall& call) {
  return gathered_slices(call, call.integer("batch_dims"));
}

}  // namespace

const Operator kGather{"ai.onnx", "Gather", {
    {.since = 1, .also = {11, 13}, .run = gather_1},
}};

const Operator kGatherElements{"ai.onnx", "GatherElements", {
    {.since = 11, .also = {13}, .run = gather_elements_11},
}};

const Operator kGatherND{"ai.onnx", "GatherND", {
    {.since = 11, .run = gather_nd_11},
    {.since = 12, .also = {13}, .run = gather_nd_12},
}};

}  // namespace onnxv
