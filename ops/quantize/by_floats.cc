#include "ops/quantize/by_floats.h"

#include <algorithm>
#include <atomic>

#include "src/base/parallel.h"
#include "src/number/bound.h"
#include "src/number/float_loops.h"
#include "src/tensor/floats.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

constexpr size_t kBlock = 1024;     // what stays in the first cache; a multiple of 8, so that two blocks share no byte
constexpr size_t kGrain = 1 << 15;  // of a thread
constexpr size_t kLongRun = 16;     // elements for which one call of a loop is cheaper than their parameters laid beside them

bool fits(DType dtype, const Format& format) {
  if (!is_float(dtype)) return false;
  const Format& own = float_format(dtype);
  return own.mantissa_bits <= format.mantissa_bits && own.exponent_bits <= format.exponent_bits;
}

// Scales and zeros as float32, laid beside a block of elements.
class Parameters {
 public:
  explicit Parameters(const Scaling& by) : layout_(by.layout), scales_(floats_of(by.scale)) {
    // Adding an absent zero point is adding -0, subtracting it is subtracting +0: see the callers.
    if (by.zero_point != nullptr) zeros_ = floats_of(*by.zero_point);
  }
  void absent_zeros_are(float zero) {
    if (zeros_.empty()) zeros_.assign(scales_.size(), zero);
  }
  bool zeros_are_zero() const {
    return std::all_of(zeros_.begin(), zeros_.end(), [](float zero) { return zero == 0; });
  }
  bool scales_are_finite() const {
    return std::all_of(scales_.begin(), scales_.end(), [](float scale) { return double_is_finite(double{scale}); });
  }
  Quantizers beside(size_t first, size_t count, float* scales, float* zeros) const {
    if (scales_.size() == 1) return {scales_.data(), zeros_.data(), kOneForAll};
    if (const ScaleLayout::Runs runs = layout_.runs_from(first, count); runs.length >= kLongRun) {
      return {scales_.data() + runs.parameter, zeros_.data() + runs.parameter, runs.length};
    }
    layout_.repeat(scales_, first, count, scales);
    layout_.repeat(zeros_, first, count, zeros);
    return {scales, zeros, 1};
  }

 private:
  static std::vector<float> floats_of(const Tensor& tensor) {
    std::vector<float> values(tensor.size());
    const float* floats = float_elements(tensor, 0, values.size(), values.data());
    if (floats != values.data()) std::copy_n(floats, values.size(), values.data());
    return values;
  }
  const ScaleLayout& layout_;
  std::vector<float> scales_, zeros_;
};

// Calls work(first, x, count, quantizers) for blocks of x.
template <class Work>
void each_block(const Tensor& x, const Parameters& parameters, const Work& work) {
  parallel_for(x.size(), kGrain, [&](size_t begin, size_t end) {
    float values[kBlock], scales[kBlock], zeros[kBlock];
    for (size_t first = begin; first < end; first += kBlock) {
      const size_t count = std::min(kBlock, end - first);
      const float* elements = float_elements(x, first, count, values);
      work(first, elements, count, parameters.beside(first, count, scales, zeros));
    }
  });
}

// Where the codes of a block go: into y, or into `unpacked`, from where they are packed.
class Codes {
 public:
  explicit Codes(Tensor* y) : bits_(dtype_bits(y->dtype())), bytes_(y->mutable_bytes().data()) {}
  void* place(size_t first, uint8_t* unpacked) const {
    return bits_ < 8 ? static_cast<void*>(unpacked) : bytes_ + first * static_cast<size_t>(bits_ / 8);
  }
  void finish(size_t first, size_t count, const uint8_t* unpacked) const {
    if (bits_ < 8) pack_codes(unpacked, bits_, first, count, bytes_);
  }

 private:
  int bits_;
  std::byte* bytes_;
};

bool holds_precision(const Tensor& x, DType precision) {
  if (precision == DType::kFloat) return fits(x.dtype(), kFloat32) || x.dtype() == DType::kInt32;
  return (precision == DType::kFloat16 || precision == DType::kBfloat16) && x.dtype() == precision;
}

}  // namespace

bool quantized_by_floats(const Tensor& x, const Scaling& by, DType precision, Overflow overflow, Tensor* y, bool* met_nan) {
  if (ToleranceScope::current() != nullptr || !holds_precision(x, precision)) return false;
  const Format& format = float_format(precision);
  const bool to_float = is_float(y->dtype());
  // The digits of a narrow quotient are kept, its range is not: for integers both ends of it lie beyond what counts.
  if (!fits(by.scale.dtype(), format) || (to_float && precision != DType::kFloat)) return false;
  Parameters parameters(by);
  parameters.absent_zeros_are(-0.0f);
  if (to_float && !parameters.zeros_are_zero()) return false;
  const Codes codes(y);
  const IntegerFormat integer{dtype_bits(y->dtype()), is_signed_integer(y->dtype())};
  std::atomic<bool> special = false;
  each_block(x, parameters, [&](size_t first, const float* values, size_t count, const Quantizers& quantizers) {
    uint8_t unpacked[kBlock];
    float quotients[kBlock];
    void* place = codes.place(first, unpacked);
    bool met;
    if (to_float) {
      divide_floats(values, count, quantizers, quotients);
      met = encode_floats(float_format(y->dtype()), quotients, count, place, overflow);
    } else {
      met = quantize_floats(values, count, quantizers, format.mantissa_bits + 1, integer, place);
    }
    codes.finish(first, count, unpacked);
    if (met) special = true;
  });
  *met_nan = special;
  return true;
}

bool dequantized_by_floats(const Tensor& x, const Scaling& by, Tensor* y) {
  if (ToleranceScope::current() != nullptr || !fits_float32(x.dtype()) || !fits(by.scale.dtype(), kFloat32)) return false;
  Parameters parameters(by);
  parameters.absent_zeros_are(0.0f);
  const bool has_no_nan = !is_float(x.dtype()) && parameters.scales_are_finite();
  // A difference of integers of 16 bits is a float32, and its product with one of 53 bits a double; for floats only x - 0 is.
  if (is_float(x.dtype()) && !parameters.zeros_are_zero()) return false;
  const Codes codes(y);
  const Format& format = float_format(y->dtype());
  each_block(x, parameters, [&](size_t first, const float* values, size_t count, const Quantizers& quantizers) {
    void* place = codes.place(first, nullptr);
    if (y->dtype() == DType::kFloat && has_no_nan) {
      dequantize_floats(values, count, quantizers, static_cast<float*>(place));
    } else if (y->dtype() == DType::kFloat) {
      float products[kBlock];
      dequantize_floats(values, count, quantizers, products);
      encode_floats(format, products, count, place, Overflow::kInfinity);
    } else {
      double products[kBlock];
      dequantize_floats(values, count, quantizers, products);
      encode_exact_many(format, products, count, place, Rounding::kNearestEven, Overflow::kInfinity);
    }
  });
  return true;
}

}  // namespace onnxv
