// Lines from and to a child process, with a deadline; whatever else it writes is drained and
// dropped.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "conformance/backend/child_process.h"

namespace onnxv {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;
Deadline deadline_in(double seconds);  // 0: none

class LineChannel {
 public:
  explicit LineChannel(ChildProcess& child) : child_(child) {}

  enum class Event { kLine, kEnded, kTimeout, kFlood };
  enum class Source { kOutput, kChannel };

  // The next line of either pipe. After `listen_to`, of that pipe alone: the other one is drained.
  Event next_line(Deadline deadline, std::string& line, Source& source);
  void listen_to(Source source) { only_ = source; }
  // True when something beyond the last line has been written already.
  bool has_pending();
  // False when the child cannot take it (it ended, or never reads) before the deadline; `ended`
  // says which.
  bool send(const std::string& line, Deadline deadline, bool& ended);
  // The end of what it wrote to stderr, and how to begin anew: a crash should not be explained by
  // an earlier test's warning.
  std::string last_words();
  void forget_words();

 private:
  // One longer than this, or as much rubbish before the first line, is a flood.
  static constexpr size_t kLongestLine = size_t{16} << 20;

  struct Stream {
    std::string text;
    bool ended = false;
    size_t seen = 0;  // bytes in all
  };
  bool wait(Deadline deadline, bool for_writing);
  void drain(int descriptor, Stream& stream, bool keep);
  void drain_all();
  bool take_line(Stream& stream, std::string& line);

  ChildProcess& child_;
  Stream output_, channel_, errors_;
  std::optional<Source> only_;
};

}  // namespace onnxv
