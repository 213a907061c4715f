#include "src/number/ladder.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <memory>
#include <string>

#include "src/base/error.h"
#include "src/base/parallel.h"
#include "src/number/formula.h"
#include "src/number/interval.h"
#include "src/number/ladder_dd.h"
#include "src/number/placed_codes.h"
#include "src/number/settled_lines.h"

namespace onnxv {
namespace {

std::atomic<uint64_t> g_elements{0}, g_lines{0}, g_ball_dd_lines{0}, g_proof_lines{0}, g_unproved{0}, g_most_bits{0};
std::atomic<bool> g_rigorous{false};

void raise_to(std::atomic<uint64_t>& most, uint64_t value) {
  uint64_t seen = most.load();
  while (seen < value && !most.compare_exchange_weak(seen, value)) {
  }
}

}  // namespace

LadderCounts ladder_counts() { return {g_elements, g_lines, g_ball_dd_lines, g_proof_lines, g_unproved, g_most_bits}; }
void reset_ladder_counts() {
  g_elements = 0;
  g_lines = 0;
  g_ball_dd_lines = 0;
  g_proof_lines = 0;
  g_unproved = 0;
  g_most_bits = 0;
}
void set_rigorous(bool rigorous) { g_rigorous = rigorous; }

// ---- sources ----

void LineSource::read_radii(size_t, size_t lines, double* radii) const {
  std::fill_n(radii, lines * count(), 0.0);
}

void LineSource::read_intervals(size_t line, Interval* elements) const {
  std::vector<double> points(count());
  read(line, 1, points.data());
  for (size_t i = 0; i < points.size(); ++i) elements[i] = Interval(points[i]);
}

void Constants::read(size_t, size_t lines, double* midpoints) const {
  for (size_t line = 0; line < lines; ++line) {
    midpoints = std::copy(values_.begin(), values_.end(), midpoints);
  }
}

bool Constants::fits(const Format& format) const {
  return std::all_of(values_.begin(), values_.end(), [&](double value) {
    int exponent;
    const double scaled = std::ldexp(std::frexp(value, &exponent), format.mantissa_bits + 1);
    return !std::isfinite(value) || scaled == std::trunc(scaled);
  });
}

// ---- instruction sets ----

namespace {

struct Set {
  const char* name;
  void (*run)(const LaneBlock&);
  bool machine_has;
};

const Set& chosen_set() {
  static const Set chosen = [] {
    __builtin_cpu_init();
    const Set sets[] = {
#ifdef ONNXV_SET_avx512
        {"avx512", run_lanes_avx512,
         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("f16c")},
#endif
#ifdef ONNXV_SET_avx2
        {"avx2", run_lanes_avx2,
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")},
#endif
#ifdef ONNXV_SET_none
        {"none", run_lanes_none, true},
#endif
    };
    const char* forced = std::getenv("ONNXV_SIMD");
    for (const Set& set : sets) {
      if (forced != nullptr && *forced != 0 ? std::string(forced) == set.name && set.machine_has : set.machine_has) {
        return set;
      }
    }
    fail_usage("simd", "ONNXV_SIMD is " + std::string(forced == nullptr ? "unset" : forced),
               "must be an instruction set that this machine and this build have");
  }();
  return chosen;
}

}  // namespace

const char* instruction_set() { return chosen_set().name; }

// ---- lanes alone ----

bool lanes_suffice() { return !g_rigorous && ToleranceScope::current() == nullptr; }

void count_settled(uint64_t elements, uint64_t lines) {
  g_elements += elements;
  g_lines += lines;
}

std::vector<size_t> settle_lines_on_lanes(LaneBlock block) {
  static thread_local std::vector<uint8_t> open;
  open.assign(block.lines, 0);
  block.open = open.data();
  chosen_set().run(block);
  std::vector<size_t> lines;
  if (std::memchr(open.data(), 1, block.lines) != nullptr) {
    for (size_t line = 0; line < block.lines; ++line) {
      if (open[line] != 0) lines.push_back(line);
    }
  }
  size_t elements = 0;
  for (const LaneBlock::Output& output : block.outputs) elements += output.count;
  count_settled((block.lines - lines.size()) * elements, block.lines - lines.size());
  return lines;
}

// ---- the ladder ----

namespace {

constexpr long kFirstBits = 128;
constexpr long kLastBits = 4096;
// An exact tie of a product of two float64 sums may need this much; algebraic formulas end here at the latest.
constexpr long kTieBits = 16384;
constexpr size_t kBlockElements = 1 << 14;
constexpr size_t kPieceElements = 1 << 9;  // of an elementwise formula: operands and results stay in the first cache

size_t elements_of_line(const LadderCall& call) {
  size_t elements = 1;
  for (const LineSource* input : call.inputs) {
    if (!input->shared()) elements = std::max(elements, input->count());
  }
  for (const LineSink* output : call.outputs) elements = std::max(elements, output->count());
  return elements;
}

constexpr size_t kPadding = 8;  // lanes of the widest set

// Buffers of one block of lines. They are kept from block to block: fresh memory costs as much as the work.
struct Block {
  std::vector<std::vector<double>> m, r;
  std::vector<LaneBlock::Input> inputs;
  std::vector<std::vector<uint64_t>> codes;
  std::vector<LaneBlock::Output> outputs;
  std::vector<uint8_t> open;
};

// Grown, never shrunk; the values are anybody's.
template <class T>
T* room(std::vector<std::vector<T>>& buffers, size_t k, size_t count) {
  if (buffers.size() <= k) buffers.resize(k + 1);
  if (buffers[k].size() < count) buffers[k].resize(count);
  return buffers[k].data();
}

double* padded(double* values, size_t count) {
  for (size_t i = 0; i < kPadding; ++i) values[count + i] = count == 0 ? 0 : values[count - 1];
  return values;
}

void read_inputs(const LadderCall& call, size_t first, size_t lines, Block* block) {
  block->inputs.clear();
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    const LineSource& source = *call.inputs[k];
    const size_t from = source.shared() ? 0 : first, rows = source.shared() ? 1 : lines;
    const size_t count = rows * source.count();
    double* m = room(block->m, k, count + kPadding);
    source.read(from, rows, m);
    const double* radii = nullptr;
    if (!source.exact()) {
      double* r = room(block->r, k, count + kPadding);
      source.read_radii(from, rows, r);
      radii = padded(r, count);
    }
    block->inputs.push_back({padded(m, count), radii, source.count(), source.shared()});
  }
}

void* place_of(LineSink* sink, size_t first) {
  PlacedSink* placed = dynamic_cast<PlacedSink*>(sink);
  return placed == nullptr ? nullptr : placed->place(first);
}

void make_outputs(const LadderCall& call, size_t first, size_t lines, Block* block) {
  block->outputs.clear();
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    LineSink* sink = call.outputs[k];
    const size_t bytes = lines * sink->count() * sink->target().width();
    void* place = place_of(sink, first);
    if (place == nullptr) place = room(block->codes, k, bytes / 8 + 1);
    block->outputs.push_back({sink->target(), sink->count(), place});
  }
}

// A float64 too small to be seen in the radius of a vanished number: Ball might mistake the sign of their sum.
bool has_invisible(const LadderCall& call, const Block& block, size_t lines) {
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    if (call.inputs[k]->fits(kFloat32)) continue;
    const LaneBlock::Input& input = block.inputs[k];
    const double* end = input.m + (input.shared ? 1 : lines) * input.count;
    if (std::any_of(input.m, end, [](double m) { return m != 0 && std::fabs(m) < 0x1p-945; })) return true;
  }
  return false;
}

