#include "conformance/compare/statistics.h"

#include <cmath>
#include <optional>

#include "conformance/compare/compare.h"
#include "src/number/format.h"

namespace onnxv {
namespace {

// Where the extremes stand.
struct Extremes {
  std::optional<size_t> minimum, maximum, smallest;
  double low = 0, high = 0, near_zero = 0;

  void add(size_t element, double value) {
    if (!minimum || value < low) {
      minimum = element;
      low = value;
    }
    if (!maximum || value > high) {
      maximum = element;
      high = value;
    }
    const double size = std::fabs(value);
    if (size > 0 && (!smallest || size < near_zero)) {
      smallest = element;
      near_zero = size;
    }
  }
};

void add_floats(const Tensor& tensor, Extremes& extremes, ValueStatistics& statistics) {
  const Format& format = float_format(tensor.dtype());
  const double smallest_normal = std::ldexp(1.0, 1 - format.bias);
  for (size_t i = 0; i < tensor.size(); ++i) {
    const double value = decode(format, tensor.code(i));
    if (std::isnan(value)) {
      ++statistics.nan;
    } else if (std::isinf(value)) {
      ++statistics.infinite;
    } else {
      statistics.zero += value == 0 ? 1 : 0;
      statistics.subnormal += value != 0 && std::fabs(value) < smallest_normal ? 1 : 0;
      extremes.add(i, value);
    }
  }
}

void add_integers(const Tensor& tensor, Extremes& extremes, ValueStatistics& statistics) {
  const DType dtype = tensor.dtype();
  const IntegerFormat format{dtype == DType::kBool ? 8 : dtype_bits(dtype),
                             is_signed_integer(dtype)};
  for (size_t i = 0; i < tensor.size(); ++i) {
    const auto value = static_cast<double>(decode_integer(format, tensor.code(i)));
    statistics.zero += value == 0 ? 1 : 0;
    extremes.add(i, value);
  }
}

void add_numbers(const Tensor& tensor, ValueStatistics& statistics) {
  Extremes extremes;
  if (is_float(tensor.dtype())) {
    add_floats(tensor, extremes, statistics);
  } else if (is_integer(tensor.dtype()) || tensor.dtype() == DType::kBool) {
    add_integers(tensor, extremes, statistics);
  }
  const auto text = [&](const std::optional<size_t>& element) {
    return element ? element_text(tensor, *element) : std::string();
  };
  statistics.minimum = text(extremes.minimum);
  statistics.maximum = text(extremes.maximum);
  statistics.smallest_magnitude = text(extremes.smallest);
}

}  // namespace

ValueStatistics statistics_of(const std::string& name, const Value& value) {
  ValueStatistics statistics;
  statistics.name = name;
  if (value.is_tensor()) {
    const Tensor& tensor = value.tensor();
    statistics.type = dtype_display_name(tensor.dtype());
    statistics.shape = tensor.shape().list();
    statistics.elements = tensor.size();
    add_numbers(tensor, statistics);
  } else if (value.exists()) {
    statistics.type = value.type().text();
  }
  return statistics;
}

}  // namespace onnxv
