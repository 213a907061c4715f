// The list of marks is pinned here: a new one is a claim that the text leaves something open, and is added by hand.
#include "ops/unspecified.h"

#include <fstream>
#include <iterator>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kNaN = __builtin_nanf(""), kInfinity = __builtin_inff();

// "slug[output] 0101" per mark, elements as digits ("all" without a list), joined by "; ".
std::string marks(NodeUnderTest node) {
  std::string text;
  for (const UnspecifiedMark& mark : node.unspecified()) {
    text += (text.empty() ? "" : "; ") + mark.slug + "[" + std::to_string(mark.output) + "] ";
    for (const uint8_t element : mark.elements) text += element != 0 ? '1' : '0';
    if (mark.elements.empty()) text += "all";
  }
  return text;
}

NodeUnderTest call(const char* op, int64_t opset, Value x) { return NodeUnderTest(op, opset).input(std::move(x)); }
NodeUnderTest cast(const char* op, int64_t opset, DType to, Value x) {
  NodeUnderTest node = call(op, opset, std::move(x));
  if (std::string(op) == "CastLike") return node.input(Tensor(to, {0}));
  return node.attribute("to", static_cast<int64_t>(to));
}

TEST_CASE("marks: these slugs for these operators and no others") {
  const std::vector<std::pair<std::string, std::string>> known{
      {"affine-grid-single", "AffineGrid"},
      {"arg-extreme-nan", "ArgMax ArgMin"},
      {"cast-e8m0-negative", "Cast CastLike"},
      {"cast-e8m0-range", "Cast CastLike"},
      {"cast-fnuz-infinity", "Cast CastLike"},
      {"cast-integer-range", "Cast CastLike"},
      {"cast-nan-without-nan", "Cast CastLike"},
      {"cast-to-text", "Cast CastLike"},
      {"dropout-test-mask", "Dropout"},
      {"dynamic-quantize-nan", "DynamicQuantizeLinear"},
      {"empty-window", "MaxPool"},
      {"float-to-integer-range", "CastMap"},
      {"hardmax-nan", "Hardmax"},
      {"log-softmax-infinity", "LogSoftmax"},
      {"loss-without-weight", "NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss"},
      {"maximum-nan", "GlobalMaxPool Max MaxPool MaxRoiPool Min"},
      {"pow-undefined-cast", "Pow"},
      {"quantize-nan", "QuantizeLinear"},
      {"scan-rows-beyond-length", "Scan"},
      {"scatter-duplicate", "Scatter ScatterElements ScatterND"},
      {"scatter-nan", "ScatterElements ScatterND"},
      {"scatter-zero-sign", "ScatterElements ScatterND"},
      {"sequence-empty", "GRU LSTM RNN"},
      {"sequence-end", "GRU LSTM RNN"},
      {"softmax-infinity", "Softmax"},
      {"svm-probabilities", "SVMClassifier"},
      {"topk-unsorted", "TopK"},
      {"zero-of-both-signs", "GlobalMaxPool Max MaxPool MaxRoiPool Min ReduceMax ReduceMin"}};
  std::vector<std::pair<std::string, std::string>> listed;
  for (const UnspecifiedRule& rule : unspecified_rules()) listed.emplace_back(rule.slug, rule.operators);
  CHECK(listed == known);
}

TEST_CASE("marks: the page for users tells of each what the code does") {
  std::ifstream page(ONNXV_UNSPECIFIED_PAGE);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const UnspecifiedRule& rule : unspecified_rules()) {
    std::string operators;
    for (const char c : rule.operators) operators += c == ' ' ? std::string(", ") : std::string(1, c);
    const std::string row = "| `" + std::string(rule.slug) + "` | " + operators + " | " + std::string(rule.condition) + " | " + std::string(rule.value) + " |\n";
    CHECK_MESSAGE(text.find(row) != std::string::npos, row);
  }
}