// First rung for the lines [first, first + lines): those that stay open are added to `open`.
void lane_rung(const LadderCall& call, size_t first, size_t lines, bool machine, Block* block, std::vector<size_t>* open) {
  block->open.assign(lines, 0);
  read_inputs(call, first, lines, block);
  make_outputs(call, first, lines, block);
  chosen_set().run({call.formula, lines, block->inputs, block->outputs, Options{call.options.data()},
                    block->open.data(), machine});
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    if (place_of(call.outputs[k], first) == nullptr) call.outputs[k]->write(first, lines, block->outputs[k].codes);
  }
  if (!machine && has_invisible(call, *block, lines)) std::fill(block->open.begin(), block->open.end(), uint8_t{1});
  if (machine || std::memchr(block->open.data(), 1, lines) == nullptr) return;
  for (size_t i = 0; i < lines; ++i) {
    if (block->open[i] != 0) open->push_back(first + i);
  }
}

void put_code(void* codes, size_t width, size_t at, uint64_t code) {
  std::memcpy(static_cast<char*>(codes) + at * width, &code, width);  // little-endian
}

// The code of an enclosure; false where its ends differ.
bool settle_interval(const Target& target, const Interval& x, uint64_t* code) {
  if (x.is_open()) {
    *code = target.format != nullptr ? target.format->canonical_nan : 0;
    return false;
  }
  if (x.is_nan_point()) {
    *code = settle_exact(target, std::nan(""));
    return true;
  }
  const bool straddles = mpfr_sgn(x.low()) <= 0 && mpfr_sgn(x.high()) >= 0;
  if (target.boolean && straddles && !x.is_point()) return false;
  *code = encode_mpfr(target, x.low());
  if (x.is_point()) return true;
  const uint64_t high = encode_mpfr(target, x.high());
  if (*code == high) return true;
  // The best guess where not even the sign is known: the sum that is exactly zero.
  if (straddles && settle_exact(target, -0.0) == *code) *code = settle_exact(target, 0.0);
  return false;
}

