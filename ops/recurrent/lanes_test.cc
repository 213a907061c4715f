// Steps on lanes against the exact cell: the same bits, whatever the data.
#include <cmath>
#include <limits>

#include "src/number/ladder.h"
#include "src/run/fast_paths.h"
#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

// Small numbers of few digits (every sum is exact, many are ties), of all digits, or with what has none.
enum class Data { kFew, kAll, kHuge, kSpecial };

class Draw : public Draws {
 public:
  using Draws::Draws;
  double number(Data data) {
    const double few = (static_cast<double>(below(33)) - 16) / 16;
    if (data == Data::kFew) return few;
    if (data == Data::kSpecial && below(12) == 0) {
      const double special[] = {INFINITY, -INFINITY, NAN, -0.0, 1e-40, 3e38};
      return special[below(6)];
    }
    const double all = (static_cast<double>(below(1u << 24)) - (1 << 23)) / (1 << 23);
    return data == Data::kHuge ? all * std::ldexp(1.0, static_cast<int>(below(200)) - 100) : all;
  }
  Tensor tensor(DType dtype, Shape shape, Data data) {
    std::vector<double> values;
    for (int64_t i = 0; i < shape.elements(); ++i) values.push_back(number(data));
    return rounded(dtype, std::move(shape), values);
  }
};

struct Case {
  const char* op;
  int64_t gates, states;
  DType dtype = DType::kFloat;
  Data data = Data::kAll;
  int64_t hidden = 5, input = 3, batch = 2, steps = 4;
  bool biases = true, initial = true, lengths = false, peepholes = false, coupled = false, reset_last = false, clips = false;
  const char* direction = "forward";
  std::vector<std::string> activations = {};
};

NodeUnderTest node_of(const Case& c, uint64_t seed) {
  Draw draw(seed);
  const int64_t directions = std::string(c.direction) == "bidirectional" ? 2 : 1;
  const auto tensor = [&](Shape shape) { return draw.tensor(c.dtype, std::move(shape), c.data); };
  NodeUnderTest node(c.op, 22);
  node.attribute("hidden_size", c.hidden).attribute("direction", c.direction).outputs(static_cast<size_t>(1 + c.states));
  if (c.clips) node.attribute("clip", 0.75);
  if (c.coupled) node.attribute("input_forget", 1);
  if (c.reset_last) node.attribute("linear_before_reset", 1);
  if (!c.activations.empty()) node.texts("activations", c.activations);
  node.input(tensor({c.steps, c.batch, c.input})).input(tensor({directions, c.gates * c.hidden, c.input}));
  node.input(tensor({directions, c.gates * c.hidden, c.hidden}));
  c.biases ? node.input(tensor({directions, 2 * c.gates * c.hidden})) : node.no_input();
  std::vector<int32_t> lengths;
  for (int64_t b = 0; b < c.batch; ++b) lengths.push_back(static_cast<int32_t>(draw.below(static_cast<uint32_t>(c.steps + 1))));
  c.lengths ? node.input(int32s({c.batch}, lengths)) : node.no_input();
  for (int64_t k = 0; k < c.states; ++k) c.initial ? node.input(tensor({directions, c.batch, c.hidden})) : node.no_input();
  if (c.peepholes) node.input(tensor({directions, 3 * c.hidden}));
  return node;
}

void check(const Case& c, uint64_t seed) {
  NodeUnderTest on_lanes = node_of(c, seed), exact = node_of(c, seed);
  on_lanes.run();
  set_rigorous(true);
  exact.run();
  set_rigorous(false);
  for (size_t k = 0; k < static_cast<size_t>(1 + c.states); ++k) {
    CAPTURE(c.op);
    CAPTURE(seed);
    CHECK(same(on_lanes.output(k), exact.output(k)));
  }
}

void check_all(Case c) {
  uint64_t seed = 1;
  for (const DType dtype : {DType::kFloat, DType::kFloat16, DType::kBfloat16}) {
    for (const Data data : {Data::kFew, Data::kAll, Data::kHuge, Data::kSpecial}) {
      c.dtype = dtype;
      c.data = data;
      check(c, seed++);
    }
  }
}

constexpr const char* kNames[] = {"Relu",      "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh",
                                      "HardSigmoid", "Elu",  "Softsign",  "Softplus"};

}  // namespace

TEST_CASE("RNN-22 on lanes gives the bits of the exact cell") {
  check_all({"RNN", 1, 1});
  check_all({.op = "RNN", .gates = 1, .states = 1, .hidden = 9, .biases = false, .initial = false, .direction = "reverse"});
  check_all({.op = "RNN", .gates = 1, .states = 1, .input = 0});
  for (const char* function : kNames) {
    Case c{.op = "RNN", .gates = 1, .states = 1, .activations = {function}};
    if (std::string(function) == "ScaledTanh") continue;
    check_all(c);
    c.clips = true;
    check_all(c);
  }
}

