#include "ops/reshape/numbers.h"

#include "src/number/rational.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

[[noreturn]] void fail(Numbers::Origin origin, const std::string& got, std::string_view wanted) {
  if (origin == Numbers::Origin::kAttribute) fail_schema("attribute-range", got, wanted);
  fail_undefined("input-range", got, wanted);
}

std::string axis_range(int64_t rank) {
  if (rank == 0) return "but a tensor of rank 0 has no axis";
  return "must be in [" + std::to_string(-rank) + ", " + std::to_string(rank - 1) + "]";
}

}  // namespace

std::string Numbers::text() const {
  std::string text = "[";
  for (int64_t value : values) text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + "]";
}

Numbers attribute_numbers(const OpCall& call, std::string_view name) {
  if (!call.has_attribute(name)) {
    fail_schema("attribute-missing", "attribute \"" + std::string(name) + "\" is absent",
                "is required");
  }
  return {name, call.integers(name), Numbers::Origin::kAttribute};
}

Numbers input_numbers(const OpCall& call, std::string_view port) {
  const Tensor& tensor = call.tensor(port);
  if (tensor.rank() != 1) {
    fail_schema("rank-mismatch", std::string(port) + " has shape " + tensor.shape().text(),
                "must have rank 1");
  }
  return {port, int64_values(tensor), Numbers::Origin::kInput};
}

Numbers input_axes(const OpCall& call, std::string_view port) {
  const Tensor& tensor = call.tensor(port);
  if (tensor.size() != 1) return input_numbers(call, port);
  return {port, int64_values(tensor), Numbers::Origin::kInput};
}

Numbers leading_axes(std::string_view name, size_t count) {
  Numbers axes{name, {}, Numbers::Origin::kAttribute};
  for (size_t i = 0; i < count; ++i) axes.values.push_back(static_cast<int64_t>(i));
  return axes;
}

void fail_numbers(const Numbers& numbers, std::string_view wanted) {
  fail(numbers.origin, std::string(numbers.name) + " is " + numbers.text(), wanted);
}

void fail_number(const Numbers& numbers, size_t at, std::string_view wanted) {
  fail(numbers.origin,
       std::string(numbers.name) + "[" + std::to_string(at) + "] is " + std::to_string(numbers[at]),
       wanted);
}

std::vector<int64_t> normalized(const Numbers& axes, int64_t rank) {
  std::vector<int64_t> positive;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < -rank || axes[i] >= rank) fail_number(axes, i, axis_range(rank));
    positive.push_back(axes[i] < 0 ? axes[i] + rank : axes[i]);
  }
  return positive;
}

std::vector<int64_t> normalized_once(const Numbers& axes, int64_t rank) {
  std::vector<int64_t> positive = normalized(axes, rank);
  std::vector<bool> named(static_cast<size_t>(rank), false);
  for (int64_t axis : positive) {
    if (named[static_cast<size_t>(axis)]) fail_numbers(axes, "must name each axis once");
    named[static_cast<size_t>(axis)] = true;
  }
  return positive;
}

Shape shape_of(const Numbers& sizes) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) fail_number(sizes, i, "must not be negative");
  }
  return Shape(sizes.values);
}

int64_t whole_number(double value, std::string_view name) {
  if (is_finite(value)) {
    const Rational exact = Rational::from_double(value);
    const BigInt whole = exact.truncated();
    if (exact == Rational(whole, 1) && whole.bit_length() < 63)
      return static_cast<int64_t>(whole.low_bits());
  }
  fail_undefined("input-range", std::string(name) + " is " + std::to_string(value),
                 "must be an integer");
}

}  // namespace onnxv
