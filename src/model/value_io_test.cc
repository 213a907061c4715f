// Values in files of their own: by hand, and there and back.
#include "src/model/file.h"
#include "src/model/model_io.h"
#include "src/model/testing.h"

namespace onnxv {
namespace {

using namespace onnxv::testing;

// TensorProto int64 [] with one value.
std::string int64_proto(int64_t value) { return field(2, 7) + packed(7, {value}); }
std::string float_proto() { return field(1, 1) + field(2, 1) + fixed32(4, 0x3f800000); }

const Type kInt64 = Type::tensor(DType::kInt64);

TEST_CASE("a sequence of tensors") {
  // elem_type 2, tensor_values 3
  const Value v = parse_value(
      field(1, "s") + field(2, 1) + field(3, int64_proto(4)) + field(3, int64_proto(-1)),
      Type::sequence(kInt64));
  REQUIRE(v.is_sequence());
  REQUIRE(v.sequence().items.size() == 2);
  CHECK(v.sequence().items[1].tensor().as<int64_t>()[0] == -1);
  CHECK(same_type(v.sequence().element, kInt64));
}

TEST_CASE("an empty sequence takes its element type from the hint") {
  const Value v = parse_value(field(2, 1), Type::sequence(kInt64));
  CHECK(v.sequence().items.empty());
  CHECK(same_type(v.sequence().element, kInt64));
  CHECK(same_type(parse_value("", Type::sequence(kInt64)).sequence().element, kInt64));
}

TEST_CASE("sequences that contradict themselves or their type") {
  const auto slug = [](const std::string& bytes, const Type& type) {
    return slug_of([&] { parse_value(bytes, type); });
  };
  const Type type = Type::sequence(kInt64);
  CHECK(slug(field(2, 1) + field(3, float_proto()), type) == "model/value-type");
  CHECK(slug(field(2, 4) + field(3, int64_proto(1)), type) == "model/value-type");
  CHECK(slug(field(2, 3) + field(5, field(2, 1)), type) == "model/value-type");
  CHECK(slug(field(2, 1) + field(3, int64_proto(1)) + field(5, field(2, 1)), type) ==
        "model/value-type");
}

TEST_CASE("optionals: empty in two spellings, a tensor, a sequence") {
  const Type of_tensor = Type::optional(kInt64);
  for (const std::string& bytes : {std::string(), field(2, 0), field(2, 1)}) {
    const Value empty = parse_value(bytes, of_tensor);
    REQUIRE(empty.is_optional());
    CHECK(empty.optional().value == nullptr);
    CHECK(same_type(empty.optional().element, kInt64));
  }
  const Value full = parse_value(field(2, 1) + field(3, int64_proto(9)), of_tensor);
  CHECK(full.optional().value->tensor().as<int64_t>()[0] == 9);
  const Value list = parse_value(field(2, 3) + field(5, field(2, 1) + field(3, int64_proto(9))),
                                 Type::optional(Type::sequence(kInt64)));
  CHECK(list.optional().value->sequence().items.size() == 1);
}

// key_type 2, keys 3, string_keys 4, values 5
std::string string_map(const std::string& second_key) {
  return field(2, 8) + field(4, "a") + field(4, second_key) +
         field(5, field(2, 1) + field(3, int64_proto(1)) + field(3, int64_proto(2)));
}

TEST_CASE("maps: keys in the order of the file, each once, as many as values") {
  const Type type = Type::map(DType::kString, kInt64);
  const Value v = parse_value(string_map("Z"), type);
  CHECK(v.map().string_keys == std::vector<std::string>{"a", "Z"});
  CHECK(v.map().values[1].tensor().as<int64_t>()[0] == 2);
  CHECK(slug_of([&] { parse_value(string_map("a"), type); }) == "model/map-keys");
  CHECK(slug_of([&] { parse_value(string_map("Z") + field(4, "b"), type); }) == "model/map-keys");
  CHECK(slug_of([&] { parse_value(string_map("Z"), Type::map(DType::kInt64, kInt64)); }) ==
        "model/value-type");
  const std::string int8_map =
      field(2, 3) + field(3, 128) + field(5, field(2, 1) + field(3, int64_proto(1)));
  CHECK(slug_of([&] { parse_value(int8_map, Type::map(DType::kInt8, kInt64)); }) ==
        "model/map-keys");
}

Tensor counted(DType dtype, Shape shape) {
  Tensor tensor(dtype, std::move(shape));
  const int bits = dtype_bits(dtype);
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (bits <= 64) {
      tensor.set_code(i, (i * 37 + 5) & (bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1));
    }
  }
  return tensor;
}

TEST_CASE("every type there and back") {
  for (int number = 1; number < kDTypeCount; ++number) {
    const auto dtype = static_cast<DType>(number);
    CAPTURE(number);
    if (dtype == DType::kString || dtype == DType::kBool) continue;
    const Tensor tensor = counted(dtype, Shape{7, 3});
    CHECK(same_bits(parse_value(serialize_value(tensor, "x"), Type{}), Value(tensor)));
  }
  const Tensor strings(Shape{2}, {"", bytes_of({0, 0xff})});
  CHECK(same_bits(parse_value(serialize_value(strings), Type{}), Value(strings)));
}

TEST_CASE("containers there and back") {
  const Tensor t = counted(DType::kInt4, Shape{3});
  const Type type = Type::tensor(DType::kInt4);
  Map map;
  map.key_type = DType::kInt64;
  map.int_keys = {3, -1};
  map.value_type = type;
  map.values = {t, t};
  Value sequence(Sequence{Type::map(DType::kInt64, type), {map}});
  const Type sequence_type = Type::sequence(Type::map(DType::kInt64, type));
  CHECK(same_bits(parse_value(serialize_value(sequence), sequence_type), sequence));
  const Value optional(Optional{sequence_type, std::make_shared<const Value>(sequence)});
  CHECK(same_bits(parse_value(serialize_value(optional), Type::optional(sequence_type)), optional));
  const Value empty(Optional{type, nullptr});
  CHECK(same_bits(parse_value(serialize_value(empty), Type::optional(type)), empty));
  SparseTensor sparse;
  sparse.values = counted(DType::kFloat, Shape{2});
  sparse.indices = Tensor::int64_list(std::vector<int64_t>{1, 5});
  sparse.shape = Shape{2, 3};
  Type sparse_type;
  sparse_type.kind = Type::Kind::kSparseTensor;
  CHECK(same_bits(parse_value(serialize_value(sparse), sparse_type), Value(sparse)));
}

TEST_CASE("the bytes of a written tensor") {
  // dims 1: 2, data_type 2: 3, name 8: "x", raw_data 9; fields in the order of their numbers.
  const Tensor t = Tensor::of<int8_t>(DType::kInt8, Shape{2}, std::vector<int8_t>{1, -1});
  CHECK(serialize_value(t, "x") ==
        field(1, 2) + field(2, 3) + field(8, "x") + field(9, bytes_of({1, 0xff})));
}

TEST_CASE("files: the error names the file, a text form is told apart") {
  TestDirectory directory;
  CHECK(slug_of([&] { read_tensor(directory / "none.pb"); }) == "model/unreadable");
  CHECK(slug_of([&] { read_tensor(directory.path()); }) == "model/unreadable");
  write_file(directory / "t.pb", "dims: 1\ndata_type: 1\nfloat_data: 1\n");
  CHECK(slug_of([&] { read_tensor(directory / "t.pb"); }) == "model/text-form");
  write_file(directory / "t.pb", field(1, 3) + field(2, 1));
  try {
    read_tensor(directory / "t.pb");
    FAIL("read");
  } catch (const Error& error) {
    CHECK(error.place() == directory / "t.pb" + ": tensor");
  }
}

}  // namespace
}  // namespace onnxv
