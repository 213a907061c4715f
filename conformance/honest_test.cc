// The bounds against honest float32 backends, which must never leave them, and against faults, which must. Prints what it counts.
#include <doctest/doctest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "conformance/compare/compare.h"
#include "conformance/testing/honest.h"
#include "src/run/testing.h"
#include "src/run/testing_models.h"

namespace onnxv {
namespace {

using honest::Floats;
using honest::Order;
using honest::Style;
using testing::NodeUnderTest;

constexpr uint32_t kSeed = 20261130;

Comparison judged(const Tensor& expected, const Tensor& actual) {
  CompareRequest request;
  request.tolerance.kind = Tolerance::Kind::kDerived;
  return compare(expected, actual, request);
}
Comparison judged(const Tensor& expected, const Floats& actual) {
  return judged(expected, testing::floats(expected.shape(), actual));
}

// Numbers of several kinds: around 1, wide, positive, on an offset.
Floats drawn(std::mt19937& random, size_t count, int kind) {
  std::normal_distribution<float> normal;
  Floats x(count);
  for (float& xi : x) {
    const float z = normal(random);
    xi = kind == 0 ? z : kind == 1 ? z * std::exp2(4 * normal(random)) : kind == 2 ? std::fabs(z) + 0.125F : 30 + z;
  }
  return x;
}

Tensor vector_of(const Floats& x) { return testing::floats({static_cast<int64_t>(x.size())}, x); }
Tensor matrix_of(const Floats& x, size_t rows) {
  return testing::floats({static_cast<int64_t>(rows), static_cast<int64_t>(x.size() / rows)}, x);
}

// One random case: the exact result with its bounds, and what a backend of that style gives.
struct Trial {
  Tensor exact;
  Floats honest;
};
using Maker = std::function<Trial(std::mt19937&, const Style&, int kind)>;

Maker elementwise(const char* op, int64_t opset, float (*function)(float), float scale = 1) {
  return [=](std::mt19937& random, const Style&, int kind) {
    Floats x = drawn(random, 64, kind), y;
    for (float& xi : x) xi = std::clamp(xi * scale, -60.0F, 60.0F);
    for (const float xi : x) y.push_back(function(xi));
    return Trial{NodeUnderTest(op, opset).input(vector_of(x)).one(), y};
  };
}

Maker positive(const char* op, int64_t opset, float (*function)(float)) {
  return [=](std::mt19937& random, const Style&, int) {
    const Floats x = drawn(random, 64, 2);
    Floats y;
    for (const float xi : x) y.push_back(function(xi));
    return Trial{NodeUnderTest(op, opset).input(vector_of(x)).one(), y};
  };
}

Maker reduction(const char* op, float (*function)(const Floats&, const Style&)) {
  return [=](std::mt19937& random, const Style& style, int kind) {
    const size_t length = 1 + random() % 600;
    Floats x = drawn(random, length, kind), y{function(x, style)};
    return Trial{NodeUnderTest(op, 18).attribute("keepdims", 0).input(vector_of(x)).one(), y};
  };
}

Trial matrix_product(std::mt19937& random, const Style& style, int kind) {
  const size_t k = 1 + random() % 500, m = 8, n = 8;
  const Floats a = drawn(random, m * k, kind), b = drawn(random, n * k, (kind + 1) % 4);
  Floats transposed(n * k), y;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < k; ++i) transposed[i * n + j] = b[j * k + i];
  }
  for (size_t i = 0; i < m; ++i) {
    const Floats row(a.begin() + static_cast<long>(i * k), a.begin() + static_cast<long>((i + 1) * k));
    for (size_t j = 0; j < n; ++j) {
      y.push_back(honest::dot(row, Floats(b.begin() + static_cast<long>(j * k), b.begin() + static_cast<long>((j + 1) * k)), style));
    }
  }
  return {NodeUnderTest("MatMul", 13).input(matrix_of(a, m)).input(matrix_of(transposed, k)).one(), y};
}

