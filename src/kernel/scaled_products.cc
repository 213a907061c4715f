#include "src/kernel/scaled_products.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/kernel/product.h"
#include "src/number/model.h"

namespace onnxv {
namespace {

class ScaledProducts : public LineSource {
 public:
  ScaledProducts(const Vectors& a, const Vectors& b, bool rows, Scale scale, const Format& type)
      : a_(a), b_(b), products_(rows ? product_rows(a, b) : product_lines(a, b)), scale_(scale), type_(type) {}
  size_t count() const override { return products_->count(); }
  bool exact() const override { return products_->exact(); }
  void read(size_t first, size_t lines, double* out) const override { products_->read(first, lines, out); }
  void read_radii(size_t first, size_t lines, double* out) const override { products_->read_radii(first, lines, out); }
  void read_intervals(size_t line, Interval* out) const override { products_->read_intervals(line, out); }
  void read_models(size_t line, ModelReal* out) const override {
    const ToleranceModel& model = ArithmeticScope::current().model;
    const ArithmeticScope arithmetic(model, model.compute ? *model.compute : compute_type(type_));
    products_->read_models(line, out);
    // A root of what is not positive is no way to write it.
    if (!(scale_.number > 0) || !std::isfinite(scale_.number)) return;
    const ModelReal number(scale_.number), root = sqrt(scale_.by_root ? ModelReal(1.0) / sqrt(number) : number);
    int exponent;
    if (root.point && std::frexp(root.m, &exponent) == 0.5) return;  // scaling is exact
    const size_t first = line * count(), length = a_.length();
    std::vector<double> x(length + 1), y(length + 1);
    a_.read(first / b_.count(), 1, 0, length, x.data());
    for (size_t e = 0; e < count(); ++e) {
      b_.read((first + e) % b_.count(), 1, 0, length, y.data());
      const Addends addends = scaled_one_by_one(x.data(), y.data(), length, root, arithmetic);
      if (std::isfinite(addends.total)) join(out + e, model_of(addends));
    }
  }

 private:
  // Of (s a) · (s b) / s², s the root as a backend has it: with an error of at most d = |s / m - 1| relative to its exact value m,
  // each s a is off by at most e = d + u (1 + d) relative and a floor f. Each product is off by (1 + e)² - 1 relative, and by
  // f (|a| + |b|) m; divided by m². The sum's own error, n u of what it adds and n f, comes on top.
  static Addends scaled_one_by_one(const double* x, const double* y, size_t length, const ModelReal& root,
                                   const ArithmeticScope& arithmetic) {
    Addends addends;
    addends.products = true;
    addends.points = false;
    double sizes = 0;
    for (size_t k = 0; k < length; ++k) {
      const double product = x[k] * y[k];
      addends.total += product;
      addends.magnitudes += std::fabs(product);
      addends.squares += product * product;
      sizes += std::fabs(x[k]) + std::fabs(y[k]);
      addends.count += product != 0 ? 1 : 0;
    }
    const double m = root.m, d = std::max(root.high - m, m - root.low) / m, grown = 1 + d + arithmetic.unit * (1 + d);
    const double reach = (grown * grown - 1) * addends.magnitudes +
                         arithmetic.floor * (sizes / m + static_cast<double>(addends.count) / (m * m));
    addends.low = addends.total - reach;
    addends.high = addends.total + reach;
    addends.variance = 4 * arithmetic.expected_unit * arithmetic.expected_unit * addends.squares;
    addends.magnitudes *= grown * grown;
    return addends;
  }

  const Vectors& a_;
  const Vectors& b_;
  std::unique_ptr<LineSource> products_;
  Scale scale_;
  const Format& type_;
};

}  // namespace

std::unique_ptr<LineSource> scaled_products(const Vectors& a, const Vectors& b, bool rows, Scale scale, const Format& type) {
  return std::make_unique<ScaledProducts>(a, b, rows, scale, type);
}

}  // namespace onnxv
