#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

NodeUnderTest ml(const char* op) { return NodeUnderTest(op, 1, "ai.onnx.ml"); }

// s = x, transformed: one target for each feature.
Tensor transformed(const char* transform, std::vector<float> scores) {
  const auto count = static_cast<int64_t>(scores.size());
  std::vector<float> identity(scores.size() * scores.size(), 0);
  for (size_t i = 0; i < scores.size(); ++i) identity[i * scores.size() + i] = 1;
  return ml("LinearRegressor")
      .attribute("targets", count)
      .reals("coefficients", identity)
      .attribute("post_transform", transform)
      .input(floats({1, count}, std::move(scores)))
      .one();
}

}  // namespace

TEST_CASE("LinearRegressor-1 exact products, float32 out") {
  const auto node = [] { return ml("LinearRegressor").attribute("targets", 2).reals("coefficients", {3, 4, -1, 2}); };
  CHECK(same(node().reals("intercepts", {0.5F, 0}).input(floats({2, 2}, {1, 2, 0, 1})).one(),
             floats({2, 2}, {11.5F, 3, 4.5F, 2})));
  CHECK(same(node().input(int64s({2}, {1, 2})).one(), floats({1, 2}, {11, 3})));
  const auto sum = [](Tensor x) {
    return ml("LinearRegressor").reals("coefficients", {1, 1, 1}).input(std::move(x)).one();
  };
  CHECK(same(sum(floats({1, 3}, {1e8F, 1, -1e8F})), floats({1, 1}, {1})));
  CHECK(same(sum(int64s({1, 3}, {9007199254740993, -9007199254740992, 0})), floats({1, 1}, {1})));
  CHECK(same(sum(doubles({1, 3}, {1e300, 0.5, -1e300})), floats({1, 1}, {0.5F})));
  CHECK(same(sum(floats({1, 3}, {kInfinity, 1, -kInfinity})), floats({1, 1}, {kNan})));
  CHECK(same(sum(floats({0, 3}, {})), floats({0, 1}, {})));
}

TEST_CASE("LinearRegressor-1 transforms go along the targets") {
  CHECK(same(transformed("LOGISTIC", {0, 0}), floats({1, 2}, {0.5F, 0.5F})));
  CHECK(same(transformed("LOGISTIC", {kInfinity}), floats({1, 1}, {1})));
  CHECK(same(transformed("LOGISTIC", {-kInfinity}), floats({1, 1}, {0})));
  CHECK(same(transformed("SOFTMAX", {7, 7}), floats({1, 2}, {0.5F, 0.5F})));
  CHECK(same(transformed("SOFTMAX", {-1000}), floats({1, 1}, {1})));
  CHECK(same(transformed("SOFTMAX", {1000, 0}), floats({1, 2}, {1, 0})));
  // Zeros stay; the other two share e^2 : e^2.
  CHECK(same(transformed("SOFTMAX_ZERO", {0, 2, 2}), floats({1, 3}, {0, 0.5F, 0.5F})));
  CHECK(same(transformed("SOFTMAX_ZERO", {0, 0}), floats({1, 2}, {kNan, kNan})));
  // 1e-8 is near zero: u = 1e-8, alone it is the whole.
  CHECK(same(transformed("SOFTMAX_ZERO", {1e-8F}), floats({1, 1}, {1})));
  CHECK(same(transformed("PROBIT", {0.5F, 0, 1, 2}), floats({1, 4}, {0, -kInfinity, kInfinity, kNan})));
  // The quantile of 3/4 is 0.67448975019608174…, of 1/4 its negative.
  CHECK(same(transformed("PROBIT", {0.75F, 0.25F}), floats({1, 2}, {0.6744897501960817F, -0.6744897501960817F})));
}

