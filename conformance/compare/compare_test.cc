#include "conformance/compare/compare.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/compare/cover.h"
#include "conformance/compare/open_elements.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor floats(std::vector<float> values) {
  return Tensor::of<float>(DType::kFloat, {static_cast<int64_t>(values.size())}, values);
}

Tensor codes(DType dtype, std::vector<uint64_t> values) {
  Tensor tensor(dtype, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) tensor.set_code(i, values[i]);
  return tensor;
}

CompareRequest under(const std::string& tolerance) {
  CompareRequest request;
  request.tolerance = ToleranceChoice::parse(tolerance).tolerance;
  return request;
}

bool passes(const Value& expected, const Value& actual, const std::string& tolerance) {
  return compare(expected, actual, under(tolerance)).matches;
}

TEST_CASE("official is atol + rtol |expected|") {
  // 1e-7 + 1e-3 * 2 = 0.0020001.
  CHECK(passes(floats({2.0f}), floats({2.002f}), "official"));
  CHECK_FALSE(passes(floats({2.0f}), floats({2.0021f}), "official"));
  CHECK(passes(floats({0.0f}), floats({9e-8f}), "official"));
  CHECK_FALSE(passes(floats({0.0f}), floats({2e-7f}), "official"));
}

TEST_CASE("official gives integers the same allowance, as the official runner does") {
  // 1e-7 + 1e-3 * 2000 = 2.0000001.
  CHECK(passes(codes(DType::kInt32, {2000}), codes(DType::kInt32, {2002}), "official"));
  CHECK_FALSE(passes(codes(DType::kInt32, {2000}), codes(DType::kInt32, {2003}), "official"));
  CHECK_FALSE(passes(codes(DType::kInt32, {2000}), codes(DType::kInt32, {2001}), "node"));
}

TEST_CASE("bfloat16 is allowed 2^-6 under official and node") {
  // 0x3f80 is 1, 0x3f82 is 1 + 2^-6 (2^-7 a unit), 0x3f83 is 1 + 3 * 2^-7.
  CHECK(passes(codes(DType::kBfloat16, {0x3f80}), codes(DType::kBfloat16, {0x3f82}), "official"));
  CHECK_FALSE(
      passes(codes(DType::kBfloat16, {0x3f80}), codes(DType::kBfloat16, {0x3f83}), "official"));
  CHECK(passes(codes(DType::kBfloat16, {0x3f80}), codes(DType::kBfloat16, {0x3f82}), "node"));
}

TEST_CASE("node forgives small elements beside large ones") {
  // 1e-4 * 100 = 0.01 for every element, and 1e-3 of its own.
  CHECK(passes(floats({100.0f, 0.0f}), floats({100.0f, 0.0099f}), "node"));
  CHECK_FALSE(passes(floats({100.0f, 0.0f}), floats({100.0f, 0.0101f}), "node"));
  CHECK(passes(floats({-100.0f, 1.0f}), floats({-100.1f, 1.0109f}), "node"));
}

TEST_CASE("scaled is a share of the largest expected magnitude") {
  CHECK(passes(floats({-50.0f, 1.0f}), floats({-50.0f, 1.0499f}), "scaled:1e-3"));
  CHECK_FALSE(passes(floats({-50.0f, 1.0f}), floats({-50.0f, 1.0502f}), "scaled:1e-3"));
  // An infinity is no magnitude to scale by.
  CHECK_FALSE(passes(floats({kInf, 1.0f}), floats({kInf, 1.01f}), "scaled:1e-3"));
}

TEST_CASE("exact wants the same bits, and any NaN for a NaN") {
  CHECK(passes(floats({1.5f}), floats({1.5f}), "exact"));
  CHECK_FALSE(passes(floats({1.5f}), floats({std::nextafter(1.5f, 2.0f)}), "exact"));
  CHECK_FALSE(passes(floats({0.0f}), floats({-0.0f}), "exact"));
  CHECK(passes(codes(DType::kFloat, {0x7fc00000}), codes(DType::kFloat, {0xffc00001}), "exact"));
  CHECK_FALSE(passes(floats({kNan}), floats({1.0f}), "exact"));
}

TEST_CASE("ulp counts representable values across zero") {
  // -2^-149 and 2^-149 are two steps apart: -0 and +0 are one value.
  CHECK(passes(codes(DType::kFloat, {0x80000001}), codes(DType::kFloat, {0x00000001}), "ulp:2"));
  CHECK_FALSE(
      passes(codes(DType::kFloat, {0x80000001}), codes(DType::kFloat, {0x00000001}), "ulp:1"));
  CHECK(passes(codes(DType::kFloat, {0x3f800000}), codes(DType::kFloat, {0x3f800003}), "ulp:3"));
  CHECK_FALSE(passes(codes(DType::kInt8, {5}), codes(DType::kInt8, {6}), "ulp:3"));
}

