// Generated inputs.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>

#include "conformance/inputs.h"
#include "src/base/error.h"
#include "src/base/int128.h"
#include "src/number/format.h"
#include "src/number/philox.h"

namespace onnxv {
namespace {

// Short words of all kinds: empty, spaces, digits, beyond ASCII.
constexpr std::array<std::string_view, 8> kWords = {
    "", "a", "onnx", "Hello World", "42", "-1.5", "na\xc3\xafve", "\xe6\x97\xa5\xe6\x9c\xac"};
constexpr size_t kSequenceItems = 2;
constexpr int64_t kMapEntries = 3;

std::string text(double value) {
  std::array<char, 32> buffer{};
  return std::string(buffer.data(),
                     std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

std::vector<int64_t> resolved(const std::vector<Type::Dim>& dims, const InputSources& sources) {
  std::vector<int64_t> shape;
  for (const Type::Dim& dim : dims) {
    const auto given = sources.dims.find(dim.symbol);
    const bool symbolic = dim.value < 0 && !dim.symbol.empty() && given != sources.dims.end();
    shape.push_back(dim.value >= 0 ? dim.value : symbolic ? given->second : 1);
  }
  return shape;
}

class Generator {
 public:
  Generator(const std::string& name, const InputSources& sources, const InputRule* demanded)
      : name_(name), sources_(sources), stream_(sources.seed, name_hash(name)) {
    if (const auto range = sources.ranges.find(name); range != sources.ranges.end()) {
      range_ = range->second;  // who gives a range knows better than the graph
    } else if (demanded != nullptr) {
      range_ = {demanded->low, demanded->high};
      demanded_ = demanded;
    }
  }

  Value value(const Type& type, bool outermost) {
    switch (type.kind) {
      case Type::Kind::kTensor: return tensor(type.dtype, shape_of(type, outermost));
      case Type::Kind::kSequence: {
        Sequence sequence{*type.element, {}};
        for (size_t i = 0; i < kSequenceItems; ++i)
          sequence.items.push_back(value(*type.element, outermost));
        return sequence;
      }
      case Type::Kind::kOptional:
        return Optional{*type.element,
                        std::make_shared<const Value>(value(*type.element, outermost))};
      case Type::Kind::kMap: return map(type);
      default: break;
    }
    fail_usage("generate", "input \"" + name_ + "\" is of type " + type.text(),
               "which is not generated: give it by --input");
  }

  // What the last tensor's elements are.
  std::string rule() const {
    return demanded_ == nullptr ? rule_ : rule_ + " (" + demanded_->reason + ")";
  }

 private:
  uint64_t bits() { return stream_.bits(drawn_++); }
  // In [0, count), without bias that anyone could see: count is far below 2^64.
  uint64_t below(uint64_t count) {
    return static_cast<uint64_t>((static_cast<uint128>(bits()) * count) >> 64);
  }

  Shape shape_of(const Type& type, bool outermost) const {
    if (outermost) {
      if (const auto shape = shape_to_be(name_, type, sources_)) return Shape(*shape);
    }
    if (!type.shape) {
      fail_usage("shape-unknown", "the shape of input \"" + name_ + "\" is not declared",
                 "give it by --shape");
    }
    return Shape(resolved(*type.shape, sources_));
  }

  Tensor tensor(DType dtype, Shape shape) {
    if (dtype == DType::kUndefined) {
      fail_usage("type-unknown", "the element type of input \"" + name_ + "\" is not declared",
                 "give it by --input");
    }
    if (dtype == DType::kString) return strings(std::move(shape));
    Tensor result(dtype, std::move(shape));
    if (dtype == DType::kComplex64 || dtype == DType::kComplex128) {
      fill_complex(result);
    } else if (dtype == DType::kFloat8e8m0) {
      fill_powers(result);
    } else if (is_float(dtype)) {
      fill_floats(result);
    } else {
      fill_integers(result);
    }
    if (demanded_ != nullptr) take_form(result);
    return result;
  }

  void take_form(Tensor& result) {
    switch (demanded_->form) {
      case InputRule::Form::kAny: return;
      case InputRule::Form::kAscending: return ascend(result);
      case InputRule::Form::kShape: return become_shape(result);
      case InputRule::Form::kCorners: return order_corners(result);
    }
  }

  // 0, 1, 2 … along the last axis, again from 0 after the largest.
  void ascend(Tensor& result) {
    rule_ = "ascending from 0";
    const auto row = static_cast<size_t>(result.rank() == 0 ? 1 : result.shape().back());
    const auto count = static_cast<uint64_t>(demanded_->high) + 1;
    for (size_t i = 0; i < result.size(); ++i) result.set_code(i, i % row % count);
  }

  void become_shape(Tensor& result) {
    rule_ = "-1, then ones";
    const IntegerFormat format{dtype_bits(result.dtype()), true};
    for (size_t i = 0; i < result.size(); ++i)
      result.set_code(i, wrap_integer(format, i == 0 ? -1 : 1));
  }

  // Rows of two corners: the lower one first.
  void order_corners(Tensor& result) {
    if (result.rank() == 0 || result.shape().back() != 4 || !is_float(result.dtype())) return;
    rule_ += ", corners in order";
    const Format& format = float_format(result.dtype());
    for (size_t i = 0; i + 3 < result.size(); i += 4) {
      for (const size_t k : {i, i + 1}) {
        const uint64_t low = result.code(k), high = result.code(k + 2);
        if (decode(format, low) <= decode(format, high)) continue;
        result.set_code(k, high);
        result.set_code(k + 2, low);
      }
    }
  }

  Tensor strings(Shape shape) {
    Tensor result(DType::kString, std::move(shape));
    rule_ = "from a fixed list";
    for (std::string& word : result.mutable_strings()) word = kWords[below(kWords.size())];
    return result;
  }

  // lo + (hi - lo) u with u = k / 2^53: exact for [-1,1). Never hi itself: formats round down.
  double uniform() {
    const double low = !range_ ? -1 : range_->first;
    const double high = !range_ ? 1 : range_->second;
    const double u = static_cast<double>(bits() >> 11) * 0x1p-53;
    const double value = low + (high - low) * u;
    return value < high || low == high ? value : std::nextafter(high, low);
  }

  void describe_uniform() {
    rule_ = !range_ ? "uniform in [-1,1)"
                    : "uniform in [" + text(range_->first) + "," + text(range_->second) + ")";
  }

  void fill_floats(Tensor& result) {
    describe_uniform();
    const Format& format = float_format(result.dtype());
    for (size_t i = 0; i < result.size(); ++i) {
      result.set_code(i, encode(format, {uniform(), 0}, Rounding::kDown, Overflow::kSaturate));
    }
  }

  void fill_powers(Tensor& result) {
    rule_ = "powers of two from 2^-4 to 2^3";
    for (size_t i = 0; i < result.size(); ++i) result.set_code(i, 123 + below(8));
  }

  void fill_complex(Tensor& result) {
    describe_uniform();
    for (size_t i = 0; i < 2 * result.size(); ++i) {
      if (result.dtype() == DType::kComplex64) {
        const auto code = encode(kFloat32, {uniform(), 0}, Rounding::kDown, Overflow::kSaturate);
        const auto half = static_cast<uint32_t>(code);
        std::memcpy(result.mutable_bytes().data() + 4 * i, &half, 4);
      } else {
        const double half = uniform();
        std::memcpy(result.mutable_bytes().data() + 8 * i, &half, 8);
      }
    }
  }

  void fill_integers(Tensor& result) {
    const bool is_bool = result.dtype() == DType::kBool;
    const IntegerFormat format{is_bool ? 8 : dtype_bits(result.dtype()),
                               is_signed_integer(result.dtype())};
    const int128 largest = is_bool ? 1 : largest_integer(format);
    int128 low = 0, high = std::min<int128>(largest, 9);
    if (range_) {
      low = std::max(smallest_integer(format), clamped(std::ceil(range_->first)));
      high = std::min(largest, clamped(std::floor(range_->second)));
      if (low > high)
        fail_usage("range", "--range of \"" + name_ + "\" holds no value of its type");
    }
    rule_ = is_bool && !range_ ? "even"
                               : "integers from " + std::to_string(static_cast<int64_t>(low)) +
                                     " to " + std::to_string(static_cast<int64_t>(high));
    const auto count = static_cast<uint64_t>(high - low + 1);  // 0: all 2^64
    for (size_t i = 0; i < result.size(); ++i) {
      const uint64_t step = count == 0 ? bits() : below(count);
      result.set_code(i, wrap_integer(format, low + static_cast<int128>(step)));
    }
  }

  static int128 clamped(double value) {
    return static_cast<int128>(std::min(std::max(value, -0x1p64), 0x1p64));
  }

  Value map(const Type& type) {
    Map result;
    result.key_type = type.dtype;
    result.value_type = *type.element;
    for (int64_t k = 0; k < kMapEntries; ++k) {
      if (type.dtype == DType::kString) {
        result.string_keys.emplace_back(kWords[static_cast<size_t>(k) + 1]);
      } else {
        result.int_keys.push_back(k);
      }
      result.values.push_back(value(*type.element, false));
    }
    return result;
  }

  const std::string& name_;
  const InputSources& sources_;
  PhiloxStream stream_;
  uint64_t drawn_ = 0;
  std::optional<std::pair<double, double>> range_;
  const InputRule* demanded_ = nullptr;
  std::string rule_;
};

// A declared shape may be of any size: what no memory holds is a limit, and says which input it is.
template <class Make>
Value within_memory(const std::string& name, const Make& make) {
  const std::string place = "input \"" + name + "\"";
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kLimit) throw error.at(place);
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kLimit, "memory", "not enough memory", {}, place);
  } catch (const std::length_error&) {
    throw Error(ErrorKind::kLimit, "memory", "not enough memory", {}, place);
  }
}

}  // namespace

std::optional<std::vector<int64_t>> shape_to_be(const std::string& name, const Type& type,
                                                const InputSources& sources) {
  const auto given = sources.shapes.find(name);
  if (given != sources.shapes.end()) return given->second;
  if (type.kind != Type::Kind::kTensor || !type.shape) return std::nullopt;
  return resolved(*type.shape, sources);
}

Value generate_value(const ValueInfo& info, const InputSources& sources, const InputRule* demanded,
                     std::string* how) {
  Generator generator(info.name, sources, demanded);
  Value value = within_memory(info.name, [&] { return generator.value(info.type, true); });
  if (how != nullptr) {
    const std::string type = value.is_tensor()
                                 ? std::string(dtype_display_name(value.tensor().dtype())) +
                                       value.tensor().shape().text()
                                 : info.type.text();
    *how =
        info.name + ": " + type + " " + generator.rule() + ", seed " + std::to_string(sources.seed);
  }
  return value;
}

}  // namespace onnxv
