// Cast, CastLike: the elements in another type, each rounded once from its exact value.
//   since 1    `to` is a name ("FLOAT")
//   since 6    `to` is a number (9: strings, 13: bfloat16 and rules for what is out of range)
//   since 19   float8 and `saturate` (21: 4-bit integers, 23: float4e2m1)
//   since 24   float8e8m0 and `round_mode` (25: 2-bit integers, 28: float6)
//   CastLike   since 15: Cast to the type of its second input; 19 and 24 change as Cast does.
#include <algorithm>

#include "ops/cast/conversion.h"
#include "ops/operator.h"

namespace onnxv {
namespace {

// The Cast version whose type list a target enters first; 0: none.
int first_version(DType dtype) {
  switch (dtype) {
    case DType::kUndefined:
    case DType::kComplex64:
    case DType::kComplex128: return 0;
    case DType::kString: return 9;
    case DType::kBfloat16: return 13;
    case DType::kFloat8e4m3fn:
    case DType::kFloat8e4m3fnuz:
    case DType::kFloat8e5m2:
    case DType::kFloat8e5m2fnuz: return 19;
    case DType::kUint4:
    case DType::kInt4: return 21;
    case DType::kFloat4e2m1: return 23;
    case DType::kFloat8e8m0: return 24;
    case DType::kUint2:
    case DType::kInt2: return 25;
    case DType::kFloat6e2m3:
    case DType::kFloat6e3m2: return 28;
    default: return 1;
  }
}

// Spec: "strictly" a name of TensorProto's enumeration: FLOAT, not float.
std::optional<DType> type_named(const std::string& name) {
  const bool capitals = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return capitals ? dtype_from_name(name) : std::nullopt;
}

DType target_type(const OpCall& call) {
  const bool named = call.holds_text("to");
  const std::optional<DType> to =
      named ? type_named(call.text("to")) : dtype_from_number(call.integer("to"));
  const int first = to ? first_version(*to) : 0;
  if (first == 0 || first > call.since_version()) {
    fail_schema("attribute-value", "to is " + (named ? "\"" + call.text("to") + "\"" : std::to_string(call.integer("to"))),
                "must be a type that this version casts to");
  }
  return *to;
}

std::string_view slug_of(Open why) {
  switch (why) {
    case Open::kIntegerRange: return "cast-integer-range";
    case Open::kE8m0Negative: return "cast-e8m0-negative";
    case Open::kE8m0Range: return "cast-e8m0-range";
    case Open::kNanWithoutNan: return "cast-nan-without-nan";
    case Open::kFnuzInfinity: return "cast-fnuz-infinity";
    case Open::kText: return "cast-to-text";
    case Open::kDefined: break;
  }
  fail_internal("cast-open", "a defined element has no slug");
}

Tensor cast(const OpCall& call, const Tensor& x, const CastRules& rules) {
  const Converted result = converted(x, rules);
  for (const Open why : {Open::kIntegerRange, Open::kE8m0Negative, Open::kE8m0Range, Open::kNanWithoutNan,
                         Open::kFnuzInfinity, Open::kText}) {
    std::vector<uint8_t> marks(result.open.size());
    bool any = false;
    for (size_t i = 0; i < marks.size(); ++i) {
      marks[i] = result.open[i] == why ? 1 : 0;
      any |= marks[i] != 0;
    }
    if (any) call.mark_unspecified(0, slug_of(why), std::move(marks));
  }
  return result.tensor;
}

Rounding round_mode(const OpCall& call) {
  const std::string mode = call.text_or("round_mode", "up");
  if (mode == "up") return Rounding::kUp;
  if (mode == "down") return Rounding::kDown;
  if (mode == "nearest") return Rounding::kNearestTiesUp;
  fail_schema("attribute-value", "round_mode is \"" + mode + "\"", "must be up, down or nearest");
}

CastRules rules_1(const OpCall&, DType to) { return {.to = to}; }
CastRules rules_19(const OpCall& call, DType to) {
  return {.to = to, .saturate = call.integer("saturate") != 0, .fnuz_infinity_is_open = true};
}
CastRules rules_24(const OpCall& call, DType to) {
  return {.to = to, .saturate = call.integer("saturate") != 0, .e8m0_rounding = round_mode(call)};
}

using RulesOf = CastRules (*)(const OpCall&, DType);

template <RulesOf rules>
Tensor cast_to(const OpCall& call) {
  return cast(call, call.tensor("input"), rules(call, target_type(call)));
}
template <RulesOf rules>
Tensor cast_like(const OpCall& call) {
  return cast(call, call.tensor("input"), rules(call, call.tensor("target_type").dtype()));
}

}  // namespace

extern const Operator kCast, kCastLike;
const Operator kCast{"ai.onnx", "Cast", {
    {.since = 1, .also = {6, 9, 13}, .run = cast_to<rules_1>},
    {.since = 19, .also = {21, 23}, .run = cast_to<rules_19>},
    {.since = 24, .also = {25, 28}, .run = cast_to<rules_24>},
}};
const Operator kCastLike{"ai.onnx", "CastLike", {
    {.since = 15, .run = cast_like<rules_1>},
    {.since = 19, .also = {21, 23}, .run = cast_like<rules_19>},
    {.since = 24, .also = {25}, .run = cast_like<rules_24>},
}};

}  // namespace onnxv