// One channel in, one out, a kernel of `taps` along one axis.
Trial convolution(std::mt19937& random, const Style& style, int kind) {
  const size_t taps = 1 + random() % 90, outputs = 64;
  const Floats x = drawn(random, outputs + taps - 1, kind), w = drawn(random, taps, 0), bias = drawn(random, 1, 0);
  Floats y;
  for (size_t i = 0; i < outputs; ++i) {
    y.push_back(honest::dot(Floats(x.begin() + static_cast<long>(i), x.begin() + static_cast<long>(i + taps)), w, style) + bias[0]);
  }
  const auto shaped = [](const Floats& values) { return testing::floats({1, 1, static_cast<int64_t>(values.size())}, values); };
  return {NodeUnderTest("Conv", 11).input(shaped(x)).input(shaped(w)).input(vector_of(bias)).one(), y};
}

Trial lines(const char* op, std::mt19937& random, const Style& style, int kind, Floats (*function)(const Floats&, const Style&)) {
  Floats x = drawn(random, 2 + random() % 300, kind);
  // Within float32's exponents: the text's logarithm of a softmax that has vanished is no evaluation of the formula any more.
  for (float& xi : x) xi = std::clamp(xi, -40.0F, 40.0F);
  return {NodeUnderTest(op, 13).input(vector_of(x)).one(), function(x, style)};
}

Trial layer_norm(std::mt19937& random, const Style& style, int kind) {
  const size_t length = 2 + random() % 300;
  const Floats x = drawn(random, length, kind), scale = drawn(random, length, 2), bias = drawn(random, length, 0);
  return {NodeUnderTest("LayerNormalization", 17).input(vector_of(x)).input(vector_of(scale)).input(vector_of(bias)).one(),
          honest::layer_normalization(x, scale, bias, style)};
}

Trial running_sum(std::mt19937& random, const Style&, int kind) {
  const Floats x = drawn(random, 64, kind);
  Floats y;
  for (const float xi : x) y.push_back(y.empty() ? xi : y.back() + xi);
  return {NodeUnderTest("CumSum", 14).input(vector_of(x)).input(testing::numbers(DType::kInt64, {}, {0})).one(), y};
}

Trial quotients(std::mt19937& random, const Style&, int kind) {
  const Floats a = drawn(random, 64, kind), b = drawn(random, 64, 2);
  Floats y;
  for (size_t i = 0; i < a.size(); ++i) y.push_back(a[i] / b[i]);
  return {NodeUnderTest("Div", 14).input(vector_of(a)).input(vector_of(b)).one(), y};
}

Tensor gradient_of_logistic(const Tensor& x, const Tensor& w) {
  Node gradient = testing::in_domain(testing::node("Gradient", {"x", "w"}, {"g"}), "ai.onnx.preview.training");
  gradient.attributes.push_back({"xs", Attribute::Kind::kStrings, {}, {}, std::vector<std::string>{"x"}});
  gradient.attributes.push_back({"zs", Attribute::Kind::kStrings, {}, {}, std::vector<std::string>{"w"}});
  gradient.attributes.push_back({"y", Attribute::Kind::kString, {}, {}, std::string("y")});
  Model model = testing::model(
      testing::graph({testing::info("x", DType::kFloat), testing::info("w", DType::kFloat)},
                     {testing::node("Mul", {"x", "w"}, {"z"}), testing::node("Sigmoid", {"z"}, {"y"}), gradient},
                     {testing::info("g", DType::kFloat)}),
      13);
  model.opset_imports.push_back({"ai.onnx.preview.training", 1});
  return testing::evaluate(model, {{"x", x}, {"w", w}}).outputs[0].tensor();
}

