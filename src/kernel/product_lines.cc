// Dot products as operands of formulas.
#include <algorithm>
#include <cmath>

#include "src/kernel/exact_product.h"
#include "src/kernel/product.h"
#include "src/kernel/product_bounds.h"
#include "src/kernel/product_grid.h"

namespace onnxv {
namespace {

class ProductLines : public LineSource {
 public:
  ProductLines(const Vectors& a, const Vectors& b, size_t elements) : a_(a), b_(b), elements_(elements) {
    const size_t count = a.count() * b.count();
    midpoints_.resize(count);
    radii_.resize(count);
    if (count == 0) return;
    // What a formula makes of a radius, exp above all, is worth the shorter runs.
    const ProductTask task{a, b, nullptr, 16};
    if (fits_tiles(task)) {
      const size_t columns = b.count();
      for_each_tile(task, [&](const SumsOfTile& tile, size_t row, size_t column) {
        const size_t at = row * columns + column;
        product_kernels().balls(with_quanta(tile), midpoints_.data() + at, radii_.data() + at, columns);
      });
    } else {
      for (size_t line = 0; line < count; ++line) wide(line);
    }
  }
  size_t count() const override { return elements_; }
  bool exact() const override { return false; }
  void read(size_t first, size_t lines, double* out) const override {
    std::copy_n(midpoints_.data() + first * elements_, lines * elements_, out);
  }
  void read_radii(size_t first, size_t lines, double* out) const override {
    std::copy_n(radii_.data() + first * elements_, lines * elements_, out);
  }
  void read_intervals(size_t line, Interval* out) const override {
    if (elements_ == 0) return;
    const size_t length = a_.length(), first = line * elements_;
    std::vector<double> x(length + 1), y(length + 1);
    a_.read(first / b_.count(), 1, 0, length, x.data());
    for (size_t e = 0; e < elements_; ++e) {
      b_.read((first + e) % b_.count(), 1, 0, length, y.data());
      out[e] = enclosed_dot(x.data(), y.data(), length);
    }
  }
  void read_models(size_t line, ModelReal* out) const override {
    if (elements_ == 0) return;
    const size_t first = line * elements_;
    model_products(a_, first / b_.count(), b_, first % b_.count(), elements_, out);
  }

 private:
  void wide(size_t line) {
    const size_t length = a_.length();
    std::vector<double> x(length + 1), y(length + 1);
    a_.read(line / b_.count(), 1, 0, length, x.data());
    b_.read(line % b_.count(), 1, 0, length, y.data());
    const DotBall ball = dot_ball(x.data(), y.data(), length);
    midpoints_[line] = ball.midpoint;
    radii_[line] = ball.radius;
  }
  const Vectors& a_;
  const Vectors& b_;
  size_t elements_;  // of a line: 1, or all products of one vector of a
  std::vector<double> midpoints_, radii_;
};

}  // namespace

std::unique_ptr<LineSource> product_lines(const Vectors& a, const Vectors& b) {
  return std::make_unique<ProductLines>(a, b, 1);
}
std::unique_ptr<LineSource> product_rows(const Vectors& a, const Vectors& b) {
  return std::make_unique<ProductLines>(a, b, b.count());
}

}  // namespace onnxv
