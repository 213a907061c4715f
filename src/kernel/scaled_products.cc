#include "src/kernel/scaled_products.h"

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
    const size_t first = line * count();
    const std::vector<ModelReal> x = scaled(a_, first / b_.count(), root);
    for (size_t e = 0; e < count(); ++e) {
      const std::vector<ModelReal> y = scaled(b_, (first + e) % b_.count(), root);
      const ModelReal score = dot(In<ModelReal>{x.data(), x.size()}, In<ModelReal>{y.data(), y.size()});
      // The formula will apply the scale.
      join(out + e, scale_.by_root ? score * sqrt(number) : score / number);
    }
  }

 private:
  static std::vector<ModelReal> scaled(const Vectors& vectors, size_t vector, const ModelReal& factor) {
    std::vector<ModelReal> elements(vectors.length());
    vectors.read_models(vector, elements.data());
    for (ModelReal& element : elements) element *= factor;
    return elements;
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
