#include "src/cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace onnxv::cli {
namespace {

size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string progress_line(std::string_view title, size_t done, size_t total, int seconds,
                          std::string_view note, size_t columns) {
  constexpr size_t kBar = 24;
  done = std::min(done, total);
  const size_t filled = total == 0 ? kBar : kBar * done / total;
  std::string line(title);
  line += " [" + std::string(filled, '#') + std::string(kBar - filled, '.') + "] ";
  line += std::to_string(done) + "/" + std::to_string(total);
  const std::string two_digits = std::to_string(seconds % 60 + 100).substr(1);
  line += " " + std::to_string(seconds / 60) + ":" + two_digits;
  if (!note.empty()) line += " " + std::string(note);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line.substr(0, columns);
}

Progress::Progress(bool shown, std::string title, size_t total)
    : shown_(shown),
      title_(std::move(title)),
      total_(total),
      started_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::update(size_t done, std::string_view note) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && done < total_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  draw(done, note);
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

void Progress::draw(size_t done, std::string_view note) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(last_ - started_).count();
  const std::string line =
      progress_line(title_, done, total_, static_cast<int>(seconds), note, terminal_columns() - 1);
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace onnxv::cli
