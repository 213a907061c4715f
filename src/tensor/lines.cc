#include "src/tensor/lines.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "src/base/error.h"
#include "src/number/interval.h"
#include "src/number/model.h"
#include "src/number/placed_codes.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

IntegerFormat integer_format(DType dtype) { return {dtype_bits(dtype), is_signed_integer(dtype)}; }

template <class T>
void decode_as(const Tensor& tensor, size_t first, size_t count, double* out) {
  const T* values = tensor.as<T>().data() + first;
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<double>(values[i]);
}

double decode_one(const Tensor& tensor, size_t element) {
  const uint64_t code = tensor.code(element);
  if (is_float(tensor.dtype())) return decode(float_format(tensor.dtype()), code);
  return static_cast<double>(decode_integer(integer_format(tensor.dtype()), code));
}

}  // namespace

Target target_of(DType dtype) {
  if (is_float(dtype)) return Target::of(float_format(dtype));
  if (dtype == DType::kBool) {
    Target target;
    target.boolean = true;
    return target;
  }
  if (is_integer(dtype)) return Target::truncated(integer_format(dtype));
  fail_internal("target", "no number is written as " + std::string(dtype_name(dtype)));
}

void decode_elements(const Tensor& tensor, size_t first, size_t count, double* out) {
  if (count == 0) return;
  const DType dtype = tensor.dtype();
  switch (dtype) {
    case DType::kInt8: return decode_as<int8_t>(tensor, first, count, out);
    case DType::kUint8: return decode_as<uint8_t>(tensor, first, count, out);
    case DType::kInt16: return decode_as<int16_t>(tensor, first, count, out);
    case DType::kUint16: return decode_as<uint16_t>(tensor, first, count, out);
    case DType::kInt32: return decode_as<int32_t>(tensor, first, count, out);
    case DType::kUint32: return decode_as<uint32_t>(tensor, first, count, out);
    case DType::kInt64: return decode_as<int64_t>(tensor, first, count, out);
    case DType::kUint64: return decode_as<uint64_t>(tensor, first, count, out);
    case DType::kBool:
      for (size_t i = 0; i < count; ++i) out[i] = tensor.as<uint8_t>()[first + i] != 0 ? 1 : 0;
      return;
    default: break;
  }
  if (!is_float(dtype) && !is_integer(dtype)) {
    fail_internal("decode", "no number is read from " + std::string(dtype_name(dtype)));
  }
  if (is_float(dtype) && dtype_bits(dtype) >= 8) {
    const size_t width = static_cast<size_t>(dtype_bits(dtype)) / 8;
    decode_many(float_format(dtype), tensor.bytes().data() + first * width, count, out);
    return;
  }
  for (size_t i = 0; i < count; ++i) out[i] = decode_one(tensor, first + i);
}

bool holds_exact_doubles(const Tensor& tensor) {
  constexpr int64_t kMost = int64_t{1} << 53;
  if (tensor.dtype() == DType::kInt64) {
    const auto values = tensor.as<int64_t>();
    return std::all_of(values.begin(), values.end(), [](int64_t v) { return v >= -kMost && v <= kMost; });
  }
  if (tensor.dtype() == DType::kUint64) {
    const auto values = tensor.as<uint64_t>();
    return std::all_of(values.begin(), values.end(), [](uint64_t v) { return v <= uint64_t{kMost}; });
  }
  return true;
}

ModelReal model_element(const Tensor& tensor, size_t element) {
  double value;
  decode_elements(tensor, element, 1, &value);
  const std::vector<Bound>* bounds = tensor.bounds();
  return model_of(value, bounds == nullptr ? Bound() : (*bounds)[element]);
}

LineLayout LineLayout::along(const Shape& shape, int64_t axis) {
  return {static_cast<size_t>(shape.elements(0, axis)), static_cast<size_t>(shape[axis]),
          static_cast<size_t>(shape.elements(axis + 1, shape.rank()))};
}
LineLayout LineLayout::from(const Shape& shape, int64_t axis) {
  return {static_cast<size_t>(shape.elements(0, axis)),
          static_cast<size_t>(shape.elements(axis, shape.rank())), 1};
}

// ---- sources ----