// y = sigmoid(x w); the derivative by x is y (1 - y) w, as a backend's own rules have it.
Trial gradient(std::mt19937& random, const Style&, int kind) {
  const Floats x = drawn(random, 64, kind % 2 == 0 ? kind : 0), w = drawn(random, 64, 0);
  Floats g;
  for (size_t i = 0; i < x.size(); ++i) {
    const float y = honest::sigmoid(x[i] * w[i]);
    g.push_back(y * (1.0F - y) * w[i]);
  }
  return {gradient_of_logistic(vector_of(x), vector_of(w)), g};
}

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> all{
      {"Exp", elementwise("Exp", 13, [](float x) { return std::exp(x); })},
      {"Tanh", elementwise("Tanh", 13, [](float x) { return std::tanh(x); })},
      {"Erf", elementwise("Erf", 13, [](float x) { return std::erf(x); })},
      {"Sin", elementwise("Sin", 7, [](float x) { return std::sin(x); })},
      {"Sigmoid", elementwise("Sigmoid", 13, honest::sigmoid)},
      {"Softplus", elementwise("Softplus", 1, honest::softplus)},
      {"Gelu", elementwise("Gelu", 20, honest::gelu)},
      {"Mish", elementwise("Mish", 18, honest::mish)},
      {"Elu", elementwise("Elu", 6, honest::elu)},
      {"Selu", elementwise("Selu", 6, honest::selu)},
      {"Celu", elementwise("Celu", 12, honest::celu)},
      {"HardSwish", elementwise("HardSwish", 14, honest::hard_swish)},
      {"Softsign", elementwise("Softsign", 1, honest::softsign)},
      {"Swish", elementwise("Swish", 24, honest::swish)},
      {"Sqrt", positive("Sqrt", 13, [](float x) { return std::sqrt(x); })},
      {"Log", positive("Log", 13, [](float x) { return std::log(x); })},
      {"Div", quotients},
      {"ReduceSum", reduction("ReduceSum", [](const Floats& x, const Style& style) { return honest::sum(x, style); })},
      {"ReduceMean", reduction("ReduceMean", [](const Floats& x, const Style& style) {
         return honest::sum(x, style) / static_cast<float>(x.size());
       })},
      {"ReduceL2", reduction("ReduceL2", [](const Floats& x, const Style& style) { return std::sqrt(honest::dot(x, x, style)); })},
      {"CumSum", running_sum},
      {"MatMul", matrix_product},
      {"Conv", convolution},
      {"Softmax", [](std::mt19937& r, const Style& s, int kind) { return lines("Softmax", r, s, kind, honest::softmax); }},
      {"LogSoftmax", [](std::mt19937& r, const Style& s, int kind) { return lines("LogSoftmax", r, s, kind, honest::log_softmax); }},
      {"LayerNormalization", layer_norm},
      {"Gradient", gradient},
  };
  return all;
}

TEST_CASE("honest float32 never leaves the certain bound: 10,000 random cases") {
  const ToleranceScope scope{ToleranceModel()};
  std::mt19937 random(kSeed);
  size_t cases = 0, outside = 0, suspicious = 0, loose = 0, elements = 0;
  double nearest = 0;
  while (cases < 10000) {
    for (const auto& [name, make] : makers()) {
      const Style style{static_cast<Order>(random() % 4), random() % 2 == 1, &random};
      const Trial trial = make(random, style, static_cast<int>(random() % 4));
      const Comparison c = judged(trial.exact, trial.honest);
      ++cases;
      elements += c.elements;
      loose += c.loose;
      suspicious += c.expected_ratio.value_or(0) > 1 ? 1 : 0;
      nearest = std::max(nearest, c.bound_ratio.value_or(0));
      if (c.matches) continue;
      ++outside;
      MESSAGE(name << " order " << static_cast<int>(style.order) << " fused " << style.fused << ": expected "
                   << c.first_mismatch->expected << ", honest " << c.first_mismatch->actual);
    }
  }
  std::printf("honest: %zu cases, %zu elements, %zu outside, largest error/bound %.3f, %zu beyond the expected, %zu loose\n", cases,
              elements, outside, nearest, suspicious, loose);
  CHECK(outside == 0);
  CHECK(suspicious < cases / 50);
}

