// The ladder: reads a formula over many lines, first as Ball on SIMD lanes, then, for the lines that are
// still open, as BallDD, and at last as Interval with growing precision, until every output element is proved.
//
// A line is one application of a formula: some elements of each operand in, some elements of each output out. An
// elementwise formula has lines of one element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/number/bound.h"
#include "src/number/format.h"
#include "src/number/operands.h"

namespace onnxv {

struct Formula;
class Interval;
class ModelReal;

// What an output element becomes.
struct Target {
  const Format* format = nullptr;  // null: an integer or a Bool
  IntegerFormat integer{64, true};
  bool boolean = false;  // 1 where the value is not zero, NaN included
  // Both apply to floats and integers; an integer that does not fit wraps under kInfinity.
  Rounding rounding = Rounding::kNearestEven;
  Overflow overflow = Overflow::kInfinity;

  static Target of(const Format& format) { return {&format, {64, true}, false, Rounding::kNearestEven, Overflow::kInfinity}; }
  static Target truncated(IntegerFormat integer) {
    return {nullptr, integer, false, Rounding::kTowardZero, Overflow::kInfinity};
  }
  // Bytes of one code: 1, 2, 4 or 8 (sub-byte types: 1).
  size_t width() const;
};

// Where the elements of one operand come from.
class LineSource {
 public:
  virtual ~LineSource() = default;
  // Writes `lines` * count() doubles, line after line. Inexact sources give midpoints.
  virtual void read(size_t first, size_t lines, double* midpoints) const = 0;
  // Elements of one line.
  virtual size_t count() const = 0;
  // One and the same line for every line: an attribute, a table.
  virtual bool shared() const { return false; }
  // False: the elements are known only within a radius (a computed operand, an integer beyond 2^53).
  virtual bool exact() const { return true; }
  virtual void read_radii(size_t first, size_t lines, double* radii) const;
  // Every element has at most as many significant bits as the format.
  virtual bool fits(const Format&) const { return false; }
  // The elements of one line as enclosures of the current precision. Default: the points that read() gives.
  virtual void read_intervals(size_t line, Interval* elements) const;
  // The elements of one line as a backend may have them (src/number/model.h). Default: what read() gives, within its radius.
  virtual void read_models(size_t line, ModelReal* elements) const;
};

// Constants: the same elements for every line.
class Constants : public LineSource {
 public:
  explicit Constants(std::vector<double> values) : values_(std::move(values)) {}
  void read(size_t first, size_t lines, double* midpoints) const override;
  size_t count() const override { return values_.size(); }
  bool shared() const override { return true; }
  bool fits(const Format& format) const override;

 private:
  std::vector<double> values_;
};

// Where the codes of one output go. Blocks arrive in any order, from several threads, disjoint.
class LineSink {
 public:
  virtual ~LineSink() = default;
  virtual size_t count() const = 0;
  virtual Target target() const = 0;
  // `codes`: lines * count() codes of target().width() bytes each, line after line.
  virtual void write(size_t first, size_t lines, const void* codes) = 0;
  // Within a ToleranceScope: the bounds of one line.
  virtual void write_bounds(size_t, const Bound*) {}
};

struct LadderCounts {
  uint64_t elements = 0;        // computed in all
  uint64_t lines = 0;
  uint64_t ball_dd_lines = 0;   // lines that lanes left open and BallDD closed
  uint64_t proof_lines = 0;     // lines that needed Interval
  uint64_t unproved = 0;        // elements still open at the cap: the midpoint is returned
  uint64_t most_bits = 0;       // highest precision that was needed
};
// Totals of this process; for --verbose and the reports.
LadderCounts ladder_counts();
void reset_ladder_counts();

struct LadderCall {
  const Formula* formula = nullptr;
  size_t lines = 0;
  std::vector<const LineSource*> inputs;
  std::vector<LineSink*> outputs;
  std::vector<int64_t> options;
  // Within a ToleranceScope: the type that the formula is computed in where the text names one. Null: the outputs' own.
  const Format* compute = nullptr;
};
// Evaluates the formula on all lines. Returns the number of output elements left unproved.
uint64_t climb(const LadderCall& call);
// The Model reading alone: the bounds of every output element. Within a ToleranceScope climb() does it by itself.
void bound_lines(const LadderCall& call);

// --rigorous: no library function is trusted, everything goes through MPFR.
void set_rigorous(bool rigorous);

// The instruction set in use: "none", "avx2" or "avx512"; the best one that the machine and the build have, unless
// ONNXV_SIMD forces another (usage error when that one is missing).
const char* instruction_set();

// Formats by number, for Options; kNoFormat where an option says "no rounding here".
int64_t format_number(const Format& format);
const Format& format_by_number(int64_t number);
inline constexpr int64_t kNoFormat = -1;

// Both ends of an enclosure rounded to nearest even: for round_to.
struct RoundedEnds {
  double low, high;  // decoded
  bool same;         // the same bits
};
RoundedEnds rounded_ends(int64_t format, double low, double high, bool exact);

// One element: both ends rounded by `target`; true and the code when they agree.
bool settle(const Target& target, double low, double high, bool exact, uint64_t* code);
uint64_t settle_exact(const Target& target, double value);

// What the lanes of one instruction set are asked to do: a block of lines in plain buffers.
struct LaneBlock {
  const Formula* formula;
  size_t lines;
  struct Input {
    const double* m;  // readable up to a whole register beyond the last element
    const double* r;  // null: exact; else as m
    size_t count;
    bool shared;
  };
  std::span<const Input> inputs;
  struct Output {
    Target target;
    size_t count;
    void* codes;  // lines * count codes of target.width() bytes
  };
  std::span<const Output> outputs;
  Options options;
  uint8_t* open;  // one byte per line, set to 1 where an element could not be decided
  bool machine = false;  // by the formula's Machine reading: every element comes out exact
};
void run_lanes_none(const LaneBlock& block);
void run_lanes_avx2(const LaneBlock& block);
void run_lanes_avx512(const LaneBlock& block);

}  // namespace onnxv
