#include "ops/unspecified.h"

#include <algorithm>

namespace onnxv {
namespace {

constexpr UnspecifiedRule kRules[] = {
    {"affine-grid-single", "AffineGrid", "align_corners and an axis of one point: edges that are one", "the coordinate -1 along that axis"},
    {"arg-extreme-nan", "ArgMax ArgMin", "the line holds a NaN", "the index of the first NaN, even with select_last_index"},
    {"cast-e8m0-negative", "Cast CastLike", "a negative number, -0 or -infinity becomes float8e8m0", "NaN; of -0 what +0 gives"},
    {"cast-e8m0-range", "Cast CastLike", "out of float8e8m0's range under saturate 0 and a round_mode other than nearest, which the text does not tabulate",
     "NaN"},
    {"cast-fnuz-infinity", "Cast CastLike", "versions up to 23: an infinity becomes a fnuz type with saturate 1",
     "the largest finite number of its sign"},
    {"cast-integer-range", "Cast CastLike", "a float that the integer type does not hold: out of range, infinite or NaN",
     "truncated and taken modulo 2^n; 0 for infinities and NaN"},
    {"cast-nan-without-nan", "Cast CastLike", "NaN becomes a type without NaN", "-0"},
    {"cast-to-text", "Cast CastLike", "a float or a Bool becomes a string", "the shortest decimal that reads back; True, False"},
    {"dropout-test-mask", "Dropout", "version 1 and 6 with is_test: the mask", "1"},
    {"dynamic-quantize-nan", "DynamicQuantizeLinear", "a quotient is 0 / 0, infinity / infinity or of a NaN", "0"},
    {"empty-window", "MaxPool", "a window has no element of the input", "the lowest value of the type, index -1"},
    {"float-to-integer-range", "CastMap", "a float that int64 does not hold", "truncated and taken modulo 2^64; 0 for infinities and NaN"},
    {"hardmax-nan", "Hardmax", "the line holds a NaN", "the first NaN counts as the greatest"},
    {"log-softmax-infinity", "LogSoftmax", "the line holds +infinity: text and function body contradict each other", "NaN in the whole line"},
    {"loss-without-weight", "NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", "reduction mean where every label is ignored or weighs 0", "NaN"},
    {"maximum-nan", "GlobalMaxPool Max MaxPool MaxRoiPool Min", "one of the elements compared is NaN", "NaN; of several the first gives the index"},
    {"pow-undefined-cast", "Pow", "an integer base whose power no integer of its type holds: 0 to a negative power, a float exponent out of range",
     "the type's lowest value"},
    {"quantize-nan", "QuantizeLinear", "NaN becomes an integer or a type without NaN", "the lowest value of the type; -0 for floats"},
    {"scan-rows-beyond-length", "Scan", "version 8: rows of a batch entry behind its length", "0, false or \"\""},
    {"scatter-duplicate", "Scatter ScatterElements ScatterND", "two updates of one element without reduction", "the last in row-major order"},
    {"scatter-nan", "ScatterElements ScatterND", "reduction max or min meets a NaN", "NaN"},
    {"scatter-zero-sign", "ScatterElements ScatterND", "reduction max or min where zeros of both signs meet", "+0 for max, -0 for min"},
    {"sequence-empty", "GRU LSTM RNN", "a sequence of length 0: its final state", "the initial state"},
    {"sequence-end", "GRU LSTM RNN", "rows of Y behind a sequence's length", "0"},
    {"softmax-infinity", "Softmax", "the line holds +infinity: text and function body contradict each other", "NaN at the infinities, 0 elsewhere"},
    {"svm-probabilities", "SVMClassifier", "prob_a is given: the text does not say what becomes of it",
     "libsvm's pairwise coupling, solved"},
    {"topk-unsorted", "TopK", "sorted is 0 and there is more than one element to order", "sorted all the same"},
    {"zero-of-both-signs", "GlobalMaxPool Max MaxPool MaxRoiPool Min ReduceMax ReduceMin", "the result is a zero, and zeros of both signs were compared",
     "Max, GlobalMaxPool, ReduceMax: +0; Min, ReduceMin: -0; MaxPool, MaxRoiPool: the first"},
};

}  // namespace

std::span<const UnspecifiedRule> unspecified_rules() { return kRules; }

const UnspecifiedRule* unspecified_rule(std::string_view slug) {
  const auto found = std::find_if(std::begin(kRules), std::end(kRules), [&](const UnspecifiedRule& rule) { return rule.slug == slug; });
  return found == std::end(kRules) ? nullptr : found;
}

bool may_mark(const UnspecifiedRule& rule, std::string_view op) {
  for (std::string_view rest = rule.operators; !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == op) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace onnxv
