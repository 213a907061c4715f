#include "conformance/selection.h"

#include <doctest/doctest.h>

#include <map>

#include "src/base/error.h"

namespace onnxv {
namespace {

Shard from(std::map<std::string, std::string> variables, const std::string& option = "") {
  return choose_shard(option, [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST_CASE("slices, from the option or from what runs us") {
  CHECK(from({}).count == 1);
  CHECK(from({}, "2/3").index == 1);
  CHECK(from({}, "2/3").count == 3);
  CHECK(from({{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "4"}}).index == 0);
  CHECK(from({{"GTEST_SHARD_INDEX", "3"}, {"GTEST_TOTAL_SHARDS", "4"}}).index == 3);
  CHECK(from({{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "2"}}).index == 0);
  // --array=10-19:3 gives the IDs 10, 13, 16, 19.
  const Shard slurm = from({{"SLURM_ARRAY_TASK_ID", "16"},
                            {"SLURM_ARRAY_TASK_COUNT", "4"},
                            {"SLURM_ARRAY_TASK_MIN", "10"},
                            {"SLURM_ARRAY_TASK_STEP", "3"}});
  CHECK(slurm.index == 2);
  CHECK(slurm.count == 4);
  CHECK(from({{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "2"}}, "1/1").count == 1);
  for (const char* wrong : {"0/3", "4/3", "1", "a/b", "1/0", "-1/2"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(from({}, wrong), Error);
  }
}

TEST_CASE("every test is in exactly one slice") {
  for (size_t position = 0; position < 20; ++position) {
    int takers = 0;
    for (int index = 0; index < 3; ++index) takers += Shard{index, 3}.takes(position) ? 1 : 0;
    CHECK(takers == 1);
  }
}

TEST_CASE("patterns") {
  CHECK(NamePatterns({}, {}).takes("test_abs"));
  CHECK(NamePatterns({"abs", "^test_exp$"}, {}).takes("test_exp"));
  CHECK_FALSE(NamePatterns({"^exp"}, {}).takes("test_exp"));
  CHECK_FALSE(NamePatterns({}, {"exp"}).takes("test_exp"));
  CHECK_THROWS_AS(NamePatterns({"("}, {}), Error);
}

Outcome outcome(const std::string& test, Status status) {
  Outcome result;
  result.test = test;
  result.backend = "b";
  result.status = status;
  return result;
}

TEST_CASE("known failures do not fail, unexpected passes do") {
  const KnownFailures known = KnownFailures::parse(
      R"({"known": [{"test": "test_a*", "status": "fail", "reason": "slow", "link": "x"},
                    {"test": "test_b", "backend": "other"}]})",
      "known.json");
  Outcome fails = outcome("test_abs", Status::kFail), passes = outcome("test_abs", Status::kPass);
  Outcome crashes = outcome("test_abs", Status::kCrash), other = outcome("test_b", Status::kFail);
  for (Outcome* each : {&fails, &passes, &crashes, &other}) known.apply(*each);
  REQUIRE(fails.known);
  CHECK(fails.known->reason == "slow");
  CHECK(passes.unexpected_pass);
  CHECK_FALSE(crashes.known);
  CHECK_FALSE(other.known);
  Results results;
  results.outcomes = {fails};
  CHECK(exit_code(results, false) == 0);
  CHECK(summarize(results)[0].second.expected_fail == 1);
  results.outcomes = {passes};
  CHECK(exit_code(results, false) == 1);
  CHECK_THROWS_AS(KnownFailures::parse("{}", "known.json"), Error);
  CHECK_THROWS_AS(KnownFailures::parse(R"([{"test": "a", "status": "pass"}])", "known.json"),
                  Error);
  CHECK_THROWS_WITH(KnownFailures::parse(R"([{"test": "a", "stauts": "fail"}])", "known.json"),
                    "usage/expect-file: known.json: there is no key \"stauts\", wanted {\"known\": [{\"test\": …, \"status\": …, "
                    "\"reason\": …, \"link\": …}]}");
}

}  // namespace
}  // namespace onnxv