namespace {

// Reads elements by position; knows about integers that no double holds.
class TensorReader {
 public:
  explicit TensorReader(const Tensor& tensor) : tensor_(tensor), exact_(holds_exact_doubles(tensor)) {}
  const Tensor& tensor() const { return tensor_; }
  bool exact() const { return exact_; }
  bool fits(const Format& format) const {
    return is_float(tensor_.dtype()) && float_format(tensor_.dtype()).mantissa_bits <= format.mantissa_bits;
  }
  void read(size_t first, size_t count, double* out) const { decode_elements(tensor_, first, count, out); }
  double read_one(size_t element) const {
    double value;
    decode_elements(tensor_, element, 1, &value);
    return value;
  }
  // How far a double may be from the integer it was rounded from.
  double radius(size_t element) const { return exact_ ? 0 : radius_of(read_one(element)); }
  static double radius_of(double value) { return std::fabs(value) < 0x1p53 ? 0 : std::fabs(value) * 0x1p-52; }
  Interval interval(size_t element) const {
    if (exact_) return Interval(read_one(element));
    if (tensor_.dtype() == DType::kUint64) return Interval::of_unsigned(tensor_.code(element));
    return Interval::of_integer(static_cast<int64_t>(tensor_.code(element)));
  }
  ModelReal model(size_t element) const { return model_element(tensor_, element); }

 private:
  const Tensor& tensor_;
  bool exact_;
};

// Lines whose elements come from one tensor.
class TensorLines : public LineSource {
 public:
  explicit TensorLines(const Tensor& tensor) : reader_(tensor) {}
  bool exact() const override { return reader_.exact(); }
  bool fits(const Format& format) const override { return reader_.fits(format); }

 protected:
  TensorReader reader_;
};

class LayoutLines : public TensorLines {
 public:
  LayoutLines(const Tensor& tensor, LineLayout layout) : TensorLines(tensor), layout_(layout) {}
  size_t count() const override { return layout_.length; }
  void read(size_t first, size_t lines, double* out) const override {
    if (layout_.inner == 1) return reader_.read(first * layout_.length, lines * layout_.length, out);
    if (layout_.length == 1) return reader_.read(first, lines, out);
    // Runs of neighbouring lines are contiguous for each element of the line.
    std::vector<double> run;
    for (size_t line = first; line < first + lines;) {
      const size_t inner = line % layout_.inner;
      const size_t together = std::min(layout_.inner - inner, first + lines - line);
      run.resize(together);
      for (size_t i = 0; i < layout_.length; ++i) {
        reader_.read(position(line, i), together, run.data());
        for (size_t k = 0; k < together; ++k) out[(line - first + k) * layout_.length + i] = run[k];
      }
      line += together;
    }
  }
  void read_radii(size_t first, size_t lines, double* out) const override {
    for (size_t line = first; line < first + lines; ++line) {
      for (size_t i = 0; i < layout_.length; ++i) *out++ = reader_.radius(position(line, i));
    }
  }
  void read_intervals(size_t line, Interval* out) const override {
    for (size_t i = 0; i < layout_.length; ++i) out[i] = reader_.interval(position(line, i));
  }
  void read_models(size_t line, ModelReal* out) const override {
    for (size_t i = 0; i < layout_.length; ++i) out[i] = reader_.model(position(line, i));
  }

 private:
  size_t position(size_t line, size_t i) const {
    return (line / layout_.inner * layout_.length + i) * layout_.inner + line % layout_.inner;
  }
  LineLayout layout_;
};

class SharedTensor : public TensorLines {
 public:
  explicit SharedTensor(const Tensor& tensor) : TensorLines(tensor) {}
  size_t count() const override { return reader_.tensor().size(); }
  bool shared() const override { return true; }
  void read(size_t, size_t, double* out) const override { reader_.read(0, count(), out); }
  void read_radii(size_t, size_t, double* out) const override {
    for (size_t i = 0; i < count(); ++i) out[i] = reader_.radius(i);
  }
  void read_intervals(size_t, Interval* out) const override {
    for (size_t i = 0; i < count(); ++i) out[i] = reader_.interval(i);
  }
  void read_models(size_t, ModelReal* out) const override {
    for (size_t i = 0; i < count(); ++i) out[i] = reader_.model(i);
  }
};

// One element per line, broadcast. Equal shapes and single elements have their own fast ways.
class BroadcastElements : public TensorLines {
 public:
  BroadcastElements(const Tensor& tensor, const Shape& shape)
      : TensorLines(tensor), shape_(shape), strides_(broadcast_strides(tensor.shape(), shape)),
        same_(tensor.size() == static_cast<size_t>(shape.elements())) {}
  size_t count() const override { return 1; }
  bool shared() const override { return reader_.tensor().size() == 1; }
  void read(size_t first, size_t lines, double* out) const override {
    if (same_ || shared()) return reader_.read(first, lines, out);
    const size_t inner = static_cast<size_t>(shape_.back());
    const int64_t step = strides_.back();
    for (size_t line = first; line < first + lines;) {
      const size_t column = line % inner;
      const size_t together = std::min(inner - column, first + lines - line);
      const size_t start = position(line);
      if (step == 1) {
        reader_.read(start, together, out);
      } else {
        std::fill_n(out, together, reader_.read_one(start));
      }
      out += together;
      line += together;
    }
  }
  void read_radii(size_t first, size_t lines, double* out) const override {
    for (size_t i = 0; i < lines; ++i) out[i] = reader_.radius(position(first + i));
  }
  void read_intervals(size_t line, Interval* out) const override { *out = reader_.interval(position(line)); }
  void read_models(size_t line, ModelReal* out) const override { *out = reader_.model(position(line)); }