TEST_CASE("marks: lines") {
  const Tensor nan = floats({2, 2}, {1, kNaN, 1, 2});
  CHECK(marks(call("ArgMax", 13, nan).attribute("axis", 1)) == "arg-extreme-nan[0] 10");
  CHECK(marks(call("ArgMin", 1, nan).attribute("axis", 1)) == "arg-extreme-nan[0] 10");
  CHECK(marks(call("Hardmax", 13, nan)) == "hardmax-nan[0] 1100");
  CHECK(marks(call("LogSoftmax", 13, floats({2, 2}, {1, kInfinity, 1, -kInfinity}))) == "log-softmax-infinity[0] 1100");
  CHECK(marks(call("LogSoftmax", 13, nan)).empty());
  CHECK(marks(call("Softmax", 13, floats({2, 2}, {1, kInfinity, 1, -kInfinity}))) == "softmax-infinity[0] 1100");
  CHECK(marks(call("TopK", 11, nan).input(int64s({1}, {2})).attribute("sorted", 0).outputs(2)) == "topk-unsorted[0] all; topk-unsorted[1] all");
  CHECK(marks(call("TopK", 11, nan).input(int64s({1}, {1})).attribute("sorted", 0).outputs(2)).empty());
}

TEST_CASE("marks: losses") {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4}), labels = int64s({2}, {0, 0});
  for (const char* op : {"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"}) {
    CHECK(marks(call(op, 13, x).input(labels).attribute("ignore_index", 0)) == "loss-without-weight[0] all");
    CHECK(marks(call(op, 13, x).input(labels).input(floats({2}, {0, 1}))) == "loss-without-weight[0] all");
    CHECK(marks(call(op, 13, x).input(labels).attribute("ignore_index", 0).attribute("reduction", "sum")).empty());
    CHECK(marks(call(op, 13, x).input(labels).attribute("ignore_index", 1)).empty());
  }
}

TEST_CASE("marks: casts") {
  for (const char* op : {"Cast", "CastLike"}) {
    CHECK(marks(cast(op, 24, DType::kFloat8e8m0, floats({3}, {-1, -0.0f, 1}))) == "cast-e8m0-negative[0] 110");
    CHECK(marks(cast(op, 24, DType::kFloat8e8m0, floats({2}, {0, 1})).attribute("saturate", 0).attribute("round_mode", "down")) == "cast-e8m0-range[0] 10");
    CHECK(marks(cast(op, 23, DType::kFloat8e5m2fnuz, floats({2}, {kInfinity, 1e9f}))) == "cast-fnuz-infinity[0] 10");
    CHECK(marks(cast(op, 24, DType::kFloat8e5m2fnuz, floats({2}, {kInfinity, 1e9f}))).empty());
    CHECK(marks(cast(op, 19, DType::kInt8, floats({4}, {127.9f, 128, kNaN, -kInfinity}))) == "cast-integer-range[0] 0111");
    CHECK(marks(cast(op, 23, DType::kFloat4e2m1, floats({2}, {kNaN, kInfinity}))) == "cast-nan-without-nan[0] 10");
    CHECK(marks(cast(op, 19, DType::kString, floats({2}, {1, 2}))) == "cast-to-text[0] 11");
    CHECK(marks(cast(op, 19, DType::kString, int32s({2}, {1, 2}))).empty());
  }
}

TEST_CASE("marks: maxima") {
  const Tensor x = floats({1, 1, 4}, {kNaN, 1, -0.0f, 0});
  CHECK(marks(call("MaxPool", 22, x).integers("kernel_shape", {2}).integers("strides", {2}).outputs(2)) ==
        "maximum-nan[0] 10; zero-of-both-signs[0] 01; maximum-nan[1] 10; zero-of-both-signs[1] 01");
  // Taps 2 apart around a single element: the padding on both sides.
  CHECK(marks(call("MaxPool", 10, floats({1, 1, 1}, {5})).integers("kernel_shape", {2}).integers("dilations", {2}).integers("pads", {1, 1})) ==
        "empty-window[0] 1");
  CHECK(marks(call("GlobalMaxPool", 1, x)) == "maximum-nan[0] 1");
  CHECK(marks(call("GlobalMaxPool", 22, floats({1, 1, 2}, {-0.0f, 0}))) == "zero-of-both-signs[0] 1");
  const auto region = [](const Tensor& pixels) {
    return call("MaxRoiPool", 22, pixels).input(floats({1, 5}, {0, 0, 0, 1, 0})).integers("pooled_shape", {1, 1});
  };
  CHECK(marks(region(floats({1, 1, 1, 2}, {kNaN, 1}))) == "maximum-nan[0] 1");
  CHECK(marks(region(floats({1, 1, 1, 2}, {-0.0f, 0}))) == "zero-of-both-signs[0] 1");
  for (const char* op : {"Max", "Min"}) {
    CHECK(marks(call(op, 13, floats({3}, {kNaN, 0, 0})).input(floats({3}, {1, -0.0f, 0}))) == "maximum-nan[0] 100; zero-of-both-signs[0] 010");
  }
  for (const char* op : {"ReduceMax", "ReduceMin"}) {
    CHECK(marks(call(op, 13, floats({3, 2}, {0, -0.0f, 0, 0, kNaN, -0.0f})).integers("axes", {1})) == "zero-of-both-signs[0] 100");
  }
  CHECK(marks(call("Pow", 15, int32s({2}, {0, 2})).input(int32s({2}, {-1, -1}))) == "pow-undefined-cast[0] 10");
}

