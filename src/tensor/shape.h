// Shapes, strides and axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace onnxv {

// Dimensions of a tensor, outermost first; every one is >= 0. Rank 0 is a scalar.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}
  explicit Shape(std::span<const int64_t> dims) : dims_(dims.begin(), dims.end()) {}

  int64_t rank() const { return static_cast<int64_t>(dims_.size()); }
  bool empty() const { return dims_.empty(); }
  size_t size() const { return dims_.size(); }
  int64_t operator[](int64_t axis) const { return dims_[static_cast<size_t>(axis)]; }
  int64_t& operator[](int64_t axis) { return dims_[static_cast<size_t>(axis)]; }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }
  int64_t back() const { return dims_.back(); }
  void push_back(int64_t dim) { dims_.push_back(dim); }
  void insert(int64_t axis, int64_t dim) { dims_.insert(dims_.begin() + axis, dim); }
  void erase(int64_t axis) { dims_.erase(dims_.begin() + axis); }
  const std::vector<int64_t>& dims() const { return dims_; }
  bool operator==(const Shape&) const = default;

  // Product of all dimensions (1 for a scalar). kLimit error when it exceeds 2^63 - 1.
  int64_t elements() const;
  // Product of the dimensions [from, to).
  int64_t elements(int64_t from, int64_t to) const;
  // "[2,3]"; "[]" for a scalar.
  std::string text() const;

 private:
  std::vector<int64_t> dims_;
};

// Row-major strides in elements: the last is 1.
std::vector<int64_t> strides_of(const Shape& shape);

// An axis in [-rank, rank - 1] as one in [0, rank - 1]; else a schema error
// "attribute-range: <name> is 3, must be in [-2, 1]".
int64_t normalized_axis(int64_t axis, int64_t rank, std::string_view name = "axis");

// NumPy's multidirectional broadcast of all shapes; schema error "shape-mismatch" if there is none.
Shape broadcast_shape(std::span<const Shape> shapes);
Shape broadcast_shape(const Shape& a, const Shape& b);
// True when `from` broadcasts to `to` without changing `to`.
bool broadcasts_to(const Shape& from, const Shape& to);
// Per axis of `to`: the stride in elements of a tensor of shape `from` (contiguous), 0 where it repeats.
std::vector<int64_t> broadcast_strides(const Shape& from, const Shape& to);

// Odometer over all index tuples of `shape` in row-major order:
//   for (Odometer at(shape); at.more(); at.next()) use(at.index());
class Odometer {
 public:
  explicit Odometer(const Shape& shape);
  bool more() const { return more_; }
  void next();
  const std::vector<int64_t>& index() const { return index_; }
  int64_t operator[](int64_t axis) const { return index_[static_cast<size_t>(axis)]; }

 private:
  Shape shape_;
  std::vector<int64_t> index_;
  bool more_;
};

}  // namespace onnxv
