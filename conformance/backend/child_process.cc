#include "conformance/backend/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "src/base/error.h"

namespace onnxv {
namespace {

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
};

void close_end(int& end) {
  if (end >= 0) ::close(end);
  end = -1;
}

// The environment with one variable more. Built before fork: afterwards only async-signal-safe
// calls are allowed.
std::vector<std::string> environment_with(const std::string& name, const std::string& value) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (name.empty() || std::strncmp(*entry, (name + "=").c_str(), name.size() + 1) != 0) {
      environment.emplace_back(*entry);
    }
  }
  if (!name.empty()) environment.push_back(name + "=" + value);
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (std::string& text : strings) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

struct ChildEnds {
  int input, output, errors, channel, report;
};

// In the child. On failure writes errno to `report`, which closes by itself when exec succeeds.
[[noreturn]] void become(const ChildEnds& ends, char* const* arguments, char* const* environment,
                         uint64_t memory, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) signal(number, SIG_DFL);
  rlimit limit{0, 0};
  setrlimit(RLIMIT_CORE, &limit);
  if (memory > 0) {
    limit.rlim_cur = limit.rlim_max = memory;
    setrlimit(RLIMIT_DATA, &limit);
  }
  dup2(ends.input, 0);
  dup2(ends.output, 1);
  dup2(ends.errors, 2);
  if (ends.channel >= 0) fcntl(ends.channel, F_SETFD, 0);
  execvpe(arguments[0], arguments, environment);
  const int reason = errno;
  [[maybe_unused]] const auto written = write(ends.report, &reason, sizeof(reason));
  _exit(127);
}

}  // namespace

std::string end_text(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int number = WTERMSIG(wait_status);
    return "signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  }
  return "exit code " + std::to_string(WEXITSTATUS(wait_status));
}

bool ChildProcess::start(const ChildSettings& settings, std::string& problem) {
  kill();
  Pipe in, out, err, channel, report;
  const bool wants_channel = !settings.channel_variable.empty();
  if (!in.open() || !out.open() || !err.open() || !report.open() ||
      (wants_channel && !channel.open())) {
    fail_limit("pipes", "no pipe could be made");
  }
  std::vector<std::string> words = settings.arguments;
  std::vector<std::string> variables =
      environment_with(settings.channel_variable, std::to_string(channel.write));
  std::vector<char*> arguments = pointers(words), environment = pointers(variables);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail_limit("processes", "no process could be made");
  if (child == 0) {
    become({in.read, out.write, err.write, channel.write, report.write}, arguments.data(),
           environment.data(), settings.memory, parent);
  }
  setpgid(child, child);  // here too: whoever comes first
  for (int* end : {&in.read, &out.write, &err.write, &channel.write, &report.write})
    close_end(*end);
  pid_ = child;
  input_ = in.write;
  output_ = out.read;
  errors_ = err.read;
  channel_ = channel.read;
  for (const int end : {input_, output_, errors_, channel_}) {
    if (end >= 0) fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
  }
  int reason = 0;
  const bool failed = ::read(report.read, &reason, sizeof(reason)) == sizeof(reason);
  close_end(report.read);
  if (!failed) return true;
  problem = settings.arguments[0] + ": " + std::strerror(reason);
  kill();
  return false;
}

void ChildProcess::close_all() {
  for (int* end : {&input_, &output_, &errors_, &channel_}) close_end(*end);
}

void ChildProcess::close_input() { close_end(input_); }

void ChildProcess::kill() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  close_all();
}

std::string ChildProcess::ended(double seconds) {
  if (pid_ <= 0) return "";
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    int status = 0;
    const pid_t reaped = waitpid(pid_, &status, WNOHANG);
    if (reaped == pid_) {
      ::kill(-pid_, SIGKILL);  // what it started itself
      pid_ = -1;
      return end_text(status);
    }
    if (std::chrono::steady_clock::now() >= deadline) return "";
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::vector<std::string> split_command_line(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && std::strchr(" \t\n", c) != nullptr) {
      if (in_word) words.push_back(std::exchange(word, ""));
      in_word = false;
      continue;
    }
    in_word = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      const char next = line[++i];
      // Between double quotes a backslash is itself unless it hides one of these.
      if (quote == '"' && std::strchr("\"\\$`", next) == nullptr) word += c;
      word += next;
    } else {
      word += c;
    }
  }
  if (quote != 0) fail_usage("command-line", line, "a quote stays open");
  if (in_word) words.push_back(word);
  if (words.empty()) fail_usage("command-line", "\"" + line + "\"", "wanted a program");
  return words;
}

}  // namespace onnxv
