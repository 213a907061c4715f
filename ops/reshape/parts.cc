// Concat: tensors one behind the other along an axis.
//   since 1   axis in [0, r - 1], 1 unless given.
//   since 4   axis must be given.
//   since 11  negative axes.
// Split: the way back.
//   since 1   lengths by an attribute or a second input of floats, else equal parts; the axis must
//   be given. since 2   lengths by the attribute; axis 0 unless given. since 13  lengths by an
//   input. since 18  lengths or num_outputs, whose last part may be smaller.
#include <numeric>

#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

// The first versions know no negative axis.
int64_t axis_from_zero(int64_t axis, int64_t rank) {
  if (axis < 0 || axis >= rank) {
    fail_schema("attribute-range", "axis is " + std::to_string(axis),
                "must be in [0, " + std::to_string(rank - 1) + "]");
  }
  return axis;
}

void check_parts(std::span<const Tensor> tensors, int64_t axis) {
  const Shape& shape = tensors.front().shape();
  for (const Tensor& tensor : tensors.subspan(1)) {
    Shape other = tensor.shape();
    if (other.rank() == shape.rank()) other[axis] = shape[axis];
    if (other == shape) continue;
    fail_schema(
        "shape-mismatch",
        "inputs have shapes " + shape.text() + " and " + tensor.shape().text(),
        "must be equal but for axis " + std::to_string(axis));
  }
}

Tensor joined(std::span<const Tensor> tensors, int64_t axis) {
  if (tensors.size() == 1) return tensors.front();
  check_parts(tensors, axis);
  return concatenate(tensors, axis);
}

Tensor concat_1(const OpCall& call) {
  const std::vector<Tensor> tensors = call.variadic_tensors("inputs");
  return joined(tensors, axis_from_zero(call.integer_or("axis", 1), tensors.front().rank()));
}

Tensor concat_4(const OpCall& call) {
  const std::vector<Tensor> tensors = call.variadic_tensors("inputs");
  return joined(tensors, axis_from_zero(call.integer("axis"), tensors.front().rank()));
}

Tensor concat_11(const OpCall& call) {
  const std::vector<Tensor> tensors = call.variadic_tensors("inputs");
  return joined(tensors, call.axis(tensors.front().rank()));
}

// ---- Split ----

// One length for each output, together the whole axis.
void check_lengths(const Numbers& lengths, int64_t dim, size_t outputs) {
  if (lengths.size() != outputs) {
    fail_numbers(lengths,
                 "must hold one length for each of the " + std::to_string(outputs) + " outputs");
  }
  int64_t total = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 0) fail_number(lengths, i, "must not be negative");
    // A sum beyond int64 is more than any axis has.
    if (__builtin_add_overflow(total, lengths[i], &total)) total = INT64_MAX;
  }
  if (total != dim)
    fail_numbers(lengths, "must sum to the axis' " + std::to_string(dim) + " elements");
}

std::vector<int64_t> equal_lengths(int64_t dim, size_t outputs) {
  const auto parts = static_cast<int64_t>(outputs);
  if (parts == 0) fail_schema("output-missing", "no output is named", "at least one must be");
  if (dim % parts != 0) {
    fail_schema("shape-mismatch", "the axis has " + std::to_string(dim) + " elements",
                "must divide into " + std::to_string(parts) + " equal parts");
  }
  return std::vector<int64_t>(outputs, dim / parts);
}

Outputs parts_of(const Tensor& input, int64_t axis, std::span<const int64_t> lengths) {
  const std::vector<int64_t> strides = strides_of(input.shape());
  Outputs parts;
  int64_t start = 0;
  for (int64_t length : lengths) {
    Shape shape = input.shape();
    shape[axis] = length;
    const int64_t offset = shape.elements() == 0 ? 0 : start * strides[static_cast<size_t>(axis)];
    parts.emplace_back(strided_copy(input, std::move(shape), offset, strides));
    start += length;
  }
  return parts;
}