TEST_CASE("marks: scatter") {
  const Tensor data = floats({2}, {0, kNaN});
  const auto scatter = [&](const char* op, int64_t opset, const Tensor& updates) {
    const bool rows = std::string(op) == "ScatterND";
    return call(op, opset, data).input(rows ? int64s({2, 1}, {0, 0}) : int64s({2}, {0, 0})).input(updates);
  };
  CHECK(marks(scatter("Scatter", 9, floats({2}, {1, 2}))) == "scatter-duplicate[0] 10");
  for (const char* op : {"ScatterElements", "ScatterND"}) {
    CHECK(marks(scatter(op, 18, floats({2}, {1, 2}))) == "scatter-duplicate[0] 10");
    CHECK(marks(scatter(op, 18, floats({2}, {1, 2})).attribute("reduction", "add")).empty());
    CHECK(marks(scatter(op, 18, floats({2}, {1, kNaN})).attribute("reduction", "max")) == "scatter-nan[0] 10");
    CHECK(marks(scatter(op, 18, floats({2}, {-1, -0.0f})).attribute("reduction", "max")) == "scatter-zero-sign[0] 10");
  }
}

TEST_CASE("marks: an axis of one point, and probabilities") {
  const auto grid = [](int64_t width, int64_t corners) {
    return call("AffineGrid", 20, floats({1, 2, 3}, {1, 0, 0, 0, 1, 0})).input(int64s({4}, {1, 1, 2, width})).attribute("align_corners", corners);
  };
  CHECK(marks(grid(1, 1)) == "affine-grid-single[0] all");
  CHECK(marks(grid(1, 0)).empty());
  CHECK(marks(grid(2, 1)).empty());
  NodeUnderTest machine("SVMClassifier", 1, "ai.onnx.ml");
  machine.input(floats({1, 1}, {1})).outputs(2).integers("classlabels_ints", {0, 1}).integers("vectors_per_class", {1, 1});
  machine.reals("support_vectors", {1, -1}).reals("coefficients", {1, -1}).reals("rho", {0}).reals("kernel_params", {1, 0, 0});
  CHECK(marks(machine).empty());
  CHECK(marks(machine.reals("prob_a", {-1}).reals("prob_b", {0})) == "svm-probabilities[1] all");
}

TEST_CASE("marks: the quantizers and Dropout") {
  CHECK(marks(call("QuantizeLinear", 13, floats({2}, {kNaN, 1})).input(floats({}, {1})).input(uint8s({}, {0}))) == "quantize-nan[0] 10");
  CHECK(marks(call("DynamicQuantizeLinear", 11, floats({2}, {0, 0})).outputs(3)) == "dynamic-quantize-nan[0] 11; dynamic-quantize-nan[2] all");
  CHECK(marks(call("Dropout", 6, floats({2}, {1, 2})).attribute("is_test", 1).outputs(2)) == "dropout-test-mask[1] all");
}

TEST_CASE("marks: sequences that end early") {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    const int64_t gates = std::string(op) == "RNN" ? 1 : std::string(op) == "GRU" ? 3 : 4;
    const Tensor weights(DType::kFloat, {1, gates, 1});
    // Two steps; the first sequence has one, the second none.
    CHECK(marks(call(op, 14, floats({2, 2, 1}, {1, 1, 1, 1})).input(weights).input(weights).no_input().input(int32s({2}, {1, 0}))
                    .input(floats({1, 2, 1}, {1, 1})).attribute("hidden_size", 1).outputs(2)) == "sequence-end[0] 0111; sequence-empty[1] 01");
  }
}

}  // namespace
}  // namespace onnxv::testing