TEST_CASE("NaN, infinity and zero policies") {
  CompareRequest request = under("official");
  CHECK(compare(codes(DType::kFloat, {0x7fc00000}), codes(DType::kFloat, {0xffc00000}), request)
            .matches);
  CHECK(compare(floats({0.0f}), floats({-0.0f}), request).matches);
  CHECK_FALSE(compare(floats({kInf}), floats({3.4028235e38f}), request).matches);
  CHECK_FALSE(compare(floats({kInf}), floats({-kInf}), request).matches);
  CHECK_FALSE(compare(floats({1.0f}), floats({kInf}), request).matches);
  CHECK_FALSE(compare(floats({1.0f}), floats({kNan}), request).matches);
  request.policies = ComparePolicies::parse("bits", "finite-max", "bits");
  CHECK_FALSE(
      compare(codes(DType::kFloat, {0x7fc00000}), codes(DType::kFloat, {0xffc00000}), request)
          .matches);
  CHECK_FALSE(compare(floats({0.0f}), floats({-0.0f}), request).matches);
  CHECK(compare(floats({kInf}), floats({3.4028235e38f}), request).matches);
  CHECK_FALSE(compare(floats({kInf}), floats({-3.4028235e38f}), request).matches);
  CHECK_FALSE(compare(floats({3.4028235e38f}), floats({kInf}), request).matches);
  CHECK_THROWS_AS(ComparePolicies::parse("maybe", "", ""), Error);
}

TEST_CASE("what a comparison tells") {
  const Comparison c =
      compare(floats({1.0f, 1.5f, 4.0f}), floats({1.0f, 2.0f, 3.0f}), under("official"));
  CHECK_FALSE(c.matches);
  CHECK(c.dtype == "float32");
  CHECK(c.shape == std::vector<int64_t>{3});
  CHECK(c.elements == 3);
  CHECK(c.mismatched == 2);
  CHECK(c.max_abs == 1.0);
  CHECK(c.max_rel == doctest::Approx(0.5 / 1.5));
  CHECK(c.max_ulp ==
        0x00400000);  // 1.5 is 0x3fc00000, 2 is 0x40000000; 3 is 0x40400000, 4 is 0x40800000
  REQUIRE(c.first_mismatch);
  CHECK(c.first_mismatch->index == std::vector<int64_t>{1});
  CHECK(c.first_mismatch->expected == "1.5 (0x3fc00000)");
  CHECK(c.first_mismatch->actual == "2.0 (0x40000000)");
}

TEST_CASE("type and shape are compared before values") {
  CHECK(compare(floats({1}), codes(DType::kDouble, {0}), under("official")).problem ==
        "type is float64, expected float32");
  const Tensor scalar = Tensor::float_scalar(1.0f);
  CHECK(compare(scalar, floats({1}), under("official")).problem == "shape is [1], expected []");
  CHECK_FALSE(compare(scalar, Value(), under("official")).matches);
}

TEST_CASE("sub-byte and 8-bit types") {
  // float4e2m1: 0x2 is 1, 0x3 is 1.5; int4: 0xf is -1, 0x8 is -8.
  const Comparison c = compare(codes(DType::kFloat4e2m1, {2, 2, 2}),
                               codes(DType::kFloat4e2m1, {2, 2, 3}), under("official"));
  CHECK(c.mismatched == 1);
  CHECK(c.max_abs == 0.5);
  REQUIRE(c.first_mismatch);
  CHECK(c.first_mismatch->expected == "1.0 (0x2)");
  const Comparison i = compare(codes(DType::kInt4, {15}), codes(DType::kInt4, {8}), under("exact"));
  CHECK(i.max_abs == 7);
  REQUIRE(i.first_mismatch);
  CHECK(i.first_mismatch->expected == "-1");
  CHECK(i.first_mismatch->actual == "-8");
  CHECK(passes(codes(DType::kFloat8e5m2, {0x7c}), codes(DType::kFloat8e5m2, {0x7c}), "exact"));
}

TEST_CASE("integers of 64 bits keep every digit") {
  const Comparison c = compare(codes(DType::kUint64, {UINT64_MAX}),
                               codes(DType::kUint64, {UINT64_MAX - 1}), under("node"));
  CHECK(c.mismatched == 1);
  CHECK(c.max_abs == 1);
  REQUIRE(c.first_mismatch);
  CHECK(c.first_mismatch->expected == "18446744073709551615");
}

