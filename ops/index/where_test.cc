#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

NodeUnderTest where(int64_t opset, const Tensor& condition, const Tensor& x, const Tensor& y) {
  return NodeUnderTest("Where", opset).input(condition).input(x).input(y);
}

}  // namespace

TEST_CASE("Where-9 selects element by element") {
  CHECK(same(where(9, bools({2, 2}, {true, false, true, true}), int64s({2, 2}, {1, 2, 3, 4}),
                   int64s({2, 2}, {9, 8, 7, 6}))
                 .one(),
             int64s({2, 2}, {1, 8, 3, 4})));
  CHECK(same(where(9, bools({}, {false}), strings({}, {"a"}), strings({}, {"b"})).one(),
             strings({}, {"b"})));
}

TEST_CASE("Where-9 elements of every width, and one element for all on either side") {
  for (const DType type : {DType::kInt8, DType::kFloat16, DType::kFloat, DType::kInt64, DType::kUint16}) {
    std::vector<uint64_t> first, second;
    std::vector<bool> chosen;
    for (uint64_t i = 0; i < 77; ++i) {
      first.push_back(i * 7 % 16);
      second.push_back(i * 5 % 16);
      chosen.push_back(i * i % 3 == 1);
    }
    for (const int ones : {0, 1, 2, 3}) {
      const Tensor x = (ones & 1) != 0 ? codes(type, {}, {3}) : codes(type, {77}, first);
      const Tensor y = (ones & 2) != 0 ? codes(type, {1}, {5}) : codes(type, {77}, second);
      std::vector<uint64_t> wanted;
      for (size_t i = 0; i < 77; ++i) wanted.push_back(chosen[i] ? x.code(x.size() == 1 ? 0 : i) : y.code(y.size() == 1 ? 0 : i));
      CHECK(same(where(9, bools({77}, chosen), x, y).one(), codes(type, {77}, wanted)));
    }
  }
}

TEST_CASE("Where-9 broadcasts all three") {
  CHECK(same(where(9, bools({2, 1}, {true, false}), int64s({3}, {1, 2, 3}), int64s({}, {9})).one(),
             int64s({2, 3}, {1, 2, 3, 9, 9, 9})));
  CHECK(same(where(9, bools({1}, {true}), int64s({2, 0}, {}), int64s({1, 1}, {9})).one(),
             int64s({2, 0}, {})));
  CHECK(has(where(9, bools({2}, {true, false}), int64s({3}, {1, 2, 3}), int64s({}, {9})).error(),
            "schema/shape-mismatch"));
}

TEST_CASE("Where-9 copies bits") {
  const Tensor payload = codes(DType::kFloat, {2}, {0x7FA12345, 0x80000000});
  CHECK(same_bits(where(9, bools({2}, {true, true}), payload, floats({}, {0})).one(), payload));
}

TEST_CASE("Where-16 takes bfloat16") {
  CHECK(same(where(16, bools({2}, {true, false}), codes(DType::kBfloat16, {}, {1}),
                   codes(DType::kBfloat16, {}, {2}))
                 .one(),
             codes(DType::kBfloat16, {2}, {1, 2})));
}
