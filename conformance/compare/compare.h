// Compares what a backend gave with what is right. The only place that computes with floating-point
// differences.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/compare/error_profile.h"
#include "conformance/compare/tolerance.h"
#include "src/tensor/value.h"

namespace onnxv {

enum class NanPolicy : uint8_t { kAny, kBits };  // --nan
enum class InfinityPolicy : uint8_t {
  kEqual,
  kFiniteMax
};                                                  // --inf: an infinity may be the largest finite
enum class ZeroPolicy : uint8_t { kEqual, kBits };  // --zero

struct ComparePolicies {
  std::optional<NanPolicy> nan;       // default any
  std::optional<InfinityPolicy> inf;  // default equal
  std::optional<ZeroPolicy> zero;     // default equal; under exact: bits
  bool strict = false;                // unspecified elements may fail

  // The arguments of --nan, --inf and --zero as written; "" where not given. Usage errors.
  static ComparePolicies parse(const std::string& nan, const std::string& inf,
                               const std::string& zero);
};

struct Mismatch {
  std::vector<int64_t> index;    // an item of a sequence or map in front of the item's own index
  std::string expected, actual;  // "1.5 (0x3fc00000)"; strings quoted
};

struct Comparison {
  bool matches = true;
  std::string problem;  // a difference of type, shape, length or presence: nothing was compared
                        // element by element
  std::string dtype;    // of the expected value: "float32", "seq(tensor(float))"
  std::vector<int64_t> shape;
  double max_abs = 0, max_rel = 0;  // over pairs of numbers; infinity where one of them is infinite
  uint64_t max_ulp = 0;
  uint64_t mismatched = 0;
  uint64_t unspecified = 0;  // elements that the spec leaves open
  uint64_t elements = 0;
  ErrorProfile profile;
  // Where the expected tensor carries bounds (src/number/bound.h): the largest error over the certain bound and over the
  // expected deviation, and the elements whose bound is wider than 2^-8 of the output's magnitude.
  std::optional<double> bound_ratio, expected_ratio;
  uint64_t loose = 0;
  // Integers a step away from the expected: the largest distance of an exact number from the point where it jumps.
  std::optional<double> step_distance;
  std::optional<Mismatch> first_mismatch;
};

struct CompareRequest {
  Tolerance tolerance;
  ComparePolicies policies;
  // Elements of a tensor that the spec leaves open: one byte each, nonzero: open. Empty: none.
  std::span<const uint8_t> unspecified = {};
  bool all_unspecified = false;
};

Comparison compare(const Value& expected, const Value& actual, const CompareRequest& request);

// One element as reports print it: shortest decimal and bits, "1.5 (0x3fc00000)"; strings quoted
// and cut.
std::string element_text(const Tensor& tensor, size_t element);

}  // namespace onnxv
