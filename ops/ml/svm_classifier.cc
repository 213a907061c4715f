// SVMClassifier, in libsvm's layout, which the text does not spell out. With support vectors grouped by class and
// classes i < j:
//   s_ij = sum over v in i of c[j-1, v] K(x, v) + sum over v in j of c[i, v] K(x, v) + rho_ij
// s_ij > 0 is a vote for i, else for j; the label is the class with the most votes.
//   since 1
#include <vector>

#include "ops/ml/post_transform.h"
#include "ops/ml/svm_kernel.h"

namespace onnxv {
namespace {

// Options: the kernel, the transform, whether there are probabilities, the number of classes K, and the number of
// vectors of each class.
struct Layout {
  Options options;
  size_t classes() const { return static_cast<size_t>(options[3]); }
  size_t vectors(size_t k) const { return static_cast<size_t>(options[4 + k]); }
};

// The decision values of all pairs, (0,1), (0,2), …, (1,2), ….
template <class Real>
void decisions(Layout layout, In<Real> kernels, In<Real> coefficients, In<Real> rho, Out<Real> s) {
  const size_t total = kernels.size();
  size_t pair = 0, start_i = 0;
  for (size_t i = 0; i < layout.classes(); start_i += layout.vectors(i), ++i) {
    const size_t of_i = layout.vectors(i);
    size_t start_j = start_i + of_i;
    for (size_t j = i + 1; j < layout.classes(); start_j += layout.vectors(j), ++j) {
      const size_t of_j = layout.vectors(j);
      const In<Real> for_i = coefficients.part((j - 1) * total + start_i, of_i);
      const In<Real> for_j = coefficients.part(i * total + start_j, of_j);
      s[pair] = dot(for_i, kernels.part(start_i, of_i)) + dot(for_j, kernels.part(start_j, of_j)) + rho[pair];
      ++pair;
    }
  }
}

// r = 1 / (1 + e^(A s + B)) within [1e-7, 1 - 1e-7].
template <class Real>
Real pair_probability(const Real& s, const Real& a, const Real& b) {
  const Real least = Real(1.0) / Real(1e7);
  return min(max(logistic(-(a * s + b)), least), Real(1.0) - least);
}

// The p with sum 1 that minimises sum over i != j of (r_ji p_i - r_ij p_j)^2 = 2 p'Qp, where Q_ii is the sum of r_ji^2
// and Q_ij = -r_ji r_ij. At the minimum Qp is a multiple of 1, hence (Q + 11')p is one too: a positive definite system,
// solved without pivoting, and scaled. (Q alone may be singular.)
template <class Real>
void coupled_probabilities(size_t classes, In<Real> r, Out<Real> p) {
  std::vector<Real> m(classes * classes, Real(1.0));
  const auto at = [&](size_t i, size_t j) -> Real& { return m[i * classes + j]; };
  for (size_t i = 0, pair = 0; i < classes; ++i) {
    for (size_t j = i + 1; j < classes; ++j, ++pair) {
      const Real r_ij = r[pair];
      const Real r_ji = Real(1.0) - r_ij;
      at(i, i) += r_ji * r_ji;
      at(j, j) += r_ij * r_ij;
      at(i, j) -= r_ji * r_ij;
      at(j, i) -= r_ji * r_ij;
    }
  }
  for (Real& value : p) value = Real(1.0);
  for (size_t k = 0; k < classes; ++k) {
    for (size_t i = k + 1; i < classes; ++i) {
      const Real factor = at(i, k) / at(k, k);
      for (size_t j = k + 1; j < classes; ++j) at(i, j) -= factor * at(k, j);
      p[i] -= factor * p[k];
    }
  }
  for (size_t k = classes; k-- > 0;) {
    for (size_t j = k + 1; j < classes; ++j) p[k] -= at(k, j) * p[j];
    p[k] = p[k] / at(k, k);
  }
  const Real total = sum(p);
  for (Real& value : p) value = value / total;
}

template <class Real>
void probabilities(size_t classes, In<Real> s, In<Real> a, In<Real> b, Out<Real> p) {
  std::vector<Real> r(s.size(), Real(0.0));
  for (size_t pair = 0; pair < s.size(); ++pair) r[pair] = pair_probability(s[pair], a[pair], b[pair]);
  if (classes > 2) return coupled_probabilities(classes, In<Real>{r.data(), r.size()}, p);
  p[0] = r[0];
  p[1] = Real(1.0) - r[0];
}

constexpr auto svm_classes = []<class Real>(Options options, In<Real> x, In<Real> vectors, In<Real> coefficients,
                                            In<Real> parameters, In<Real> rho, In<Real> a, In<Real> b, Out<Real> y,
                                            Out<Real> first_wins) {
  const Layout layout{options};
  const size_t classes = layout.classes();
  const size_t total = coefficients.size() / (classes - 1);
  std::vector<Real> kernels(total, Real(0.0)), s(rho.size(), Real(0.0));
  for (size_t v = 0; v < total; ++v) {
    kernels[v] = kernel_value(options[0], x, vectors.part(v * x.size(), x.size()), parameters);
  }
  decisions(layout, In<Real>{kernels.data(), total}, coefficients, rho, Out<Real>{s.data(), s.size()});
  for (size_t pair = 0; pair < s.size(); ++pair) {
    first_wins[pair] = select(s[pair] > Real(0.0), Real(1.0), Real(0.0));
  }
  const bool probable = options[2] != 0;
  if (probable) {
    probabilities(classes, In<Real>{s.data(), s.size()}, a, b, y);
  } else {
    for (size_t pair = 0; pair < s.size(); ++pair) y[pair] = s[pair];
    const Pairing pairing = classes == 2 ? Pairing::kNegated : Pairing::kNone;
    make_pair_of_scores(static_cast<int64_t>(pairing), y);
  }
  post_transform(options[1], y);
};

}  // namespace
LINE_FORMULA(kSvmClasses, svm_classes, 7, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/ml/linear_scores.h"
#include "ops/ml/ml.h"
#include "ops/ml/svm_machine.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Pairwise {
  SupportVectors machine;
  std::vector<int64_t> vectors_per_class;
  std::vector<double> prob_a, prob_b;  // empty: no probabilities
  size_t classes() const { return vectors_per_class.size(); }
  size_t pairs() const { return classes() * (classes() - 1) / 2; }
};

std::vector<double> doubles_of(const std::vector<float>& values) { return {values.begin(), values.end()}; }

Pairwise pairwise_of(const OpCall& call, size_t vectors, size_t classes) {
  Pairwise p{support_vectors_of(call, vectors), call.integers("vectors_per_class"), doubles_of(call.reals("prob_a")),
             doubles_of(call.reals("prob_b"))};
  if (classes < 2) fail_schema("list-length", "there is one class label", "must be two or more with support vectors");
  check_list("vectors_per_class", p.classes(), classes);
  check_list("coefficients", p.machine.coefficients.size(), (classes - 1) * vectors);
  check_list("rho", p.machine.rho.size(), p.pairs());
  check_list("prob_b", p.prob_b.size(), p.prob_a.size());
  if (!p.prob_a.empty()) check_list("prob_a", p.prob_a.size(), p.pairs());
  return p;
}

// The class with the most votes, the first of equal ones.
int64_t elected(size_t classes, std::span<const uint8_t> first_wins) {
  std::vector<int> votes(classes, 0);
  for (size_t i = 0, pair = 0; i < classes; ++i) {
    for (size_t j = i + 1; j < classes; ++j, ++pair) ++votes[first_wins[pair] != 0 ? i : j];
  }
  return std::max_element(votes.begin(), votes.end()) - votes.begin();
}

Outputs pairwise_classes(const Pairwise& p, const Tensor& labels, PostTransform transform) {
  const SupportVectors& machine = p.machine;
  const bool probable = !p.prob_a.empty();
  const auto rows = machine.x.shape()[0];
  const auto columns = static_cast<int64_t>(probable || p.classes() == 2 ? p.classes() : p.pairs());
  Tensor z(DType::kFloat, Shape{rows, columns});
  Tensor wins(DType::kBool, Shape{rows, static_cast<int64_t>(p.pairs())});
  if (rows > 0) {
    LineJob(kSvmClasses, machine.rows())
        .lines_of(machine.x, LineLayout::along(machine.x.shape(), 1))
        .constants(machine.vectors)
        .constants(machine.coefficients)
        .constants(machine.parameters)
        .constants(machine.rho)
        .constants(p.prob_a)
        .constants(p.prob_b)
        .option(static_cast<int64_t>(machine.kernel))
        .option(static_cast<int64_t>(transform))
        .option(probable ? 1 : 0)
        .option(static_cast<int64_t>(p.classes()))
        .options(p.vectors_per_class)
        .lines_to(&z, LineLayout::along(z.shape(), 1))
        .lines_to(&wins, LineLayout::along(wins.shape(), 1))
        .run();
  }
  std::vector<int64_t> classes;
  const std::span<const uint8_t> all = wins.as<uint8_t>();
  for (size_t row = 0; row < machine.rows(); ++row) {
    classes.push_back(elected(p.classes(), all.subspan(row * p.pairs(), p.pairs())));
  }
  return {labels_at(labels, classes), z};
}

// Without support vectors: one linear score per class, rho[0] for all.
Outputs linear_classes(const OpCall& call, const Tensor& labels) {
  const SupportVectors machine = support_vectors_of(call, 0);
  check_list("coefficients", machine.coefficients.size(), labels.size() * machine.width());
  if (machine.rho.empty()) fail_schema("attribute-missing", "rho is absent or empty", "must have one entry");
  const Linear linear{machine.x, machine.coefficients, std::vector<double>(labels.size(), machine.rho[0])};
  return {labels_at(labels, top_classes(linear)),
          linear_scores_of(linear, post_transform_of(call), Pairing::kNone, DType::kFloat)};
}

Outputs svm_classifier_1(const OpCall& call) {
  const Tensor labels = one_list_of(call, "classlabels_ints", "classlabels_strings");
  if (labels.size() == 0) fail_schema("list-length", "there are no class labels", "must be at least one");
  int64_t vectors = 0;
  for (int64_t count : call.integers("vectors_per_class")) {
    if (count < 0 || count > INT32_MAX) {
      fail_schema("attribute-range", "vectors_per_class holds " + std::to_string(count), "must be in [0, 2^31)");
    }
    vectors += count;
  }
  if (vectors == 0) return linear_classes(call, labels);
  const Pairwise pairwise = pairwise_of(call, static_cast<size_t>(vectors), labels.size());
  if (!pairwise.prob_a.empty()) call.mark_unspecified(1, "svm-probabilities");
  return pairwise_classes(pairwise, labels, post_transform_of(call));
}

}  // namespace

const Operator kSVMClassifier{"ai.onnx.ml", "SVMClassifier", {
    {.since = 1, .run = svm_classifier_1},
}};

}  // namespace onnxv
#endif
