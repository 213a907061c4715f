// Panels of queries against the exact path: the same bits, whatever the data.
#include <cmath>

#include "src/number/ladder.h"
#include "src/run/fast_paths.h"
#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

// Of few digits (equal logits, exact ties), of all digits, of wide exponents, with what is not finite, or zeros.
enum class Data { kFew, kAll, kWide, kSpecial, kZero };

class Draw : public Draws {
 public:
  using Draws::Draws;
  double number(Data data) {
    const double special[] = {INFINITY, -INFINITY, NAN, -0.0, 1e-40, 3e38};
    const double all = (static_cast<double>(below(1u << 24)) - (1 << 23)) / (1 << 22);
    switch (data) {
      case Data::kFew: return static_cast<double>(below(3)) - 1;
      case Data::kAll: return all;
      case Data::kWide: return all * std::ldexp(1.0, static_cast<int>(below(60)) - 40);
      case Data::kSpecial: return below(20) == 0 ? special[below(6)] : all;
      case Data::kZero: return below(2) == 0 ? 0.0 : -0.0;
    }
    return 0;
  }
  Tensor tensor(DType dtype, Shape shape, Data data) {
    std::vector<double> values;
    for (int64_t i = 0; i < shape.elements(); ++i) values.push_back(number(data));
    return rounded(dtype, std::move(shape), values);
  }
};

enum class Mask { kNone, kAllowed, kAdded, kLowest };

struct Case {
  DType dtype = DType::kFloat;
  Data queries = Data::kAll, values = Data::kAll;
  int64_t batch = 2, heads = 2, kv_heads = 1, length = 15, keys = 7, size = 5, value_size = 6, past = 0;
  Mask mask = Mask::kNone;
  bool causal = false, nonpad = false;
  double scale = 0, softcap = 0;
  int64_t left_window = -2;
};

Tensor mask_of(const Case& c, Draw& draw) {
  const Shape shape{c.length, c.keys + c.past};
  std::vector<bool> allowed;
  std::vector<double> added;
  const double lowest[] = {-INFINITY, -3e4, 0};
  for (int64_t i = 0; i < shape.elements(); ++i) {
    // The last queries may see nothing.
    allowed.push_back(draw.below(3) == 0 && i / shape[1] < c.length - 2);
    added.push_back(c.mask == Mask::kLowest ? lowest[draw.below(3)] : draw.number(Data::kAll));
  }
  return c.mask == Mask::kAllowed ? bools(shape, allowed) : rounded(c.dtype, shape, added);
}

NodeUnderTest node_of(const Case& c, uint64_t seed) {
  Draw draw(seed);
  NodeUnderTest node("Attention", c.left_window == -2 ? 24 : 25);
  node.outputs(3);
  if (c.causal) node.attribute("is_causal", 1);
  if (c.scale != 0) node.attribute("scale", c.scale);
  if (c.softcap != 0) node.attribute("softcap", c.softcap);
  if (c.left_window != -2) node.attribute("left_window_size", c.left_window);
  node.input(draw.tensor(c.dtype, {c.batch, c.heads, c.length, c.size}, c.queries));
  node.input(draw.tensor(c.dtype, {c.batch, c.kv_heads, c.keys, c.size}, c.queries));
  node.input(draw.tensor(c.dtype, {c.batch, c.kv_heads, c.keys, c.value_size}, c.values));
  c.mask == Mask::kNone ? node.no_input() : node.input(mask_of(c, draw));
  if (c.past != 0) {
    node.input(draw.tensor(c.dtype, {c.batch, c.kv_heads, c.past, c.size}, c.queries));
    node.input(draw.tensor(c.dtype, {c.batch, c.kv_heads, c.past, c.value_size}, c.values));
  } else if (c.nonpad) {
    node.no_input().no_input().input(int64s({2}, {0, c.keys - 2}));
  }
  return node;
}

void check(Case c) {
  uint64_t seed = 1;
  for (const DType dtype : {DType::kFloat, DType::kFloat16, DType::kBfloat16}) {
    for (const Data queries : {Data::kFew, Data::kAll, Data::kWide, Data::kSpecial, Data::kZero}) {
      for (const Data values : {Data::kFew, Data::kAll, Data::kSpecial, Data::kZero}) {
        c.dtype = dtype;
        c.queries = queries;
        c.values = values;
        NodeUnderTest panels = node_of(c, ++seed), exact = node_of(c, seed);
        panels.run();
        set_rigorous(true);
        exact.run();
        set_rigorous(false);
        CAPTURE(seed);
        CHECK(same(panels.output(0), exact.output(0)));
      }
    }
  }
}

}  // namespace

TEST_CASE("Attention-24 by panels of queries gives the bits of the exact path") {
  check({});
  check({.heads = 1, .length = 1, .keys = 9, .size = 8, .scale = 0.3});
  check({.batch = 1, .heads = 3, .kv_heads = 3, .length = 3, .keys = 1, .size = 1, .scale = -2});
  check({.batch = 1, .length = 5, .size = 4, .scale = 1e-30, .softcap = 2.5});
}

TEST_CASE("Attention-24 by panels of queries gives the bits of the exact path under masks") {
  for (const Mask mask : {Mask::kNone, Mask::kAllowed, Mask::kAdded, Mask::kLowest}) {
    check({.batch = 1, .mask = mask, .causal = true});
    check({.batch = 1, .length = 4, .past = 3, .mask = mask, .causal = mask == Mask::kNone});
  }
  check({.batch = 1, .mask = Mask::kAdded, .softcap = 1.5});
  check({.length = 5, .nonpad = true});
}

TEST_CASE("Attention-25 by panels of queries gives the bits of the exact path within windows") {
  check({.batch = 1, .causal = true, .left_window = 2});
}

TEST_CASE("Attention-24 by panels of queries proves nearly all by itself") {
  reset_ladder_counts();
  node_of({.length = 40, .keys = 50, .size = 24, .value_size = 20}, 3).run();
  CHECK(ladder_counts().elements == 2 * 2 * 40 * 20);
  CHECK(ladder_counts().proof_lines == 0);
}
