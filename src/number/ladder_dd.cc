#include "src/number/ladder_dd.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>

#include "src/base/parallel.h"
#include "src/number/formula.h"
#include "src/number/interval.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr long kOperandBits = 128;  // of operands that are known by enclosures only
constexpr size_t kTogether = 256;   // lines of an elementwise formula that are read and written together

// Calls handle(at, count) for every run of consecutive numbers in `lines`.
template <class Handle>
void for_runs(std::span<const size_t> lines, Handle handle) {
  for (size_t at = 0; at < lines.size();) {
    size_t count = 1;
    while (at + count < lines.size() && lines[at + count] == lines[at] + count) ++count;
    handle(at, count);
    at += count;
  }
}

// Operands and results of some lines, kept from one batch to the next.
class Batch {
 public:
  explicit Batch(const LadderCall& call)
      : call_(call), in_(call.inputs.size()), out_(call.outputs.size()), shared_(std::make_unique<bool[]>(call.inputs.size() + 1)) {
    for (size_t k = 0; k < in_.size(); ++k) {
      shared_[k] = call.inputs[k]->shared();
      if (shared_[k]) read(k, 0, 1, room(in_[k], call.inputs[k]->count()));
    }
  }
  // Those of `lines` that stay open are added to `open`.
  void run(std::span<const size_t> lines, std::vector<size_t>* open) {
    std::vector<const void*> in_data;
    std::vector<void*> out_data;
    std::vector<size_t> in_count, out_count;
    for (size_t k = 0; k < in_.size(); ++k) {
      const size_t count = call_.inputs[k]->count();
      if (!shared_[k]) {
        BallDD* to = room(in_[k], lines.size() * count);
        for_runs(lines, [&](size_t at, size_t rows) { read(k, lines[at], rows, to + at * count); });
      }
      in_data.push_back(in_[k].data());
      in_count.push_back(count);
    }
    for (size_t k = 0; k < out_.size(); ++k) {
      out_count.push_back(call_.outputs[k]->count());
      out_data.push_back(room(out_[k], lines.size() * out_count[k]));
    }
    call_.formula->ball_dd({in_data.data(), in_count.data(), shared_.get(), out_data.data(), out_count.data(),
                            Options{call_.options.data()}, lines.size()});
    write(lines, open);
  }

 private:
  static BallDD* room(std::vector<BallDD>& buffer, size_t count) {
    if (buffer.size() < count + 1) buffer.resize(count + 1);
    return buffer.data();
  }
  void read(size_t k, size_t first, size_t rows, BallDD* to) {
    const LineSource& source = *call_.inputs[k];
    const size_t count = source.count();
    if (source.exact()) {
      doubles_.resize(rows * count + 1);
      source.read(first, rows, doubles_.data());
      std::copy_n(doubles_.begin(), rows * count, to);
      return;
    }
    enclosures_.resize(count + 1);
    for (size_t row = 0; row < rows; ++row) {
      source.read_intervals(first + row, enclosures_.data());
      for (size_t i = 0; i < count; ++i) *to++ = BallDD::of(enclosures_[i]);
    }
  }
  void write(std::span<const size_t> lines, std::vector<size_t>* open) {
    unclear_.assign(lines.size(), 0);
    for (size_t k = 0; k < out_.size(); ++k) {
      const Target target = call_.outputs[k]->target();
      const size_t count = call_.outputs[k]->count(), width = target.width();
      codes_.resize(lines.size() * count * width / sizeof(uint64_t) + 2);
      char* codes = reinterpret_cast<char*>(codes_.data());
      const BallDD* value = out_[k].data();
      for (size_t line = 0; line < lines.size(); ++line) {
        for (size_t i = 0; i < count; ++i, ++value) {
          uint64_t code = 0;
          if (!settle(target, *value, &code)) unclear_[line] = 1;
          std::memcpy(codes + (line * count + i) * width, &code, width);  // little-endian
        }
      }
      for_runs(lines, [&](size_t at, size_t rows) { call_.outputs[k]->write(lines[at], rows, codes + at * count * width); });
    }
    for (size_t line = 0; line < lines.size(); ++line) {
      if (unclear_[line] != 0) open->push_back(lines[line]);
    }
  }

  const LadderCall& call_;
  std::vector<std::vector<BallDD>> in_, out_;
  std::unique_ptr<bool[]> shared_;
  std::vector<double> doubles_;
  std::vector<Interval> enclosures_;
  std::vector<uint64_t> codes_;
  std::vector<uint8_t> unclear_;
};

}  // namespace

std::vector<size_t> climb_by_ball_dd(const LadderCall& call, size_t per_line, std::vector<size_t> lines) {
  if (lines.empty() || call.formula->ball_dd == nullptr) return lines;
  std::sort(lines.begin(), lines.end());
  const size_t together = call.formula->elementwise ? kTogether : 1;
  std::vector<size_t> open;
  std::mutex mutex;
  parallel_for(lines.size(), std::max<size_t>({together, 8, 4096 / per_line}), [&](size_t begin, size_t end) {
    const PrecisionScope scope(kOperandBits);
    Batch batch(call);
    std::vector<size_t> still_open;
    for (size_t i = begin; i < end; i += together) {
      batch.run(std::span(lines).subspan(i, std::min(together, end - i)), &still_open);
    }
    const std::lock_guard lock(mutex);
    open.insert(open.end(), still_open.begin(), still_open.end());
  });
  std::sort(open.begin(), open.end());
  return open;
}

}  // namespace onnxv
