#include "src/tensor/shape.h"

#include <algorithm>

#include "src/base/checked.h"

namespace onnxv {

Shape::Shape(std::span<const int64_t> dims) : rank_(dims.size()) {
  if (rank_ > kFew) many_.resize(rank_);
  std::copy(dims.begin(), dims.end(), first());
}

void Shape::insert(int64_t axis, int64_t dim) {
  if (rank_ == kFew) many_.assign(few_.begin(), few_.end());
  if (rank_ >= kFew) {
    many_.insert(many_.begin() + axis, dim);
  } else {
    std::copy_backward(few_.begin() + axis, few_.begin() + rank(), few_.begin() + rank() + 1);
    few_[static_cast<size_t>(axis)] = dim;
  }
  ++rank_;
}

void Shape::erase(int64_t axis) {
  if (rank_ > kFew) {
    many_.erase(many_.begin() + axis);
    if (rank_ - 1 == kFew) std::copy(many_.begin(), many_.end(), few_.begin());
  } else {
    std::copy(few_.begin() + axis + 1, few_.begin() + rank(), few_.begin() + axis);
  }
  --rank_;
}

bool Shape::operator==(const Shape& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

int64_t Shape::elements() const { return elements(0, rank()); }

int64_t Shape::elements(int64_t from, int64_t to) const {
  // A zero anywhere makes the product 0, even where the other dimensions alone would overflow.
  if (std::find(begin() + from, begin() + to, 0) != begin() + to) return 0;
  int64_t product = 1;
  for (int64_t axis = from; axis < to; ++axis) product = checked_multiply(product, (*this)[axis]);
  return product;
}

std::string Shape::text() const {
  std::string text = "[";
  for (size_t i = 0; i < size(); ++i) {
    if (i > 0) text += ",";
    text += std::to_string(dims()[i]);
  }
  return text + "]";
}

std::vector<int64_t> strides_of(const Shape& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = checked_multiply(strides[axis], shape.dims()[axis]);
  }
  return strides;
}

int64_t normalized_axis(int64_t axis, int64_t rank, std::string_view name) {
  if (axis < -rank || axis >= rank) {
    const std::string wanted =
        rank == 0 ? "but the tensor has no axes"
                  : "must be in [" + std::to_string(-rank) + ", " + std::to_string(rank - 1) + "]";
    fail_schema("attribute-range", std::string(name) + " is " + std::to_string(axis), wanted);
  }
  return axis < 0 ? axis + rank : axis;
}

Shape broadcast_shape(std::span<const Shape> shapes) {
  size_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.size());
  std::vector<int64_t> dims(rank, 1);
  for (const Shape& shape : shapes) {
    for (size_t back = 1; back <= shape.size(); ++back) {
      const int64_t dim = shape.dims()[shape.size() - back];
      int64_t& common = dims[rank - back];
      if (common == 1) common = dim;
      if (dim == 1 || dim == common) continue;
      std::string got = "shapes";
      for (const Shape& each : shapes) got += " " + each.text();
      fail_schema("shape-mismatch", got, "must broadcast to one shape");
    }
  }
  return Shape(std::move(dims));
}

Shape broadcast_shape(const Shape& a, const Shape& b) {
  if (a == b) return a;
  const Shape both[] = {a, b};
  return broadcast_shape(both);
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (size_t back = 1; back <= from.size(); ++back) {
    const int64_t dim = from.dims()[from.size() - back];
    if (dim != 1 && dim != to.dims()[to.size() - back]) return false;
  }
  return true;
}

std::vector<int64_t> broadcast_strides(const Shape& from, const Shape& to) {
  const std::vector<int64_t> own = strides_of(from);
  std::vector<int64_t> strides(to.size(), 0);
  for (size_t back = 1; back <= from.size(); ++back) {
    const size_t axis = from.size() - back;
    if (from.dims()[axis] != 1) strides[to.size() - back] = own[axis];
  }
  return strides;
}

Odometer::Odometer(const Shape& shape)
    : shape_(shape),
      index_(shape.size(), 0),
      more_(std::find(shape.begin(), shape.end(), 0) == shape.end()) {}

void Odometer::next() {
  for (size_t axis = index_.size(); axis-- > 0;) {
    if (++index_[axis] < shape_.dims()[axis]) return;
    index_[axis] = 0;
  }
  more_ = false;
}

}  // namespace onnxv
