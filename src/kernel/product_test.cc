// Every path of a product (tiles, few vectors, windows, anchored sums) against exact sums, on data that is hard for each.
#include "src/kernel/product.h"

#include <mpfr.h>

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

#include "src/base/parallel.h"
#include "src/kernel/ball_product.h"
#include "src/kernel/packing.h"
#include "src/kernel/patches.h"
#include "src/kernel/product_tile.h"
#include "src/kernel/weights.h"
#include "src/number/interval.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

enum class Kind { kNormal, kCancelling, kLognormal, kIntegers, kHalves, kSpecials, kZeros, kTiny, kHuge };
constexpr Kind kKinds[] = {Kind::kNormal,   Kind::kCancelling, Kind::kLognormal, Kind::kIntegers, Kind::kHalves,
                           Kind::kSpecials, Kind::kZeros,      Kind::kTiny,      Kind::kHuge};

double drawn(Kind kind, std::mt19937& random) {
  const double normal = std::normal_distribution<double>()(random);
  const uint32_t dice = random();
  switch (kind) {
    case Kind::kCancelling: {
      const double values[] = {1e8, 1, -1e8};
      return values[dice % 3];
    }
    case Kind::kLognormal: return (dice % 2 == 0 ? 1 : -1) * std::exp(5 * normal);
    case Kind::kIntegers: return static_cast<double>(dice % 401) - 200;
    case Kind::kHalves: return std::nearbyint(normal * 64) / 2048;
    case Kind::kSpecials: {
      const double values[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
      return dice % 40 == 0 ? values[dice / 40 % 5] : normal;
    }
    case Kind::kZeros: return dice % 4 == 0 ? 0.0 : dice % 4 == 1 ? -0.0 : dice % 64 == 2 ? normal : -0.0;
    case Kind::kTiny: return normal * 0x1p-130;
    case Kind::kHuge: return normal * 0x1p118;
    default: return normal;
  }
}

Tensor drawn(Kind kind, DType dtype, Shape shape, std::mt19937& random) {
  Tensor tensor(dtype, shape);
  const Target target = target_of(dtype);
  for (size_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, settle_exact(target, drawn(kind, random)));
  return tensor;
}

// The sum of products, rounded once, from exact integers of MPFR alone.
uint64_t expected(const Target& target, const std::vector<double>& x, const std::vector<double>& y) {
  bool special = false, all_negative_zero = true;
  double plain = -0.0;
  for (size_t k = 0; k < x.size(); ++k) {
    const double product = x[k] * y[k];
    special = special || !std::isfinite(x[k]) || !std::isfinite(y[k]);
    all_negative_zero = all_negative_zero && std::signbit(product) && (x[k] == 0 || y[k] == 0);
    plain += product;
  }
  if (special) return settle_exact(target, plain);
  mpfr_t sum, product;
  mpfr_init2(sum, 1200);  // as many as the data of one kind can need
  mpfr_init2(product, 106);
  mpfr_set_zero(sum, 1);
  for (size_t k = 0; k < x.size(); ++k) {
    mpfr_set_d(product, x[k], MPFR_RNDN);
    mpfr_mul_d(product, product, y[k], MPFR_RNDN);
    mpfr_add(sum, sum, product, MPFR_RNDN);
  }
  const bool zero = mpfr_zero_p(sum) != 0;
  const uint64_t code = zero ? settle_exact(target, all_negative_zero ? -0.0 : 0.0) : encode_mpfr(target, sum);
  mpfr_clear(sum);
  mpfr_clear(product);
  return code;
}

struct Sizes {
  size_t m, n, k;
};
constexpr Sizes kSizes[] = {{1, 1, 1}, {1, 61, 37}, {3, 40, 131}, {8, 12, 24}, {9, 13, 300}, {30, 25, 257}, {41, 5, 90}, {16, 130, 8}};

struct Problem {
  Tensor a, b;
  Sizes size;
  bool b_along;               // elements of one vector of b stand side by side
  std::vector<double> start;  // empty: none
};

StridedVectors rows_of(const Problem& p) { return {p.a, p.size.m, p.size.k, 0, static_cast<int64_t>(p.size.k), 1}; }
StridedVectors columns_of(const Problem& p) {
  const auto n = static_cast<int64_t>(p.size.n), k = static_cast<int64_t>(p.size.k);
  return p.b_along ? StridedVectors(p.b, p.size.n, p.size.k, 0, k, 1) : StridedVectors(p.b, p.size.n, p.size.k, 0, 1, n);
}

Tensor product_of(const Problem& p, DType dtype, bool turned) {
  const auto m = static_cast<int64_t>(p.size.m), n = static_cast<int64_t>(p.size.n);
  Tensor y(dtype, turned ? Shape{n, m} : Shape{m, n});
  const StridedVectors a = rows_of(p), b = columns_of(p);
  multiply(a, b, {&y, 0, turned ? 1 : n, turned ? m : 1, target_of(dtype), p.start.empty() ? nullptr : p.start.data()});
  return y;
}

// Elements of `vectors` against each other one by one; returns how many are wrong.
size_t wrong_elements(const Vectors& a, const Vectors& b, const std::vector<double>& start, const Tensor& y, bool turned) {
  const Target target = target_of(y.dtype());
  size_t wrong = 0;
  std::vector<double> x(a.length()), w(b.length());
  for (size_t i = 0; i < a.count(); ++i) {
    for (size_t j = 0; j < b.count(); ++j) {
      x.resize(a.length());
      w.resize(b.length());
      a.read(i, 1, 0, a.length(), x.data());
      b.read(j, 1, 0, b.length(), w.data());
      if (!start.empty()) {
        x.push_back(start[i]);
        w.push_back(1);
      }
      if (y.code(turned ? j * a.count() + i : i * b.count() + j) != expected(target, x, w)) ++wrong;
    }
  }
  return wrong;
}

Problem problem_of(Kind kind, DType dtype, Sizes size, uint32_t seed) {
  std::mt19937 random(seed);
  const auto m = static_cast<int64_t>(size.m), n = static_cast<int64_t>(size.n), k = static_cast<int64_t>(size.k);
  Problem p{drawn(kind, dtype, {m, k}, random), drawn(kind, dtype, {k, n}, random), size, seed % 2 == 0, {}};
  if (seed % 3 == 0) {
    const Tensor bias = drawn(kind, dtype, {m}, random);
    p.start.resize(size.m);
    decode_elements(bias, 0, size.m, p.start.data());
  }
  return p;
}

// NaN is as good as NaN.
bool same_number(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

}  // namespace

TEST_CASE("products are their exact sums, rounded once") {
  uint32_t seed = 0;
  for (const DType dtype : {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kDouble}) {
    for (const Kind kind : kKinds) {
      for (const Sizes size : kSizes) {
        const Problem p = problem_of(kind, dtype, size, ++seed);
        const bool turned = seed % 5 == 0;
        INFO("seed " << seed << ", type " << dtype_name(dtype) << ", kind " << static_cast<int>(kind) << ", " << size.m << " " << size.n
                     << " " << size.k);
        CHECK(wrong_elements(rows_of(p), columns_of(p), p.start, product_of(p, dtype, turned), turned) == 0);
      }
    }
  }
}

TEST_CASE("products of several blocks of rows, columns and elements") {
  uint32_t seed = 300;
  for (const DType dtype : {DType::kFloat, DType::kFloat16}) {
    const Problem p = problem_of(dtype == DType::kFloat ? Kind::kHalves : Kind::kNormal, dtype, {90, 101, 200}, ++seed);
    INFO("seed " << seed << ", type " << dtype_name(dtype));
    CHECK(wrong_elements(rows_of(p), columns_of(p), p.start, product_of(p, dtype, false), false) == 0);
  }
}

TEST_CASE("arrays of every type are packed as they are read") {
  std::mt19937 random(11);
  for (const DType dtype : {DType::kFloat, DType::kDouble, DType::kFloat16, DType::kBfloat16, DType::kInt8, DType::kUint8, DType::kInt16, DType::kBool}) {
    Tensor x(dtype, {50, 29});
    for (size_t i = 0; i < x.size(); ++i) x.set_code(i, dtype == DType::kBool ? random() % 2 : random() << 8 ^ random());
    for (const bool along : {false, true}) {
      const StridedVectors vectors = along ? StridedVectors(x, 50, 29, 0, 29, 1) : StridedVectors(x, 29, 50, 0, 1, 29);
      Scratch memory;
      const size_t width = product_kernels().columns, count = vectors.count() - 3, length = vectors.length();
      const Packed packed = pack(vectors, 3, count, width, memory);
      std::vector<double> values(length);
      size_t wrong = 0;
      for (size_t v = 0; v < count; ++v) {
        vectors.read(3 + v, 1, 0, length, values.data());
        const double* panel = packed.panels + v / width * width * length + v % width;
        for (size_t e = 0; e < length; ++e) wrong += same_number(panel[e * width], values[e]) ? 0 : 1;
      }
      INFO(dtype_name(dtype) << (along ? ", along" : ", across"));
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("sums may start from a number per column") {
  uint32_t seed = 400;
  for (const DType dtype : {DType::kFloat, DType::kFloat16, DType::kDouble}) {
    for (const Kind kind : kKinds) {
      for (const Sizes size : {Sizes{9, 13, 40}, Sizes{2, 60, 21}, Sizes{33, 5, 90}, Sizes{10, 101, 3}}) {
        Problem p = problem_of(kind, dtype, size, ++seed);
        std::mt19937 random(seed);
        const Tensor bias = drawn(kind, dtype, {static_cast<int64_t>(size.n)}, random);
        std::vector<double> values(size.n);
        decode_elements(bias, 0, size.n, values.data());
        const StridedVectors a = rows_of(p), b = columns_of(p);
        const auto n = static_cast<int64_t>(size.n);
        Tensor y(dtype, {static_cast<int64_t>(size.m), n});
        ProductOutput out{&y, 0, n, 1, target_of(dtype)};
        out.start_of_b = values.data();
        multiply(a, b, out);
        INFO("seed " << seed << ", type " << dtype_name(dtype) << ", kind " << static_cast<int>(kind));
        CHECK(wrong_elements(ExtendedVectors(a, {1.0}, true), ExtendedVectors(b, values, true), {}, y, false) == 0);
      }
    }
  }
}

TEST_CASE("float32 matrices become other types without a second rounding") {
  uint32_t seed = 1000;
  for (const DType dtype : {DType::kDouble, DType::kFloat16, DType::kFloat8e4m3fn, DType::kInt32, DType::kBool}) {
    for (const Kind kind : {Kind::kNormal, Kind::kCancelling, Kind::kIntegers, Kind::kHalves}) {
      const Problem p = problem_of(kind, DType::kFloat, {9, 13, 40}, ++seed);
      INFO("seed " << seed << ", to " << dtype_name(dtype));
      CHECK(wrong_elements(rows_of(p), columns_of(p), p.start, product_of(p, dtype, false), false) == 0);
    }
  }
}

TEST_CASE("any number of threads gives the same bits") {
  for (const Kind kind : {Kind::kNormal, Kind::kLognormal, Kind::kSpecials}) {
    for (const DType dtype : {DType::kFloat, DType::kDouble}) {
      for (const Sizes size : {Sizes{70, 90, 110}, Sizes{2, 500, 600}, Sizes{200, 12, 128}}) {
        const Problem p = problem_of(kind, dtype, size, 5);
        const Tensor one = product_of(p, dtype, false);
        for (const int threads : {2, 7}) {
          set_thread_count(threads);
          CHECK(same_bits(one, product_of(p, dtype, false)));
        }
        set_thread_count(1);
      }
    }
  }
}

TEST_CASE("windows of an image are multiplied where they lie") {
  uint32_t seed = 2000;
  const std::vector<int64_t> spatial{7, 19};
  for (const Kind kind : kKinds) {
    for (const int64_t stride : {1, 2, 3}) {
      std::mt19937 random(++seed);
      const Tensor x = drawn(kind, DType::kFloat, {2, 7, 19}, random), w = drawn(kind, DType::kFloat, {9, 18}, random);
      WindowAttributes attributes;
      attributes.kernel = {3, 3};
      attributes.strides = {stride, stride};
      attributes.pads = {1, 1, 1, 1};
      const PatchLayout layout(window_offsets(placed_windows(spatial, attributes)));
      const PatchVectors patches(x, 0, 2, layout);
      for (const size_t filters : {size_t{1}, size_t{5}, size_t{9}}) {
        const StridedVectors rows(w, filters, 18, 0, 18, 1);
        const std::vector<double> bias(filters, seed % 2 == 0 ? 0.5 : -0.0);
        Tensor y(DType::kFloat, {static_cast<int64_t>(filters), static_cast<int64_t>(patches.count())});
        multiply(rows, patches, {&y, 0, static_cast<int64_t>(patches.count()), 1, target_of(DType::kFloat), bias.data()});
        INFO("kind " << static_cast<int>(kind) << ", stride " << stride << ", filters " << filters);
        CHECK(wrong_elements(rows, patches, bias, y, false) == 0);
      }
    }
  }
}

TEST_CASE("windows that fill their rows stay apart from the next row's") {
  std::mt19937 random(77);
  for (const int64_t stride : {2, 3, 4}) {
    const std::vector<int64_t> spatial{2 * stride, 12};
    WindowAttributes attributes;
    attributes.kernel = attributes.strides = {stride, stride};
    const PatchLayout layout(window_offsets(placed_windows(spatial, attributes)));
    const Tensor x = drawn(Kind::kNormal, DType::kFloat, {1, spatial[0], spatial[1]}, random);
    const PatchVectors patches(x, 0, 1, layout);
    CHECK(patches.count() == static_cast<size_t>(2 * 12 / stride));
    std::vector<double> values(patches.length());
    for (size_t window = 0; window < patches.count(); ++window) {
      patches.read(window, 1, 0, values.size(), values.data());
      const auto in_row = static_cast<size_t>(12 / stride), step = static_cast<size_t>(stride);
      const float* first = x.as<float>().data() + window / in_row * step * 12 + window % in_row * step;
      for (size_t tap = 0; tap < values.size(); ++tap) CHECK(values[tap] == static_cast<double>(first[tap / step * 12 + tap % step]));
    }
  }
}

TEST_CASE("what is kept of a model's weights is theirs alone") {
  std::mt19937 random(3);
  const Tensor x = drawn(Kind::kNormal, DType::kFloat, {1, 50}, random);
  Tensor w = drawn(Kind::kNormal, DType::kFloat, {50, 20}, random);
  const StridedVectors row(x, 1, 50, 0, 50, 1);
  {
    const Weights weights(w);
    const StridedVectors columns(w, 20, 50, 0, 1, 20), turned(w, 50, 20, 0, 20, 1);
    const auto kept = columns.measures();
    REQUIRE(kept != nullptr);
    CHECK(kept == columns.measures());
    CHECK(turned.measures() != kept);
    CHECK(turned.measures()->norms.size() == 50);
    // A write copies, since the weights hold the old bytes.
    Tensor changed = w;
    changed.set_code(0, 0x7f800000);
    const StridedVectors others(changed, 20, 50, 0, 1, 20);
    CHECK(others.measures() == nullptr);
    Tensor y(DType::kFloat, {1, 20});
    multiply(row, others, {&y, 0, 20, 1, target_of(DType::kFloat)});
    CHECK(wrong_elements(row, others, {}, y, false) == 0);
  }
  CHECK(StridedVectors(w, 20, 50, 0, 1, 20).measures() == nullptr);
}

TEST_CASE("products as operands enclose their sums") {
  for (const Kind kind : kKinds) {
    for (const DType dtype : {DType::kFloat, DType::kDouble}) {
      const Problem p = problem_of(kind, dtype, {9, 14, 60}, 4);
      const StridedVectors a = rows_of(p), b = columns_of(p);
      const auto lines = product_lines(a, b);
      const Target target = target_of(DType::kDouble);
      for (size_t line = 0; line < 9 * 14; ++line) {
        double midpoint, radius;
        lines->read(line, 1, &midpoint);
        lines->read_radii(line, 1, &radius);
        std::vector<double> x(60), w(60);
        a.read(line / 14, 1, 0, 60, x.data());
        b.read(line % 14, 1, 0, 60, w.data());
        const uint64_t code = expected(target, x, w);
        double value;
        std::memcpy(&value, &code, sizeof value);
        if (radius < INFINITY) {
          CHECK(std::fabs(value - midpoint) <= radius + 0x1p-52 * std::fabs(value));
        } else {
          CHECK(kind != Kind::kNormal);
        }
      }
    }
  }
}

TEST_CASE("precise products enclose their sums closely, and are exact where their partial sums are") {
  for (const Kind kind : {Kind::kNormal, Kind::kCancelling, Kind::kIntegers, Kind::kZeros, Kind::kSpecials}) {
    const Problem p = problem_of(kind, DType::kFloat, {9, 14, 60}, 6);
    const StridedVectors a = rows_of(p), b = columns_of(p);
    const Balls balls = precise_products(a, b);
    for (size_t at = 0; at < 9 * 14; ++at) {
      std::vector<double> x(60), w(60);
      a.read(at / 14, 1, 0, 60, x.data());
      b.read(at % 14, 1, 0, 60, w.data());
      const uint64_t code = expected(target_of(DType::kDouble), x, w);
      double value;
      std::memcpy(&value, &code, sizeof value);
      if (balls.radii[at] == INFINITY) {
        CHECK(kind == Kind::kSpecials);
        continue;
      }
      CHECK(std::fabs(value - balls.midpoints[at]) <= balls.radii[at] + 0x1p-52 * std::fabs(value));
      if (kind == Kind::kIntegers) CHECK(balls.radii[at] == 0);
      if (kind == Kind::kNormal) CHECK(balls.radii[at] < 0x1p-46);
    }
  }
}

TEST_CASE("products of balls hold every choice inside them") {
  std::mt19937 random(8);
  const Tensor v = drawn(Kind::kNormal, DType::kFloat, {20, 13}, random);
  const StridedVectors columns(v, 13, 20, 0, 1, 13);
  std::vector<double> midpoints(3 * 20), norms(3);
  for (double& m : midpoints) m = std::exp(drawn(Kind::kNormal, random));
  const double radius = 0x1p-45;  // of every element
  for (double& norm : norms) norm = radius * std::sqrt(20.0);
  const Balls balls = multiply_balls(StoredVectors(midpoints, 3, 20, false), norms, columns);
  for (size_t at = 0; at < 3 * 13; ++at) {
    std::vector<double> x(midpoints.begin() + static_cast<std::ptrdiff_t>(at / 13 * 20), midpoints.begin() + static_cast<std::ptrdiff_t>(at / 13 * 20 + 20)), w(20);
    columns.read(at % 13, 1, 0, 20, w.data());
    // The farthest choice: each element moved by its radius, by the sign of its value.
    for (const double direction : {-1.0, 0.0, 1.0}) {
      std::vector<double> moved = x;
      for (size_t k = 0; k < 20; ++k) moved[k] += direction * radius * (w[k] < 0 ? -1 : 1);
      const uint64_t code = expected(target_of(DType::kDouble), moved, w);
      double value;
      std::memcpy(&value, &code, sizeof value);
      CHECK(std::fabs(value - balls.midpoints[at]) <= balls.radii[at]);
    }
    CHECK(balls.radii[at] < 0x1p-38);
  }
}

}  // namespace onnxv
