#include "src/number/float_lines.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "src/base/parallel.h"
#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"
#include "src/number/line_loops.h"

namespace onnxv {
namespace {

const LineLoops& loops() {
  static const LineLoops& chosen = ONNXV_OF_SET(kLineLoops);
  return chosen;
}

constexpr size_t kBlockElements = 1 << 15, kLongestLine = 1 << 20;

// settle(line) for each line, in blocks; the lines for which it is false.
template <class Settle>
std::vector<size_t> open_lines(size_t lines, size_t length, const Settle& settle) {
  std::vector<size_t> open;
  std::mutex mutex;
  parallel_for(lines, std::max<size_t>(1, kBlockElements / std::max<size_t>(1, length)), [&](size_t begin, size_t end) {
    for (size_t line = begin; line < end; ++line) {
      if (length >= kShortLine && length <= kLongestLine && settle(line)) continue;
      const std::lock_guard lock(mutex);
      open.push_back(line);
    }
  });
  std::sort(open.begin(), open.end());
  return open;
}

}  // namespace

std::vector<size_t> softmax_lines(const float* x, size_t lines, size_t length, float* y) {
  return open_lines(lines, length, [=](size_t line) {
    static thread_local std::vector<double> room;
    if (room.size() < length) room.resize(length);
    return loops().softmax(x + line * length, length, room.data(), y + line * length);
  });
}

std::vector<size_t> log_softmax_lines(const float* x, size_t lines, size_t length, float* y) {
  return open_lines(lines, length, [=](size_t line) { return loops().log_softmax(x + line * length, length, y + line * length); });
}

std::vector<size_t> normalize_lines(const LineNormalization& job) {
  return open_lines(job.lines, job.length, [&](size_t line) { return loops().normalize(job, line); });
}

}  // namespace onnxv
