// Gather: output[j…, i…, k…] = data[j…, indices[i…], k…], with `axis` between j and k.
//   since 1   (11: negative indices, read as the same rule; a scalar index drops the axis.)
// GatherElements: output[i…] = data[i… with indices[i…] in the place of axis].
// GatherND: each tuple along the last axis of the indices names a slice of the data.
//   since 11
//   since 12  batch_dims leading axes are shared.
#include <algorithm>

#include "ops/index/family.h"
#include "ops/index/positions.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

Tensor gather_1(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  const Tensor& indices = call.tensor("indices");
  check_has_axes(data, "data");
  const int64_t axis = call.axis(data.rank());
  const std::vector<int64_t> taken = indices_in(indices, data.shape()[axis]);
  Shape shape = data.shape();
  shape.erase(axis);
  for (int64_t i = 0; i < indices.rank(); ++i) shape.insert(axis + i, indices.shape()[i]);
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
