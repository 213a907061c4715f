// Operators that put the same elements into another order.
//
// Transpose: axis i of the output is axis perm[i] of the data; without perm the axes are reversed.
// DepthToSpace: y[n, c, h·b + i, w·b + j] = x[n, depth(c, i, j), h, w]; depth is (i, j, c) read as
// digits in mode DCR, (c, i, j) in mode CRD.
//   since 1   DCR.
//   since 11  mode. (28 made it a function, with the same result.)
// SpaceToDepth: the way back.
//   since 1   DCR.
//   since 28  mode.
// ReverseSequence: for each entry i of the batch axis, the first sequence_lens[i] elements of the
// time axis in reverse.
#include <string>

#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// `axes` must be a permutation of data's axes.
Tensor transposed(const Tensor& data, std::span<const int64_t> axes) {
  const std::vector<int64_t> data_strides = strides_of(data.shape());
  Shape shape;
  std::vector<int64_t> strides;
  for (int64_t axis : axes) {
    shape.push_back(data.shape()[axis]);
    strides.push_back(data_strides[static_cast<size_t>(axis)]);
  }
  return strided_copy(data, std::move(shape), 0, strides);
}

std::vector<int64_t> permutation(const OpCall& call, int64_t rank) {
  std::vector<int64_t> axes;
  if (!call.has_attribute("perm")) {
    for (int64_t axis = rank; axis-- > 0;) axes.push_back(axis);
    return axes;
  }
  const Numbers perm = attribute_numbers(call, "perm");
  const std::string wanted = "must hold each of the " + std::to_string(rank) + " axes once";
  if (static_cast<int64_t>(perm.size()) != rank) fail_numbers(perm, wanted);
  std::vector<bool> seen(perm.size(), false);
  for (int64_t axis : perm.values) {
    if (axis < 0 || axis >= rank || seen[static_cast<size_t>(axis)]) fail_numbers(perm, wanted);
    seen[static_cast<size_t>(axis)] = true;
  }
  return perm.values;
}

Tensor transpose_1(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  return transposed(data, permutation(call, data.rank()));
}

enum class Mode { kDcr, kCrd };

Mode mode_of(const OpCall& call) {
  const std::string& mode = call.text("mode");
  if (mode == "DCR") return Mode::kDcr;
  if (mode == "CRD") return Mode::kCrd;
  fail_schema("attribute-value", "mode is \"" + mode + "\"", "must be \"DCR\" or \"CRD\"");
}

struct Image {
  int64_t batch, channels, height, width, block;
};

Image image_of(const OpCall& call) {
  const Shape& shape = call.tensor("input").shape();
  if (shape.rank() != 4)
    fail_schema("rank-mismatch", "input has shape " + shape.text(), "must have rank 4");
  const int64_t block = call.integer("blocksize");
  if (block < 1)
    fail_schema("attribute-range", "blocksize is " + std::to_string(block), "must be positive");
  return {shape[0], shape[1], shape[2], shape[3], block};
}

Tensor depth_to_space(const OpCall& call, Mode mode) {
  const auto [n, c, h, w, b] = image_of(call);
  const Tensor& input = call.tensor("input");
  const int64_t block_area = checked_multiply(b, b);
  if (c % block_area != 0) {
    fail_schema("shape-mismatch", "input has " + std::to_string(c) + " channels",
                "must be a multiple of blocksize squared, " + std::to_string(block_area));
  }
  const int64_t depth = c / block_area;
  const Tensor spread = mode == Mode::kDcr ? transposed(input.reshaped({n, b, b, depth, h, w}),
                                                        std::vector<int64_t>{0, 3, 4, 1, 5, 2})
                                           : transposed(input.reshaped({n, depth, b, b, h, w}),
                                                        std::vector<int64_t>{0, 1, 4, 2, 5, 3});
  return spread.reshaped({n, depth, checked_multiply(h, b), checked_multiply(w, b)});
}

