// Col2Im: every image cell is the sum of the column entries of the blocks that cover it.
//   image[n, c, p] = sum of input[n, (c, k), l] over the blocks l and their cells k with l · stride - pad + k · dilation = p
//   since 18
// Integers wrap; Bool is "or"; complex numbers are summed part by part; strings have no sum.
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto total = []<class Real>(In<Real> x, Out<Real> y) { y[0] = sum(x); };

}  // namespace
LINE_FORMULA(kCol2ImFormula, total, 1, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <cstring>

#include "ops/convolution/weights.h"
#include "ops/operator.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Columns {
  std::vector<WindowAxis> axes;
  int64_t batch = 0, channels = 0;
  int64_t taps = 1, blocks = 1, cells = 1;
  // For each image cell the entries of one channel's [taps, blocks] that cover it.
  std::vector<std::vector<int64_t>> covering;
  size_t most = 0;
};

// Entries of the axes' own [taps, blocks] per position, one axis at a time: {tap, block}.
using Covers = std::vector<std::vector<std::pair<int64_t, int64_t>>>;

Covers covers_of(const WindowAxis& axis) {
  Covers covers(static_cast<size_t>(axis.input));
  for (int64_t tap = 0; tap < axis.kernel; ++tap) {
    for (int64_t block = 0; block < axis.output; ++block) {
      const int64_t at = axis.position(block, tap);
      if (at >= 0 && at < axis.input) covers[static_cast<size_t>(at)].push_back({tap, block});
    }
  }
  return covers;
}

// All axes together, row-major over the cells.
Covers joined(const Covers& outer, const Covers& inner, const WindowAxis& axis) {
  Covers covers;
  covers.reserve(outer.size() * inner.size());
  for (const auto& a : outer) {
    for (const auto& b : inner) {
      auto& both = covers.emplace_back();
      for (const auto& [tap, block] : a) {
        for (const auto& [inner_tap, inner_block] : b) {
          both.push_back({tap * axis.kernel + inner_tap, block * axis.output + inner_block});
        }
      }
    }
  }
  return covers;
}

void check_columns(const Shape& input, const Columns& columns) {
  if (input[1] % columns.taps != 0) {
    fail_schema("shape-mismatch", "input is " + input.text(),
                "its second dimension must be a multiple of the block's " + std::to_string(columns.taps) + " cells");
  }
  if (input[2] != columns.blocks) {
    fail_schema("shape-mismatch", "input is " + input.text(),
                "its last dimension must be the number of blocks, " + std::to_string(columns.blocks));
  }
}

Columns columns_of(const OpCall& call) {
  const Shape& input = call.tensor("input").shape();
  if (input.rank() != 3) fail_schema("rank", "input is " + input.text(), "must have rank 3");
  const std::vector<int64_t> image = int64_values(call.tensor("image_shape"));
  if (image.empty()) fail_schema("shape-mismatch", "image_shape is empty", "must have one entry or more");
  for (const int64_t dim : image) {
    if (dim < 0) fail_undefined("value-range", "image_shape has " + std::to_string(dim), "must be 0 or more");
  }
  WindowAttributes attributes;
  attributes.kernel = int64_values(call.tensor("block_shape"));
  if (attributes.kernel.size() != image.size()) {
    fail_schema("shape-mismatch", "block_shape has " + std::to_string(attributes.kernel.size()) + " entries",
                "must have " + std::to_string(image.size()) + " as image_shape");
  }
  for (const int64_t dim : attributes.kernel) {
    if (dim < 1) fail_undefined("value-range", "block_shape has " + std::to_string(dim), "must be 1 or more");
  }
  attributes.strides = call.integers("strides");
  attributes.dilations = call.integers("dilations");
  attributes.pads = call.integers("pads");
  Columns columns;
  columns.axes = placed_windows(image, attributes);
  columns.batch = input[0];
  columns.taps = Shape(attributes.kernel).elements();
  columns.blocks = window_counts(columns.axes).elements();
  columns.cells = Shape(image).elements();
  check_columns(input, columns);
  columns.channels = input[1] / columns.taps;
  return columns;
}

