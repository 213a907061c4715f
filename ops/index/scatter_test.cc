#include <array>

#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest scatter(const char* op, int64_t opset, const Tensor& data, const Tensor& indices,
                      const Tensor& updates) {
  return NodeUnderTest(op, opset).input(data).input(indices).input(updates);
}

// Several updates of one line's elements, combined.
NodeUnderTest combined(const char* how, const Tensor& data, const Tensor& indices,
                       const Tensor& updates) {
  return scatter("ScatterElements", 18, data, indices, updates).attribute("reduction", how);
}

// Whether element `at` of output 0 is marked with `slug`.
bool is_marked(NodeUnderTest& node, std::string_view slug, size_t at) {
  for (const UnspecifiedMark& mark : node.unspecified()) {
    if (mark.slug == slug && mark.output == 0 && mark.elements.at(at) != 0) return true;
  }
  return false;
}

const Tensor kZeros = floats({3, 3}, std::vector<float>(9, 0));
const Tensor kEight = int32s({8}, {1, 2, 3, 4, 5, 6, 7, 8});

}  // namespace

TEST_CASE("Scatter-9 writes updates along an axis") {
  // The text's examples, with numbers that floats hold.
  CHECK(same(scatter("Scatter", 9, kZeros, int64s({2, 3}, {1, 0, 2, 0, 2, 1}),
                     floats({2, 3}, {1, 1.5, 1.25, 2, 2.5, 2.25}))
                 .one(),
             floats({3, 3}, {2, 1.5, 0, 1, 0, 2.25, 0, 2.5, 1.25})));
  CHECK(same(scatter("Scatter", 9, floats({1, 5}, {1, 2, 3, 4, 5}), int32s({1, 2}, {1, 3}),
                     floats({1, 2}, {8, 9}))
                 .attribute("axis", 1)
                 .one(),
             floats({1, 5}, {1, 8, 3, 9, 5})));
  CHECK(has(scatter("Scatter", 9, floats({2}, {1, 2}), int64s({1}, {2}), floats({1}, {8})).error(),
            "undefined/index-range"));
}

TEST_CASE("Scatter-11 is deprecated and means the same") {
  NodeUnderTest node =
      scatter("Scatter", 11, floats({2}, {1, 2}), int64s({1}, {-1}), floats({1}, {8}));
  CHECK(same(node.one(), floats({2}, {1, 8})));
}

TEST_CASE("ScatterElements-11 writes updates along an axis") {
  CHECK(same(scatter("ScatterElements", 11, floats({1, 5}, {1, 2, 3, 4, 5}),
                     int64s({1, 2}, {-1, -5}), floats({1, 2}, {8, 9}))
                 .attribute("axis", -1)
                 .one(),
             floats({1, 5}, {9, 2, 3, 4, 8})));
  CHECK(same(scatter("ScatterElements", 11, strings({2}, {"a", "b"}), int64s({1}, {0}),
                     strings({1}, {"c"}))
                 .one(),
             strings({2}, {"c", "b"})));
  CHECK(
      same(scatter("ScatterElements", 11, kEight, int64s({0}, {}), int32s({0}, {})).one(), kEight));
}

TEST_CASE("ScatterElements-11 keeps the last of several updates, marked") {
  NodeUnderTest node = scatter("ScatterElements", 11, floats({3}, {1, 2, 3}),
                               int64s({3}, {1, 1, 0}), floats({3}, {7, 8, 9}));
  CHECK(same(node.one(), floats({3}, {9, 8, 3})));
  CHECK(is_marked(node, "scatter-duplicate", 1));
  CHECK(!is_marked(node, "scatter-duplicate", 0));
}