TEST_CASE("LinearRegressor-1 errors") {
  const Tensor x = floats({1, 2}, {1, 2});
  CHECK(ml("LinearRegressor").reals("coefficients", {1, 2, 3}).input(x).error().find("schema/list-length") == 0);
  CHECK(ml("LinearRegressor")
            .reals("coefficients", {1, 2})
            .reals("intercepts", {1, 2})
            .input(x)
            .error()
            .find("intercepts has 2 entries, must have none or 1") != std::string::npos);
  CHECK(ml("LinearRegressor")
            .reals("coefficients", {1, 2})
            .attribute("targets", 0)
            .input(x)
            .error()
            .find("schema/attribute-range") == 0);
  CHECK(ml("LinearRegressor")
            .reals("coefficients", {1, 2})
            .attribute("post_transform", "TANH")
            .input(x)
            .error()
            .find("schema/attribute-value") == 0);
  CHECK(ml("LinearRegressor")
            .reals("coefficients", {1})
            .input(floats({1, 1, 1}, {1}))
            .error()
            .find("schema/shape-mismatch") == 0);
}

TEST_CASE("LinearClassifier-1 one score per label, the first of equal ones") {
  NodeUnderTest node = ml("LinearClassifier")
                           .texts("classlabels_strings", {"a", "b", "c"})
                           .reals("coefficients", {1, 0, 0, 1, 0, 0})
                           .reals("intercepts", {0, 0, 0.5F})
                           .input(floats({3, 2}, {1, 1, 0, 2, kNan, 0}))
                           .outputs(2);
  // NaN ranks lowest; NaN times 0 is NaN too, so the third row has NaN, NaN, NaN.
  CHECK(same(node.output(0), strings({3}, {"a", "b", "a"})));
  CHECK(same(node.output(1), floats({3, 3}, {1, 1, 0.5F, 0, 2, 0.5F, kNan, kNan, kNan})));
}

TEST_CASE("LinearClassifier-1 scores that only exact arithmetic tells apart") {
  NodeUnderTest node = ml("LinearClassifier")
                           .integers("classlabels_ints", {10, 20})
                           .reals("coefficients", {1, 0, 1, 0x1p-70F})
                           .input(floats({2}, {1, 1}))
                           .outputs(2);
  CHECK(same(node.output(0), int64s({1}, {20})));
  CHECK(same(node.output(1), floats({1, 2}, {1, 1})));
}

TEST_CASE("LinearClassifier-1 one score for two labels") {
  const auto node = [](const char* transform) {
    return ml("LinearClassifier")
        .integers("classlabels_ints", {10, 20})
        .reals("coefficients", {1})
        .attribute("post_transform", transform)
        .input(floats({3, 1}, {2, 0, -2}))
        .outputs(2);
  };
  CHECK(same(node("NONE").output(0), int64s({3}, {20, 10, 10})));
  CHECK(same(node("NONE").output(1), floats({3, 2}, {-2, 2, -0.0F, 0, 2, -2})));
  // 1 / (1 + e^2) = 0.11920292202211755…
  CHECK(same(node("LOGISTIC").output(1), floats({3, 2}, {0.11920292202211755F, 0.8807970779778824F, 0.5F, 0.5F,
                                                         0.8807970779778824F, 0.11920292202211755F})));
}

TEST_CASE("LinearClassifier-1 without labels, with one, with too many") {
  NodeUnderTest bare = ml("LinearClassifier").reals("coefficients", {1, 2}).input(floats({2, 1}, {1, -1})).outputs(2);
  CHECK(same(bare.output(0), int64s({2}, {1, 0})));
  NodeUnderTest sign = ml("LinearClassifier").reals("coefficients", {1}).input(floats({2, 1}, {1, 0})).outputs(2);
  CHECK(same(sign.output(0), int64s({2}, {1, 0})));
  CHECK(same(sign.output(1), floats({2, 1}, {1, 0})));
  NodeUnderTest one = ml("LinearClassifier")
                          .integers("classlabels_ints", {7})
                          .reals("coefficients", {1})
                          .input(floats({1}, {-3}))
                          .outputs(2);
  CHECK(same(one.output(0), int64s({1}, {7})));
  CHECK(same(one.output(1), floats({1, 1}, {-3})));
  CHECK(ml("LinearClassifier")
            .integers("classlabels_ints", {1, 2, 3})
            .reals("coefficients", {1, 1})
            .input(floats({1}, {1}))
            .outputs(2)
            .error()
            .find("coefficients make 2 scores for 3 labels") != std::string::npos);
}

