// DFT: the discrete Fourier transform along one axis.
//   since 17  `axis` is an attribute (default 1)
//   since 20  `axis` is an input (default -2)
#include <algorithm>

#include "ops/operator.h"
#include "ops/signal/transform.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

bool flag(const OpCall& call, std::string_view name) {
  const int64_t value = call.integer(name);
  if (value != 0 && value != 1)
    fail_schema("attribute-value", std::string(name) + " is " + std::to_string(value),
                "must be 0 or 1");
  return value == 1;
}

struct Case {
  bool inverse, onesided, complex;
  bool real_to_half() const { return onesided && !inverse; }
  bool half_to_real() const { return onesided && inverse; }
};

Case case_of(const OpCall& call, const Tensor& input) {
  if (input.rank() < 2)
    fail_schema("rank", "input is " + input.shape().text(), "must have rank 2 or more");
  const int64_t parts = input.shape().back();
  if (parts != 1 && parts != 2)
    fail_schema("shape-mismatch", "input is " + input.shape().text(),
                "the last dimension must be 1 or 2");
  const Case c{flag(call, "inverse"), flag(call, "onesided"), parts == 2};
  if (c.real_to_half() && c.complex)
    fail_schema("shape-mismatch", "input is complex", "a one-sided transform needs real input");
  if (c.half_to_real() && !c.complex)
    fail_schema("shape-mismatch", "input is real", "a one-sided inverse needs complex input");
  return c;
}

int64_t length_of(const OpCall& call, const Case& c, int64_t dim) {
  const Tensor* given = call.optional_tensor("dft_length");
  const int64_t length = given != nullptr   ? int64_value(*given, "dft_length")
                         : c.half_to_real() ? 2 * (dim - 1)
                                            : dim;
  if (length <= 0)
    fail_undefined("dft-length", "dft_length is " + std::to_string(length), "must be positive");
  return length;
}

Tensor along(const OpCall& call, int64_t axis) {
  const Tensor& input = call.tensor("input");
  const Case c = case_of(call, input);
  const Shape& shape = input.shape();
  axis = normalized_axis(axis, input.rank());
  if (axis == input.rank() - 1)
    fail_schema("attribute-range", "axis is the last one", "which holds the parts of the numbers");
  const int64_t dim = shape[axis], outer = shape.elements(0, axis),
                inner = shape.elements(axis + 1, input.rank() - 1);
  const int64_t parts = shape.back();
  Transform t;
  t.signal = &input;
  t.lines = static_cast<size_t>(checked_multiply(outer, inner));
  t.length = length_of(call, c, dim);
  const int64_t half = t.length / 2 + 1;
  t.samples = static_cast<size_t>(std::min(dim, c.half_to_real() ? half : t.length));
  t.bins = static_cast<size_t>(c.real_to_half() ? half : t.length);
  t.inverse = c.inverse;
  t.symmetric = c.half_to_real();
  const auto place = [dim, inner, parts](size_t line, size_t n, int64_t part) {
    const int64_t at = static_cast<int64_t>(line);
    return ((at / inner * dim + static_cast<int64_t>(n)) * inner + at % inner) * parts + part;
  };
  t.real = [place, &t](size_t line, int64_t* out) {
    for (size_t n = 0; n < t.samples; ++n) out[n] = place(line, n, 0);
  };
  if (c.complex) {
    t.imaginary = [place, &t](size_t line, int64_t* out) {
      for (size_t n = 0; n < t.samples; ++n) {
        // The first bin and the middle one of a symmetric spectrum are real.
        const bool real = t.symmetric && (n == 0 || 2 * static_cast<int64_t>(n) == t.length);
        out[n] = real ? -1 : place(line, n, 1);
      }
    };
  }
  const Tensor lines = transformed(t);  // [outer, inner, bins, parts]
  Shape out = shape;
  out[axis] = static_cast<int64_t>(t.bins);
  out[input.rank() - 1] = static_cast<int64_t>(t.parts());
  if (inner == 1) return lines.reshaped(out);
  const int64_t bins = static_cast<int64_t>(t.bins), out_parts = static_cast<int64_t>(t.parts());
  const std::vector<int64_t> strides{inner * bins * out_parts, out_parts, bins * out_parts, 1};
  return strided_copy(lines, {outer, bins, inner, out_parts}, 0, strides).reshaped(out);
}

Tensor dft_17(const OpCall& call) { return along(call, call.integer("axis")); }

// A wrong axis is the model's fault as an attribute, and has no value as an input.
int64_t axis_input(const Tensor& given, int64_t rank) {
  const int64_t axis = int64_value(given, "axis");
  if (axis < -rank || axis >= rank - 1 || axis == -1) {
    fail_undefined("input-range", "axis is " + std::to_string(axis),
                   "must be in [" + std::to_string(-rank) + ", -2] or [0, " +
                       std::to_string(rank - 2) + "]");
  }
  return axis;
}

Tensor dft_20(const OpCall& call) {
  const Tensor* axis = call.optional_tensor("axis");
  return along(call, axis != nullptr ? axis_input(*axis, call.tensor("input").rank()) : -2);
}

}  // namespace

extern const Operator kDFT;
const Operator kDFT{"ai.onnx", "DFT", {{.since = 17, .run = dft_17}, {.since = 20, .run = dft_20}}};

}  // namespace onnxv
