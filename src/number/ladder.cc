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

namespace onnxv {
namespace {

std::atomic<uint64_t> g_elements{0}, g_lines{0}, g_proof_lines{0}, g_unproved{0}, g_most_bits{0};
std::atomic<bool> g_rigorous{false};

void raise_to(std::atomic<uint64_t>& most, uint64_t value) {
  uint64_t seen = most.load();
  while (seen < value && !most.compare_exchange_weak(seen, value)) {
  }
}

}  // namespace

LadderCounts ladder_counts() { return {g_elements, g_lines, g_proof_lines, g_unproved, g_most_bits}; }
void reset_ladder_counts() {
  g_elements = 0;
  g_lines = 0;
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
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")},
#endif
#ifdef ONNXV_SET_avx2
        {"avx2", run_lanes_avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")},
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

Reading lanes_of(const Formula& formula) {
  const std::string_view name = chosen_set().name;
  return name == "avx512" ? formula.lanes_avx512 : name == "avx2" ? formula.lanes_avx2 : formula.lanes_none;
}

}  // namespace

const char* instruction_set() { return chosen_set().name; }

// ---- the ladder ----

namespace {

constexpr long kFirstBits = 128;
constexpr long kLastBits = 4096;
// An exact tie of a product of two float64 sums may need this much; algebraic formulas end here at the latest.
constexpr long kTieBits = 16384;
constexpr size_t kBlockElements = 1 << 14;

size_t elements_of_line(const LadderCall& call) {
  size_t elements = 1;
  for (const LineSource* input : call.inputs) {
    if (!input->shared()) elements = std::max(elements, input->count());
  }
  for (const LineSink* output : call.outputs) elements = std::max(elements, output->count());
  return elements;
}

// Buffers of one block of lines.
struct Block {
  std::vector<std::vector<double>> m, r;
  std::vector<LaneBlock::Input> inputs;
  std::vector<std::vector<uint64_t>> codes;
  std::vector<LaneBlock::Output> outputs;
  std::vector<uint8_t> open;
};

void read_inputs(const LadderCall& call, size_t first, size_t lines, Block* block) {
  block->m.resize(call.inputs.size());
  block->r.resize(call.inputs.size());
  for (size_t k = 0; k < call.inputs.size(); ++k) {
    const LineSource& source = *call.inputs[k];
    const size_t rows = source.shared() ? 1 : lines;
    // One more, so that data() is never null for empty lines.
    block->m[k].resize(rows * source.count() + 1);
    source.read(source.shared() ? 0 : first, rows, block->m[k].data());
    const double* radii = nullptr;
    if (!source.exact()) {
      block->r[k].resize(rows * source.count() + 1);
      source.read_radii(source.shared() ? 0 : first, rows, block->r[k].data());
      radii = block->r[k].data();
    }
    block->inputs.push_back({block->m[k].data(), radii, source.count(), source.shared()});
  }
}

void make_outputs(const LadderCall& call, size_t lines, Block* block) {
  for (LineSink* sink : call.outputs) {
    const size_t bytes = lines * sink->count() * sink->target().width();
    block->codes.emplace_back(bytes / 8 + 1);
    block->outputs.push_back({sink->target(), sink->count(), nullptr});
  }
  for (size_t k = 0; k < block->outputs.size(); ++k) block->outputs[k].codes = block->codes[k].data();
}

// First rung: the open lines of [first, first + lines) come back.
std::vector<size_t> lane_rung(const LadderCall& call, size_t first, size_t lines) {
  Block block;
  block.open.assign(lines, 0);
  read_inputs(call, first, lines, &block);
  make_outputs(call, lines, &block);
  chosen_set().run({call.formula, lines, block.inputs, block.outputs, Options{call.options.data()}, block.open.data()});
  std::vector<size_t> open;
  for (size_t i = 0; i < lines; ++i) {
    if (block.open[i] != 0) open.push_back(first + i);
  }
  for (size_t k = 0; k < call.outputs.size(); ++k) call.outputs[k]->write(first, lines, block.codes[k].data());
  return open;
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
  return *code == encode_mpfr(target, x.high());
}

// The whole line as Interval at one precision. Returns the number of elements still open.
size_t proof_line(const LadderCall& call, size_t line, long bits) {
  const PrecisionScope scope(bits);
  const size_t arity = call.inputs.size();
  std::vector<std::vector<Interval>> in(arity), out(call.outputs.size());
  std::vector<const void*> in_data(arity);
  std::vector<size_t> in_count(arity), out_count(call.outputs.size());
  std::vector<void*> out_data(call.outputs.size());
  const auto shared = std::make_unique<bool[]>(arity + 1);
  for (size_t k = 0; k < arity; ++k) {
    in_count[k] = call.inputs[k]->count();
    in[k].resize(in_count[k] + 1);
    call.inputs[k]->read_intervals(call.inputs[k]->shared() ? 0 : line, in[k].data());
    in_data[k] = in[k].data();
    shared[k] = call.inputs[k]->shared();
  }
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    out_count[k] = call.outputs[k]->count();
    out[k].resize(out_count[k] + 1);
    out_data[k] = out[k].data();
  }
  call.formula->interval({in_data.data(), in_count.data(), shared.get(), out_data.data(), out_count.data(),
                          Options{call.options.data()}, 1});
  size_t open = 0;
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    const Target target = call.outputs[k]->target();
    std::vector<uint64_t> codes(out_count[k] + 1);
    for (size_t i = 0; i < out_count[k]; ++i) {
      uint64_t code = 0;
      if (!settle_interval(target, out[k][i], &code)) ++open;
      put_code(codes.data(), target.width(), i, code);
    }
    call.outputs[k]->write(line, 1, codes.data());
  }
  return open;
}

// Returns the number of elements that no precision settled.
size_t prove(const LadderCall& call, size_t line) {
  long bits = kFirstBits;
  size_t open = proof_line(call, line, bits);
  while (open != 0 && bits < kLastBits) {
    bits *= 2;
    open = proof_line(call, line, bits);
  }
  if (open != 0) open = proof_line(call, line, bits = kTieBits);
  raise_to(g_most_bits, static_cast<uint64_t>(bits));
  return open;
}

// One IEEE operation on float64: the machine's own is the answer.
bool is_plain(const LadderCall& call) {
  if (call.formula->plain == nullptr) return false;
  for (const LineSource* input : call.inputs) {
    if (!input->exact()) return false;
  }
  const Target target = call.outputs[0]->target();
  return target.format == &kFloat64 && target.rounding == Rounding::kNearestEven &&
         target.overflow == Overflow::kInfinity;
}

void run_plain(const LadderCall& call, size_t first, size_t lines) {
  Block block;
  read_inputs(call, first, lines, &block);
  std::vector<const void*> in;
  std::vector<size_t> in_count;
  const auto shared = std::make_unique<bool[]>(call.inputs.size() + 1);
  for (const LaneBlock::Input& input : block.inputs) {
    shared[in.size()] = input.shared;
    in.push_back(input.m);
    in_count.push_back(lines);
  }
  std::vector<double> results(lines);
  void* out[1] = {results.data()};
  const size_t out_count[1] = {lines};
  call.formula->plain({in.data(), in_count.data(), shared.get(), out, out_count, Options{call.options.data()}, lines});
  for (double& result : results) {
    if (std::isnan(result)) std::memcpy(&result, &kFloat64.canonical_nan, sizeof result);
  }
  call.outputs[0]->write(first, lines, results.data());
}

}  // namespace

uint64_t climb(const LadderCall& call) {
  if (call.lines == 0) return 0;
  const size_t per_line = elements_of_line(call);
  if (is_plain(call)) {
    parallel_for(call.lines, kBlockElements, [&](size_t begin, size_t end) { run_plain(call, begin, end - begin); });
    g_elements += call.lines;
    g_lines += call.lines;
    return 0;
  }
  const size_t grain = std::max<size_t>(8, kBlockElements / per_line / 8 * 8);
  std::vector<size_t> open;
  std::mutex mutex;
  const Reading lanes = g_rigorous ? nullptr : lanes_of(*call.formula);
  if (lanes != nullptr) {
    parallel_for(call.lines, grain, [&](size_t begin, size_t end) {
      const std::vector<size_t> still_open = lane_rung(call, begin, end - begin);
      const std::lock_guard lock(mutex);
      open.insert(open.end(), still_open.begin(), still_open.end());
    });
  } else {
    open.resize(call.lines);
    for (size_t i = 0; i < call.lines; ++i) open[i] = i;
  }
  std::atomic<uint64_t> unproved{0};
  const size_t proof_grain = std::max<size_t>(1, 64 / per_line);
  parallel_for(open.size(), proof_grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) unproved += prove(call, open[i]);
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
