// ScatterElements: a copy of the data in which output[i… with indices[i…] in the place of axis]
// takes updates[i…]. Scatter: its deprecated name. ScatterND: a copy of the data in which the slice
// named by each index tuple takes a slice of the updates.
//   since 11
//   since 16  reduction add, mul.
//   since 18  reduction max, min.
#include <algorithm>

#include "ops/index/family.h"
#include "ops/index/positions.h"
#include "ops/index/reduction.h"

namespace onnxv {
namespace {

Combination combination_of(const OpCall& call) {
  const std::string& name = call.text("reduction");
  const bool knows_extremes = call.since_version() >= 18;
  if (name == "none") return Combination::kNone;
  if (name == "add") return Combination::kAdd;
  if (name == "mul") return Combination::kMul;
  if (name == "max" && knows_extremes) return Combination::kMax;
  if (name == "min" && knows_extremes) return Combination::kMin;
  fail_schema("attribute-value", "reduction is \"" + name + "\"",
              knows_extremes ? "must be none, add, mul, max or min" : "must be none, add or mul");
}

Tensor scattered_elements(const OpCall& call, Combination how) {
  const Tensor& data = call.tensor("data");
  const Tensor& indices = call.tensor("indices");
  const Tensor& updates = call.tensor("updates");
  check_has_axes(data, "data");
  if (updates.shape() != indices.shape()) {
    fail_schema("shape-mismatch", "updates have shape " + updates.shape().text(),
                "must be that of the indices, " + indices.shape().text());
  }
  const std::vector<int64_t> targets =
      element_positions(data.shape(), indices, call.axis(data.rank()));
  return reduced(call, data, updates, {targets, 1}, how);
}

Tensor scatter_elements_11(const OpCall& call) {
  return scattered_elements(call, Combination::kNone);
}

Tensor scatter_elements_16(const OpCall& call) {
  return scattered_elements(call, combination_of(call));
}

// Spec: a tuple may be empty; it names the whole data.
Tensor scattered_slices(const OpCall& call, Combination how) {
  const Tensor& data = call.tensor("data");
  const Tensor& indices = call.tensor("indices");
  const Tensor& updates = call.tensor("updates");
  check_has_axes(data, "data");
  check_has_axes(indices, "indices");
  const TuplePositions tuples = tuple_positions(data.shape(), indices, 0);
  Shape wanted;
  for (int64_t i = 0; i + 1 < indices.rank(); ++i) wanted.push_back(indices.shape()[i]);
  for (int64_t i = tuples.tuple_axes; i < data.rank(); ++i) wanted.push_back(data.shape()[i]);
  if (updates.shape() != wanted) {
    fail_schema("shape-mismatch", "updates have shape " + updates.shape().text(),
                "must have " + wanted.text() + ", one slice for each index tuple");
  }
  if (updates.size() == 0) return data;
  return reduced(call, data, updates, {tuples.starts, static_cast<size_t>(tuples.slice)}, how);
}

Tensor scatter_nd_11(const OpCall& call) { return scattered_slices(call, Combination::kNone); }

Tensor scatter_nd_16(const OpCall& call) { return scattered_slices(call, combination_of(call)); }

}  // namespace

const Operator kScatter{"ai.onnx", "Scatter", {
    {.since = 9, .also = {11}, .run = scatter_elements_11},
}};

const Operator kScatterElements{"ai.onnx", "ScatterElements", {
    {.since = 11, .run = scatter_elements_11},
    {.since = 16, .also = {18}, .run = scatter_elements_16},
}};

// Erratum: 18 describes "mul" with the words of "add"; it multiplies.
const Operator kScatterND{"ai.onnx", "ScatterND", {
    {.since = 11, .run = scatter_nd_11},
    {.since = 16, .also = {18}, .run = scatter_nd_16},
}};

}  // namespace onnxv