// HardSigmoid's alpha is a float attribute: x max(0, min(1, 0.16666667163… x + 1/2)) in double. Gelu's 0.044715 and 2 / pi are float
// constants. The windows' bodies are float32 throughout: 0.54347825 - 0.45652175 = 0.0869565 (0x3db21640).
TEST_CASE("a float64 backend may follow the function body, whose constants are float32") {
  const ToleranceScope scope{ToleranceModel()};
  const auto holds = [](const Tensor& y, size_t element, double value) {
    REQUIRE(y.bounds() != nullptr);
    const Bound& bound = (*y.bounds())[element];
    return bound.low <= value && value <= bound.high;
  };
  CHECK(holds(NodeUnderTest("HardSwish", 14).input(testing::doubles({1}, {-0.026})).one(), 0, -0.012887333329975605));
  CHECK(holds(NodeUnderTest("Gelu", 20).attribute("approximate", "tanh").input(testing::doubles({1}, {-0.2})).one(), 0, -0.08414857053321229));
  CHECK(holds(NodeUnderTest("HammingWindow", 17).attribute("output_datatype", 11).input(testing::numbers(DType::kInt64, {}, {4})).one(),
              0, 0.08695650100708008));
}

// A fault of one kind: how many of 100 trials are caught.
int caught(const std::function<Comparison(std::mt19937&)>& trial) {
  std::mt19937 random(kSeed);
  int count = 0;
  for (int i = 0; i < 100; ++i) count += trial(random).matches ? 0 : 1;
  return count;
}

void report(const std::string& fault, int count) {
  std::printf("fault: %s: %d of 100 caught\n", fault.c_str(), count);
  CAPTURE(fault);
  CHECK(count >= 99);
}

struct Dots {
  std::vector<Floats> a, b;
  Tensor exact;
};
Dots dots_of(std::mt19937& random, size_t k, bool positive_only) {
  Dots dots;
  Floats a, b(8 * k);
  for (size_t i = 0; i < 8; ++i) {
    dots.a.push_back(drawn(random, k, positive_only ? 2 : 0));
    dots.b.push_back(drawn(random, k, positive_only ? 2 : 0));
    a.insert(a.end(), dots.a.back().begin(), dots.a.back().end());
    for (size_t e = 0; e < k; ++e) b[e * 8 + i] = dots.b.back()[e];
  }
  dots.exact = NodeUnderTest("MatMul", 13).input(matrix_of(a, 8)).input(matrix_of(b, k)).one();
  return dots;
}
Comparison with_each(const Dots& dots, const std::function<float(const Floats&, const Floats&)>& product) {
  Floats y;
  for (const Floats& a : dots.a) {
    for (const Floats& b : dots.b) y.push_back(product(a, b));
  }
  return judged(dots.exact, y);
}

TEST_CASE("faults in dot products are caught") {
  const ToleranceScope scope{ToleranceModel()};
  for (const size_t k : {16, 128, 1024}) {
    report("a dropped term, K = " + std::to_string(k), caught([k](std::mt19937& random) {
             const Dots dots = dots_of(random, k, false);
             const size_t missing = random() % k;
             return with_each(dots, [&](Floats a, const Floats& b) {
               a[missing] = 0;
               return honest::dot(a, b, {});
             });
           }));
    report("float16 accumulation, K = " + std::to_string(k), caught([k](std::mt19937& random) {
             return with_each(dots_of(random, k, false), honest::dot_in_float16);
           }));
    report("a swapped axis, K = " + std::to_string(k), caught([k](std::mt19937& random) {
             Dots dots = dots_of(random, k, false);
             std::swap(dots.a, dots.b);
             return with_each(dots, [](const Floats& a, const Floats& b) { return honest::dot(a, b, {}); });
           }));
  }
}

TEST_CASE("truncated accumulation is suspicious from K = 1,024 on") {
  const ToleranceScope scope{ToleranceModel()};
  for (const size_t k : {1024, 4096}) {
    const int count = caught([k](std::mt19937& random) {
      Comparison c = with_each(dots_of(random, k, true), honest::truncated_dot);
      c.matches = c.expected_ratio.value_or(0) <= 1;
      return c;
    });
    report("truncated accumulation of positive data, expected_ratio above 1, K = " + std::to_string(k), count);
  }
}

