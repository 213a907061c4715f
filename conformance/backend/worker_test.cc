#include "conformance/backend/worker.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "conformance/backend/child_process.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

// Set by meson: the script and the Python to run it with.
std::string fake_backend() { return std::getenv("ONNXV_FAKE_BACKEND"); }

struct Fake {
  explicit Fake(const std::string& mode, double start_limit = 20, bool once = false)
      : backend("fake", command(mode, once), {}, settings(start_limit)) {}

  std::vector<std::string> command(const std::string& mode, bool once) const {
    std::vector<std::string> words = {"python3", "-B", fake_backend(), mode};
    if (once) words.push_back(home.path() + "/once");
    return words;
  }
  BackendSettings settings(double start_limit) const {
    BackendSettings settings;
    settings.start_limit = start_limit;
    settings.scratch = home.path();
    return settings;
  }

  BackendAnswer run(double limit = 20) {
    BackendJob job;
    job.model_path = "model.onnx";
    const std::vector<float> values = {1.0f, 2.5f};
    job.inputs = {Value(Tensor::of<float>(DType::kFloat, {2}, values))};
    job.kinds = {"tensor"};
    job.want = {"y"};
    job.types = {Type::tensor(DType::kFloat)};
    job.time_limit = limit;
    return backend.run(job);
  }

  ScratchDirectory home;
  WorkerBackend backend;
};

void check_works(Fake& fake) {
  const BackendAnswer answer = fake.run();
  CHECK_MESSAGE(answer.status == Status::kPass, answer.message);
  REQUIRE(answer.outputs.size() == 1);
  CHECK(answer.outputs[0].tensor().as<float>()[1] == 2.5f);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a worker answers, twice, and says who it is") {
  Fake fake("plain");
  check_works(fake);
  check_works(fake);
  CHECK(fake.backend.description().name == "fake");
  CHECK(fake.backend.description().version == "7");
  CHECK(fake.backend.description().failure.empty());
}

TEST_CASE("a worker on the second channel may say what it likes on stdout") {
  Fake fake("channel");
  check_works(fake);
  check_works(fake);
}

TEST_CASE("a worker that is slow to start, or loud on stderr, is heard") {
  Fake slow("slow");
  check_works(slow);
  Fake loud("stderr");
  check_works(loud);
  check_works(loud);
}

TEST_CASE("a worker that dies costs one test and is restarted") {
  Fake crash("crash", 20, true);
  const BackendAnswer answer = crash.run();
  CHECK(answer.status == Status::kCrash);
  CHECK_MESSAGE(contains(answer.message, "signal 11"), answer.message);
  check_works(crash);
  Fake exit("exit", 20, true);
  const BackendAnswer ended = exit.run();
  CHECK(ended.status == Status::kCrash);
  CHECK_MESSAGE(contains(ended.message, "exit code 3: the last words"), ended.message);
  check_works(exit);
}

TEST_CASE("a worker that hangs costs one test and is restarted") {
  Fake fake("hang", 20, true);
  const auto start = std::chrono::steady_clock::now();
  CHECK(fake.run(1.0).status == Status::kTimeout);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(15));
  check_works(fake);
}

TEST_CASE("anything but the answer makes the test an error") {
  Fake rubbish("rubbish", 20, true);
  const BackendAnswer answer = rubbish.run();
  CHECK(answer.status == Status::kError);
  CHECK_MESSAGE(contains(answer.message, "just chatting"), answer.message);
  check_works(rubbish);
  for (const char* mode :
       {"flood", "wrong-id", "no-status", "count", "outside", "missing", "empty", "truncated"}) {
    CAPTURE(mode);
    Fake fake(mode);
    CHECK(fake.run().status == Status::kError);
  }
}

TEST_CASE("a worker's own words") {
  Fake unsupported("unsupported");
  const BackendAnswer answer = unsupported.run();
  CHECK(answer.status == Status::kUnsupported);
  CHECK(answer.message == "not that operator");
  Fake error("error");
  CHECK(error.run().message == "it went wrong");
}

TEST_CASE("a worker that cannot be started says why, for each test, at once") {
  for (const auto& [mode, reason] :
       {std::pair("dies", "no such device"), std::pair("protocol", "protocol 2"),
        std::pair("endless", "floods")}) {
    CAPTURE(mode);
    Fake fake(mode);
    const BackendAnswer answer = fake.run();
    CHECK(answer.status == Status::kError);
    CHECK_MESSAGE(contains(answer.message, reason), answer.message);
    CHECK(fake.backend.description().failure == answer.message);
  }
  Fake never("never", 0.5);
  CHECK(contains(never.run().message, "no first line"));
  const auto start = std::chrono::steady_clock::now();
  CHECK(never.run().status == Status::kError);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(400));
  WorkerBackend nothing("x", {"/no/such/program"}, {}, {});
  BackendJob job;
  CHECK(contains(nothing.run(job).message, "/no/such/program"));
}

TEST_CASE("a command line is split as a shell would") {
  using Words = std::vector<std::string>;
  CHECK(split_command_line("a  b\tc") == Words{"a", "b", "c"});
  CHECK(split_command_line(R"(a 'b c' "d e" f\ g)") == Words{"a", "b c", "d e", "f g"});
  CHECK(split_command_line(R"('' "")") == Words{"", ""});
  CHECK(split_command_line(R"("a\"b\n" 'c\d')") == Words{"a\"b\\n", "c\\d"});
  CHECK(split_command_line("$HOME;x|y") == Words{"$HOME;x|y"});
  CHECK_THROWS_AS(split_command_line("a 'b"), Error);
  CHECK_THROWS_AS(split_command_line("  "), Error);
}

}  // namespace
}  // namespace onnxv
