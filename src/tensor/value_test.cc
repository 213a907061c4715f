#include "src/tensor/value.h"

#include <doctest/doctest.h>

#include "src/base/error.h"

namespace onnxv {

TEST_CASE("types are spelled as schemas spell them") {
  CHECK(Type::tensor(DType::kFloat).text() == "tensor(float)");
  CHECK(Type::sequence(Type::tensor(DType::kInt64)).text() == "seq(tensor(int64))");
  CHECK(Type::optional(Type::sequence(Type::tensor(DType::kDouble))).text() ==
        "optional(seq(tensor(double)))");
  CHECK(Type::map(DType::kString, Type::tensor(DType::kFloat)).text() ==
        "map(string, tensor(float))");
  Type sparse = Type::tensor(DType::kFloat16);
  sparse.kind = Type::Kind::kSparseTensor;
  CHECK(sparse.text() == "sparse_tensor(float16)");
  CHECK(Type().text() == "unknown");
}

TEST_CASE("same_type looks at elements and not at shapes") {
  Type shaped = Type::tensor(DType::kFloat);
  shaped.shape.emplace();
  CHECK(same_type(shaped, Type::tensor(DType::kFloat)));
  CHECK_FALSE(same_type(Type::tensor(DType::kFloat), Type::tensor(DType::kDouble)));
  CHECK_FALSE(same_type(Type::sequence(shaped), Type::optional(shaped)));
  CHECK_FALSE(same_type(Type::sequence(shaped), Type::sequence(Type::tensor(DType::kInt8))));
  CHECK(same_type(Type::map(DType::kInt64, shaped), Type::map(DType::kInt64, shaped)));
  CHECK_FALSE(same_type(Type::map(DType::kInt64, shaped), Type::map(DType::kString, shaped)));
}

TEST_CASE("a value knows its kind, type and shape") {
  CHECK_FALSE(Value().exists());
  Value tensor(Tensor(DType::kInt8, Shape{2, 3}));
  CHECK(tensor.is_tensor());
  CHECK(tensor.type().text() == "tensor(int8)");
  CHECK(tensor.type().shape->at(1).value == 3);
  CHECK_THROWS_AS(tensor.sequence(), Error);
  CHECK_THROWS_AS(Value().tensor(), Error);
  tensor.mutable_tensor().set_code(0, 5);
  CHECK(tensor.tensor().code(0) == 5);

  const Value sequence(Sequence{.element = {}, .items = {tensor}});
  CHECK(sequence.type().text() == "seq(tensor(int8))");
  CHECK_FALSE(sequence.type().element->shape.has_value());
  const Value empty(Optional{.element = Type::tensor(DType::kFloat), .value = nullptr});
  CHECK(empty.type().text() == "optional(tensor(float))");
  const Value full(Optional{.element = {}, .value = std::make_shared<const Value>(tensor)});
  CHECK(full.type().text() == "optional(tensor(int8))");
  const Value sparse(SparseTensor{.values = Tensor(DType::kFloat, Shape{1}),
                                  .indices = Tensor(DType::kInt64, Shape{1}),
                                  .shape = Shape{4, 5}});
  CHECK(sparse.type().text() == "sparse_tensor(float)");
  CHECK(sparse.type().shape->size() == 2);
}

TEST_CASE("same bits, all the way down") {
  const Value one(Tensor::int64_scalar(1)), two(Tensor::int64_scalar(2));
  const auto list = [](std::vector<Value> items) {
    return Value(Sequence{.element = Type::tensor(DType::kInt64), .items = std::move(items)});
  };
  CHECK(same_bits(one, Value(Tensor::int64_scalar(1))));
  CHECK_FALSE(same_bits(one, two));
  CHECK_FALSE(same_bits(one, list({one})));
  CHECK(same_bits(list({one, two}), list({one, two})));
  CHECK_FALSE(same_bits(list({one, two}), list({two, one})));
  CHECK_FALSE(same_bits(list({one}), list({one, two})));
  CHECK(same_bits(list({}), list({})));
  CHECK(same_bits(Value(), Value()));
  CHECK_FALSE(same_bits(Value(), one));

  const Type element = Type::tensor(DType::kInt64);
  const auto optional = [&](const Value* held) {
    return Value(Optional{.element = element,
                          .value = held ? std::make_shared<const Value>(*held) : nullptr});
  };
  CHECK(same_bits(optional(nullptr), optional(nullptr)));
  CHECK_FALSE(same_bits(optional(nullptr), optional(&one)));
  CHECK(same_bits(optional(&one), optional(&one)));
  CHECK_FALSE(same_bits(optional(&one), optional(&two)));

  const auto map = [&](int64_t key, const Value& held) {
    Map entries;
    entries.int_keys = {key};
    entries.value_type = element;
    entries.values = {held};
    return Value(std::move(entries));
  };
  CHECK(same_bits(map(3, one), map(3, one)));
  CHECK_FALSE(same_bits(map(3, one), map(4, one)));
  CHECK_FALSE(same_bits(map(3, one), map(3, two)));

  const auto sparse = [](int64_t position) {
    const int64_t positions[] = {position};
    return Value(SparseTensor{.values = Tensor(DType::kFloat, Shape{1}),
                              .indices = Tensor::int64_list(positions),
                              .shape = Shape{9}});
  };
  CHECK(same_bits(sparse(2), sparse(2)));
  CHECK_FALSE(same_bits(sparse(2), sparse(3)));
}

}  // namespace onnxv