// The code of every output element of line `i` of those in `out`. Returns the number that stay open.
size_t settle_line(const LadderCall& call, const std::vector<std::vector<Interval>>& out, size_t i, size_t line) {
  size_t open = 0;
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    const Target target = call.outputs[k]->target();
    const size_t count = call.outputs[k]->count();
    std::vector<uint64_t> codes(count + 1);
    for (size_t element = 0; element < count; ++element) {
      uint64_t code = 0;
      if (!settle_interval(target, out[k][i * count + element], &code)) ++open;
      put_code(codes.data(), target.width(), element, code);
    }
    call.outputs[k]->write(line, 1, codes.data());
  }
  return open;
}

// Whole lines as Interval at one precision: several of an elementwise formula, else one. Returns the number of elements still
// open and leaves in `lines` the lines that have some.
size_t proof_lines(const LadderCall& call, std::vector<size_t>& lines, long bits) {
  const PrecisionScope scope(bits);
  const size_t arity = call.inputs.size();
  std::vector<std::vector<Interval>> in(arity), out(call.outputs.size());
  std::vector<const void*> in_data(arity);
  std::vector<size_t> in_count(arity), out_count(call.outputs.size());
  std::vector<void*> out_data(call.outputs.size());
  const auto shared = std::make_unique<bool[]>(arity + 1);
  for (size_t k = 0; k < arity; ++k) {
    const LineSource& source = *call.inputs[k];
    in_count[k] = source.count();
    shared[k] = source.shared();
    const size_t rows = shared[k] ? 1 : lines.size();
    in[k].resize(rows * in_count[k] + 1);
    for (size_t i = 0; i < rows; ++i) source.read_intervals(shared[k] ? 0 : lines[i], in[k].data() + i * in_count[k]);
    in_data[k] = in[k].data();
  }
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    out_count[k] = call.outputs[k]->count();
    out[k].resize(lines.size() * out_count[k] + 1);
    out_data[k] = out[k].data();
  }
  call.formula->interval({in_data.data(), in_count.data(), shared.get(), out_data.data(), out_count.data(),
                          Options{call.options.data()}, lines.size()});
  std::vector<size_t> still_open;
  size_t open = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t elements = settle_line(call, out, i, lines[i]);
    if (elements != 0) still_open.push_back(lines[i]);
    open += elements;
  }
  lines = std::move(still_open);
  return open;
}

