// QuantizeLinear and DequantizeLinear by float32 arithmetic beside their formulas: every type, one scale, one per slice, blocks.
#include <algorithm>
#include <utility>

#include "src/run/fast_paths.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

// How the scales lie: their shape, and the attributes that say so.
struct Layout {
  Shape scale;
  int64_t axis, block;
  Shape x{3, 5, 150};  // more than two blocks of 1024 elements, and an odd end
};

const Layout kLayouts[] = {{{}, 1, 0}, {{5}, 1, 0}, {{150}, 2, 0}, {{3, 2, 150}, 1, 3}, {{3, 5, 5}, -1, 32},
                           {{2}, 0, 0, {2, 1500}}, {{3, 7}, 1, 100, {3, 700}}, {{2, 4, 3}, 2, 16, {2, 4, 48}}};

NodeUnderTest with_layout(std::string op, const Layout& layout) {
  return NodeUnderTest(std::move(op), 25).attribute("axis", layout.axis).attribute("block_size", layout.block);
}

}  // namespace

TEST_CASE("QuantizeLinear-25 by floats and by its formula") {
  uint64_t seed = 1;
  for (const DType type : {DType::kFloat, DType::kFloat16, DType::kBfloat16}) {
    for (const DType out : {DType::kUint8, DType::kInt8, DType::kUint16, DType::kInt16, DType::kUint4, DType::kInt2,
                            DType::kFloat8e4m3fn, DType::kFloat8e5m2fnuz, DType::kFloat4e2m1}) {
      for (const Layout& layout : kLayouts) {
        for (const bool plain : {false, true}) {
          const Tensor scale = plain ? numbers(type, layout.scale, std::vector<double>(static_cast<size_t>(layout.scale.elements()), 0.75))
                                     : awkward(type, layout.scale, ++seed);
          NodeUnderTest node = with_layout("QuantizeLinear", layout);
          node.input(awkward(type, layout.x, ++seed));
          node.input(scale);
          if (plain && is_float(out)) {
            node.attribute("output_dtype", static_cast<int64_t>(out)).attribute("saturate", 0);
          } else {
            node.input(is_float(out) ? Tensor(out, layout.scale) : awkward(out, layout.scale, ++seed));
          }
          NodeUnderTest twin = node;
          const Tensor formula = by_formulas(twin)[0].tensor();
          CHECK(same(node.one(), formula));
        }
      }
    }
  }
}

TEST_CASE("QuantizeLinear-23 by floats: mixed types, integers, empty tensors, and NaN marked alike") {
  for (const auto& [type, scale_type] : {std::pair{DType::kInt32, DType::kFloat}, {DType::kFloat16, DType::kFloat}}) {
    NodeUnderTest node("QuantizeLinear", 23);
    node.input(awkward(type, {2049}, 5)).input(awkward(scale_type, {}, 9)).input(awkward(DType::kInt8, {}, 3));
    NodeUnderTest twin = node;
    CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
  }
  NodeUnderTest empty("QuantizeLinear", 23);
  CHECK(empty.input(floats({0, 3}, {})).input(floats({3}, {1, 2, 3})).one().size() == 0);
  // Element 1025 lies in the second block.
  std::vector<float> values(1100, 1.0f);
  values[1025] = __builtin_nanf("");
  NodeUnderTest marked("QuantizeLinear", 23);
  marked.input(floats({1100}, values)).input(floats({}, {1}));
  CHECK(marked.one().as<uint8_t>()[1025] == 0);
  const std::vector<UnspecifiedMark> marks = marked.unspecified();
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].elements[1025] == 1);
  CHECK(std::count(marks[0].elements.begin(), marks[0].elements.end(), 1) == 1);
}

TEST_CASE("DequantizeLinear-25 by floats and by its formula") {
  uint64_t seed = 1;
  for (const DType type : {DType::kUint8, DType::kInt8, DType::kUint16, DType::kInt16, DType::kInt4, DType::kUint2, DType::kInt32,
                           DType::kFloat8e4m3fn, DType::kFloat8e5m2fnuz, DType::kFloat4e2m1}) {
    for (const DType out : {DType::kFloat, DType::kFloat16, DType::kBfloat16}) {
      for (const Layout& layout : kLayouts) {
        NodeUnderTest node = with_layout("DequantizeLinear", layout);
        node.input(awkward(type, layout.x, ++seed));
        node.input(awkward(out, layout.scale, ++seed));
        if (seed % 4 != 0 && type != DType::kInt32) {
          node.input(is_float(type) && seed % 3 == 0 ? Tensor(type, layout.scale) : awkward(type, layout.scale, ++seed));
        }
        NodeUnderTest twin = node;
        CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
      }
    }
  }
}

TEST_CASE("DynamicQuantizeLinear-11 by floats and by its formula") {
  for (const float special : {0.0f, __builtin_nanf(""), __builtin_inff(), 1e-40f, -3.0f}) {
    std::vector<float> values;
    for (int i = 0; i < 1031; ++i) values.push_back(static_cast<float>(i * i % 97 - 31) * 0.25f);
    values[1029] = special;
    for (const float by : {1.0f, 0.0f}) {
      std::vector<float> scaled;
      for (const float v : values) scaled.push_back(v * by);
      NodeUnderTest node("DynamicQuantizeLinear", 11);
      node.input(floats({1031}, scaled)).outputs(3);
      NodeUnderTest twin = node;
      const Outputs wanted = by_formulas(twin);
      for (size_t k = 0; k < 3; ++k) CHECK(same(node.output(k), wanted[k].tensor()));
    }
  }
}
