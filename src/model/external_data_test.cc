// Tensors whose bytes live in files beside the model, and files that are none of the model's
// business.
#include "src/model/external_data.h"

#include <sys/stat.h>

#include "src/model/model_io.h"
#include "src/model/testing.h"

namespace onnxv {
namespace {

using namespace onnxv::testing;

std::string entry(const std::string& key, const std::string& value) {
  return field(13, field(1, key) + field(2, value));
}

// An int32 tensor [2] whose data_location is EXTERNAL.
std::string tensor(const std::string& entries, DType dtype = DType::kInt32) {
  return field(1, 2) + field(2, static_cast<int64_t>(dtype)) + field(8, "w") + entries +
         field(14, 1);
}

Tensor parse(const std::string& bytes, const TestDirectory& directory) {
  return parse_value(bytes, Type{}, directory.path()).tensor();
}

std::string slug(const std::string& bytes, const TestDirectory& directory) {
  return slug_of([&] { parse(bytes, directory); });
}

const std::string kEight = bytes_of({1, 0, 0, 0, 2, 0, 0, 0});

TEST_CASE("offset and length") {
  TestDirectory directory;
  write_file(directory / "w.bin", "ab" + kEight + "c");
  const Tensor t = parse(
      tensor(entry("location", "w.bin") + entry("offset", "2") + entry("length", "8")), directory);
  CHECK(t.as<int32_t>()[0] == 1);
  CHECK(t.as<int32_t>()[1] == 2);
  std::filesystem::create_directories(directory / "a/b");
  write_file(directory / "a/b/w.bin", kEight);
  CHECK(parse(tensor(entry("location", "a/./b//w.bin")), directory).as<int32_t>()[1] == 2);
  // A key that we do not know says nothing about the data.
  CHECK(slug(tensor(entry("location", "a/b/w.bin") + entry("checksum", "x")), directory).empty());
}

TEST_CASE("a tensor outlives the reading, the name and the model") {
  TestDirectory directory;
  write_file(directory / "w.bin", kEight);
  const Tensor t = parse(tensor(entry("location", "w.bin")), directory);
  std::filesystem::remove(directory / "w.bin");
  CHECK(t.as<int32_t>()[1] == 2);
}

TEST_CASE("references outside the file") {
  TestDirectory directory;
  write_file(directory / "w.bin", kEight);
  const auto at = [&](const std::string& offset, const std::string& length) {
    std::string entries = entry("location", "w.bin");
    if (!offset.empty()) entries += entry("offset", offset);
    if (!length.empty()) entries += entry("length", length);
    return slug(tensor(entries), directory);
  };
  CHECK(at("", "").empty());
  CHECK(at("1", "") == "model/external-data");
  CHECK(at("0", "7") == "model/external-data");
  CHECK(at("9", "8") == "model/external-data");
  CHECK(at("18446744073709551615", "8") == "model/external-data");
  CHECK(at("18446744073709551616", "8") == "model/external-data");
  for (const char* bad : {"-1", "+1", "1 ", "0x1", "1.0", " 1"})
    CHECK(at(bad, "8") == "model/external-data");
  CHECK(slug(tensor(entry("location", "w.bin") + entry("offset", "")), directory) ==
        "model/external-data");
  CHECK(slug(tensor(""), directory) == "model/external-data");
  CHECK(slug(tensor(entry("location", "w.bin") + entry("location", "v.bin")), directory) ==
        "model/external-data");
}

TEST_CASE("locations outside the model's directory") {
  TestDirectory outside, directory;
  write_file(outside / "w.bin", kEight);
  const auto at = [&](const std::string& location) {
    return slug(tensor(entry("location", location)), directory);
  };
  CHECK(at(outside / "w.bin") == "model/external-location");
  CHECK(at("../" + std::filesystem::path(outside.path()).filename().string() + "/w.bin") ==
        "model/external-location");
  CHECK(at("..") == "model/external-location");
  CHECK(at("") == "model/external-location");
  CHECK(at("a/../w.bin") == "model/external-location");
  CHECK(at(std::string("w.bin\0x", 7)) == "model/external-location");
  std::filesystem::create_symlink(outside / "w.bin", directory / "link.bin");
  CHECK(at("link.bin") == "model/external-location");
  std::filesystem::create_directory_symlink(outside.path(), directory / "out");
  CHECK(at("out/w.bin") == "model/external-location");
  CHECK(at("none.bin") == "model/external-missing");
  std::filesystem::create_directory(directory / "dir");
  CHECK(at("dir").starts_with("model/"));
  CHECK(at("dir/") == "model/external-location");
  // Opening a pipe that nobody writes to would wait for ever.
  REQUIRE(mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(at("pipe") == "model/unreadable");
}

TEST_CASE("external data that cannot be") {
  TestDirectory directory;
  write_file(directory / "w.bin", kEight);
  const std::string there = entry("location", "w.bin");
  CHECK(slug(tensor(there, DType::kString), directory) == "model/tensor-data");
  CHECK(slug(tensor(there) + field(9, kEight), directory) == "model/tensor-data");
  CHECK(slug_of([&] { parse_value(tensor(there), Type{}); }) == "model/external-location");
}

TEST_CASE("a model too large for one protobuf is written in two files") {
  TestDirectory directory;
  Graph graph;
  std::vector<int8_t> large(2000, 1), small(8, 2);
  large[1999] = 3;
  graph.initializers.push_back(
      {"a", Tensor::of<int8_t>(DType::kInt8, Shape{2000}, std::span<const int8_t>(large))});
  graph.initializers.push_back(
      {"b", Tensor::of<int8_t>(DType::kInt8, Shape{8}, std::span<const int8_t>(small))});
  graph.initializers.push_back(
      {"c", Tensor::of<int8_t>(DType::kInt8, Shape{2, 1000}, std::span<const int8_t>(large))});
  Model model;
  model.ir_version = 8;
  model.graph = std::make_shared<const Graph>(graph);
  const std::string path = directory / "m.onnx";
  write_model(model, path, 1000);
  CHECK(external_locations(path) == std::vector<std::string>{"m.onnx.data"});
  // The second tensor starts at the next page.
  CHECK(std::filesystem::file_size(directory / "m.onnx.data") == 4096 + 2000);
  const Model read = read_model(path);
  for (size_t i = 0; i < 3; ++i)
    CHECK(same_bits(read.graph->initializers[i].value, graph.initializers[i].value));
  // Onto itself, while its tensors are mapped from the file that is replaced.
  write_model(read, path, 1000);
  CHECK(same_bits(read_model(path).graph->initializers[2].value, graph.initializers[2].value));
}

}  // namespace
}  // namespace onnxv
