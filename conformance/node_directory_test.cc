// Test directories: found, matched to a graph, written.
#include "conformance/node_directory.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "src/base/error.h"
#include "src/model/file.h"
#include "src/model/model_io.h"
#include "src/model/testing.h"

namespace onnxv {
namespace {

using namespace onnxv::testing;
namespace fs = std::filesystem;

void touch(const std::string& path, const std::string& bytes = "") {
  fs::create_directories(directory_of(path));
  write_file(path, bytes);
}

ValueInfo value_info(std::string name, Type type) {
  ValueInfo info;
  info.name = std::move(name);
  info.type = std::move(type);
  return info;
}

// Inputs w (an initializer), x, y; output z, a sequence.
Model model_of_three() {
  Graph graph;
  const Type int64 = Type::tensor(DType::kInt64);
  graph.inputs = {value_info("w", int64), value_info("x", int64), value_info("y", int64)};
  graph.outputs = {value_info("z", Type::sequence(int64))};
  graph.initializers.push_back({"w", Tensor::int64_scalar(1)});
  Model model;
  model.ir_version = 8;
  model.graph = std::make_shared<const Graph>(graph);
  return model;
}

TEST_CASE("a tree is searched to any depth, sorted by path; nothing below a test") {
  TestDirectory tree;
  touch(tree / "node/test_b/model.onnx");
  touch(tree / "node/test_a/model.onnx");
  touch(tree / "node/test_a/inner/model.onnx");
  touch(tree / "a/b/test_c/model.onnx");
  touch(tree / ".hidden/test_d/model.onnx");
  touch(tree / "no_test/readme");
  fs::create_directory_symlink(tree.path(), tree / "node/loop");
  const std::vector<Case> found = find_cases(tree.path() + "/");
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "test_c");
  CHECK(found[1].name == "test_a");
  CHECK(found[2].directory == tree / "node/test_b");
  CHECK(find_cases(tree / "node/test_a").size() == 1);
  CHECK(slug_of([&] { find_cases(tree / "no_test"); }) == "usage/no-tests");
  CHECK(slug_of([&] { find_cases(tree / "none"); }) == "usage/unreadable");
}

TEST_CASE("data sets by number; folders without files of ours are none") {
  TestDirectory test;
  touch(test / "model.onnx");
  touch(test / "tolerance.json", "{}");
  touch(test / "test_data_set_10/input_0.pb");
  touch(test / "test_data_set_2/input_11.pb");
  touch(test / "test_data_set_2/input_2.pb");
  touch(test / "test_data_set_2/output_0.pb");
  touch(test / "test_data_set_2/input_x.pb");
  touch(test / "test_data_set_3/readme");
  touch(test / "test_data_set_x/input_0.pb");
  touch(test / "test_data_4.npz");
  const Case read = case_at(test.path());
  CHECK(read.model_path == test / "model.onnx");
  CHECK(read.tolerance_path == test / "tolerance.json");
  REQUIRE(read.data_sets.size() == 2);
  CHECK(read.data_sets[0].number == 2);
  CHECK(read.data_sets[0].inputs.size() == 2);
  CHECK(read.data_sets[0].inputs.at(11) == test / "test_data_set_2/input_11.pb");
  CHECK(read.data_sets[1].number == 10);
}

TEST_CASE("files count the inputs that are no initializers; all where a number needs it") {
  TestDirectory set;
  const Model model = model_of_three();
  write_value(Tensor::int64_scalar(5), set / "input_1.pb");
  const DataSet one = read_data_set(data_set_at(set.path()), model);
  REQUIRE(one.inputs.size() == 2);
  CHECK(!one.inputs[0].exists());
  CHECK(one.inputs[1].tensor().as<int64_t>()[0] == 5);
  CHECK(one.input_paths == std::vector<std::string>{"", set / "input_1.pb"});
  CHECK(!one.outputs[0].exists());
  write_value(Tensor::int64_scalar(6), set / "input_2.pb");
  write_value(Tensor::int64_scalar(7), set / "input_0.pb");
  const DataSet all = read_data_set(data_set_at(set.path()), model);
  CHECK(all.inputs[0].tensor().as<int64_t>()[0] == 5);
  CHECK(all.inputs[1].tensor().as<int64_t>()[0] == 6);
  CHECK(all.overridden.at("w").tensor().as<int64_t>()[0] == 7);
  touch(set / "input_3.pb");
  CHECK(slug_of([&] { read_data_set(data_set_at(set.path()), model); }) == "model/data-set");
}

TEST_CASE("a written test is read again; absent values have no file") {
  TestDirectory directory;
  const Model model = model_of_three();
  CaseContents contents;
  contents.model = &model;
  contents.tolerance_json = "{\"rtol\":0.1}\n";
  const Value sequence(Sequence{Type::tensor(DType::kInt64), {Tensor::int64_scalar(3)}});
  contents.data_sets = {{{Value(), Tensor::int64_scalar(4)}, {sequence}}};
  const std::string path = directory / "out/test_x";
  write_case(contents, path);
  const Case read = case_at(path);
  REQUIRE(read.data_sets.size() == 1);
  CHECK(read_file(read.tolerance_path) == contents.tolerance_json);
  CHECK(!fs::exists(path + "/test_data_set_0/input_0.pb"));
  const DataSet set = read_data_set(read.data_sets[0], read_model(read.model_path));
  CHECK(set.inputs[1].tensor().as<int64_t>()[0] == 4);
  CHECK(same_bits(set.outputs[0], sequence));
  // Again, with fewer files: nothing of the old test stays, and nothing else is left beside it.
  contents.tolerance_json.clear();
  write_case(contents, path + "/");
  CHECK(case_at(path).tolerance_path.empty());
  CHECK(std::distance(fs::directory_iterator(directory / "out"), fs::directory_iterator()) == 1);
}

TEST_CASE("what is no test is not replaced") {
  TestDirectory directory;
  const Model model = model_of_three();
  CaseContents contents;
  contents.model = &model;
  touch(directory / "mine/letter");
  touch(directory / "file");
  CHECK(slug_of([&] { write_case(contents, directory / "mine"); }) == "usage/not-a-test");
  CHECK(slug_of([&] { write_case(contents, directory / "file"); }) == "usage/not-a-test");
  CHECK(fs::exists(directory / "mine/letter"));
}

TEST_CASE("a model is copied with its external data") {
  TestDirectory directory;
  Graph graph;
  graph.initializers.push_back({"w", Tensor(DType::kInt8, Shape{3000})});
  Model model;
  model.ir_version = 8;
  model.graph = std::make_shared<const Graph>(graph);
  fs::create_directory(directory / "in");
  write_model(model, directory / "in/m.onnx", 1000);
  CaseContents contents;
  contents.model = &model;
  contents.model_source = directory / "in/m.onnx";
  write_case(contents, directory / "test_m");
  CHECK(read_file(directory / "test_m/model.onnx") == read_file(directory / "in/m.onnx"));
  CHECK(fs::file_size(directory / "test_m/m.onnx.data") == 3000);
  CHECK(read_model(directory / "test_m/model.onnx").graph->initializers[0].value.tensor().size() ==
        3000);
}

}  // namespace
}  // namespace onnxv
