#include <doctest/doctest.h>

#include "src/base/error.h"
#include "src/cli/option_values.h"
#include "src/cli/progress.h"
#include "src/cli/value_text.h"

namespace onnxv::cli {
namespace {

template <class Parsed>
Parsed parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "onnx-verify");
  return std::get<Parsed>(parse_command_line(static_cast<int>(arguments.size()), arguments.data()));
}

TEST_CASE("sizes are binary with iB, decimal with B") {
  CHECK(bytes_of("1048576", "--memory") == 1048576);
  CHECK(bytes_of("2GiB", "--memory") == uint64_t{2} << 30);
  CHECK(bytes_of("1.5G", "--memory") == uint64_t{3} << 29);
  CHECK(bytes_of("5kB", "--memory") == 5000);
  for (const char* wrong : {"", "0", "-1", "GiB", "1XB", "1GiBs", "9000000000GiB", "nan"}) {
    CHECK_THROWS_AS(bytes_of(wrong, "--memory"), Error);
  }
}

TEST_CASE("shapes and ranges") {
  CHECK(shape_of("1,3,224") == std::vector<int64_t>{1, 3, 224});
  CHECK(shape_of("").empty());
  CHECK(shape_of("0") == std::vector<int64_t>{0});
  for (const char* wrong : {"1,", ",1", "-1", "a", "1 2"}) CHECK_THROWS_AS(shape_of(wrong), Error);
  CHECK(range_of("-1.5:2e3") == std::pair(-1.5, 2000.0));
  for (const char* wrong : {"1", "2:1", "a:b", "0:inf", ":"})
    CHECK_THROWS_AS(range_of(wrong), Error);
}

TEST_CASE("a first argument that is no command is the model") {
  const auto command = parsed<VerifyCommand>({"m.onnx", "--backend=onnxruntime,optimization=off",
                                              "--backend", "command:a b,c", "--input", "x=a=b.pb",
                                              "--dim", "N=2", "--no-nodes", "--seed", "7"});
  CHECK(command.model == "m.onnx");
  CHECK(command.comparison.backends ==
        std::vector<std::string>{"onnxruntime,optimization=off", "command:a b,c"});
  CHECK(command.inputs.files == std::vector<std::pair<std::string, std::string>>{{"x", "a=b.pb"}});
  CHECK(command.inputs.dims.at("N") == 2);
  CHECK(command.comparison.nodes == false);
  CHECK(command.inputs.seed == 7);
}

TEST_CASE("options that repeat do not swallow what follows them") {
  const auto command = parsed<SuiteCommand>({"suite", "--include", "abs", "a", "--exclude", "x",
                                             "b", "--timeout", "2.5", "--shard", "2/5"});
  CHECK(command.directories == std::vector<std::string>{"a", "b"});
  CHECK(command.comparison.include == std::vector<std::string>{"abs"});
  CHECK(command.comparison.timeout == 2.5);
  CHECK(command.comparison.shard == "2/5");
  CHECK_FALSE(command.comparison.nodes.has_value());
  const auto diff =
      parsed<ReportCommand>({"report", "--diff", "old.json", "new.json", "--html", "out.html"});
  CHECK(diff.diff == std::vector<std::string>{"old.json", "new.json"});
  CHECK(diff.html == "out.html");
}

TEST_CASE("a progress line fits the terminal and holds no control characters") {
  CHECK(progress_line("suite", 12, 24, 75, "test_\nabs", 200) ==
        "suite [############............] 12/24 1:15 test_ abs");
  CHECK(progress_line("suite", 0, 0, 0, "", 9) == "suite [##");
}

TEST_CASE("values are printed as they are read") {
  const Tensor floats =
      Tensor::of<float>(DType::kFloat, {2, 2}, std::vector<float>{0.1f, -0.0f, 1e10f, -2.5f});
  CHECK(value_text(floats, 10) == "float32[2,2] [[0.1, -0.0], [10000000000.0, -2.5]]");
  CHECK(value_text(floats, 1) == "float32[2,2] [[0.1, ...], ...] (4 elements)");
  CHECK(value_text(Tensor({2}, std::vector<std::string>{"a\"\n", "\xc3\xa4"}), 10) ==
        "string[2] [\"a\\\"\\x0a\", \"\xc3\xa4\"]");
  CHECK(value_text(Tensor::bool_scalar(true), 10) == "bool[] true");
  CHECK(value_text(Tensor::int64_list(std::vector<int64_t>{}), 10) == "int64[0] []");
  CHECK(value_text(Sequence{Type::tensor(DType::kInt64), {Tensor::int64_scalar(-3)}}, 10) ==
        "seq(tensor(int64)) {int64[] -3}");
}

}  // namespace
}  // namespace onnxv::cli