TEST_CASE("bool is compared as truth, under exact as bits") {
  CHECK(passes(codes(DType::kBool, {1}), codes(DType::kBool, {2}), "official"));
  CHECK_FALSE(passes(codes(DType::kBool, {1}), codes(DType::kBool, {2}), "exact"));
  CHECK_FALSE(passes(codes(DType::kBool, {1}), codes(DType::kBool, {0}), "official"));
}

TEST_CASE("complex numbers by magnitude") {
  const std::vector<float> e = {3.0f, 4.0f}, near = {3.0f, 4.004f}, far = {3.0f, 4.006f};
  const auto complex = [](const std::vector<float>& parts) {
    Tensor tensor(DType::kComplex64, {1});
    std::memcpy(tensor.mutable_bytes().data(), parts.data(), 8);
    return tensor;
  };
  // |3 + 4i| is 5: 1e-7 + 1e-3 * 5 = 0.0050001.
  CHECK(passes(complex(e), complex(near), "official"));
  CHECK_FALSE(passes(complex(e), complex(far), "official"));
  CHECK_FALSE(passes(complex({0.0f, 0.0f}), complex({-0.0f, 0.0f}), "exact"));
}

TEST_CASE("strings") {
  const Tensor e({2}, {"a", "b\n"}), a({2}, {"a", "c"});
  const Comparison c = compare(e, a, under("official"));
  CHECK(c.mismatched == 1);
  REQUIRE(c.first_mismatch);
  CHECK(c.first_mismatch->expected == "\"b\\x0a\"");
  CHECK(passes(e, e, "exact"));
}

TEST_CASE("what several marks leave open of an output is open together") {
  const std::vector<UnspecifiedMark> marks{{0, "maximum-nan", {1, 0, 0}}, {1, "maximum-nan", {1}}, {0, "zero-of-both-signs", {0, 0, 1}}};
  CHECK(open_elements(marks, 0).elements == std::vector<uint8_t>{1, 0, 1});
  CHECK(!open_elements(marks, 0).all);
  CHECK(open_elements(marks, 2).elements.empty());
  CHECK(open_elements(std::vector<UnspecifiedMark>{{0, "topk-unsorted", {}}}, 0).all);
}

TEST_CASE("unspecified elements are counted, not failed, unless strict") {
  CompareRequest request = under("official");
  const std::vector<uint8_t> open = {0, 1, 0};
  request.unspecified = open;
  const Comparison c = compare(floats({1, 2, 3}), floats({1, 9, 3}), request);
  CHECK(c.matches);
  CHECK(c.unspecified == 1);
  CHECK(c.max_abs == 0);
  request.policies.strict = true;
  CHECK_FALSE(compare(floats({1, 2, 3}), floats({1, 9, 3}), request).matches);
  request.policies.strict = false;
  CHECK_FALSE(compare(floats({1, 2, 3}), floats({1, 9, 4}), request).matches);
  // An open element is no magnitude for scaled either: 1e-3 * 3, not 1e-3 * 1e6.
  CompareRequest scaled = under("scaled:1e-3");
  scaled.unspecified = open;
  CHECK_FALSE(compare(floats({1, 1e6f, 3}), floats({1.5f, 0, 3}), scaled).matches);
}

TEST_CASE("sequences, optionals, maps") {
  const auto sequence = [](std::vector<Value> items) {
    return Value(Sequence{Type::tensor(DType::kFloat), std::move(items)});
  };
  const Comparison c = compare(sequence({floats({1}), floats({2, 3})}),
                               sequence({floats({1}), floats({2, 4})}), under("official"));
  REQUIRE(c.first_mismatch);
  CHECK(c.first_mismatch->index == std::vector<int64_t>{1, 1});
  CHECK(compare(sequence({floats({1})}), sequence({}), under("official")).problem ==
        "length is 0, expected 1");
  const Value empty = Optional{Type::tensor(DType::kFloat), nullptr};
  const Value full =
      Optional{Type::tensor(DType::kFloat), std::make_shared<const Value>(floats({1}))};
  CHECK(passes(empty, empty, "exact"));
  CHECK(passes(full, floats({1}), "exact"));
  CHECK_FALSE(passes(full, empty, "exact"));
  Map one, two;
  one.int_keys = {1, 2};
  one.values = {Value(floats({10})), Value(floats({20}))};
  two.int_keys = {2, 1};
  two.values = {Value(floats({20})), Value(floats({10}))};
  CHECK(passes(one, two, "exact"));
  two.int_keys = {2, 3};
  CHECK(compare(one, two, under("exact")).problem == "key 1 is missing");
}