TEST_CASE("ScatterElements-11 errors") {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  CHECK(has(scatter("ScatterElements", 11, data, int64s({1, 1}, {2}), floats({1, 1}, {8})).error(),
            "undefined/index-range"));
  CHECK(has(scatter("ScatterElements", 11, data, int64s({1, 1}, {-3}), floats({1, 1}, {8})).error(),
            "undefined/index-range"));
  CHECK(
      has(scatter("ScatterElements", 11, data, int64s({1, 1}, {0}), floats({1, 2}, {8, 9})).error(),
          "schema/shape-mismatch"));
  CHECK(
      has(scatter("ScatterElements", 11, data, int64s({1, 3}, {0, 0, 0}), floats({1, 3}, {7, 8, 9}))
              .error(),
          "schema/shape-mismatch"));
  CHECK(
      has(scatter("ScatterElements", 11, floats({}, {1}), int64s({}, {0}), floats({}, {8})).error(),
          "schema/rank-mismatch"));
}

TEST_CASE("ScatterElements-13 takes bfloat16") {
  CHECK(same(scatter("ScatterElements", 13, codes(DType::kBfloat16, {2}, {1, 2}), int64s({1}, {1}),
                     codes(DType::kBfloat16, {1}, {0x7FC1}))
                 .one(),
             codes(DType::kBfloat16, {2}, {1, 0x7FC1})));
}

TEST_CASE("ScatterElements-16 adds and multiplies") {
  const auto node = [](const char* how) {
    return scatter("ScatterElements", 16, int32s({2}, {10, 20}), int64s({3}, {0, 0, 1}),
                   int32s({3}, {3, 4, -5}))
        .attribute("reduction", how);
  };
  CHECK(same(node("add").one(), int32s({2}, {17, 15})));
  CHECK(same(node("mul").one(), int32s({2}, {120, -100})));
  CHECK(same(node("none").one(), int32s({2}, {4, -5})));
  CHECK(node("add").unspecified().empty());
  CHECK(has(node("max").error(), "must be none, add or mul"));
}

TEST_CASE("ScatterElements-18 rounds a sum or a product once") {
  // 2^24 + 1 + 1 in steps of float32 would stay 2^24.
  CHECK(
      same(combined("add", floats({1}, {16777216}), int64s({2}, {0, 0}), floats({2}, {1, 1})).one(),
           floats({1}, {16777218})));
  CHECK(
      same(combined("add", floats({1}, {3e38F}), int64s({2}, {0, 0}), floats({2}, {3e38F, -3e38F}))
               .one(),
           floats({1}, {3e38F})));
  CHECK(same(combined("mul", floats({1}, {0x1p100F}), int64s({2}, {0, 0}),
                      floats({2}, {0x1p100F, 0x1p-100F}))
                 .one(),
             floats({1}, {0x1p100F})));
  // float16: 60000 + 60000 - 60000.
  CHECK(same(combined("add", numbers(DType::kFloat16, {1}, {60000}), int64s({2}, {0, 0}),
                      numbers(DType::kFloat16, {2}, {60000, -60000}))
                 .one(),
             numbers(DType::kFloat16, {1}, {60000})));
  CHECK(
      same(combined("add", doubles({1}, {1}), int64s({2}, {0, 0}), doubles({2}, {0x1p-53, 0x1p-60}))
               .one(),
           doubles({1}, {1 + 0x1p-52})));
}

TEST_CASE("ScatterElements-18 sums and products of special values") {
  const auto add = [](float a, float b, float c) {
    return combined("add", floats({1}, {a}), int64s({2}, {0, 0}), floats({2}, {b, c})).one();
  };
  const auto mul = [](float a, float b, float c) {
    return combined("mul", floats({1}, {a}), int64s({2}, {0, 0}), floats({2}, {b, c})).one();
  };
  CHECK(same(add(kInf, 1, 2), floats({1}, {kInf})));
  CHECK(same(add(kInf, 1, -kInf), floats({1}, {kNan})));
  CHECK(same(add(1, kNan, 1), floats({1}, {kNan})));
  CHECK(same(add(-0.0F, -0.0F, -0.0F), floats({1}, {-0.0F})));
  CHECK(same(add(1, -1, -0.0F), floats({1}, {0})));
  CHECK(same(add(3e38F, 3e38F, 0), floats({1}, {kInf})));
  CHECK(same(mul(0, 5, kInf), floats({1}, {kNan})));
  CHECK(same(mul(-1, 5, kInf), floats({1}, {-kInf})));
  CHECK(same(mul(-1, 0, 1), floats({1}, {-0.0F})));
  CHECK(same(mul(-0x1p-100F, 0x1p-100F, 1), floats({1}, {-0.0F})));
}