namespace {

NodeUnderTest machine(const char* kernel, std::vector<float> parameters, float x) {
  return ml("SVMRegressor")
      .attribute("kernel_type", kernel)
      .reals("kernel_params", std::move(parameters))
      .attribute("n_supports", 1)
      .reals("support_vectors", {3})
      .reals("coefficients", {1})
      .reals("rho", {0})
      .input(floats({1, 1}, {x}));
}

}  // namespace

TEST_CASE("SVMRegressor-1 kernels") {
  CHECK(same(machine("LINEAR", {}, 2).one(), floats({1, 1}, {6})));
  CHECK(same(machine("POLY", {1, 1, 2}, 2).one(), floats({1, 1}, {49})));
  // sqrt(2 * 3 + 3) = 3; a negative base has no real root.
  CHECK(same(machine("POLY", {1, 3, 0.5F}, 2).one(), floats({1, 1}, {3})));
  CHECK(same(machine("POLY", {1, 0, 0.5F}, -1).one(), floats({1, 1}, {kNan})));
  CHECK(same(machine("RBF", {1}, 3).one(), floats({1, 1}, {1})));
  CHECK(same(machine("RBF", {1}, 2).one(), floats({1, 1}, {0.36787944117144233F})));               // 1/e
  CHECK(same(machine("SIGMOID", {0.5F, -2, 0}, 2).one(), floats({1, 1}, {0.7615941559557649F})));  // tanh 1
}

TEST_CASE("SVMRegressor-1 sums over the vectors, or a linear model without any") {
  const auto node = [] {
    return ml("SVMRegressor").reals("coefficients", {2, 3}).reals("rho", {0.5F}).input(int32s({2}, {5, 7}));
  };
  CHECK(same(node().attribute("n_supports", 2).reals("support_vectors", {1, 0, 0, 1}).one(), floats({1, 1}, {31.5F})));
  CHECK(same(node().attribute("kernel_type", "RBF").one(), floats({1, 1}, {31.5F})));
  CHECK(same(node().attribute("one_class", 1).one(), floats({1, 1}, {1})));
  CHECK(same(ml("SVMRegressor")
                 .attribute("one_class", 1)
                 .reals("coefficients", {1})
                 .reals("rho", {0})
                 .input(floats({2, 1}, {0, -1}))
                 .one(),
             floats({2, 1}, {-1, -1})));
}

TEST_CASE("SVMRegressor-1 errors") {
  const auto node = [] { return ml("SVMRegressor").input(floats({1, 2}, {1, 2})); };
  CHECK(node().reals("coefficients", {1, 2}).error().find("rho is absent or empty") != std::string::npos);
  CHECK(node().reals("rho", {0}).reals("coefficients", {1}).error().find("schema/list-length") == 0);
  CHECK(node()
            .reals("rho", {0})
            .reals("coefficients", {1})
            .attribute("n_supports", 1)
            .reals("support_vectors", {1})
            .error()
            .find("support_vectors has 1 entries, must have 2") != std::string::npos);
  CHECK(node()
            .reals("rho", {0})
            .reals("coefficients", {1, 2})
            .attribute("kernel_type", "COSINE")
            .error()
            .find("schema/attribute-value") == 0);
}

TEST_CASE("SVMClassifier-1 two classes") {
  const auto node = [] {
    return ml("SVMClassifier")
        .integers("classlabels_ints", {10, 20})
        .integers("vectors_per_class", {1, 1})
        .reals("support_vectors", {1, -1})
        .reals("coefficients", {1, -1})
        .reals("rho", {0})
        .input(floats({3, 1}, {2, -2, 0}))
        .outputs(2);
  };
  // s = x + x. s > 0 is a vote for the first label.
  CHECK(same(node().output(0), int64s({3}, {10, 20, 20})));
  CHECK(same(node().output(1), floats({3, 2}, {-4, 4, 4, -4, -0.0F, 0})));
  // A = 0, B = 100: 1 / (1 + e^100) is raised to 1e-7.
  CHECK(same(node().reals("prob_a", {0}).reals("prob_b", {100}).output(1),
             floats({3, 2}, {1e-7F, 0.9999999F, 1e-7F, 0.9999999F, 1e-7F, 0.9999999F})));
}