TEST_CASE("sparse tensors by position, however they are stored") {
  const auto indices = [](Shape shape, std::vector<int64_t> values) {
    return Tensor::of<int64_t>(DType::kInt64, std::move(shape), values);
  };
  const SparseTensor linear{floats({5, 7}), indices({2}, {1, 5}), {2, 3}};
  const SparseTensor pairs{floats({5, 7}), indices({2, 2}, {0, 1, 1, 2}), {2, 3}};
  const SparseTensor other{floats({5, 7}), indices({2}, {1, 4}), {2, 3}};
  CHECK(passes(linear, pairs, "exact"));
  CHECK_FALSE(passes(linear, other, "exact"));
}

TEST_CASE("bounds per element") {
  CompareRequest request = under("derived");
  Tensor expected = floats({1, 1, 1});
  expected.mutable_bounds()[0] = {0.5, 1.5, 0.25, 1};
  expected.mutable_bounds()[1] = {1, 1.25, 0.5, 1};
  const Comparison c = compare(expected, floats({1.5f, 1.125f, 1}), request);
  CHECK(c.matches);
  CHECK(c.bound_ratio == 1.0);
  CHECK(c.expected_ratio == 2.0);
  CHECK(c.loose == 2);
  CHECK_FALSE(compare(expected, floats({1, 1.5f, 1}), request).matches);
  CHECK_FALSE(compare(expected, floats({1, 0.875f, 1}), request).matches);  // the bound has two sides
  CHECK_FALSE(compare(expected, floats({1, 1, 1.125f}), request).matches);  // no bound: the same bits
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  CHECK_FALSE(compare(expected, floats({nan, 1, 1}), request).matches);
  expected.mutable_bounds()[0] = {-infinity, infinity, infinity, 1};
  CHECK(compare(expected, floats({nan, 1, 1}), request).matches);
  CHECK(compare(expected, floats({-infinity, 1, 1}), request).bound_ratio == 0.0);
}

TEST_CASE("integers may be a step away only where the rule says so") {
  Tensor expected = Tensor::of<int8_t>(DType::kInt8, {1}, std::vector<int8_t>{2});
  const Tensor actual = Tensor::of<int8_t>(DType::kInt8, {1}, std::vector<int8_t>{3});
  expected.mutable_bounds()[0] = {2, 3, 1, 0x1p-20};
  CompareRequest request = under("derived");
  CHECK_FALSE(compare(expected, actual, request).matches);
  request.tolerance.steps = true;
  const Comparison c = compare(expected, actual, request);
  CHECK(c.matches);
  CHECK(c.step_distance == 0x1p-20);
  expected.mutable_bounds()[0] = {1, 2, 1, 0x1p-20};
  CHECK_FALSE(compare(expected, actual, request).matches);
}

TEST_CASE("random values are samples, not elements") {
  CompareRequest request;
  request.tolerance.kind = Tolerance::Kind::kDistribution;
  request.tolerance.minimum = 0;
  request.tolerance.maximum = 1;
  std::vector<float> even, other, squeezed;
  for (int i = 0; i < 4000; ++i) {
    even.push_back(static_cast<float>(i) / 4000);
    other.push_back(static_cast<float>((i * 1103 + 17) % 4000) / 4000);
    squeezed.push_back(static_cast<float>(i) / 8000);
  }
  CHECK(compare(floats(even), floats(other), request).matches);
  // Distribution functions 0.5 apart; a millionth is sqrt(ln(2e6)/4000) = 0.06.
  CHECK_FALSE(compare(floats(even), floats(squeezed), request).matches);
  CHECK_FALSE(compare(floats({0.5f}), floats({1.5f}), request).matches);
  CHECK(compare(floats({0.5f}), floats({0.9f}), request).matches);
}

TEST_CASE("tolerances by name") {
  CHECK(ToleranceChoice::parse("auto").automatic);
  CHECK(ToleranceChoice::parse("ulp:4").tolerance.ulps == 4);
  CHECK(ToleranceChoice::parse("scaled:0.5").tolerance.scale == 0.5);
  for (const char* wrong :
       {"ulp", "ulp:-1", "ulp:1.5", "scaled:x", "scaled:-1", "exact:1", "no-such-file.json", ""}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(ToleranceChoice::parse(wrong), Error);
  }
}

