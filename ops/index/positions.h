// Positions in a tensor that come out of index tensors.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/operator.h"

namespace onnxv {

// Schema error "rank-mismatch" for a tensor without axes.
void check_has_axes(const Tensor& tensor, std::string_view port);

// The indices in [0, dim - 1]; a negative one counts from the end. Undefined error "index-range"
// for one outside [-dim, dim - 1].
std::vector<int64_t> indices_in(const Tensor& indices, int64_t dim,
                                std::string_view port = "indices");

// For each element e of `indices`, at the tuple (i0, i1, …): the linear position in `data` of that
// tuple with the one for `axis` replaced by e. Schema error "shape-mismatch" unless the ranks are
// equal and no other axis is longer than data's.
std::vector<int64_t> element_positions(const Shape& data, const Tensor& indices, int64_t axis);

// Index tuples along the last axis of `indices`, into the axes of `data` behind `batch` leading
// ones, which both share. For each tuple the linear position of the slice that it names.
struct TuplePositions {
  std::vector<int64_t> starts;
  int64_t slice = 1;       // elements of a slice
  int64_t tuple_axes = 0;  // axes that a tuple indexes
};
TuplePositions tuple_positions(const Shape& data, const Tensor& indices, int64_t batch);

}  // namespace onnxv