// Returns the number of elements that no precision settled.
size_t prove(const LadderCall& call, std::vector<size_t> lines) {
  long bits = kFirstBits;
  size_t open = proof_lines(call, lines, bits);
  while (open != 0 && bits < kLastBits) {
    bits *= 2;
    open = proof_lines(call, lines, bits);
  }
  if (open != 0) open = proof_lines(call, lines, bits = kTieBits);
  raise_to(g_most_bits, static_cast<uint64_t>(bits));
  return open;
}

// Whether the machine's own operation, rounded once to the target, is the answer (Single of formula.h).
bool is_machine(const LadderCall& call) {
  const Formula& formula = *call.formula;
  if (formula.single == Single::kNo) return false;
  for (const LineSource* input : call.inputs) {
    if (!input->exact()) return false;
  }
  if (formula.single == Single::kExact) return true;
  const Target target = call.outputs[0]->target();
  if (target.format == nullptr || target.rounding != Rounding::kNearestEven) return false;
  return target.format == &kFloat64 || std::all_of(call.inputs.begin(), call.inputs.end(), [&](const LineSource* input) {
    return input->fits(*target.format);
  });
}

// Everything on lanes, in pieces of a size that the caches like. Returns the lines that stay open.
std::vector<size_t> climb_on_lanes(const LadderCall& call, size_t per_line, bool machine) {
  const size_t grain = std::max<size_t>(8, kBlockElements / per_line / 8 * 8);
  const size_t piece = call.formula->elementwise ? kPieceElements : grain;
  std::vector<size_t> open;
  std::mutex mutex;
  parallel_for(call.lines, grain, [&](size_t begin, size_t end) {
    static thread_local std::unique_ptr<Block> kept;
    // A source may climb a ladder of its own while it is read: that one finds nothing kept.
    std::unique_ptr<Block> block = kept != nullptr ? std::move(kept) : std::make_unique<Block>();
    std::vector<size_t> still_open;
    for (size_t first = begin; first < end; first += piece) {
      lane_rung(call, first, std::min(piece, end - first), machine, block.get(), &still_open);
    }
    kept = std::move(block);
    if (still_open.empty()) return;
    const std::lock_guard lock(mutex);
    open.insert(open.end(), still_open.begin(), still_open.end());
  });
  return open;
}

}  // namespace

uint64_t climb(const LadderCall& call) {
  if (call.lines == 0) return 0;
  if (ToleranceScope::current() != nullptr) bound_lines(call);
  const size_t per_line = elements_of_line(call);
  const bool machine = is_machine(call);
  std::vector<size_t> open;
  if (machine || !g_rigorous) {
    open = climb_on_lanes(call, per_line, machine);
    const size_t given = open.size();
    open = climb_by_ball_dd(call, per_line, std::move(open));
    g_ball_dd_lines += given - open.size();
  } else {
    open.resize(call.lines);
    for (size_t i = 0; i < call.lines; ++i) open[i] = i;
  }
  std::atomic<uint64_t> unproved{0};
  // Lines of an elementwise formula are proved together: what surrounds a call costs more than a function.
  const size_t together = call.formula->elementwise ? 64 : 1;
  parallel_for(open.size(), std::max<size_t>(together, 64 / per_line), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += together) {
      const auto first = open.begin() + static_cast<std::ptrdiff_t>(i);
      unproved += prove(call, {first, first + static_cast<std::ptrdiff_t>(std::min(together, end - i))});
    }
  });
  size_t outputs = 0;
  for (const LineSink* sink : call.outputs) outputs += sink->count();
  g_elements += call.lines * outputs;
  g_lines += call.lines;
  g_proof_lines += open.size();
  g_unproved += unproved;
  return unproved;
}

}  // namespace onnxv
