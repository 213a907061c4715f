// The random numbers of the random operators: Philox4x32-10 as a function of the seed and the element's index, so that a node
// with its seed and shape gives the same output on every run, machine and number of threads.
//
//   with a seed     key: the bits of the attribute, a float32; stream: the hash of the operator's name
//   without a seed  key: the command's --seed (no clock); stream: the hash of the operator's name, the node's path and the
//                   output's index
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "ops/operator.h"
#include "src/number/philox.h"
#include "src/tensor/lines.h"

namespace onnxv {

class Draws {
 public:
  explicit Draws(const OpCall& call);
  // The top 53 of the 64 bits of `element`.
  int64_t bits(size_t element) const { return static_cast<int64_t>(stream_.bits(element) >> 11); }
  // The same as an exact double: uniform in [0, 2^53).
  double uniform(size_t element) const { return static_cast<double>(bits(element)); }
  // 2 (bits + 1/2) - 2^53, exact: uniform over the odd numbers in (-2^53, 2^53).
  double symmetric(size_t element) const {
    return static_cast<double>(2 * bits(element) + 1 - (int64_t{1} << 53));
  }

 private:
  PhiloxStream stream_;
};

// The attribute dtype, else `otherwise`; a schema error where `allowed` refuses it. `types` says what is allowed.
DType drawn_type(const OpCall& call, DType otherwise, bool (*allowed)(DType dtype, int since_version),
                 std::string_view types);
// A float attribute; schema error "attribute-range" when it is NaN or an infinity.
double finite_attribute(const OpCall& call, std::string_view name);

}  // namespace onnxv
