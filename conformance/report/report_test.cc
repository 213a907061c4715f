#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <thread>

#include "conformance/backend/scratch.h"
#include "conformance/report/difference.h"
#include "conformance/report/json.h"
#include "conformance/report/junit.h"
#include "conformance/report/merge.h"
#include "conformance/report/outcome.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

Outcome outcome(const std::string& test, const std::string& backend, Status status) {
  Outcome result;
  result.test = test;
  result.path = "tests/" + test;
  result.backend = backend;
  result.status = status;
  return result;
}

Results sample() {
  Results results;
  results.version = "1";
  results.backends.push_back({"b,opt=1", "b", "2.0", {{"opt", "1"}}, "cpu", ""});
  Outcome fail = outcome("test_x", "b,opt=1", Status::kFail);
  fail.message = "a \"quoted\" <message>";
  fail.ops = {"Abs"};
  OutputOutcome output;
  output.name = "y";
  output.comparison.matches = false;
  output.comparison.dtype = "float32";
  output.comparison.shape = {2, 1};
  output.comparison.max_abs = INFINITY;
  output.comparison.mismatched = 1;
  output.comparison.elements = 2;
  output.comparison.profile.ulp_counts = {1, 0, 1};
  output.comparison.profile.ulp_by_exponent[0] = 3;
  output.comparison.first_mismatch = Mismatch{{1, 0}, "1.5 (0x3fc00000)", "inf (0x7f800000)"};
  fail.outputs.push_back(output);
  fail.first_divergence = FirstDivergence{"conv1", "Conv", "ai.onnx", 11, 4, "t", "a/b"};
  fail.first_in_model = FirstDivergence{"conv0", "Conv", "ai.onnx", 11, 2, "s", ""};
  NodeOutcome node;
  node.node = "conv1";
  node.index = 4;
  node.status = Status::kFail;
  node.outputs = node.in_model = {output};
  node.inputs.push_back({"x",
                         "float32",
                         {2},
                         true,
                         2,
                         "0.0 (0x00000000)",
                         "1.0 (0x3f800000)",
                         "1.0 (0x3f800000)",
                         0,
                         0,
                         1,
                         0});
  fail.nodes.push_back(node);
  fail.op_versions = {13};
  results.outcomes = {fail, outcome("test_y", "b,opt=1", Status::kPass)};
  return results;
}

TEST_CASE("results survive their JSON") {
  const std::string text = to_json(sample());
  CHECK(text.find("\"max_abs\":\"inf\"") != std::string::npos);
  CHECK(text.find("\"bound_ratio\":null") != std::string::npos);
  CHECK(text.find("\"tolerance\":{\"kind\":\"official\",\"rtol\":0.001,\"atol\":1e-07}") !=
        std::string::npos);
  const Results back = results_from_json(text, "test");
  CHECK(to_json(back) == text);
  REQUIRE(back.outcomes.size() == 2);
  CHECK(back.outcomes[0].first_divergence->index == 4);
  CHECK_FALSE(back.outcomes[1].first_divergence);
  CHECK(back.outcomes[0].outputs[0].comparison.first_mismatch->index == std::vector<int64_t>{1, 0});
  CHECK_THROWS_AS(results_from_json("{}", "test"), Error);
  CHECK_THROWS_AS(results_from_json("not json", "test"), Error);
  CHECK_THROWS_WITH(results_from_json("[]", "test"), "usage/results-file: test, wanted results of onnx-verify, format 1");
  try {
    results_from_json("{", "test");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("usage/results-file: test: parse error at line 1") == 0);
  }
}

TEST_CASE("exit codes: a fail is 1, a broken run 3, what has no value 0") {
  Results results;
  results.outcomes = {outcome("a", "b", Status::kUnsupported),
                      outcome("c", "b", Status::kUndefined)};
  CHECK(exit_code(results, false) == 0);
  CHECK(exit_code(results, true) == 1);
  results.outcomes.push_back(outcome("d", "b", Status::kCrash));
  CHECK(exit_code(results, false) == 3);
  results.outcomes.push_back(outcome("e", "b", Status::kFail));
  CHECK(exit_code(results, false) == 1);
}

TEST_CASE("merged parts hold each test once") {
  Results one = sample(), two = sample();
  two.outcomes[0].status = Status::kPass;
  two.outcomes.push_back(outcome("test_z", "c", Status::kSkipped));
  const Results merged = merge({one, two});
  REQUIRE(merged.outcomes.size() == 3);
  CHECK(merged.outcomes[0].status == Status::kPass);
  CHECK(merged.backends.size() == 2);
}

TEST_CASE("a difference: what got better, what worse") {
  Results before = sample(), after = sample();
  // A pass that fails now, a test with fewer wrong elements, a new one and one that is gone.
  after.outcomes[1].status = Status::kFail;
  after.outcomes[0].outputs[0].comparison.mismatched = 0;
  before.outcomes.push_back(outcome("test_gone", "b,opt=1", Status::kCrash));
  before.outcomes.push_back(outcome("test_mended", "b,opt=1", Status::kCrash));
  after.outcomes.push_back(outcome("test_mended", "b,opt=1", Status::kUnsupported));
  after.outcomes.push_back(outcome("test_new", "b,opt=1", Status::kPass));
  CHECK(difference_text(before, after, {}) ==
        "better (2)\n  test_mended on b,opt=1: crash -> unsupported\n"
        "  test_x on b,opt=1: 1 wrong elements -> 0 wrong elements\n"
        "worse (1)\n  test_y on b,opt=1: pass -> fail\n"
        "otherwise changed (0)\n"
        "new (1)\n  test_new on b,opt=1: absent -> pass\n"
        "gone (1)\n  test_gone on b,opt=1: crash -> absent\n");
}

TEST_CASE("a difference between two backends is that of their tests") {
  Results before, after;
  before.outcomes = {outcome("test_a", "b", Status::kFail), outcome("test_b", "b", Status::kPass)};
  after.outcomes = {outcome("test_a", "b,mode=2", Status::kPass), outcome("test_b", "b,mode=2", Status::kPass)};
  CHECK(difference_text(before, after, {}) ==
        "b -> b,mode=2\nbetter (1)\n  test_a: fail -> pass\nworse (0)\notherwise changed (0)\nnew (0)\ngone (0)\n");
}

TEST_CASE("a link or a pipe is written to, not replaced") {
  ScratchDirectory folder;
  const std::string target = folder.path() + "/target", link = folder.path() + "/link", pipe = folder.path() + "/pipe";
  write_text_file(target, "old");
  std::filesystem::create_symlink("target", link);
  write_text_file(link, "new");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_text_file(target) == "new");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::string heard;
  std::thread reader([&] { heard = read_text_file(pipe); });
  write_text_file(pipe, "through");
  reader.join();
  CHECK(heard == "through");
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK_THROWS_AS(write_text_file(folder.path(), "x"), Error);
  CHECK_THROWS_AS(read_text_file(folder.path()), Error);
}

TEST_CASE("JUnit escapes and counts") {
  const std::string xml = to_junit(sample());
  CHECK(xml.find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\"") != std::string::npos);
  CHECK(xml.find("a &quot;quoted&quot; &lt;message&gt;") != std::string::npos);
}

}  // namespace
}  // namespace onnxv
