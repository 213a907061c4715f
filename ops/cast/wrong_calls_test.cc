#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest cast(int64_t opset, int64_t to, Value x) { return NodeUnderTest("Cast", opset).input(std::move(x)).attribute("to", to); }

const Tensor kOne = floats({1}, {1});

TEST_CASE("cast: types that a version does not know") {
  const std::string wanted = "must be a type that this version casts to";
  check_wrong_calls({
      {NodeUnderTest("Cast", 1).input(kOne).attribute("to", "float"), "schema/attribute-value", "Cast-1", "to is \"float\"", wanted},
      {NodeUnderTest("Cast", 1).input(kOne).attribute("to", "STRING"), "schema/attribute-value", "Cast-1", "to is \"STRING\"", wanted},
      {cast(6, 8, kOne), "schema/attribute-value", "Cast-6", "to is 8", wanted},
      {cast(9, 16, kOne), "schema/attribute-value", "Cast-9", "to is 16", wanted},
      {cast(13, 17, kOne), "schema/attribute-value", "Cast-13", "to is 17", wanted},
      {cast(19, 21, kOne), "schema/attribute-value", "Cast-19", "to is 21", wanted},
      {cast(21, 23, kOne), "schema/attribute-value", "Cast-21", "to is 23", wanted},
      {cast(23, 24, kOne), "schema/attribute-value", "Cast-23", "to is 24", wanted},
      {cast(24, 25, kOne), "schema/attribute-value", "Cast-24", "to is 25", wanted},
      {cast(25, 27, kOne), "schema/attribute-value", "Cast-25", "to is 27", wanted},
      {cast(28, 14, kOne), "schema/attribute-value", "Cast-28", "to is 14", wanted},
      {cast(28, 0, kOne), "schema/attribute-value", "Cast-28", "to is 0", wanted},
      {cast(28, int64_t{1} << 33, kOne), "schema/attribute-value", "Cast-28", "to is 8589934592", wanted},
      {NodeUnderTest("Cast", 13).input(kOne), "schema/attribute-missing", "Cast-13", "attribute \"to\" is absent", "it is required"},
  });
}

TEST_CASE("cast: rounding modes and texts") {
  check_wrong_calls({
      {cast(24, 24, kOne).attribute("round_mode", "even"), "schema/attribute-value", "Cast-24", "round_mode is \"even\"", "must be up, down or nearest"},
      {NodeUnderTest("CastLike", 25).input(kOne).input(Tensor(DType::kFloat8e8m0, {1})).attribute("round_mode", "UP"), "schema/attribute-value", "CastLike-25",
       "round_mode is \"UP\"", "must be up, down or nearest"},
      {cast(9, 1, strings({2}, {"1", "one"})), "undefined/cast-text", "Cast-9", "element 1 is \"one\"", "must be a decimal number, INF or NaN"},
      {cast(25, 7, strings({1}, {""})), "undefined/cast-text", "Cast-25", "element 0 is \"\"", "must be a decimal number, INF or NaN"},
      {cast(21, 9, strings({1}, {"True"})), "undefined/cast-text", "Cast-21", "element 0 is \"True\"", "must be a decimal number, INF or NaN"},
      {NodeUnderTest("CastLike", 15).input(strings({1}, {"0x10"})).input(kOne), "undefined/cast-text", "CastLike-15", "element 0 is \"0x10\"",
       "must be a decimal number, INF or NaN"},
  });
}

}  // namespace
}  // namespace onnxv::testing
