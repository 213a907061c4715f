// A progress bar on stderr: one line that is redrawn at most ten times a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace onnxv::cli {

class Progress {
 public:
  // Draws nothing unless `shown`.
  Progress(bool shown, std::string title, size_t total);
  ~Progress();  // removes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of the total; `note` is what is being done, cut to the terminal's width.
  void update(size_t done, std::string_view note = {});
  // Removes the line, so that something else can be printed; the next update draws it again.
  void clear();

 private:
  void draw(size_t done, std::string_view note);

  bool shown_;
  std::string title_;
  size_t total_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_, last_;
};

// The line itself, `columns` wide at most: "suite [#####.....] 50/100 0:12 test_abs".
std::string progress_line(std::string_view title, size_t done, size_t total, int seconds,
                          std::string_view note, size_t columns);

}  // namespace onnxv::cli
