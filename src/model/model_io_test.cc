// Whole models: by hand, damaged, and there and back.
#include "src/model/model_io.h"

#include <random>

#include "src/model/file.h"
#include "src/model/testing.h"

namespace onnxv {
namespace {

using namespace onnxv::testing;

std::string value_info(const std::string& name, int64_t dtype) {
  // TypeProto.tensor_type { elem_type, shape { dim { dim_value 2 } dim { dim_param "N" } } }
  const std::string shape = field(1, field(1, 2)) + field(1, field(2, "N"));
  return field(1, name) + field(2, field(1, field(1, dtype) + field(2, shape)));
}

std::string attribute(const std::string& name, int64_t kind, const std::string& value) {
  return field(1, name) + value + field(20, kind);
}

// y = Softmax(x + w): with an attribute of each scalar kind, a sparse initializer and things we
// only keep.
std::string small_model() {
  const std::string weight = field(1, 2) + field(2, 1) + field(8, "w") +
                             field(9, bytes_of({0, 0, 0x80, 0x3f, 0, 0, 0, 0x40})) +
                             field(12, "doc");
  const std::string add = field(1, "x") + field(1, "w") + field(2, "s") + field(4, "Add");
  const std::string tensor = field(2, 6) + packed(5, {7}) + field(8, "kept name");
  const std::string softmax = field(1, "s") + field(2, "y") + field(3, "sm") + field(4, "Softmax") +
                              field(5, attribute("axis", 2, field(3, -1))) +
                              field(5, attribute("f", 1, fixed32(2, 0x40000000))) +
                              field(5, attribute("s", 3, field(4, "text"))) +
                              field(5, attribute("t", 4, field(5, tensor))) +
                              field(5, attribute("is", 7, field(8, 1) + field(8, 2))) +
                              field(10, field(1, "device"));
  const std::string sparse = field(1, field(1, 1) + field(2, 3) + field(8, "sp") + field(9, "a")) +
                             field(2, field(1, 1) + field(2, 7) + packed(7, {3})) + field(3, 4);
  const std::string graph = field(1, add) + field(1, softmax) + field(2, "g") + field(5, weight) +
                            field(11, value_info("x", 1)) + field(12, value_info("y", 1)) +
                            field(14, field(1, "w")) + field(15, sparse) + field(99, "unknown");
  const std::string function = field(1, "F") + field(4, "a") + field(5, "b") +
                               field(7, field(1, "a") + field(2, "b") + field(4, "Relu")) +
                               field(9, field(2, 17)) + field(10, "local");
  return field(1, 8) + field(2, "hand") + field(7, graph) + field(8, field(2, 17)) +
         field(14, field(1, "k") + field(2, "v")) + field(20, field(2, field(2, "train"))) +
         field(25, function) + field(1000, 5);
}

TEST_CASE("a model by hand") {
  const Model model = parse_model(small_model());
  CHECK(model.ir_version == 8);
  CHECK(model.producer_name == "hand");
  REQUIRE(model.opset_imports.size() == 1);
  CHECK(model.opset_imports[0].version == 17);
  CHECK(model.metadata == std::vector<std::pair<std::string, std::string>>{{"k", "v"}});
  const Graph& graph = *model.graph;
  REQUIRE(graph.nodes.size() == 2);
  CHECK(graph.nodes[0].inputs == std::vector<std::string>{"x", "w"});
  const Node& softmax = graph.nodes[1];
  CHECK(softmax.name == "sm");
  REQUIRE(softmax.attributes.size() == 5);
  CHECK(std::get<int64_t>(softmax.attributes[0].value) == -1);
  CHECK(std::get<float>(softmax.attributes[1].value) == 2.0f);
  CHECK(std::get<std::string>(softmax.attributes[2].value) == "text");
  CHECK(std::get<Tensor>(softmax.attributes[3].value).as<int32_t>()[0] == 7);
  CHECK(std::get<std::vector<int64_t>>(softmax.attributes[4].value) == std::vector<int64_t>{1, 2});
  REQUIRE(graph.initializers.size() == 2);
  CHECK(graph.initializers[0].name == "w");
  CHECK(graph.initializers[0].value.tensor().as<float>()[1] == 2.0f);
  CHECK(graph.initializers[1].name == "sp");
  CHECK(graph.initializers[1].value.sparse_tensor().shape == Shape{4});
  const Type& type = graph.inputs[0].type;
  CHECK(type.dtype == DType::kFloat);
  REQUIRE(type.shape);
  CHECK((*type.shape)[0].value == 2);
  CHECK((*type.shape)[1].symbol == "N");
  REQUIRE(model.functions.size() == 1);
  CHECK(model.functions[0].domain == "local");
}

// The fields of a message one level down, as text that does not depend on their order.
bool holds(const std::string& bytes, const std::string& part) {
  return bytes.find(part) != std::string::npos;
}

TEST_CASE("what the structs have no place for is written again") {
  const std::string written = serialize_model(parse_model(small_model()));
  for (const std::string& part : {field(10, field(1, "device")), field(14, field(1, "w")),
                                  field(99, "unknown"), field(12, "doc"), field(8, "kept name"),
                                  field(20, field(2, field(2, "train"))), field(1000, 5)})
    CHECK(holds(written, part));
  CHECK(written.size() >= small_model().size());
  CHECK(serialize_model(parse_model(written)) == written);
}

TEST_CASE("opaque types and denotations survive, unless the type was changed") {
  const std::string opaque = field(2, field(7, field(1, "d") + field(2, "n")));
  const std::string denoted = field(2, field(1, field(1, 1)) + field(6, "IMAGE"));
  const std::string graph = field(11, field(1, "x") + opaque) + field(11, field(1, "y") + denoted);
  const Model model = parse_model(field(7, graph));
  CHECK(model.graph->inputs[0].type.kind == Type::Kind::kUnknown);
  CHECK(holds(serialize_model(model), opaque));
  CHECK(holds(serialize_model(model), denoted));
  Graph changed = *model.graph;
  changed.inputs[0].type = Type::tensor(DType::kInt8);
  Model other;
  other.graph = std::make_shared<const Graph>(changed);
  const std::string written = serialize_model(other);
  CHECK(holds(written, field(11, field(1, "x") + field(2, field(1, field(1, 3))))));
  CHECK(!holds(written, opaque));
}

std::string with_attribute(const std::string& proto) {
  return field(7, field(1, field(4, "Op") + field(5, proto)));
}

TEST_CASE("attribute kinds: the type decides; without one the only value does") {
  const auto read = [](const std::string& proto) {
    return parse_model(with_attribute(proto)).graph->nodes[0].attributes[0];
  };
  CHECK(read(field(1, "a") + field(3, 5)).kind == Attribute::Kind::kInt);
  CHECK(std::get<int64_t>(read(field(1, "a") + field(20, 2)).value) == 0);
  CHECK(std::get<std::vector<float>>(read(field(1, "a") + field(20, 6)).value).empty());
  const Attribute reference = read(field(1, "a") + field(20, 4) + field(21, "outer"));
  CHECK(reference.reference == "outer");
  CHECK(std::holds_alternative<std::monostate>(reference.value));
  const auto slug = [](const std::string& proto) {
    return slug_of([&] { parse_model(with_attribute(proto)); });
  };
  CHECK(slug(field(1, "a") + field(3, 5) + fixed32(2, 0)) == "model/attribute-value");
  CHECK(slug(field(1, "a") + field(3, 5) + field(20, 1)) == "model/attribute-value");
  CHECK(slug(field(1, "a") + field(20, 5)) == "model/attribute-value");
}

TEST_CASE("what is no model") {
  const auto slug = [](const std::string& bytes) { return slug_of([&] { parse_model(bytes); }); };
  CHECK(slug("") == "model/truncated");
  CHECK(slug(field(1, 8)) == "model/not-a-model");
  CHECK(slug(bytes_of({0xff, 0xff, 0xff})) == "model/truncated");
  CHECK(slug("<\n  ir_version: 8,\n  opset_import: [\"\" : 17]\n>\nagraph (float[N] x) => "
             "(float[N] y) {}\n") == "model/text-form");
  CHECK(slug("{\n  \"irVersion\": \"8\"\n}\n") == "model/text-form");
  CHECK(slug("# made by hand\nir_version: 8\ngraph {\n}\n") == "model/text-form");
  CHECK(slug("graph {\n}\n") == "model/text-form");
}

TEST_CASE("nesting beyond protobuf's limit is an error of its own") {
  const auto nested = [](int depth) {
    std::string graph = field(2, "innermost");
    for (int i = 0; i < depth; ++i)
      graph = field(1, field(4, "If") + field(5, attribute("then_branch", 5, field(6, graph))));
    return field(7, graph);
  };
  CHECK(slug_of([&] { parse_model(nested(30)); }).empty());
  CHECK(slug_of([&] { parse_model(nested(40)); }) == "model/nesting");
  CHECK(slug_of([&] { parse_model(nested(5000)); }).starts_with("model/"));
}

// Any Error is an answer; a crash, a hang or another exception is not.
void read_damaged(const std::string& bytes) {
  try {
    parse_model(bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kModel);
  }
}

TEST_CASE("a model cut anywhere") {
  const std::string bytes = small_model();
  for (size_t length = 0; length < bytes.size(); ++length) read_damaged(bytes.substr(0, length));
}

TEST_CASE("a model with flipped bits") {
  const std::string bytes = small_model();
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    read_damaged(damaged);
  }
  std::mt19937 random(20240229);
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = bytes;
    for (int i = 0; i < 8; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    read_damaged(damaged);
  }
}

TEST_CASE("a written model replaces the old one whole") {
  TestDirectory directory;
  const Model model = parse_model(small_model());
  write_file(directory / "m.onnx", "old");
  write_model(model, directory / "m.onnx");
  CHECK(read_file(directory / "m.onnx") == serialize_model(model));
  CHECK(read_model(directory / "m.onnx").path == directory / "m.onnx");
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory.path()))
    ++files;
  CHECK(files == 1);
  CHECK(slug_of([&] { write_model(model, directory / "none/m.onnx"); }) == "usage/unwritable");
}

}  // namespace
}  // namespace onnxv
