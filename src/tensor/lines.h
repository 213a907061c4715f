// From tensors to lines and back: the bridge between an operator's shapes and the ladder (src/number/ladder.h).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "src/number/formula.h"
#include "src/number/ladder.h"
#include "src/tensor/tensor.h"

namespace onnxv {

class ModelReal;

// Rounded to nearest even and overflowing to infinity for floats; truncated and wrapped for integers; nonzero for Bool.
Target target_of(DType dtype);

// The exact values of elements [first, first + count). Internal error for strings and complex types. An integer beyond 2^53
// is rounded (see holds_exact_doubles).
void decode_elements(const Tensor& tensor, size_t first, size_t count, double* out);
// As a backend may have it, within a ToleranceScope: an element that was computed before in the same node has a bound.
ModelReal model_element(const Tensor& tensor, size_t element);
// False when some element is an integer that no double holds.
bool holds_exact_doubles(const Tensor& tensor);

// A tensor seen as [outer, length, inner]: lines run along `length`; line number = outer index * inner + inner index.
struct LineLayout {
  size_t outer = 1, length = 1, inner = 1;
  size_t lines() const { return outer * inner; }
  // Lines along one axis.
  static LineLayout along(const Shape& shape, int64_t axis);
  // Lines made of all dimensions from `axis` on, flattened.
  static LineLayout from(const Shape& shape, int64_t axis);
  static LineLayout elements(size_t count) { return {count, 1, 1}; }
};

// Chains a call of the ladder together. Tensors must outlive run(); outputs must have their shape already.
//   LineJob(kSoftmax, layout.lines()).lines_of(x, layout).lines_to(&y, layout).run();
class LineJob {
 public:
  LineJob(const Formula& formula, size_t lines);
  ~LineJob();
  LineJob(const LineJob&) = delete;
  LineJob& operator=(const LineJob&) = delete;

  // ---- operands, in the formula's order ----
  // The lines of a tensor under a layout (its lines() must be the job's).
  LineJob& lines_of(const Tensor& tensor, LineLayout layout);
  // One whole tensor (flattened), the same for every line.
  LineJob& shared(const Tensor& tensor);
  // Exact constants, the same for every line: attributes, counts.
  LineJob& constants(std::vector<double> values);
  // One element per line: element `i` of the tensor broadcast to `shape` (row-major) for line i.
  LineJob& broadcast(const Tensor& tensor, const Shape& shape);
  // `count` elements per line from positions that a function gives; -1 stands for `missing` (default +0).
  using Positions = std::function<void(size_t line, int64_t* positions)>;
  LineJob& gathered(const Tensor& tensor, size_t count, Positions positions, double missing = 0.0);
  // Exact doubles that a function computes (weights that are exact, counts).
  using Values = std::function<void(size_t line, double* values)>;
  LineJob& computed(size_t count, Values values);
  LineJob& source(std::unique_ptr<LineSource> source);

  LineJob& option(int64_t value);
  LineJob& options(std::span<const int64_t> values);

  // The float type that the text names for the computation: what a tolerance is derived from (src/number/model.h).
  LineJob& computed_in(DType dtype);

  // ---- results, in the formula's order ----
  LineJob& lines_to(Tensor* tensor, LineLayout layout);
  LineJob& lines_to(Tensor* tensor, LineLayout layout, Target target);

  // Returns the number of elements left unproved.
  uint64_t run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// ---- the common cases ----

// The formula element by element over inputs that broadcast against each other; constants follow the inputs.
Tensor map_elements(const Formula& formula, DType out, std::span<const Tensor> inputs,
                    std::vector<double> constants = {}, std::vector<int64_t> options = {});
Tensor map_elements(const Formula& formula, Target target, DType out, std::span<const Tensor> inputs,
                    std::vector<double> constants = {}, std::vector<int64_t> options = {});

// A formula from a line to a line of the same length; each constant is an operand of its own after x.
Tensor map_lines(const Formula& formula, const Tensor& x, LineLayout layout, DType out,
                 std::vector<double> constants = {}, std::vector<int64_t> options = {});

// The axes (each in [0, rank), any order, no repeats) moved last and the tensor flattened to [kept, reduced].
struct Reduction {
  Tensor moved;       // [kept elements, reduced elements]
  Shape kept_shape;   // with keepdims: 1 in place of each reduced axis; else without them
  size_t lines() const { return static_cast<size_t>(moved.shape()[0]); }
  size_t length() const { return static_cast<size_t>(moved.shape()[1]); }
};
Reduction reduced_view(const Tensor& tensor, std::span<const int64_t> axes, bool keepdims);
// A formula from a line to one element over the reduced axes.
Tensor reduce_lines(const Formula& formula, const Reduction& reduction, DType out,
                    std::vector<double> constants = {}, std::vector<int64_t> options = {});

}  // namespace onnxv