TEST_CASE("ScatterElements-18 takes extremes, where NaN wins and zeros have signs") {
  NodeUnderTest max = combined("max", floats({4}, {1, kNan, 0, 5}), int64s({5}, {0, 1, 2, 3, 3}),
                               floats({5}, {7, 3, -0.0F, 9, 6}));
  CHECK(same(max.one(), floats({4}, {7, kNan, 0, 9})));
  CHECK(is_marked(max, "scatter-nan", 1));
  CHECK(is_marked(max, "scatter-zero-sign", 2));
  CHECK(!is_marked(max, "scatter-zero-sign", 0));
  CHECK(same(combined("min", floats({3}, {1, 2, 0}), int64s({3}, {0, 1, 2}),
                      floats({3}, {kNan, -kInf, -0.0F}))
                 .one(),
             floats({3}, {kNan, -kInf, -0.0F})));
  CHECK(same(combined("max", floats({1}, {-0.0F}), int64s({1}, {0}), floats({1}, {0})).one(),
             floats({1}, {0})));
}

TEST_CASE("ScatterElements-18 wraps integers and knows bool") {
  CHECK(same(combined("add", uint8s({1}, {200}), int64s({1}, {0}), uint8s({1}, {100})).one(),
             uint8s({1}, {44})));
  CHECK(same(combined("mul", int8s({1}, {100}), int64s({1}, {0}), int8s({1}, {3})).one(),
             int8s({1}, {44})));
  CHECK(same(combined("max", int8s({1}, {-1}), int64s({1}, {0}), int8s({1}, {1})).one(),
             int8s({1}, {1})));
  CHECK(same(combined("max", uint8s({1}, {255}), int64s({1}, {0}), uint8s({1}, {1})).one(),
             uint8s({1}, {255})));
  CHECK(same(combined("min", int64s({1}, {INT64_MIN}), int64s({1}, {0}), int64s({1}, {5})).one(),
             int64s({1}, {INT64_MIN})));
  CHECK(same(combined("add", int64s({1}, {INT64_MAX}), int64s({1}, {0}), int64s({1}, {1})).one(),
             int64s({1}, {INT64_MIN})));
  const Tensor flags = bools({2}, {true, false});
  CHECK(same(combined("add", flags, int64s({2}, {0, 1}), bools({2}, {false, true})).one(),
             bools({2}, {true, true})));
  CHECK(same(combined("mul", flags, int64s({2}, {0, 1}), bools({2}, {false, true})).one(),
             bools({2}, {false, false})));
  CHECK(same(combined("max", flags, int64s({2}, {0, 1}), bools({2}, {false, true})).one(),
             bools({2}, {true, true})));
  CHECK(same(combined("min", flags, int64s({2}, {0, 1}), bools({2}, {true, true})).one(),
             bools({2}, {true, false})));
}

TEST_CASE("ScatterElements-18 combines complex numbers, and no strings") {
  const auto complex = [](float re, float im) {
    Tensor tensor(DType::kComplex64, Shape{1});
    tensor.mutable_as<std::array<float, 2>>()[0] = {re, im};
    return tensor;
  };
  CHECK(same(combined("add", complex(1, 2), int64s({1}, {0}), complex(3, 4)).one(), complex(4, 6)));
  CHECK(
      same(combined("mul", complex(1, 2), int64s({1}, {0}), complex(3, 4)).one(), complex(-5, 10)));
  CHECK(has(combined("max", complex(1, 2), int64s({1}, {0}), complex(3, 4)).error(),
            "schema/type-mismatch"));
  CHECK(has(combined("add", strings({1}, {"a"}), int64s({1}, {0}), strings({1}, {"b"})).error(),
            "schema/type-mismatch"));
  CHECK(has(combined("median", floats({1}, {1}), int64s({1}, {0}), floats({1}, {1})).error(),
            "schema/attribute-value"));
}

