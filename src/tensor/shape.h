// Shapes, strides and axes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace onnxv {

// Dimensions of a tensor, outermost first; every one is >= 0. Rank 0 is a scalar. Up to kFew dimensions take no memory of
// their own: a walk over small tensors would spend its time on them.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : Shape(std::span<const int64_t>(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const int64_t> dims);

  int64_t rank() const { return static_cast<int64_t>(rank_); }
  bool empty() const { return rank_ == 0; }
  size_t size() const { return rank_; }
  int64_t operator[](int64_t axis) const { return begin()[axis]; }
  int64_t& operator[](int64_t axis) { return first()[axis]; }
  const int64_t* begin() const { return rank_ <= kFew ? few_.data() : many_.data(); }
  const int64_t* end() const { return begin() + rank_; }
  int64_t back() const { return end()[-1]; }
  void push_back(int64_t dim) { insert(rank(), dim); }
  void insert(int64_t axis, int64_t dim);
  void erase(int64_t axis);
  std::span<const int64_t> dims() const { return {begin(), rank_}; }
  std::vector<int64_t> list() const { return {begin(), end()}; }
  bool operator==(const Shape& other) const;

  // Product of all dimensions (1 for a scalar). kLimit error when it exceeds 2^63 - 1.
  int64_t elements() const;
  // Product of the dimensions [from, to).
  int64_t elements(int64_t from, int64_t to) const;
  // "[2,3]"; "[]" for a scalar.
  std::string text() const;

 private:
  static constexpr size_t kFew = 6;
  int64_t* first() { return rank_ <= kFew ? few_.data() : many_.data(); }

  size_t rank_ = 0;
  std::array<int64_t, kFew> few_{};  // all dimensions, where they fit
  std::vector<int64_t> many_;        // else all of them are here
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
