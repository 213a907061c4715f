// TensorProto by hand: every type in every form that the proto allows, and what it forbids.
#include "src/model/model_io.h"
#include "src/model/testing.h"

namespace onnxv {
namespace {

using namespace onnxv::testing;

// TensorProto's fields.
constexpr uint64_t kDims = 1, kDataType = 2, kSegment = 3, kFloatData = 4, kInt32Data = 5,
                   kStringData = 6, kInt64Data = 7, kName = 8, kRawData = 9, kDoubleData = 10,
                   kUint64Data = 11;

std::string header(DType dtype, const std::vector<int64_t>& dims) {
  std::string out;
  for (const int64_t dim : dims) out += field(kDims, dim);
  return out + field(kDataType, static_cast<int64_t>(dtype));
}

Tensor parse(const std::string& bytes) { return parse_value(bytes, Type{}).tensor(); }

std::string slug(const std::string& bytes) {
  return slug_of([&] { parse(bytes); });
}

using Bytes = std::vector<int>;

TEST_CASE("raw data is taken as it stands") {
  const Tensor t = parse(header(DType::kFloat, {2}) +
                         field(kRawData, bytes_of({0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0})));
  CHECK(t.dtype() == DType::kFloat);
  CHECK(t.shape() == Shape{2});
  CHECK(t.as<float>()[0] == 1.0f);
  CHECK(t.as<float>()[1] == -2.0f);
}

TEST_CASE("no dims: a scalar; a zero among them: nothing") {
  CHECK(parse(header(DType::kInt8, {}) + field(kRawData, bytes_of({0xff}))).as<int8_t>()[0] == -1);
  CHECK(parse(header(DType::kInt8, {}) + packed(kInt32Data, {-128})).shape() == Shape{});
  CHECK(parse(header(DType::kFloat, {2, 0})).size() == 0);
  CHECK(parse(header(DType::kFloat, {0, 3}) + field(kRawData, "")).shape() == Shape{0, 3});
  CHECK(parse(header(DType::kString, {0})).strings().empty());
}

TEST_CASE("float_data and double_data, alone and as complex pairs") {
  const std::string one_two = bytes_of({0, 0, 0x80, 0x3f, 0, 0, 0, 0x40});
  CHECK(bytes_of(parse(header(DType::kFloat, {2}) + field(kFloatData, one_two))) ==
        Bytes{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40});
  CHECK(bytes_of(parse(header(DType::kComplex64, {1}) + field(kFloatData, one_two))) ==
        Bytes{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40});
  // Not packed: what writers of proto2 made of a repeated float.
  CHECK(bytes_of(parse(header(DType::kFloat, {2}) + fixed32(kFloatData, 0x3f800000) +
                       fixed32(kFloatData, 0x40000000))) == Bytes{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40});
  const std::string pair = bytes_of({0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0});
  const Tensor doubles = parse(header(DType::kDouble, {2}) + field(kDoubleData, pair));
  CHECK(doubles.as<double>()[0] == 1.0);
  CHECK(doubles.as<double>()[1] == -2.0);
  const Tensor complex = parse(header(DType::kComplex128, {}) + field(kDoubleData, pair));
  CHECK(complex.size() == 1);
  CHECK(bytes_of(complex) == Bytes{0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0});
}

TEST_CASE("int32_data holds one element of 8 bits or more in each entry") {
  const auto read = [](DType dtype, const std::vector<int64_t>& entries) {
    return bytes_of(
        parse(header(dtype, {static_cast<int64_t>(entries.size())}) + packed(kInt32Data, entries)));
  };
  CHECK(read(DType::kInt32, {-2}) == Bytes{0xfe, 0xff, 0xff, 0xff});
  CHECK(read(DType::kInt16, {-2, 258}) == Bytes{0xfe, 0xff, 2, 1});
  CHECK(read(DType::kUint16, {65535}) == Bytes{0xff, 0xff});
  CHECK(read(DType::kInt8, {-1, 127}) == Bytes{0xff, 0x7f});
  CHECK(read(DType::kUint8, {255, 0}) == Bytes{0xff, 0});
  CHECK(read(DType::kBool, {1, 0, 1}) == Bytes{1, 0, 1});
  CHECK(read(DType::kFloat16, {0x3c00, 0xc000}) == Bytes{0, 0x3c, 0, 0xc0});
  CHECK(read(DType::kBfloat16, {0x3f80}) == Bytes{0x80, 0x3f});
  for (const DType dtype : {DType::kFloat8e4m3fn, DType::kFloat8e4m3fnuz, DType::kFloat8e5m2,
                            DType::kFloat8e5m2fnuz, DType::kFloat8e8m0})
    CHECK(read(dtype, {0x80, 0x7f}) == Bytes{0x80, 0x7f});
}

TEST_CASE("int32_data below 8 bits: bytes of packed elements, but one float6 in each entry") {
  const auto read = [](DType dtype, int64_t count, const std::vector<int64_t>& entries) {
    return bytes_of(parse(header(dtype, {count}) + packed(kInt32Data, entries)));
  };
  CHECK(read(DType::kInt4, 3, {0x21, 0x0f}) == Bytes{0x21, 0x0f});
  CHECK(read(DType::kUint4, 2, {0xff}) == Bytes{0xff});
  CHECK(read(DType::kFloat4e2m1, 2, {0x72}) == Bytes{0x72});
  CHECK(read(DType::kUint2, 5, {0xe4, 0x03}) == Bytes{0xe4, 0x03});
  CHECK(read(DType::kInt2, 4, {0x1b}) == Bytes{0x1b});
  // A packed byte may come as a signed one.
  CHECK(read(DType::kInt4, 2, {-1}) == Bytes{0xff});
  // 0x01, 0x3f, 0x20, 0x15 as 24 bits, low bits first: 01 | 3f<<6 | 20<<12 | 15<<18.
  CHECK(read(DType::kFloat6e2m3, 4, {0x01, 0x3f, 0x20, 0x15}) == Bytes{0xc1, 0x0f, 0x56});
  CHECK(read(DType::kFloat6e3m2, 1, {0x3f}) == Bytes{0x3f});
}

TEST_CASE("int64_data, uint64_data and string_data") {
  CHECK(parse(header(DType::kInt64, {1}) + packed(kInt64Data, {-5})).as<int64_t>()[0] == -5);
  CHECK(parse(header(DType::kUint64, {1}) + packed(kUint64Data, {-1})).as<uint64_t>()[0] ==
        UINT64_MAX);
  CHECK(parse(header(DType::kUint32, {1}) + packed(kUint64Data, {4294967295})).as<uint32_t>()[0] ==
        UINT32_MAX);
  const Tensor t = parse(header(DType::kString, {2}) + field(kStringData, "") +
                         field(kStringData, bytes_of({'a', 0, 0xff})));
  CHECK(t.strings()[0].empty());
  CHECK(t.strings()[1] == bytes_of({'a', 0, 0xff}));
}

TEST_CASE("raw data below 8 bits; bits behind the last element count for nothing") {
  CHECK(bytes_of(parse(header(DType::kInt4, {3}) + field(kRawData, bytes_of({0x21, 0xf3})))) ==
        Bytes{0x21, 0x03});
  CHECK(bytes_of(parse(header(DType::kUint2, {5}) + field(kRawData, bytes_of({0xe4, 0xff})))) ==
        Bytes{0xe4, 0x03});
  CHECK(bytes_of(parse(header(DType::kFloat6e2m3, {3}) +
                       field(kRawData, bytes_of({0xc1, 0x0f, 0xfe})))) == Bytes{0xc1, 0x0f, 0x02});
}

TEST_CASE("sizes that do not fit what is there") {
  CHECK(slug(header(DType::kFloat, {3}) + field(kRawData, bytes_of({0, 0, 0, 0}))) ==
        "model/tensor-data");
  CHECK(slug(header(DType::kFloat, {3})) == "model/tensor-data");
  CHECK(slug(header(DType::kInt4, {3}) + packed(kInt32Data, {1, 2, 3})) == "model/tensor-data");
  CHECK(slug(header(DType::kComplex64, {1}) + fixed32(kFloatData, 0)) == "model/tensor-data");
  CHECK(slug(header(DType::kString, {2}) + field(kStringData, "a")) == "model/tensor-data");
  CHECK(slug(header(DType::kFloat, {-1}) + field(kRawData, "")) == "model/tensor-dims");
  // 2^62 floats, 2^31 * 2^31 * 2^31 elements, and the same beside a zero: nothing is allocated.
  CHECK(slug(header(DType::kFloat, {int64_t{1} << 62}) + field(kRawData, "abcd")) ==
        "model/size-overflow");
  CHECK(slug(header(DType::kInt8, {1 << 30, 1 << 30, 1 << 30})) == "model/size-overflow");
  CHECK(slug(header(DType::kInt8, {1 << 30, 1 << 30, 1 << 30, 0})) == "model/size-overflow");
  CHECK(slug(header(DType::kInt8, {int64_t{1} << 40}) + field(kRawData, "abcd")) ==
        "model/tensor-data");
}

TEST_CASE("values and places that the proto forbids") {
  CHECK(slug(field(kDims, 1) + field(kDataType, 0) + field(kRawData, "a")) == "model/data-type");
  CHECK(slug(field(kDims, 1) + field(kDataType, 29) + field(kRawData, "a")) == "model/data-type");
  CHECK(slug(field(kDims, 1) + field(kDataType, -1) + field(kRawData, "a")) == "model/data-type");
  CHECK(slug(header(DType::kString, {1}) + field(kRawData, "a")) == "model/tensor-data");
  CHECK(slug(header(DType::kInt8, {1}) + field(kRawData, "a") + packed(kInt32Data, {1})) ==
        "model/tensor-data");
  CHECK(slug(header(DType::kInt8, {1}) + packed(kInt64Data, {1})) == "model/tensor-data");
  CHECK(slug(header(DType::kInt64, {1}) + packed(kInt32Data, {1})) == "model/tensor-data");
  CHECK(slug(header(DType::kInt8, {1}) + packed(kInt32Data, {128})) == "model/tensor-data");
  CHECK(slug(header(DType::kUint8, {1}) + packed(kInt32Data, {-1})) == "model/tensor-data");
  CHECK(slug(header(DType::kFloat16, {1}) + packed(kInt32Data, {65536})) == "model/tensor-data");
  CHECK(slug(header(DType::kFloat6e2m3, {1}) + packed(kInt32Data, {64})) == "model/tensor-data");
  CHECK(slug(header(DType::kUint32, {1}) + packed(kUint64Data, {4294967296})) ==
        "model/tensor-data");
  CHECK(slug(header(DType::kBool, {1}) + field(kRawData, bytes_of({2}))) == "model/tensor-data");
  CHECK(slug(header(DType::kBool, {1}) + packed(kInt32Data, {2})) == "model/tensor-data");
  CHECK(slug(header(DType::kInt8, {1}) + field(kRawData, "a") + field(kSegment, field(1, 0))) ==
        "model/tensor-data");
}

TEST_CASE("the error names the tensor") {
  try {
    parse(header(DType::kFloat, {3}) + field(kName, "w\n1"));
    FAIL("parsed");
  } catch (const Error& error) {
    CHECK(error.place() == "tensor \"w 1\"");
    CHECK(error.kind() == ErrorKind::kModel);
  }
}

// SparseTensorProto: values 1, indices 2, dims 3.
std::string sparse(const std::vector<int64_t>& index_dims, const std::vector<int64_t>& indices,
                   const std::vector<int64_t>& dims) {
  std::string out = field(1, header(DType::kInt8, {2}) + field(kRawData, bytes_of({7, 8})));
  out += field(2, header(DType::kInt64, index_dims) + packed(kInt64Data, indices));
  for (const int64_t dim : dims) out += field(3, dim);
  return out;
}

std::string sparse_slug(const std::string& bytes) {
  Type type;
  type.kind = Type::Kind::kSparseTensor;
  return slug_of([&] { parse_value(bytes, type); });
}

TEST_CASE("sparse tensors: both forms of indices, inside the shape, ascending") {
  CHECK(sparse_slug(sparse({2}, {1, 5}, {2, 3})).empty());
  CHECK(sparse_slug(sparse({2, 2}, {0, 1, 1, 2}, {2, 3})).empty());
  CHECK(sparse_slug(sparse({2}, {5, 1}, {2, 3})) == "model/sparse-tensor");
  CHECK(sparse_slug(sparse({2}, {1, 1}, {2, 3})) == "model/sparse-tensor");
  CHECK(sparse_slug(sparse({2}, {1, 6}, {2, 3})) == "model/sparse-tensor");
  CHECK(sparse_slug(sparse({2}, {-1, 1}, {2, 3})) == "model/sparse-tensor");
  CHECK(sparse_slug(sparse({2, 2}, {0, 3, 1, 2}, {2, 3})) == "model/sparse-tensor");
  CHECK(sparse_slug(sparse({2, 3}, {0, 1, 1, 1, 2, 1}, {2, 3})) == "model/sparse-tensor");
  CHECK(sparse_slug(sparse({3}, {0, 1, 2}, {2, 3})) == "model/sparse-tensor");
  CHECK(sparse_slug(sparse({2}, {1, 5}, {-2, 3})) == "model/tensor-dims");
}

}  // namespace
}  // namespace onnxv
