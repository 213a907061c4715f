#include "src/run/fast_paths.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest arg(const char* op, int64_t opset, const Tensor& data) {
  return NodeUnderTest(op, opset).input(data);
}

const Tensor kRows = floats({2, 3}, {3, 1, 3, 1, 2, 1});

}  // namespace

TEST_CASE("ArgMax-1 finds the first maximum") {
  CHECK(same(arg("ArgMax", 1, kRows).one(), int64s({1, 3}, {0, 1, 0})));
  CHECK(same(arg("ArgMax", 1, kRows).attribute("axis", 1).one(), int64s({2, 1}, {0, 1})));
  CHECK(same(arg("ArgMax", 1, kRows).attribute("axis", 1).attribute("keepdims", 0).one(),
             int64s({2}, {0, 1})));
  CHECK(same(arg("ArgMax", 1, kRows).attribute("axis", -1).one(), int64s({2, 1}, {0, 1})));
}

TEST_CASE("ArgMax-11 counts a negative axis from the back") {
  CHECK(same(arg("ArgMax", 11, kRows).attribute("axis", -2).attribute("keepdims", 0).one(),
             int64s({3}, {0, 1, 0})));
  CHECK(has(arg("ArgMax", 11, kRows).attribute("axis", -3).error(), "schema/attribute-range"));
}

TEST_CASE("ArgMax-12 finds the last maximum when asked") {
  CHECK(same(arg("ArgMax", 12, kRows).attribute("axis", 1).attribute("select_last_index", 1).one(),
             int64s({2, 1}, {2, 1})));
  CHECK(same(arg("ArgMax", 12, kRows).attribute("axis", 1).one(), int64s({2, 1}, {0, 1})));
}

TEST_CASE("ArgMax-13 compares every type, zeros of both signs alike") {
  CHECK(same(arg("ArgMax", 13, codes(DType::kBfloat16, {3}, {0x3F80, 0x4000, 0xC000})).one(),
             int64s({1}, {1})));
  CHECK(same(arg("ArgMax", 13, int64s({3}, {1, INT64_MAX, INT64_MAX}))
                 .attribute("select_last_index", 1)
                 .one(),
             int64s({1}, {2})));
  CHECK(
      same(arg("ArgMax", 13, codes(DType::kUint64, {2}, {1, UINT64_MAX})).one(), int64s({1}, {1})));
  CHECK(same(arg("ArgMax", 13, int8s({2}, {-128, 127})).one(), int64s({1}, {1})));
  CHECK(same(arg("ArgMax", 13, floats({2}, {-0.0F, 0})).one(), int64s({1}, {0})));
  CHECK(arg("ArgMax", 13, int64s({2}, {1, INT64_MAX})).unspecified().empty());
}

TEST_CASE("ArgMax-13 finds the first NaN, marked") {
  NodeUnderTest node = arg("ArgMax", 13, floats({2, 4}, {1, kNan, kInf, kNan, 1, 2, 3, 0}))
                           .attribute("axis", 1)
                           .attribute("select_last_index", 1);
  CHECK(same(node.one(), int64s({2, 1}, {1, 2})));
  REQUIRE(node.unspecified().size() == 1);
  CHECK(node.unspecified()[0].slug == "arg-extreme-nan");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{1, 0});
}

// Lines in memory have a way of their own: the same data across memory, which go by keys, must agree.
TEST_CASE("ArgMax-13 ArgMin-13 along lines in memory and across them") {
  for (const auto& [lines, length] : {std::pair<int64_t, int64_t>{7, 1}, {5, 9}, {3, 1000}, {70, 517}}) {
    const Tensor rows = awkward(DType::kFloat, {lines, length}, static_cast<uint64_t>(length));
    const Tensor columns = NodeUnderTest("Transpose", 13).input(rows).one();
    for (const char* op : {"ArgMax", "ArgMin"}) {
      for (const int64_t last : {0, 1}) {
        NodeUnderTest along = arg(op, 13, rows).attribute("axis", 1).attribute("keepdims", 0).attribute("select_last_index", last);
        NodeUnderTest across = arg(op, 13, columns).attribute("axis", 0).attribute("keepdims", 0).attribute("select_last_index", last);
        CHECK(same(along.one(), across.one()));
        CHECK(along.unspecified().size() == across.unspecified().size());
      }
    }
  }
}

TEST_CASE("ArgMax-13 knows scalars and empty tensors") {
  CHECK(same(arg("ArgMax", 13, floats({}, {5})).one(), int64s({}, {0})));
  CHECK(same(arg("ArgMax", 13, floats({}, {5})).attribute("axis", -1).one(), int64s({}, {0})));
  CHECK(same(arg("ArgMax", 13, floats({2, 0}, {})).one(), int64s({1, 0}, {})));
  CHECK(
      has(arg("ArgMax", 13, floats({2, 0}, {})).attribute("axis", 1).error(), "schema/empty-axis"));
  CHECK(has(arg("ArgMax", 13, floats({}, {5})).attribute("axis", 1).error(),
            "schema/attribute-range"));
}

TEST_CASE("ArgMin-1 finds the first minimum") {
  CHECK(same(arg("ArgMin", 1, kRows).attribute("axis", 1).one(), int64s({2, 1}, {1, 0})));
  CHECK(same(arg("ArgMin", 1, kRows).attribute("keepdims", 0).one(), int64s({3}, {1, 0, 1})));
}

TEST_CASE("ArgMin-11 counts a negative axis from the back") {
  CHECK(same(arg("ArgMin", 11, kRows).attribute("axis", -1).one(), int64s({2, 1}, {1, 0})));
}

TEST_CASE("ArgMin-12 finds the last minimum when asked") {
  CHECK(same(arg("ArgMin", 12, kRows).attribute("axis", 1).attribute("select_last_index", 1).one(),
             int64s({2, 1}, {1, 2})));
}

TEST_CASE("ArgMin-13 finds NaN before any number") {
  NodeUnderTest node = arg("ArgMin", 13, floats({3}, {1, kNan, -kInf}));
  CHECK(same(node.one(), int64s({1}, {1})));
  CHECK(node.unspecified().size() == 1);
  CHECK(same(arg("ArgMin", 13, codes(DType::kBfloat16, {3}, {0x3F80, 0x4000, 0xC000})).one(),
             int64s({1}, {2})));
}