// The lengths that version 1 takes from a tensor of floats.
Numbers float_lengths(const OpCall& call) {
  Numbers lengths{"split", {}, Numbers::Origin::kInput};
  for (double value : double_values(call.tensor("split")))
    lengths.values.push_back(whole_number(value, "split"));
  return lengths;
}

Outputs split_1(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const int64_t axis = axis_from_zero(call.integer("axis"), input.rank()),
                dim = input.shape()[axis];
  const bool by_attribute = call.has_attribute("split"), by_input = call.has_input("split");
  if (!by_attribute && !by_input)
    return parts_of(input, axis, equal_lengths(dim, call.output_count()));
  const Numbers lengths = by_input ? float_lengths(call) : attribute_numbers(call, "split");
  if (by_attribute && by_input && call.integers("split") != lengths.values) {
    fail_numbers(lengths,
                 "must agree with the attribute, " + attribute_numbers(call, "split").text());
  }
  check_lengths(lengths, dim, call.output_count());
  return parts_of(input, axis, lengths.values);
}

// Choice: a negative axis counts from the back though the text of 2 does not say so; official data
// of that age needs it.
Outputs split_2(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const int64_t axis = call.axis(input.rank()), dim = input.shape()[axis];
  if (!call.has_attribute("split"))
    return parts_of(input, axis, equal_lengths(dim, call.output_count()));
  const Numbers lengths = attribute_numbers(call, "split");
  check_lengths(lengths, dim, call.output_count());
  return parts_of(input, axis, lengths.values);
}

Outputs split_by_input(const OpCall& call, int64_t axis) {
  const Tensor& input = call.tensor("input");
  const Numbers lengths = input_numbers(call, "split");
  check_lengths(lengths, input.shape()[axis], call.output_count());
  return parts_of(input, axis, lengths.values);
}

Outputs split_13(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const int64_t axis = call.axis(input.rank());
  if (call.has_input("split")) return split_by_input(call, axis);
  return parts_of(input, axis, equal_lengths(input.shape()[axis], call.output_count()));
}

// Choice: only the last part may be smaller, so 5 elements have no split into 4: 2, 2, 1 leaves
// nothing. A last part of 0 is smaller.
std::vector<int64_t> nearly_equal_lengths(int64_t dim, int64_t parts) {
  const int64_t length = ceil_divide(dim, parts);
  const int64_t last = dim - length * (parts - 1);
  if (last < 0) {
    fail_schema(
        "shape-mismatch", "the axis has " + std::to_string(dim) + " elements",
        "must divide into " + std::to_string(parts) + " parts, of which only the last is smaller");
  }
  std::vector<int64_t> lengths(static_cast<size_t>(parts), length);
  lengths.back() = last;
  return lengths;
}

Outputs split_18(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const int64_t axis = call.axis(input.rank());
  const bool by_count = call.has_attribute("num_outputs");
  if (by_count == call.has_input("split")) {
    fail_schema("attribute-conflict",
                by_count ? "both split and num_outputs are given"
                         : "neither split nor num_outputs is given",
                "exactly one must be");
  }
  if (!by_count) return split_by_input(call, axis);
  const int64_t parts = call.integer("num_outputs");
  if (parts < 1 || static_cast<size_t>(parts) != call.output_count()) {
    fail_schema("attribute-range", "num_outputs is " + std::to_string(parts),
                "must be the number of outputs, " + std::to_string(call.output_count()));
  }
  return parts_of(input, axis, nearly_equal_lengths(input.shape()[axis], parts));
}

}  // namespace

const Operator kConcat{"ai.onnx", "Concat", {
    {.since = 1, .run = concat_1},
    {.since = 4, .run = concat_4},
    {.since = 11, .run = concat_11},
}};

const Operator kSplit{"ai.onnx", "Split", {
    {.since = 1, .run = split_1},
    {.since = 2, .also = {11}, .run = split_2},
    {.since = 13, .run = split_13},
    {.since = 18, .run = split_18},
}};

}  // namespace onnxv