// The output's codes with the last rounding cut off: of the exact number known to double, toward zero.
Comparison with_cut_rounding(const Tensor& narrow, const Tensor& wide) {
  Tensor cut(narrow.dtype(), narrow.shape());
  const Format& format = float_format(narrow.dtype());
  for (size_t i = 0; i < narrow.size(); ++i) {
    const double exact = decode(kFloat64, wide.code(i));
    cut.set_code(i, encode(format, {exact, 0}, Rounding::kTowardZero, Overflow::kInfinity));
  }
  return judged(narrow, cut);
}
Tensor cast(const Tensor& x, DType to) {
  return NodeUnderTest("Cast", 19).attribute("to", static_cast<int64_t>(to)).input(x).one();
}

TEST_CASE("truncation in the final rounding is caught") {
  ToleranceModel model;
  model.compute = compute_type("float32");
  const auto doubles = [](std::mt19937& random, DType as) {
    // Numbers of the narrow type, so that both nodes see the same.
    return cast(vector_of(drawn(random, 64, 2)), as);
  };
  for (const DType type : {DType::kFloat16, DType::kBfloat16}) {
    const ToleranceScope scope(model);
    for (const char* op : {"Exp", "Tanh", "Sqrt", "Sigmoid", "Log"}) {
      report(std::string(op) + " to " + std::string(dtype_display_name(type)), caught([&](std::mt19937& random) {
               const Tensor x = doubles(random, type);
               return with_cut_rounding(NodeUnderTest(op, 13).input(x).one(), NodeUnderTest(op, 13).input(cast(x, DType::kDouble)).one());
             }));
    }
    report("Cast to " + std::string(dtype_display_name(type)), caught([&](std::mt19937& random) {
             const Tensor x = vector_of(drawn(random, 64, 0));
             return with_cut_rounding(cast(x, type), cast(x, DType::kDouble));
           }));
    report("InstanceNormalization to " + std::string(dtype_display_name(type)), caught([&](std::mt19937& random) {
             const auto node = [&](const Tensor& x) {
               const Tensor one = cast(vector_of({1}), x.dtype()), zero = cast(vector_of({0}), x.dtype());
               return NodeUnderTest("InstanceNormalization", 22).input(x.reshaped({1, 1, 64})).input(one).input(zero).one();
             };
             const Tensor x = doubles(random, type);
             return with_cut_rounding(node(x), node(cast(x, DType::kDouble)));
           }));
  }
  const ToleranceScope scope{ToleranceModel()};
  for (const char* op : {"Add", "Mul", "Div"}) {
    report(std::string(op) + " to float32", caught([&](std::mt19937& random) {
             const Tensor a = vector_of(drawn(random, 64, 0)), b = vector_of(drawn(random, 64, 2));
             return with_cut_rounding(NodeUnderTest(op, 14).input(a).input(b).one(),
                                      NodeUnderTest(op, 14).input(cast(a, DType::kDouble)).input(cast(b, DType::kDouble)).one());
           }));
  }
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<long>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

TEST_CASE("expected deviation over actual error: medians") {
  const ToleranceScope scope{ToleranceModel()};
  for (const char* name : {"MatMul", "Conv", "Softmax", "LayerNormalization"}) {
    std::mt19937 random(kSeed);
    std::vector<double> expected, certain;
    for (int i = 0; i < 100; ++i) {
      const Trial trial = makers().at(name)(random, {Order::kSequential, false, &random}, 0);
      for (size_t e = 0; e < trial.exact.size(); ++e) {
        const double exact = decode(kFloat32, trial.exact.code(e)), error = std::fabs(static_cast<double>(trial.honest[e]) - exact);
        const Bound& bound = (*trial.exact.bounds())[e];
        if (error == 0) continue;
        expected.push_back(bound.deviation / error);
        certain.push_back(std::max(bound.high - exact, exact - bound.low) / error);
      }
    }
    std::printf("median over the actual error, %s: expected %.1f, certain %.1f\n", name, median(expected), median(certain));
    CHECK(median(expected) <= 100);
  }
}

}  // namespace
}  // namespace onnxv
