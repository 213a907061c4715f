// What this room's tests are written in: protobuf bytes by hand, so that no expectation rests on
// the code under test.
#pragma once

#include <doctest/doctest.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/tensor/tensor.h"

namespace onnxv::testing {

inline std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
// A field of wire type 0: integers, enums. Negative ones take ten bytes.
template <std::integral Integer>
std::string field(uint64_t number, Integer value) {
  return varint(number << 3) + varint(static_cast<uint64_t>(static_cast<int64_t>(value)));
}
// A field of wire type 2: strings, bytes, messages, packed lists.
inline std::string field(uint64_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}
inline std::string field(uint64_t number, const char* bytes) {
  return field(number, std::string(bytes));
}
// A packed list of varints.
inline std::string packed(uint64_t number, const std::vector<int64_t>& values) {
  std::string bytes;
  for (const int64_t value : values) bytes += varint(static_cast<uint64_t>(value));
  return field(number, bytes);
}
// A field of wire type 5: a float by its bits.
inline std::string fixed32(uint64_t number, uint32_t bits) {
  std::string out = varint(number << 3 | 5);
  for (int i = 0; i < 4; ++i) out += static_cast<char>(bits >> (8 * i));
  return out;
}
inline std::string bytes_of(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}

inline std::vector<int> bytes_of(const Tensor& tensor) {
  std::vector<int> out;
  for (const std::byte b : tensor.bytes()) out.push_back(static_cast<int>(b));
  return out;
}

// The slug of the Error that `act` throws; "" when it throws none.
inline std::string slug_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.slug();
  }
  return "";
}

// A directory that goes with the test.
class TestDirectory {
 public:
  TestDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "onnxv-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TestDirectory() { std::filesystem::remove_all(path_); }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace onnxv::testing
