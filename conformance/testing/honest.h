// Honest float32: what a careful backend may do, in plain C++ floats. For tests of the bounds alone; nothing of src/ is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace onnxv::honest {

using Floats = std::vector<float>;

enum class Order { kSequential, kRandom, kPairwise, kBackward };

// How one backend adds, and whether it fuses a product with its addition.
struct Style {
  Order order = Order::kSequential;
  bool fused = false;
  std::mt19937* random = nullptr;
};

inline float pairwise(const float* x, size_t count) {
  if (count == 0) return 0;
  if (count == 1) return x[0];
  return pairwise(x, count / 2) + pairwise(x + count / 2, count - count / 2);
}

inline float sum(Floats x, const Style& style) {
  if (style.order == Order::kPairwise) return pairwise(x.data(), x.size());
  if (style.order == Order::kBackward) std::reverse(x.begin(), x.end());
  if (style.order == Order::kRandom) std::shuffle(x.begin(), x.end(), *style.random);
  float total = x.empty() ? 0 : x[0];
  for (size_t i = 1; i < x.size(); ++i) total = total + x[i];
  return total;
}

inline float dot(const Floats& a, const Floats& b, const Style& style) {
  if (!style.fused || style.order == Order::kPairwise) {
    Floats products(a.size());
    for (size_t i = 0; i < a.size(); ++i) products[i] = a[i] * b[i];
    return sum(std::move(products), style);
  }
  std::vector<size_t> order(a.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = style.order == Order::kBackward ? order.size() - 1 - i : i;
  if (style.order == Order::kRandom) std::shuffle(order.begin(), order.end(), *style.random);
  float total = 0;
  for (const size_t i : order) total = std::fma(a[i], b[i], total);
  return total;
}

// ---- formulas as the texts have them ----

inline float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }
inline float softplus(float x) { return std::log(std::exp(x) + 1.0F); }
inline float gelu(float x) { return 0.5F * x * (1.0F + std::erf(x / std::sqrt(2.0F))); }
inline float gelu_tanh(float x) {
  return 0.5F * x * (1.0F + std::tanh(std::sqrt(2.0F / 3.14159265F) * (x + 0.044715F * x * x * x)));
}
inline float mish(float x) { return x * std::tanh(softplus(x)); }
inline float elu(float x) { return x < 0 ? 1.0F * (std::exp(x) - 1.0F) : x; }
inline float selu(float x) {
  const float alpha = 1.67326319217681884765625F, gamma = 1.05070102214813232421875F;
  return x > 0 ? gamma * x : gamma * (alpha * std::exp(x) - alpha);
}
inline float celu(float x) { return std::max(0.0F, x) + std::min(0.0F, 1.0F * (std::exp(x / 1.0F) - 1.0F)); }
inline float hard_swish(float x) { return x * std::max(0.0F, std::min(1.0F, 1.0F / 6.0F * x + 0.5F)); }
inline float softsign(float x) { return x / (1.0F + std::fabs(x)); }
inline float swish(float x) { return x * sigmoid(x); }

inline Floats softmax(const Floats& x, const Style& style) {
  const float most = *std::max_element(x.begin(), x.end());
  Floats y(x.size());
  for (size_t i = 0; i < x.size(); ++i) y[i] = std::exp(x[i] - most);
  const float total = sum(y, style);
  for (float& yi : y) yi = style.fused ? yi * (1.0F / total) : yi / total;
  return y;
}

inline Floats log_softmax(const Floats& x, const Style& style) {
  if (style.fused) {  // the text: the logarithm of the softmax
    Floats y = softmax(x, {style.order, false, style.random});
    for (float& yi : y) yi = std::log(yi);
    return y;
  }
  const float most = *std::max_element(x.begin(), x.end());
  Floats y(x.size());
  for (size_t i = 0; i < x.size(); ++i) y[i] = std::exp(x[i] - most);
  const float log_total = std::log(sum(y, style));
  for (size_t i = 0; i < x.size(); ++i) y[i] = (x[i] - most) - log_total;
  return y;
}

// `fused`: the function body's variance E[x^2] - E[x]^2.
inline Floats layer_normalization(const Floats& x, const Floats& scale, const Floats& bias, const Style& style) {
  const float count = static_cast<float>(x.size()), mean = sum(x, style) / count;
  Floats d(x.size());
  for (size_t i = 0; i < x.size(); ++i) d[i] = x[i] - mean;
  const Style plain{style.order, false, style.random};
  const float variance = style.fused ? dot(x, x, plain) / count - mean * mean : dot(d, d, plain) / count;
  const float deviation = std::sqrt(variance + 1e-5F);
  Floats y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const float normalized = style.order == Order::kBackward ? d[i] * (1.0F / deviation) : d[i] / deviation;
    y[i] = normalized * scale[i] + bias[i];
  }
  return y;
}

// ---- faults ----

// The float16 nearest to x (normal range).
inline float to_float16(float x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent;
  const float digits = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(digits, 11)), exponent - 11);
}
inline float dot_in_float16(const Floats& a, const Floats& b) {
  float total = 0;
  for (size_t i = 0; i < a.size(); ++i) total = to_float16(total + a[i] * b[i]);
  return total;
}
// The exact sum of two floats, rounded toward zero to float.
inline float truncated(double x) {
  float y = static_cast<float>(x);
  if (std::fabs(static_cast<double>(y)) > std::fabs(x)) y = std::nextafter(y, 0.0F);
  return y;
}
inline float truncated_dot(const Floats& a, const Floats& b) {
  float total = 0;
  for (size_t i = 0; i < a.size(); ++i) total = truncated(static_cast<double>(a[i]) * b[i] + total);
  return total;
}

}  // namespace onnxv::honest
