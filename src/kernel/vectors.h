// Families of vectors: what a matrix product multiplies.
//
// Every product kernel computes dot products a_i · b_j of two families. A family says how its vectors are read;
// the rows of a matrix, the patches of an image and a bias column are all the same to the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/kernel/product_tile.h"
#include "src/tensor/tensor.h"

namespace onnxv {

class OffsetVectors;  // src/kernel/patches.h

// Per vector its norm and its quantum (PanelMeasure in src/kernel/product_tile.h).
struct VectorMeasures {
  std::vector<double> norms, quanta;
};
class ModelReal;

class Vectors {
 public:
  virtual ~Vectors() = default;
  virtual size_t count() const = 0;   // vectors
  virtual size_t length() const = 0;  // elements of each
  // The exact values of elements [from, from + elements) of vectors [first, first + vectors):
  // out[e * vectors + v]. NaN and infinities included.
  virtual void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const = 0;
  // True when every element has at most 26 significant bits (float32 and narrower, integers up to 25 bits and a sign), so
  // that a product of two is exact in a double.
  virtual bool narrow() const = 0;
  // True where every element is an integer that 16 bits hold with its sign.
  virtual bool small_integers() const { return false; }
  // Where the vectors are offsets into values that are decoded already; null otherwise.
  virtual const OffsetVectors* offsets() const { return nullptr; }
  // Where element e of vector v stands as a plain number: v * vector_stride + e * element_stride elements behind `values`.
  struct Plain {
    const void* values = nullptr;
    Stored stored = Stored::kNowhere;
    int64_t vector_stride = 0, element_stride = 0;
    const float* floats() const { return stored == Stored::kFloat32 ? static_cast<const float*>(values) : nullptr; }
    const double* doubles() const { return stored == Stored::kFloat64 ? static_cast<const double*>(values) : nullptr; }
  };
  virtual Plain plain() const { return {}; }
  // Measures that are kept; null where they must be computed.
  virtual std::shared_ptr<const VectorMeasures> measures() const { return nullptr; }
  // Within a ToleranceScope: some element was computed in the same node and has a bound; the patches of an image.
  virtual bool bounded() const { return false; }
  virtual bool patches() const { return false; }
  // One vector as a backend may have it.
  virtual void read_models(size_t vector, ModelReal* out) const;
};

// True for types whose every value has at most 26 significant bits.
bool is_narrow(DType dtype);

// True for types whose every value is an integer that 16 bits hold with its sign.
bool is_small_integer(DType dtype);

// Vectors inside a tensor: element e of vector v stands at offset + v * vector_stride + e * element_stride.
class StridedVectors : public Vectors {
 public:
  StridedVectors(const Tensor& tensor, size_t count, size_t length, int64_t offset, int64_t vector_stride,
                 int64_t element_stride);
  size_t count() const override { return count_; }
  size_t length() const override { return length_; }
  void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const override;
  bool narrow() const override { return is_narrow(tensor_.dtype()); }
  bool small_integers() const override { return is_small_integer(tensor_.dtype()); }
  Plain plain() const override;
  // Kept where the tensor is one of a model's weights (src/kernel/weights.h).
  std::shared_ptr<const VectorMeasures> measures() const override;
  bool bounded() const override { return tensor_.bounds() != nullptr; }
  void read_models(size_t vector, ModelReal* out) const override;

 private:
  void read_decoded(int64_t start, size_t vectors, size_t elements, double* out) const;
  const Tensor& tensor_;
  size_t count_, length_;
  int64_t offset_, vector_stride_, element_stride_;
};

// The vectors of another family, each with one more element behind: 1, or one value per vector (a bias).
class ExtendedVectors : public Vectors {
 public:
  // `extra` holds one exact value per vector, or one for all.
  ExtendedVectors(const Vectors& vectors, std::vector<double> extra, bool extra_is_narrow);
  size_t count() const override { return vectors_.count(); }
  size_t length() const override { return vectors_.length() + 1; }
  void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const override;
  bool narrow() const override { return narrow_; }
  bool bounded() const override { return vectors_.bounded(); }
  bool patches() const override { return vectors_.patches(); }
  void read_models(size_t vector, ModelReal* out) const override;

 private:
  const Vectors& vectors_;
  std::vector<double> extra_;
  bool narrow_;
};

// A vector family in memory, [count][length], exact doubles.
class StoredVectors : public Vectors {
 public:
  StoredVectors(std::vector<double> values, size_t count, size_t length, bool narrow)
      : values_(std::move(values)), count_(count), length_(length), narrow_(narrow) {}
  size_t count() const override { return count_; }
  size_t length() const override { return length_; }
  void read(size_t first, size_t vectors, size_t from, size_t elements, double* out) const override;
  bool narrow() const override { return narrow_; }
  Plain plain() const override {
    const auto stride = static_cast<int64_t>(length_);
    return floats_.empty() ? Plain{values_.data(), Stored::kFloat64, stride, 1} : Plain{floats_.data(), Stored::kFloat32, stride, 1};
  }
  std::shared_ptr<const VectorMeasures> measures() const override { return measures_; }
  // One of them alone.
  StoredVectors part(size_t vector) const {
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(vector * length_);
    return {std::vector<double>(from, from + static_cast<std::ptrdiff_t>(length_)), 1, length_, narrow_};
  }
  // For families that are multiplied more than once: measures them, and keeps them as float32 where nothing is lost, which is
  // half as much to read.
  void prepare();
  // Within a ToleranceScope: one for each value.
  void set_bounds(std::vector<Bound> bounds) { bounds_ = std::move(bounds); }
  bool bounded() const override { return !bounds_.empty(); }
  void read_models(size_t vector, ModelReal* out) const override;

 private:
  std::vector<double> values_;
  std::vector<float> floats_;  // the same; empty: not prepared, or no floats
  std::vector<Bound> bounds_;
  size_t count_, length_;
  bool narrow_;
  std::shared_ptr<const VectorMeasures> measures_;
};

// Computes them.
VectorMeasures measured(const Vectors& vectors);

}  // namespace onnxv
