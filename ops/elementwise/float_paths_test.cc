// Operators that float32 arithmetic answers, beside their formulas: awkward data, and every way in which two shapes meet.
#include <utility>

#include "src/run/fast_paths.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

const std::pair<Shape, Shape> kMeetings[] = {
    {{}, {}},
    {{1}, {1, 1}},
    {{0}, {1}},
    {{70000}, {70000}},
    {{1037}, {}},
    {{}, {1037}},
    {{3, 5, 7}, {7}},
    {{5, 1}, {3, 1, 7}},
    {{2, 3, 4, 5}, {1, 3, 1, 1}},
    {{1, 3, 1, 1}, {2, 3, 40, 5}},
    {{2, 1, 4, 1}, {1, 3, 1, 5}},
    {{2, 1, 3, 1, 2, 1, 3}, {1, 2, 1, 3, 3}},
};

}  // namespace

TEST_CASE("Add-14 Sub-14 Mul-14 Div-14 by floats and by their formulas") {
  uint64_t seed = 1;
  for (const char* op : {"Add", "Sub", "Mul", "Div"}) {
    for (const auto& [a, b] : kMeetings) {
      NodeUnderTest node(op, 14);
      node.input(awkward(DType::kFloat, a, ++seed));
      node.input(awkward(DType::kFloat, b, ++seed));
      NodeUnderTest twin = node;
      CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
    }
  }
}

TEST_CASE("Relu-14 by floats and by its formula") {
  for (const int64_t size : {0, 1, 31, 1000, 70001}) {
    NodeUnderTest node("Relu", 14);
    node.input(awkward(DType::kFloat, {size}, static_cast<uint64_t>(size) + 3));
    NodeUnderTest twin = node;
    CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
  }
}

TEST_CASE("Exp-13 Tanh-13 Erf-13 Sigmoid-13 Log-13 Sin-22 Cos-22 Gelu-20 by floats and by their formulas") {
  for (const char* op : {"Exp", "Tanh", "Erf", "Sigmoid", "Log", "Sin", "Cos", "Gelu", "Gelu by tanh"}) {
    const std::string_view name(op);
    for (const int64_t size : {0, 1, 3, 64, 1000, 70001}) {
      NodeUnderTest node(std::string(name.substr(0, name.find(' '))), 22);
      if (name.ends_with("tanh")) node.attribute("approximate", "tanh");
      node.input(awkward(DType::kFloat, {size}, static_cast<uint64_t>(size) + 5));
      NodeUnderTest twin = node;
      CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
    }
  }
}

TEST_CASE("Clip-13 of floats: ends, zeros, NaN, and ends in the wrong order") {
  const float nan = __builtin_nanf(""), inf = __builtin_inff();
  const Tensor x = floats({9}, {-0.0F, 0.0F, -1, 5.5F, 6, 7, nan, inf, -inf});
  const auto clipped = [&](float low, float high) {
    return NodeUnderTest("Clip", 13).input(x).input(floats({}, {low})).input(floats({}, {high})).one();
  };
  CHECK(same(clipped(0, 6), floats({9}, {-0.0F, 0.0F, 0, 5.5F, 6, 6, nan, 6, 0})));
  CHECK(same(clipped(-0.0F, inf), floats({9}, {-0.0F, 0.0F, -0.0F, 5.5F, 6, 7, nan, inf, -0.0F})));
  CHECK(same(clipped(6, 0), floats({9}, {0, 0, 0, 0, 0, 0, nan, 0, 0})));
  CHECK(same(clipped(nan, 0), floats({9}, {nan, nan, nan, nan, nan, nan, nan, nan, nan})));
}
