#include "ops/random/draws.h"

#include <string>

#include "src/number/format.h"
#include "src/number/rational.h"

namespace onnxv {
namespace {

PhiloxStream stream_of(const OpCall& call) {
  const std::string op(call.op());
  if (!call.has_attribute("seed")) return {call.seed(), name_hash(op + "/" + call.path() + "/0")};
  const Sticky seed{call.real("seed"), 0};
  return {encode(kFloat32, seed, Rounding::kNearestEven, Overflow::kInfinity), name_hash(op)};
}

}  // namespace

Draws::Draws(const OpCall& call) : stream_(stream_of(call)) {}

DType drawn_type(const OpCall& call, DType otherwise, bool (*allowed)(DType dtype, int since_version),
                 std::string_view types) {
  const std::string wanted = "must be " + std::string(types);
  if (!call.has_attribute("dtype")) {
    if (allowed(otherwise, call.since_version())) return otherwise;
    fail_schema("type-mismatch", "there is no dtype and the input is " + std::string(dtype_name(otherwise)), wanted);
  }
  const int64_t number = call.integer("dtype");
  const std::optional<DType> dtype = dtype_from_number(number);
  if (dtype && allowed(*dtype, call.since_version())) return *dtype;
  fail_schema("attribute-range",
              "dtype is " + (dtype ? std::string(dtype_name(*dtype)) : std::to_string(number)), wanted);
}

double finite_attribute(const OpCall& call, std::string_view name) {
  const double value = call.real(name);
  if (is_finite(value)) return value;
  fail_schema("attribute-range", std::string(name) + " is " + std::to_string(value), "must be finite");
}

}  // namespace onnxv