TEST_CASE("rules per operator: the first that fits, else the nameless one") {
  const ToleranceTable table = ToleranceTable::parse(R"({"rules": [
      {"op": "Exp", "dtype": "float16", "kind": "ulp", "ulps": 1},
      {"op": "Exp", "first_version": 13, "rtol": 0.5},
      {"kind": "exact"}]})",
                                                     "test");
  CHECK(table.find("", "Exp", 13, DType::kFloat16)->tolerance.ulps == 1);
  CHECK(table.find("ai.onnx", "Exp", 13, DType::kFloat)->tolerance.rtol == 0.5);
  CHECK(table.find("", "Exp", 6, DType::kFloat)->tolerance.kind == Tolerance::Kind::kExact);
  CHECK(table.find("ai.onnx.ml", "Exp", 13, DType::kFloat)->tolerance.kind ==
        Tolerance::Kind::kExact);
  CHECK_THROWS_AS(ToleranceTable::parse(R"({"rules": [{"kind": "close"}]})", "test"), Error);
  CHECK_THROWS_AS(ToleranceTable::parse("[]", "test"), Error);
  CHECK(ToleranceTable::built_in().find("", "RandomNormal", 22, DType::kUndefined) != nullptr);
}

TEST_CASE("auto depends on what is compared; tolerance.json beside a test is heard") {
  const ToleranceChoice automatic;
  const auto of = [&](ToleranceContext context, const DirectoryTolerance* beside) {
    return resolve(automatic, context, "ai.onnx", "Exp", 13, DType::kFloat, "y", beside);
  };
  CHECK(of(ToleranceContext::kTestDirectory, nullptr).kind == Tolerance::Kind::kOfficial);
  CHECK(of(ToleranceContext::kModelOutput, nullptr).scale == 1e-3);
  CHECK(of(ToleranceContext::kNode, nullptr).kind == Tolerance::Kind::kNode);
  const DirectoryTolerance beside = DirectoryTolerance::parse(
      R"({"rtol": 0.25, "outputs": {"z": {"kind": "ulp", "ulps": 3}}})", "tolerance.json");
  CHECK(of(ToleranceContext::kTestDirectory, &beside).rtol == 0.25);
  CHECK(of(ToleranceContext::kTestDirectory, &beside).atol == 1e-7);
  CHECK(resolve(automatic, ToleranceContext::kTestDirectory, "", "", 0, DType::kFloat, "z", &beside)
            .ulps == 3);
}

TEST_CASE("complex numbers under derived: a bound for each part") {
  const auto made = [](float real, float imaginary) {
    Tensor tensor(DType::kComplex64, {1});
    const float parts[] = {real, imaginary};
    std::memcpy(tensor.mutable_bytes().data(), parts, sizeof parts);
    return tensor;
  };
  Tensor expected = made(3, 4);
  expected.mutable_bounds() = {{2.5, 3.5, 0.25}, {4, 4.25, 0.125}};
  CompareRequest request;
  request.tolerance.kind = Tolerance::Kind::kDerived;
  const Comparison inside = compare(expected, made(3.25F, 4.25F), request);
  CHECK(inside.matches);
  CHECK(*inside.bound_ratio == 1);     // of the imaginary part: all of 0.25
  CHECK(*inside.expected_ratio == 2);  // 0.25 over 0.125
  CHECK_FALSE(compare(expected, made(3, 3.75F), request).matches);
  CHECK_FALSE(compare(expected, made(3.75F, 4), request).matches);
  // sizes: 5; distances: hypot(1/2, 1/4).
  CHECK(cover_of(expected).atol + 5 * cover_of(expected).rtol == doctest::Approx(std::hypot(0.5, 0.25)));
}

TEST_CASE("two numbers that cover all bounds: relative where the bounds are, absolute where they are alike, nothing of what is infinite") {
  const auto bounded = [](std::vector<double> values, std::vector<double> reach) {
    Tensor tensor(DType::kDouble, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i) {
      tensor.set_code(i, std::bit_cast<uint64_t>(values[i]));
      tensor.mutable_bounds()[i] = {values[i] - reach[i], values[i] + reach[i], 0};
    }
    return cover_of(tensor);
  };
  const Cover relative = bounded({1, -1024}, {0x1p-20, 0x1p-10});
  CHECK(relative.rtol == 0x1p-20);
  CHECK(relative.atol < 0x1p-50);
  const Cover absolute = bounded({1, -1024, 0}, {0x1p-20, 0x1p-20, 0x1p-20});
  CHECK(absolute.rtol == 0);
  CHECK(absolute.atol == doctest::Approx(0x1p-20));
  const Cover exact = bounded({1, 2, 3}, {0, 0, HUGE_VAL});
  CHECK(exact.rtol == 0);
  CHECK(exact.atol == 0);
}

}  // namespace
}  // namespace onnxv