 private:
  size_t position(size_t line) const {
    if (same_) return line;
    if (shared()) return 0;
    size_t at = 0;
    for (int64_t axis = shape_.rank(); axis-- > 0;) {
      const size_t dim = static_cast<size_t>(shape_[axis]);
      at += line % dim * static_cast<size_t>(strides_[static_cast<size_t>(axis)]);
      line /= dim;
    }
    return at;
  }
  Shape shape_;
  std::vector<int64_t> strides_;
  bool same_;
};

class GatheredLines : public TensorLines {
 public:
  GatheredLines(const Tensor& tensor, size_t count, LineJob::Positions positions, double missing)
      : TensorLines(tensor), count_(count), positions_(std::move(positions)), missing_(missing) {}
  size_t count() const override { return count_; }
  void read(size_t first, size_t lines, double* out) const override {
    each(first, lines, [&](int64_t at) { *out++ = at < 0 ? missing_ : reader_.read_one(static_cast<size_t>(at)); });
  }
  void read_radii(size_t first, size_t lines, double* out) const override {
    each(first, lines, [&](int64_t at) { *out++ = at < 0 ? 0 : reader_.radius(static_cast<size_t>(at)); });
  }
  void read_intervals(size_t line, Interval* out) const override {
    each(line, 1, [&](int64_t at) {
      *out++ = at < 0 ? Interval(missing_) : reader_.interval(static_cast<size_t>(at));
    });
  }
  void read_models(size_t line, ModelReal* out) const override {
    each(line, 1, [&](int64_t at) { *out++ = at < 0 ? ModelReal(missing_) : reader_.model(static_cast<size_t>(at)); });
  }

 private:
  template <class Use>
  void each(size_t first, size_t lines, const Use& use) const {
    std::vector<int64_t> at(count_ + 1);
    for (size_t line = first; line < first + lines; ++line) {
      positions_(line, at.data());
      for (size_t i = 0; i < count_; ++i) use(at[i]);
    }
  }
  size_t count_;
  LineJob::Positions positions_;
  double missing_;
};

class ComputedLines : public LineSource {
 public:
  ComputedLines(size_t count, LineJob::Values values) : count_(count), values_(std::move(values)) {}
  size_t count() const override { return count_; }
  void read(size_t first, size_t lines, double* out) const override {
    for (size_t line = first; line < first + lines; ++line, out += count_) values_(line, out);
  }

