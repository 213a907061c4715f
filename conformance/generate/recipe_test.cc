#include "conformance/generate/recipe.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "conformance/generate/plan.h"
#include "conformance/generate/spec_value.h"

namespace onnxv::generate {
namespace {

Type tensor(DType dtype) { return Type::tensor(dtype); }

SpecContext context() {
  SpecContext made;
  made.type_of = [](std::string_view text) { return parse_type(text); };
  return made;
}

std::vector<int64_t> as_integers(const Value& value) {
  const auto values = value.tensor().as<int64_t>();
  return {values.begin(), values.end()};
}

// The first form's first entry.
Spec spec(const std::string& text) {
  return parse_recipes(R"([{"op": "X", "forms": [{"x": )" + text + "}]}]", "test")[0]
      .forms[0]
      .entries[0]
      .spec;
}

}  // namespace

TEST_CASE("a list of numbers is a shape, v holds values") {
  const Value shaped = value_of(spec("[2, 3]"), tensor(DType::kFloat), context(), "x");
  CHECK(shaped.tensor().shape() == Shape{2, 3});
  CHECK(as_integers(value_of(spec(R"({"v": [4, -1]})"), tensor(DType::kInt64), context(), "x")) ==
        std::vector<int64_t>{4, -1});
  const Value scalar = value_of(spec(R"({"v": 7})"), tensor(DType::kInt64), context(), "x");
  CHECK(scalar.tensor().shape() == Shape{});
  CHECK(as_integers(value_of(spec(R"({"v": [1, 2], "shape": [4]})"), tensor(DType::kInt64),
                             context(), "x")) == std::vector<int64_t>{1, 2, 1, 2});
}

TEST_CASE("literal floats are rounded to their type, infinities by name") {
  const Value half =
      value_of(spec(R"({"v": [1.5, "-inf"]})"), tensor(DType::kFloat16), context(), "x");
  CHECK(half.tensor().code(0) == 0x3e00);
  CHECK(half.tensor().code(1) == 0xfc00);
}

TEST_CASE("sequences, empty ones and optionals") {
  const Type sequence = Type::sequence(tensor(DType::kFloat));
  const Value items = value_of(spec("[[2], [3, 2], []]"), sequence, context(), "x");
  REQUIRE(items.sequence().items.size() == 3);
  CHECK(items.sequence().items[1].tensor().shape() == Shape{3, 2});
  CHECK(value_of(spec("null"), sequence, context(), "x").sequence().items.empty());
  const Type optional = Type::optional(tensor(DType::kFloat));
  CHECK(value_of(spec("null"), optional, context(), "x").optional().value == nullptr);
  CHECK(value_of(spec("[2]"), optional, context(), "x").optional().value != nullptr);
}

TEST_CASE("type filters: names, groups, and what is taken away") {
  const std::vector<std::string> floats = {"floats", "!bfloat16"};
  CHECK(accepts_type(floats, tensor(DType::kFloat16)));
  CHECK_FALSE(accepts_type(floats, tensor(DType::kBfloat16)));
  CHECK_FALSE(accepts_type(floats, tensor(DType::kInt8)));
  CHECK(accepts_type({}, tensor(DType::kInt8)));
  const std::vector<std::string> old_sequences = {"sequences", "!recent"};
  CHECK(accepts_type(old_sequences, Type::sequence(tensor(DType::kString))));
  CHECK_FALSE(accepts_type(old_sequences, Type::sequence(tensor(DType::kInt4))));
}

TEST_CASE("a form is used by the versions that can say it") {
  // Slice has steps since version 10.
  const OpSchema* first = find_schema("", "Slice", 1);
  const OpSchema* tenth = find_schema("", "Slice", 10);
  const auto uses_steps = [](const PlannedCase& planned) {
    for (const Form::Entry& entry : planned.form->entries) {
      if (entry.key == "steps" && !entry.optional) return true;
    }
    return false;
  };
  const std::vector<PlannedCase> old = plan_cases(*first), later = plan_cases(*tenth);
  CHECK(std::none_of(old.begin(), old.end(), uses_steps));
  CHECK(std::any_of(later.begin(), later.end(), uses_steps));
}

TEST_CASE("classes: every code is one of its class") {
  const PhiloxStream stream(1, 2);
  Tensor halves(DType::kFloat16, {64});
  fill_by_class(halves, ValueClass::kSubnormals, stream);
  // Exponent 0, or the two smallest normal numbers.
  for (size_t i = 0; i < 64; ++i) CHECK((halves.code(i) & 0x7fff) <= 0x401);
  fill_by_class(halves, ValueClass::kZeros, stream);
  for (size_t i = 0; i < 64; ++i) CHECK(halves.code(i) == 0);
  Tensor bytes(DType::kUint8, {64});
  fill_by_class(bytes, ValueClass::kOrdinary, stream);
  for (size_t i = 0; i < 64; ++i) CHECK(bytes.code(i) <= 18);
  CHECK_FALSE(has_class(DType::kInt8, ValueClass::kNan));
  CHECK_FALSE(has_class(DType::kFloat4e2m1, ValueClass::kInfinities));
  CHECK(has_class(DType::kFloat8e5m2, ValueClass::kInfinities));
}

TEST_CASE("a malformed recipe is an internal error that names file and operator") {
  const auto broken = [](const char* text) {
    try {
      parse_recipes(text, "test.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(broken(R"([{"op": "Abs", "froms": []}])") ==
        "internal/recipe: test.json: \"Abs\": \"froms\" is no part of a recipe");
  CHECK(broken(R"([{"op": "Abs", "values": ["odd"]}])") ==
        "internal/recipe: test.json: \"Abs\": \"odd\" is no class of values");
  CHECK(broken("[{]").starts_with("internal/recipe: test.json"));
}

}  // namespace onnxv::generate
