#include "conformance/backend/line_channel.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace onnxv {
namespace {

using Clock = std::chrono::steady_clock;

// For poll: -1 waits for ever.
int milliseconds_to(const Deadline& deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

}  // namespace

Deadline deadline_in(double seconds) {
  if (seconds <= 0) return std::nullopt;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(seconds, 1e8)));
}

void LineChannel::drain(int descriptor, Stream& stream, bool keep) {
  constexpr size_t kLastWords = 4096;
  char buffer[65536];
  // A bounded number of reads: a child that writes without pause must not keep us from looking at
  // the clock.
  for (int round = 0; round < 64 && descriptor >= 0 && !stream.ended; ++round) {
    const ssize_t count = ::read(descriptor, buffer, sizeof(buffer));
    if (count < 0) {
      stream.ended = errno != EAGAIN && errno != EINTR;
      return;
    }
    if (count == 0) stream.ended = true;
    stream.seen += static_cast<size_t>(count);
    stream.text.append(buffer, static_cast<size_t>(count));
    if (!keep && stream.text.size() > 2 * kLastWords) {
      stream.text.erase(0, stream.text.size() - kLastWords);
    }
    if (stream.text.size() > kLongestLine) return;
  }
}

void LineChannel::drain_all() {
  drain(child_.output(), output_, only_ != Source::kChannel);
  drain(child_.channel(), channel_, only_ != Source::kOutput);
  drain(child_.errors(), errors_, false);
}

bool LineChannel::wait(Deadline deadline, bool for_writing) {
  std::vector<pollfd> watched;
  const auto watch = [&](int descriptor, const Stream& stream) {
    if (descriptor >= 0 && !stream.ended) watched.push_back({descriptor, POLLIN, 0});
  };
  watch(child_.output(), output_);
  watch(child_.channel(), channel_);
  watch(child_.errors(), errors_);
  if (for_writing && child_.input() >= 0) watched.push_back({child_.input(), POLLOUT, 0});
  if (watched.empty()) return true;
  poll(watched.data(), watched.size(), milliseconds_to(deadline));
  return !deadline || Clock::now() < *deadline;
}

bool LineChannel::take_line(Stream& stream, std::string& line) {
  const size_t end = stream.text.find('\n');
  if (end == std::string::npos) return false;
  line = stream.text.substr(0, end);
  stream.text.erase(0, end + 1);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

LineChannel::Event LineChannel::next_line(Deadline deadline, std::string& line, Source& source) {
  for (;;) {
    drain_all();
    for (const Source candidate : {Source::kChannel, Source::kOutput}) {
      Stream& stream = candidate == Source::kChannel ? channel_ : output_;
      if (only_ && *only_ != candidate) continue;
      if (take_line(stream, line)) {
        source = candidate;
        return Event::kLine;
      }
      if (stream.text.size() > kLongestLine || (!only_ && stream.seen > kLongestLine)) {
        return Event::kFlood;
      }
    }
    const bool output_ended = output_.ended || only_ == Source::kChannel;
    const bool channel_ended = channel_.ended || child_.channel() < 0 || only_ == Source::kOutput;
    if (output_ended && channel_ended) return Event::kEnded;
    if (!wait(deadline, false)) return Event::kTimeout;
  }
}

bool LineChannel::has_pending() {
  drain_all();
  const Stream& stream = only_ == Source::kChannel ? channel_ : output_;
  return !stream.text.empty();
}

bool LineChannel::send(const std::string& line, Deadline deadline, bool& ended) {
  size_t sent = 0;
  ended = false;
  while (sent < line.size()) {
    const ssize_t count = ::write(child_.input(), line.data() + sent, line.size() - sent);
    if (count > 0) {
      sent += static_cast<size_t>(count);
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
      ended = true;
      return false;
    }
    drain_all();
    if (!wait(deadline, true)) return false;
  }
  return true;
}

void LineChannel::forget_words() {
  drain(child_.errors(), errors_, false);
  errors_.text.clear();
}

std::string LineChannel::last_words() {
  drain(child_.errors(), errors_, false);
  std::string text = errors_.text;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

}  // namespace onnxv
