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

// ---- formats and settling ----

size_t Target::width() const {
  const int bits = boolean ? 8 : format != nullptr ? format->bits : integer.bits;
  return bits <= 8 ? 1 : static_cast<size_t>(bits) / 8;
}

int64_t format_number(const Format& format) {
  const auto formats = all_formats();
  for (size_t i = 0; i < formats.size(); ++i) {
    if (formats[i] == &format) return static_cast<int64_t>(i);
  }
  fail_internal("format", "a format is not in the table");
}
const Format& format_by_number(int64_t number) { return *all_formats()[static_cast<size_t>(number)]; }

namespace {

// Nearest integer by the rule, of a double: exact.
double integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven: return std::nearbyint(value);
    case Rounding::kTowardZero: return std::trunc(value);
    case Rounding::kUp: return std::ceil(value);
    case Rounding::kDown: return std::floor(value);
    case Rounding::kNearestTiesUp: return std::floor(value) + (value - std::floor(value) >= 0.5 ? 1.0 : 0.0);
  }
  return value;
}

// An integral double modulo 2^64 as an int128 (beyond 2^117 the low bits are all zero).
uint64_t integer_code(const Target& target, double integral_value) {
  const bool saturates = target.overflow == Overflow::kSaturate;
  if (std::isnan(integral_value)) return saturates ? wrap_integer(target.integer, smallest_integer(target.integer)) : 0;
  if (std::fabs(integral_value) >= 0x1p100) {
    if (!saturates) return 0;
    return wrap_integer(target.integer, integral_value > 0 ? largest_integer(target.integer)
                                                           : smallest_integer(target.integer));
  }
  const int128 value = static_cast<int128>(integral_value);
  return saturates ? saturate_integer(target.integer, value) : wrap_integer(target.integer, value);
}

}  // namespace

uint64_t settle_exact(const Target& target, double value) {
  if (target.boolean) return value != 0 ? 1 : 0;
  if (target.format != nullptr) return encode(*target.format, {value, 0}, target.rounding, target.overflow);
  return integer_code(target, integral(value, target.rounding));
}

bool settle(const Target& target, double low, double high, bool exact, uint64_t* code) {
  if (exact) {
    *code = settle_exact(target, low);
    return true;
  }
  // A double can hold neither end of a float64 decision: only exact midpoints are.
  if (target.format == &kFloat64) return false;
  if (target.boolean && low <= 0 && high >= 0) return false;
  *code = settle_exact(target, low);
  return *code == settle_exact(target, high);
}

RoundedEnds rounded_ends(int64_t number, double low, double high, bool exact) {
  const Format& format = format_by_number(number);
  const Target target = Target::of(format);
  if (!exact && &format == &kFloat64) return {low, high, false};
  const uint64_t a = settle_exact(target, low), b = exact ? a : settle_exact(target, high);
  return {decode(format, a), decode(format, b), a == b};
}

uint64_t encode_mpfr(const Target& target, const mpfr_t value) {
  if (target.boolean) return mpfr_zero_p(value) == 0 ? 1 : 0;
  if (target.format == &kFloat64) {
    // mpfr_get_d rounds once, subnormals included; the value itself carries more bits than any double.
    const double rounded = mpfr_get_d(value, MPFR_RNDN);
    if (std::isnan(rounded)) return kFloat64.canonical_nan;
    uint64_t code;
    std::memcpy(&code, &rounded, sizeof code);
    return code;
  }
  if (target.format != nullptr) {
    const double head = mpfr_get_d(value, MPFR_RNDZ);
    const int rest = std::isnan(head) ? 0 : mpfr_cmp_d(value, head);
    // A value beyond every double, or below every one: the head is the last double on its way, the rest says that more follows.
    return encode(*target.format, {head, rest < 0 ? -1 : rest > 0 ? 1 : 0}, target.rounding, target.overflow);
  }
  if (mpfr_number_p(value) == 0) return integer_code(target, mpfr_get_d(value, MPFR_RNDZ));
  mpfr_t whole;
  mpfr_init2(whole, mpfr_get_prec(value));
  switch (target.rounding) {
    case Rounding::kNearestEven: mpfr_rint(whole, value, MPFR_RNDN); break;
    case Rounding::kTowardZero: mpfr_trunc(whole, value); break;
    case Rounding::kUp: mpfr_ceil(whole, value); break;
    case Rounding::kDown: mpfr_floor(whole, value); break;
    case Rounding::kNearestTiesUp: mpfr_round(whole, value); break;
  }
  uint64_t code;
  if (target.overflow == Overflow::kSaturate || mpfr_cmpabs_ui(whole, 1UL << 50) < 0) {
    // Beyond 2^100 the sign alone counts; below, an int128 in two exact halves.
    if (mpfr_zero_p(whole) == 0 && mpfr_get_exp(whole) > 100) {
      code = integer_code(target, mpfr_sgn(whole) > 0 ? 0x1p101 : -0x1p101);
    } else {
      mpz_t integer;
      mpz_init(integer);
      mpfr_get_z(integer, whole, MPFR_RNDN);
      const bool minus = mpz_sgn(integer) < 0;
      mpz_abs(integer, integer);
      uint128 magnitude = 0;
      for (size_t limb = mpz_size(integer); limb-- > 0;) magnitude = (magnitude << 64) | mpz_getlimbn(integer, static_cast<mp_size_t>(limb));
      mpz_clear(integer);
      const int128 exact = minus ? -static_cast<int128>(magnitude) : static_cast<int128>(magnitude);
      code = target.overflow == Overflow::kSaturate ? saturate_integer(target.integer, exact)
                                                    : wrap_integer(target.integer, exact);
    }
  } else {
    // Wrapping: the low 64 bits of the two's complement, whatever the size.
    mpz_t integer, low;
    mpz_init(integer);
    mpz_init(low);
    if (mpfr_zero_p(whole) != 0 || mpfr_get_exp(whole) <= 4096) {
      mpfr_get_z(integer, whole, MPFR_RNDN);
      mpz_fdiv_r_2exp(low, integer, 64);
    }
    code = wrap_integer(target.integer, static_cast<int128>(mpz_get_ui(low)));
    mpz_clear(integer);
    mpz_clear(low);
  }
  mpfr_clear(whole);
  return code;
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