Tensor space_to_depth(const OpCall& call, Mode mode) {
  const auto [n, c, h, w, b] = image_of(call);
  if (h % b != 0 || w % b != 0) {
    fail_schema("shape-mismatch", "input has shape " + call.tensor("input").shape().text(),
                "height and width must be multiples of blocksize " + std::to_string(b));
  }
  const Tensor blocks = call.tensor("input").reshaped({n, c, h / b, b, w / b, b});
  const std::vector<int64_t> dcr{0, 3, 5, 1, 2, 4}, crd{0, 1, 3, 5, 2, 4};
  return transposed(blocks, mode == Mode::kDcr ? dcr : crd)
      .reshaped({n, checked_multiply(c, checked_multiply(b, b)), h / b, w / b});
}

Tensor depth_to_space_1(const OpCall& call) { return depth_to_space(call, Mode::kDcr); }
Tensor depth_to_space_11(const OpCall& call) { return depth_to_space(call, mode_of(call)); }
Tensor space_to_depth_1(const OpCall& call) { return space_to_depth(call, Mode::kDcr); }
Tensor space_to_depth_28(const OpCall& call) { return space_to_depth(call, mode_of(call)); }

// The lengths of the sequences, each in [0, steps].
std::vector<int64_t> sequence_lengths(const OpCall& call, int64_t batch, int64_t steps) {
  const Numbers lengths = input_numbers(call, "sequence_lens");
  if (static_cast<int64_t>(lengths.size()) != batch) {
    fail_schema(
        "shape-mismatch", "sequence_lens has " + std::to_string(lengths.size()) + " elements",
        "must have one for each of the " + std::to_string(batch) + " entries of the batch axis");
  }
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 0 || lengths[i] > steps) {
      fail_number(lengths, i, "must be in [0, " + std::to_string(steps) + "]");
    }
  }
  return lengths.values;
}

int64_t first_or_second(const OpCall& call, std::string_view name) {
  const int64_t axis = call.integer(name);
  if (axis != 0 && axis != 1) {
    fail_schema("attribute-range", std::string(name) + " is " + std::to_string(axis),
                "must be 0 or 1");
  }
  return axis;
}

Tensor reverse_sequence_10(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const Shape& shape = input.shape();
  if (shape.rank() < 2)
    fail_schema("rank-mismatch", "input has shape " + shape.text(), "must have rank 2 or more");
  const int64_t batch_axis = first_or_second(call, "batch_axis"),
                time_axis = first_or_second(call, "time_axis");
  if (batch_axis == time_axis) {
    fail_schema("attribute-range", "batch_axis and time_axis are both " + std::to_string(time_axis),
                "must differ");
  }
  const std::vector<int64_t> lengths = sequence_lengths(call, shape[batch_axis], shape[time_axis]);
  const int64_t block = shape.elements(2, shape.rank());
  Tensor out(input.dtype(), shape);
  if (out.size() == 0) return out;
  for (int64_t i = 0; i < shape[0]; ++i) {
    for (int64_t j = 0; j < shape[1]; ++j) {
      const int64_t time = time_axis == 0 ? i : j;
      const int64_t length = lengths[static_cast<size_t>(time_axis == 0 ? j : i)];
      const int64_t from = time < length ? length - 1 - time : time;
      const int64_t row = time_axis == 0 ? from * shape[1] + j : i * shape[1] + from;
      copy_elements(input, static_cast<size_t>(row * block), static_cast<size_t>(block), out,
                    static_cast<size_t>((i * shape[1] + j) * block));
    }
  }
  return out;
}

}  // namespace

const Operator kTranspose{"ai.onnx", "Transpose", {
    {.since = 1, .also = {21, 25}, .run = transpose_1},
}};

const Operator kDepthToSpace{"ai.onnx", "DepthToSpace", {
    {.since = 1, .run = depth_to_space_1},
    {.since = 11, .also = {13}, .run = depth_to_space_11},
}};

const Operator kSpaceToDepth{"ai.onnx", "SpaceToDepth", {
    {.since = 1, .run = space_to_depth_1},
    {.since = 28, .run = space_to_depth_28},
}};

const Operator kReverseSequence{"ai.onnx", "ReverseSequence", {
    {.since = 10, .run = reverse_sequence_10},
}};

}  // namespace onnxv