void find_covering(Columns& columns) {
  Covers covers{{{0, 0}}};
  for (const WindowAxis& axis : columns.axes) covers = joined(covers, covers_of(axis), axis);
  for (const auto& cell : covers) {
    std::vector<int64_t>& entries = columns.covering.emplace_back();
    for (const auto& [tap, block] : cell) entries.push_back(tap * columns.blocks + block);
    columns.most = std::max(columns.most, entries.size());
  }
}

// Sums of a real tensor of [rows, taps · blocks, parts] over [rows, cells, parts].
void sum_reals(const Tensor& x, const Columns& columns, size_t parts, Tensor* y) {
  const Tensor values = exact_doubles(x, 0, x.size());
  const auto row_size = static_cast<size_t>(columns.taps * columns.blocks);
  const auto cells = static_cast<size_t>(columns.cells);
  LineJob(kCol2ImFormula, y->size())
      .computed(std::max<size_t>(columns.most, 1),
                [&](size_t line, double* out) {
                  const size_t part = line % parts, cell = line / parts % cells, row = line / parts / cells;
                  const std::vector<int64_t>& entries = columns.covering[cell];
                  // -0 is no addend; but the sum of nothing is +0.
                  std::fill_n(out, std::max<size_t>(columns.most, 1), entries.empty() ? 0.0 : -0.0);
                  for (const int64_t entry : entries) {
                    *out++ = values.as<double>()[(row * row_size + static_cast<size_t>(entry)) * parts + part];
                  }
                })
      .lines_to(y, LineLayout::elements(y->size()))
      .run();
}

// The same bytes as reals with one more axis, or back.
Tensor with_bytes_of(const Tensor& tensor, DType dtype, Shape shape) {
  Tensor copy(dtype, std::move(shape));
  const auto to = copy.mutable_bytes();
  if (!to.empty()) std::memcpy(to.data(), tensor.bytes().data(), to.size());
  if (tensor.bounds() != nullptr) copy.mutable_bounds() = *tensor.bounds();
  return copy;
}

Tensor sum_complex(const Tensor& x, const Columns& columns, const Shape& shape) {
  const DType part = x.dtype() == DType::kComplex64 ? DType::kFloat : DType::kDouble;
  Shape in = x.shape(), out = shape;
  in.push_back(2);
  out.push_back(2);
  Tensor parts(part, out);
  sum_reals(with_bytes_of(x, part, in), columns, 2, &parts);
  return with_bytes_of(parts, x.dtype(), shape);
}

void sum_codes(const Tensor& x, const Columns& columns, Tensor* y) {
  const auto row_size = static_cast<size_t>(columns.taps * columns.blocks);
  const auto cells = static_cast<size_t>(columns.cells);
  for (size_t i = 0; i < y->size(); ++i) {
    uint64_t sum = 0;
    for (const int64_t entry : columns.covering[i % cells]) {
      sum += x.code(i / cells * row_size + static_cast<size_t>(entry));
    }
    y->set_code(i, y->dtype() == DType::kBool ? (sum != 0 ? 1 : 0) : sum);
  }
}

Tensor col2im_18(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.is_string()) fail_undefined("string-sum", "Col2Im of strings", "strings cannot be added");
  Columns columns = columns_of(call);
  Shape shape{columns.batch, columns.channels};
  for (const WindowAxis& axis : columns.axes) shape.push_back(axis.input);
  if (shape.elements() == 0) return Tensor(x.dtype(), shape);
  Tensor y(x.dtype(), shape);
  find_covering(columns);
  if (is_complex(x.dtype())) return sum_complex(x, columns, shape);
  if (is_float(x.dtype())) {
    sum_reals(x, columns, 1, &y);
  } else {
    sum_codes(x, columns, &y);
  }
  return y;
}

}  // namespace

extern const Operator kCol2Im;
const Operator kCol2Im{"ai.onnx", "Col2Im", {{.since = 18, .run = col2im_18}}};

}  // namespace onnxv
#endif