TEST_CASE("SVMClassifier-1 three classes: votes, and the first of equal ones") {
  // Kernel values 1, 2, 3. s01 = 1 + 4 = 5, s02 = 4 + 9 - 20 = -7, s12 = 10 + 18 = 28: one vote
  // each.
  NodeUnderTest node = ml("SVMClassifier")
                           .texts("classlabels_strings", {"a", "b", "c"})
                           .integers("vectors_per_class", {1, 1, 1})
                           .reals("support_vectors", {1, 2, 3})
                           .reals("coefficients", {1, 2, 3, 4, 5, 6})
                           .reals("rho", {0, -20, 0})
                           .input(floats({1}, {1}))
                           .outputs(2);
  CHECK(same(node.output(0), strings({1}, {"a"})));
  CHECK(same(node.output(1), floats({1, 3}, {5, -7, 28})));
}

TEST_CASE("SVMClassifier-1 coupled probabilities") {
  const auto node = [](std::vector<float> b) {
    return ml("SVMClassifier")
        .integers("classlabels_ints", {0, 1, 2})
        .integers("vectors_per_class", {1, 1, 1})
        .reals("support_vectors", {1, 1, 1})
        .reals("coefficients", {1, 1, 1, 1, 1, 1})
        .reals("rho", {0, 0, 0})
        .reals("prob_a", {0, 0, 0})
        .reals("prob_b", std::move(b))
        .input(floats({1}, {1}))
        .outputs(2)
        .output(1);
  };
  // r = 1/2 for all pairs: a third each. r01 = r02 = 2/3, r12 = 1/2 is what 1/2, 1/4, 1/4 give.
  CHECK(same(node({0, 0, 0}), floats({1, 3}, {1.0F / 3, 1.0F / 3, 1.0F / 3})));
  CHECK(same(node({-0.6931472F, -0.6931472F, 0}), floats({1, 3}, {0.5F, 0.25F, 0.25F})));
}

TEST_CASE("SVMClassifier-1 without support vectors") {
  NodeUnderTest node = ml("SVMClassifier")
                           .integers("classlabels_ints", {3, 4})
                           .reals("coefficients", {1, 0, 0, 1})
                           .reals("rho", {0.5F})
                           .input(floats({2, 2}, {1, 2, 2, 2}))
                           .outputs(2);
  CHECK(same(node.output(0), int64s({2}, {4, 3})));
  CHECK(same(node.output(1), floats({2, 2}, {1.5F, 2.5F, 2.5F, 2.5F})));
}

TEST_CASE("SVMClassifier-1 errors") {
  const auto node = [] {
    return ml("SVMClassifier")
        .integers("classlabels_ints", {10, 20})
        .integers("vectors_per_class", {1, 1})
        .reals("support_vectors", {1, -1})
        .input(floats({1, 1}, {2}))
        .outputs(2);
  };
  CHECK(node().reals("coefficients", {1}).reals("rho", {0}).error().find("coefficients has 1 entries, must have 2") !=
        std::string::npos);
  CHECK(node().reals("coefficients", {1, 1}).error().find("rho has 0 entries, must have 1") != std::string::npos);
  CHECK(node().reals("coefficients", {1, 1}).reals("rho", {0}).reals("prob_a", {1}).error().find("prob_b") !=
        std::string::npos);
  CHECK(ml("SVMClassifier")
            .integers("vectors_per_class", {1})
            .input(floats({1, 1}, {2}))
            .outputs(2)
            .error()
            .find("schema/attribute-missing") == 0);
}

}  // namespace onnxv::testing