TEST_CASE("ScatterND-11 writes slices") {
  CHECK(same(
      scatter("ScatterND", 11, kEight, int64s({4, 1}, {4, 3, 1, 7}), int32s({4}, {9, 10, 11, 12}))
          .one(),
      int32s({8}, {1, 11, 3, 10, 9, 6, 7, 12})));
  const Tensor cube = int32s({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(same(
      scatter("ScatterND", 11, cube, int64s({1, 1}, {-1}), int32s({1, 2, 2}, {9, 9, 8, 8})).one(),
      int32s({2, 2, 2}, {0, 1, 2, 3, 9, 9, 8, 8})));
  CHECK(same(
      scatter("ScatterND", 11, cube, int64s({2, 2}, {0, 1, 1, 0}), int32s({2, 2}, {9, 8, 7, 6}))
          .one(),
      int32s({2, 2, 2}, {0, 1, 9, 8, 7, 6, 6, 7})));
  CHECK(same(scatter("ScatterND", 11, cube, int64s({3}, {1, 0, 1}), int32s({}, {9})).one(),
             int32s({2, 2, 2}, {0, 1, 2, 3, 4, 9, 6, 7})));
  CHECK(
      same(scatter("ScatterND", 11, cube, int64s({0, 1}, {}), int32s({0, 2, 2}, {})).one(), cube));
}

TEST_CASE("ScatterND-11 takes empty tuples as the whole data, and keeps the last") {
  NodeUnderTest node = scatter("ScatterND", 11, strings({2}, {"a", "b"}), int64s({2, 0}, {}),
                               strings({2, 2}, {"c", "d", "e", "f"}));
  CHECK(same(node.one(), strings({2}, {"e", "f"})));
  CHECK(is_marked(node, "scatter-duplicate", 0));
}

TEST_CASE("ScatterND-11 errors") {
  CHECK(has(scatter("ScatterND", 11, kEight, int64s({1, 1}, {8}), int32s({1}, {9})).error(),
            "undefined/index-range"));
  CHECK(has(scatter("ScatterND", 11, kEight, int64s({1, 2}, {0, 0}), int32s({1}, {9})).error(),
            "schema/shape-mismatch"));
  CHECK(has(scatter("ScatterND", 11, kEight, int64s({1, 1}, {0}), int32s({2}, {9, 9})).error(),
            "schema/shape-mismatch"));
  CHECK(has(scatter("ScatterND", 11, kEight, int64s({}, {0}), int32s({}, {9})).error(),
            "schema/rank-mismatch"));
  CHECK(has(scatter("ScatterND", 11, int32s({}, {0}), int64s({1}, {0}), int32s({}, {9})).error(),
            "schema/rank-mismatch"));
}

TEST_CASE("ScatterND-16 adds and multiplies") {
  const auto node = [](const char* how) {
    return scatter("ScatterND", 16, floats({2, 2}, {1, 2, 3, 4}), int64s({2, 1}, {0, 0}),
                   floats({2, 2}, {5, 6, 7, 8}))
        .attribute("reduction", how);
  };
  CHECK(same(node("add").one(), floats({2, 2}, {13, 16, 3, 4})));
  CHECK(same(node("mul").one(), floats({2, 2}, {35, 96, 3, 4})));
  CHECK(has(node("min").error(), "schema/attribute-value"));
}

TEST_CASE("ScatterND-18 takes extremes, and mul multiplies") {
  const auto node = [](const char* how) {
    return scatter("ScatterND", 18, floats({2, 2}, {1, 2, 3, 4}), int64s({2, 1}, {1, 1}),
                   floats({2, 2}, {5, 1, 2, 8}))
        .attribute("reduction", how);
  };
  CHECK(same(node("max").one(), floats({2, 2}, {1, 2, 5, 8})));
  CHECK(same(node("min").one(), floats({2, 2}, {1, 2, 2, 1})));
  CHECK(same(node("mul").one(), floats({2, 2}, {1, 2, 30, 32})));
}