 private:
  size_t count_;
  LineJob::Values values_;
};

// ---- the sink ----

class TensorSink : public PlacedSink {
 public:
  TensorSink(Tensor* tensor, LineLayout layout, Target target)
      : tensor_(tensor), layout_(layout), target_(target), width_(target.width()) {
    // Threads must not share a packed byte: sub-byte codes wait, one byte each, until finish().
    const int bits = dtype_bits(tensor->dtype());
    if (bits < 8) {
      unpacked_.resize(tensor->size());
      base_ = unpacked_.data();
    } else {
      base_ = reinterpret_cast<uint8_t*>(tensor->mutable_bytes().data());
    }
    if (ToleranceScope::current() != nullptr) bounds_ = &tensor->mutable_bounds();
  }
  size_t count() const override { return layout_.length; }
  Target target() const override { return target_; }
  void* place(size_t first) override {
    return layout_.inner == 1 ? base_ + first * layout_.length * width_ : nullptr;
  }
  void write(size_t first, size_t lines, const void* codes) override {
    const uint8_t* from = static_cast<const uint8_t*>(codes);
    if (layout_.inner == 1) {
      std::memcpy(base_ + first * layout_.length * width_, from, lines * layout_.length * width_);
      return;
    }
    for (size_t line = first; line < first + lines; ++line) {
      const size_t start = line / layout_.inner * layout_.length * layout_.inner + line % layout_.inner;
      for (size_t i = 0; i < layout_.length; ++i, from += width_) {
        std::memcpy(base_ + (start + i * layout_.inner) * width_, from, width_);
      }
    }
  }
  void write_bounds(size_t line, const Bound* bounds) override {
    const size_t start = line / layout_.inner * layout_.length * layout_.inner + line % layout_.inner;
    for (size_t i = 0; i < layout_.length; ++i) (*bounds_)[start + i * layout_.inner] = bounds[i];
  }
  void finish() {
    for (size_t i = 0; i < unpacked_.size(); ++i) tensor_->set_code(i, unpacked_[i]);
  }

 private:
  Tensor* tensor_;
  LineLayout layout_;
  Target target_;
  size_t width_;
  std::vector<uint8_t> unpacked_;
  uint8_t* base_ = nullptr;
  std::vector<Bound>* bounds_ = nullptr;  // within a ToleranceScope
};

}  // namespace

// ---- LineJob ----

struct LineJob::State {
  LadderCall call;
  std::vector<std::unique_ptr<LineSource>> sources;
  std::vector<std::unique_ptr<TensorSink>> sinks;
};

LineJob::LineJob(const Formula& formula, size_t lines) : state_(std::make_unique<State>()) {
  state_->call.formula = &formula;
  state_->call.lines = lines;
}
LineJob::~LineJob() = default;

LineJob& LineJob::source(std::unique_ptr<LineSource> source) {
  state_->call.inputs.push_back(source.get());
  state_->sources.push_back(std::move(source));
  return *this;
}
LineJob& LineJob::lines_of(const Tensor& tensor, LineLayout layout) {
  return source(std::make_unique<LayoutLines>(tensor, layout));
}
LineJob& LineJob::shared(const Tensor& tensor) { return source(std::make_unique<SharedTensor>(tensor)); }
LineJob& LineJob::constants(std::vector<double> values) {
  return source(std::make_unique<Constants>(std::move(values)));
}
LineJob& LineJob::broadcast(const Tensor& tensor, const Shape& shape) {
  return source(std::make_unique<BroadcastElements>(tensor, shape));
}
LineJob& LineJob::gathered(const Tensor& tensor, size_t count, Positions positions, double missing) {
  return source(std::make_unique<GatheredLines>(tensor, count, std::move(positions), missing));
}
LineJob& LineJob::computed(size_t count, Values values) {
  return source(std::make_unique<ComputedLines>(count, std::move(values)));
}
LineJob& LineJob::option(int64_t value) {
  state_->call.options.push_back(value);
  return *this;
}
LineJob& LineJob::options(std::span<const int64_t> values) {
  state_->call.options.insert(state_->call.options.end(), values.begin(), values.end());
  return *this;
}
LineJob& LineJob::computed_in(DType dtype) {
  state_->call.compute = &float_format(dtype);
  return *this;
}
LineJob& LineJob::lines_to(Tensor* tensor, LineLayout layout) {
  return lines_to(tensor, layout, target_of(tensor->dtype()));
}
LineJob& LineJob::lines_to(Tensor* tensor, LineLayout layout, Target target) {
  state_->sinks.push_back(std::make_unique<TensorSink>(tensor, layout, target));
  state_->call.outputs.push_back(state_->sinks.back().get());
  return *this;
}
uint64_t LineJob::run() {
  const Formula& formula = *state_->call.formula;
  if (formula.inputs != state_->call.inputs.size() || formula.outputs != state_->call.outputs.size()) {
    fail_internal("formula-arity", std::string("formula ") + formula.name + " is called with the wrong operands");
  }
  const uint64_t unproved = climb(state_->call);
  for (const auto& sink : state_->sinks) sink->finish();
  return unproved;
}

}  // namespace onnxv
