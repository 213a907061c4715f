// A child process with three pipes and a channel of its own, killed with all that it started.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace onnxv {

struct ChildSettings {
  std::vector<std::string> arguments;  // [0]: the program, looked for in PATH
  std::string channel_variable;  // environment variable that names the second channel; "": none
  uint64_t memory = 0;           // bytes of private memory; 0: no limit
};

class ChildProcess {
 public:
  ChildProcess() = default;
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // False, with the reason in `problem`, when it cannot be started (no such program).
  bool start(const ChildSettings& settings, std::string& problem);
  bool running() const { return pid_ > 0; }
  // Ends the process group at once and reaps it.
  void kill();
  // Waits up to `seconds` for it to end; then "signal 11 (Segmentation fault)", "exit code 3"; ""
  // when it still runs.
  std::string ended(double seconds);

  int input() const { return input_; }  // its stdin; writing to a dead child is an error, no signal
  int output() const { return output_; }    // its stdout
  int errors() const { return errors_; }    // its stderr
  int channel() const { return channel_; }  // what it writes on the second channel
  void close_input();

 private:
  void close_all();
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1, channel_ = -1;
};

// As a shell splits words, without running one: blanks, '…', "…" and backslashes. Usage error
// "command-line" when a quote stays open or nothing is left.
std::vector<std::string> split_command_line(const std::string& line);

// "signal 11 (Segmentation fault)" or "exit code 3" of a waitpid status.
std::string end_text(int wait_status);

}  // namespace onnxv
