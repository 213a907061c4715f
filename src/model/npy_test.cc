// .npy and .npz by hand.
#include "src/model/npy.h"

#include <random>

#include "src/model/testing.h"
#include "src/model/unicode.h"
#include "src/model/zip.h"

namespace onnxv {
namespace {

using namespace onnxv::testing;

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string out = bytes_of({0x93, 'N', 'U', 'M', 'P', 'Y', version, 0});
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    out += static_cast<char>(header.size() >> (8 * i));
  return out + header + data;
}

std::string header(const std::string& descr, const std::string& shape,
                   const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string slug(const std::string& bytes) {
  return slug_of([&] { parse_npy(bytes); });
}

TEST_CASE("both byte orders, all versions") {
  for (const int version : {1, 2, 3}) {
    const Tensor t = parse_npy(npy(header("<i2", "(2,)"), bytes_of({1, 2, 0xff, 0xff}), version));
    CHECK(t.dtype() == DType::kInt16);
    CHECK(t.shape() == Shape{2});
    CHECK(t.as<int16_t>()[0] == 0x201);
    CHECK(t.as<int16_t>()[1] == -1);
  }
  CHECK(parse_npy(npy(header(">i2", "(1,)"), bytes_of({1, 2}))).as<int16_t>()[0] == 0x102);
  // A complex number turns each half around on its own.
  CHECK(
      bytes_of(parse_npy(npy(header(">c8", "()"), bytes_of({0x3f, 0x80, 0, 0, 0x40, 0, 0, 0})))) ==
      std::vector<int>{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40});
  CHECK(parse_npy(npy(header("|b1", "()"), bytes_of({1}))).dtype() == DType::kBool);
  CHECK(
      parse_npy(npy("{\"shape\":(3L, 0),\"fortran_order\":False,\"descr\":\"<f4\"}", "")).shape() ==
      Shape{3, 0});
}

TEST_CASE("Fortran order") {
  // [[1,2,3],[4,5,6]] is stored column by column.
  const Tensor t = parse_npy(npy(header("|u1", "(2, 3)", "True"), bytes_of({1, 4, 2, 5, 3, 6})));
  CHECK(bytes_of(t) == std::vector<int>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("strings") {
  const Tensor u =
      parse_npy(npy(header("<U2", "(2,)"),
                    bytes_of({'a', 0, 0, 0, 0xe9, 0, 0, 0, 0x00, 0xf6, 1, 0, 0, 0, 0, 0})));
  CHECK(u.strings() == std::vector<std::string>{"a\xc3\xa9", "\xf0\x9f\x98\x80"});
  CHECK(parse_npy(npy(header(">U1", "()"), bytes_of({0, 0, 0, 'z'}))).strings()[0] == "z");
  const Tensor s = parse_npy(npy(header("|S3", "(2,)"), bytes_of({'a', 'b', 0, 0xff, 0, 'c'})));
  CHECK(s.strings() == std::vector<std::string>{"ab", bytes_of({0xff, 0, 'c'})});
  CHECK(slug(npy(header("<U1", "()"), bytes_of({0, 0xd8, 0, 0}))) == "model/npy");
  CHECK(slug(npy(header("<U1", "()"), bytes_of({0, 0, 0x11, 0}))) == "model/npy");
}

TEST_CASE("what is no array of ours") {
  CHECK(slug("") == "model/npy");
  CHECK(slug(npy(header("<f4", "(2,)"), "abcd")) == "model/npy");
  CHECK(slug(npy(header("<f4", "(1,)"), "abcde")) == "model/npy");
  CHECK(slug(npy(header("|O", "(1,)"), "abcd")) == "model/npy");
  CHECK(slug(npy(header("|V2", "(1,)"), "ab")) == "model/npy");
  CHECK(slug(npy(header("<f16", "()"), std::string(16, '\0'))) == "model/npy");
  CHECK(slug(npy(header("<M8[s]", "()"), std::string(8, '\0'))) == "model/npy");
  CHECK(slug(npy(header("|b1", "()"), bytes_of({2}))) == "model/npy");
  CHECK(slug(npy(header("<f4", "(-1,)"), "")) == "model/npy");
  CHECK(slug(npy(header("<f4", "(99999999999999999999,)"), "")) == "model/npy");
  CHECK(slug(npy(header("<f8", "(4611686018427387904, 4)"), "")) == "model/npy");
  CHECK(slug(npy(header("<f8", "(2305843009213693952,)"), "")) == "model/npy");
  CHECK(slug(npy(header("|S0", "(1000000000000,)"), "")) == "model/npy");
  CHECK(slug(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "abcd")) ==
        "model/npy");
  CHECK(slug(npy("{'descr': '<f4', 'shape': (1,)}", "abcd")) == "model/npy");
  CHECK(slug(npy(header("<f4", "(1,)"), "abcd", 4)) == "model/npy");
}

TEST_CASE("written as NumPy writes it") {
  const std::string written =
      serialize_npy(Tensor::of<int64_t>(DType::kInt64, Shape{1}, std::vector<int64_t>{5}));
  std::string expected = bytes_of({0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0}) +
                         "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }";
  expected.resize(127, ' ');
  CHECK(written == expected + '\n' + bytes_of({5, 0, 0, 0, 0, 0, 0, 0}));
  for (const DType dtype : {DType::kBfloat16, DType::kInt4, DType::kFloat8e5m2})
    CHECK(slug_of([&] { serialize_npy(Tensor(dtype, Shape{1})); }) == "usage/npy-type");
  CHECK(slug_of([] { serialize_npy(Tensor(Shape{1}, {std::string("a\0", 2)})); }) ==
        "usage/npy-type");
  CHECK(slug_of([] { serialize_npy(Tensor(Shape{1}, {"\xff"})); }) == "usage/npy-type");
  const Tensor strings(Shape{2}, {"", "\xe6\x97\xa5x"});
  CHECK(same_bits(parse_npy(serialize_npy(strings)), strings));
}

TEST_CASE("UTF-8: overlong forms, surrogates and stray bytes are none") {
  CHECK(code_points("a\xc2\x80") == std::vector<uint32_t>{'a', 0x80});
  CHECK(code_points("\xf4\x8f\xbf\xbf") == std::vector<uint32_t>{0x10FFFF});
  for (const char* bad :
       {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\x97", "\xff"})
    CHECK(!code_points(bad));
}

// What `python3 -c "import zipfile; ..."` makes of a member "a.npy" of the eight bytes "aaaaaaaa",
// deflated.
const std::string kDeflated = bytes_of(
    {'P',  'K',  3,    4,   20,   0, 0,  0, 8,  0, 0,   0,   33,  0,   0x46, 0x80, 0x84, 0xbf, 5,
     0,    0,    0,    8,   0,    0, 0,  5, 0,  0, 0,   'a', '.', 'n', 'p',  'y',  0x4b, 0x4c, 0x84,
     0x00, 0x00, 'P',  'K', 1,    2, 20, 3, 20, 0, 0,   0,   8,   0,   0,    0,    33,   0,    0x46,
     0x80, 0x84, 0xbf, 5,   0,    0, 0,  8, 0,  0, 0,   5,   0,   0,   0,    0,    0,    0,    0,
     0,    0,    0,    0,   0x80, 1, 0,  0, 0,  0, 'a', '.', 'n', 'p', 'y',  'P',  'K',  5,    6,
     0,    0,    0,    0,   1,    0, 1,  0, 51, 0, 0,   0,   40,  0,   0,    0,    0,    0});

TEST_CASE("a deflated archive") {
  const std::vector<ZipMember> members = parse_zip(kDeflated);
  REQUIRE(members.size() == 1);
  CHECK(members[0].name == "a.npy");
  CHECK(members[0].bytes == "aaaaaaaa");
}

TEST_CASE("archives there and back, without a clock") {
  const std::vector<std::pair<std::string, Tensor>> tensors = {
      {"b", Tensor::int64_scalar(7)},
      {"a", Tensor(Shape{1}, {"text"})},
      {"\xc3\xa9", Tensor::bool_scalar(true)}};
  const std::string bytes = serialize_npz(tensors);
  CHECK(bytes == serialize_npz(tensors));
  const auto read = parse_npz(bytes);
  REQUIRE(read.size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(read[i].first == tensors[i].first);
    CHECK(same_bits(read[i].second, tensors[i].second));
  }
}

void read_damaged(const std::string& bytes) {
  try {
    parse_npz(bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kModel);
  }
}

TEST_CASE("damaged archives") {
  const std::string stored = serialize_npz({{"x", Tensor::int64_scalar(7)}});
  std::mt19937 random(7);
  for (const std::string& bytes : {stored, kDeflated}) {
    for (size_t length = 0; length < bytes.size(); ++length) read_damaged(bytes.substr(0, length));
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string damaged = bytes;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      read_damaged(damaged);
    }
    for (int round = 0; round < 2000; ++round) {
      std::string damaged = bytes;
      for (int i = 0; i < 4; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
      read_damaged(damaged);
    }
  }
  // A member that claims to unpack to 4 GiB is refused before memory is taken for it.
  std::string bomb = kDeflated;
  for (const size_t at : {40 + 24, 40 + 25, 40 + 26, 40 + 27}) bomb[at] = '\x7f';
  CHECK(slug_of([&] { parse_zip(bomb); }) == "model/zip");
}

}  // namespace
}  // namespace onnxv