TEST_CASE("GRU-22 on lanes gives the bits of the exact cell") {
  for (const bool reset_last : {false, true}) {
    check_all({.op = "GRU", .gates = 3, .states = 1, .reset_last = reset_last});
    check_all({.op = "GRU", .gates = 3, .states = 1, .hidden = 8, .biases = false, .initial = false, .reset_last = reset_last});
    check_all({.op = "GRU", .gates = 3, .states = 1, .batch = 3, .lengths = true, .reset_last = reset_last, .clips = true,
               .direction = "bidirectional"});
    check_all({.op = "GRU", .gates = 3, .states = 1, .reset_last = reset_last, .activations = {"Relu", "Affine"}});
    check_all({.op = "GRU", .gates = 3, .states = 1, .reset_last = reset_last, .activations = {"HardSigmoid", "Softsign"}});
  }
}

TEST_CASE("LSTM-22 on lanes gives the bits of the exact cell") {
  check_all({.op = "LSTM", .gates = 4, .states = 2});
  check_all({.op = "LSTM", .gates = 4, .states = 2, .hidden = 12, .biases = false, .initial = false, .peepholes = true});
  check_all({.op = "LSTM", .gates = 4, .states = 2, .batch = 3, .lengths = true, .peepholes = true, .clips = true,
             .direction = "bidirectional"});
  check_all({.op = "LSTM", .gates = 4, .states = 2, .coupled = true, .activations = {"HardSigmoid", "Relu", "Affine"}});
}

TEST_CASE("LSTM-22 on lanes proves nearly every step by itself") {
  reset_ladder_counts();
  node_of({.op = "LSTM", .gates = 4, .states = 2, .hidden = 37, .input = 19, .steps = 20}, 7).run();
  CHECK(ladder_counts().elements == 20 * 2 * 37 * 2);
  CHECK(ladder_counts().proof_lines < 4);
}

// A unit whose candidate's sum cancels: a radius about zero, which lanes leave open. All others, and all steps, stay on lanes.
void check_open_unit(const std::string& op, int64_t candidate, int64_t batch, bool reset_last) {
  constexpr int64_t kHidden = 16, kOpen = 5, kSteps = 3;
  const bool is_lstm = op == "LSTM";
  const auto node = [&] {
    Draw draw(9);
    const int64_t rows = (candidate + 1) * kHidden;
    Tensor x = draw.tensor(DType::kFloat, {kSteps, batch, 2}, Data::kAll), w = draw.tensor(DType::kFloat, {1, rows, 2}, Data::kAll);
    Tensor r = draw.tensor(DType::kFloat, {1, rows, kHidden}, Data::kAll);
    for (size_t i = 0; i < x.size(); i += 2) x.set_code(i + 1, x.code(i));
    const size_t row = static_cast<size_t>(candidate * kHidden + kOpen);
    w.set_code(row * 2 + 1, w.code(row * 2) ^ 0x80000000);
    for (size_t k = 0; k < kHidden; ++k) r.set_code(row * kHidden + k, 0);
    NodeUnderTest unit(op, 22);
    unit.attribute("hidden_size", kHidden).outputs(is_lstm ? 3 : 2).input(x).input(w).input(r);
    if (reset_last) unit.attribute("linear_before_reset", 1);
    return unit;
  };
  NodeUnderTest on_lanes = node(), exact = node();
  reset_ladder_counts();
  on_lanes.run();
  CHECK(ladder_counts().elements == static_cast<uint64_t>(kSteps * batch * kHidden * (is_lstm ? 2 : 1)));  // none of them twice
  CHECK(ladder_counts().ball_dd_lines + ladder_counts().proof_lines == static_cast<uint64_t>(kSteps * batch));
  set_rigorous(true);
  exact.run();
  set_rigorous(false);
  for (size_t k = 0; k < (is_lstm ? 3 : 2); ++k) CHECK(same(on_lanes.output(k), exact.output(k)));
  CHECK(on_lanes.output(0).code(kOpen) == 0);
}

TEST_CASE("LSTM-22 an open unit alone goes to the exact cell") {
  for (const int64_t batch : {1, 3}) check_open_unit("LSTM", 3, batch, false);
}

TEST_CASE("GRU-22 an open unit alone goes to the exact cell") {
  for (const int64_t batch : {1, 3}) {
    for (const bool reset_last : {false, true}) check_open_unit("GRU", 2, batch, reset_last);
  }
}
