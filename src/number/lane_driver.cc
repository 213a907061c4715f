// Compiled once per instruction set: loads a block of lines into lanes, reads the formula as Ball, settles.
#include <new>

#include "src/number/formula.h"
#include "src/number/ladder.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// Aligned scratch that grows and stays: formulas run over many blocks of one size.
class Scratch {
 public:
  ~Scratch() { release(); }
  Ball* take(size_t count) {
    if (count > capacity_) {
      release();
      data_ = static_cast<Ball*>(::operator new(count * sizeof(Ball), std::align_val_t(64)));
      capacity_ = count;
    }
    return data_;
  }

 private:
  void release() {
    if (data_ != nullptr) ::operator delete(data_, std::align_val_t(64));
    data_ = nullptr;
  }
  Ball* data_ = nullptr;
  size_t capacity_ = 0;
};

// Eight consecutive doubles; past the end the last one repeats.
Vec load_clamped(const double* p, size_t left) {
  if (left >= kLanes) return load(p);
  Vec v;
  for (size_t i = 0; i < kLanes; ++i) v[i] = p[i < left ? i : left - 1];
  return v;
}


// Codes of float32 for eight elements; lanes that cannot be decided are set in `open`.
void settle_float32(Ball x, uint32_t* codes, uint8_t* open) {
  const Vec reach = slack(x);
  const FloatVec low = __builtin_convertvector(x.m - reach, FloatVec);
  const FloatVec high = __builtin_convertvector(x.m + reach, FloatVec);
  FloatMask low_bits, high_bits;
  __builtin_memcpy(&low_bits, &low, sizeof low);
  __builtin_memcpy(&high_bits, &high, sizeof high);
  const Mask unclear = ~(Mask)(x.m == x.m) | ~(Mask)(x.r < kInf) | ~(Mask)(abs(x.m) < kInf);
  const FloatMask differ = low_bits != high_bits;
  __builtin_memcpy(codes, &low_bits, sizeof low_bits);
  int32_t apart = 0;
  for (int i = 0; i < kLanes; ++i) apart |= differ[i];
  if (apart == 0 && !any(unclear)) return;
  const Target target = Target::of(kFloat32);
  for (int i = 0; i < kLanes; ++i) {
    if (!differ[i] && !unclear[i]) continue;
    uint64_t code = 0;
    const double spread = x.r[i] < kInf ? reach[i] : 0;
    if (x.r[i] < kInf && settle(target, x.m[i] - spread, x.m[i] + spread, x.r[i] == 0, &code)) {
      codes[i] = static_cast<uint32_t>(code);
    } else {
      open[i] = 1;
    }
  }
}

void settle_any(const Target& target, Ball x, uint64_t* codes, uint8_t* open) {
  const Vec reach = slack(x);
  for (int i = 0; i < kLanes; ++i) {
    if (!(x.r[i] < kInf) || !settle(target, x.m[i] - reach[i], x.m[i] + reach[i], x.r[i] == 0, &codes[i])) {
      codes[i] = 0;
      open[i] = 1;
    }
  }
}

void put(void* codes, size_t width, size_t at, uint64_t code) {
  switch (width) {
    case 1: static_cast<uint8_t*>(codes)[at] = static_cast<uint8_t>(code); break;
    case 2: static_cast<uint16_t*>(codes)[at] = static_cast<uint16_t>(code); break;
    case 4: static_cast<uint32_t*>(codes)[at] = static_cast<uint32_t>(code); break;
    default: static_cast<uint64_t*>(codes)[at] = code; break;
  }
}

// Settles element `element` of the lines [line, line + lanes).
void settle_into(const LaneBlock::Output& output, Ball x, size_t line, size_t lanes, size_t element, uint8_t* open) {
  uint8_t unclear[kLanes] = {};
  if (output.target.format == &kFloat32 && output.target.overflow == Overflow::kInfinity &&
      output.target.rounding == Rounding::kNearestEven) {
    uint32_t codes[kLanes];
    settle_float32(x, codes, unclear);
    uint32_t* out = static_cast<uint32_t*>(output.codes) + line * output.count + element;
    for (size_t i = 0; i < lanes; ++i) out[i * output.count] = codes[i];
  } else {
    uint64_t codes[kLanes];
    settle_any(output.target, x, codes, unclear);
    const size_t width = output.target.width();
    for (size_t i = 0; i < lanes; ++i) put(output.codes, width, (line + i) * output.count + element, codes[i]);
  }
  for (size_t i = 0; i < lanes; ++i) open[line + i] |= unclear[i];
}

constexpr size_t kMostOperands = 24;
constexpr size_t kBatch = 64;  // elementwise: balls per call of the formula

size_t least(size_t a, size_t b) { return a < b ? a : b; }

void run_elementwise(const LaneBlock& block, Scratch* scratch) {
  const size_t arity = block.inputs.size();
  Ball* base = scratch->take((arity + 1) * kBatch);
  const void* in[kMostOperands];
  size_t in_count[kMostOperands];
  bool in_shared[kMostOperands];
  for (size_t k = 0; k < arity; ++k) {
    Ball* array = base + k * kBatch;
    in[k] = array;
    in_shared[k] = block.inputs[k].shared;
    in_count[k] = kBatch;
    if (in_shared[k]) {
      array[0] = Ball(broadcast(block.inputs[k].m[0]),
                      broadcast(block.inputs[k].r == nullptr ? 0.0 : block.inputs[k].r[0]));
    }
  }
  Ball* result = base + arity * kBatch;
  void* out[1] = {result};
  const size_t out_count[1] = {kBatch};
  for (size_t line = 0; line < block.lines; line += kBatch * kLanes) {
    const size_t lines = least(block.lines - line, kBatch * kLanes);
    const size_t balls = (lines + kLanes - 1) / kLanes;
    for (size_t k = 0; k < arity; ++k) {
      if (in_shared[k]) continue;
      Ball* array = base + k * kBatch;
      const LaneBlock::Input& input = block.inputs[k];
      for (size_t b = 0; b < balls; ++b) {
        const size_t at = line + b * kLanes;
        array[b].m = load_clamped(input.m + at, block.lines - at);
        array[b].r = input.r == nullptr ? broadcast(0.0) : load_clamped(input.r + at, block.lines - at);
      }
    }
    ONNXV_JOIN(lanes_of_, ONNXV_LANES)(*block.formula)({in, in_count, in_shared, out, out_count, block.options, balls});
    for (size_t b = 0; b < balls; ++b) {
      const size_t at = line + b * kLanes;
      settle_into(block.outputs[0], result[b], at, least(kLanes, block.lines - at), 0, block.open);
    }
  }
}

// Element `element` of eight lines from `line` on; the last line repeats.
Ball load_lines(const LaneBlock::Input& input, size_t line, size_t lanes, size_t element) {
  if (input.shared) {
    return {broadcast(input.m[element]), broadcast(input.r == nullptr ? 0.0 : input.r[element])};
  }
  Ball x;
  x.r = broadcast(0.0);
  for (size_t i = 0; i < kLanes; ++i) {
    const size_t at = (line + (i < lanes ? i : lanes - 1)) * input.count + element;
    x.m[i] = input.m[at];
    if (input.r != nullptr) x.r[i] = input.r[at];
  }
  return x;
}

void run_line_formula(const LaneBlock& block, Scratch* scratch) {
  size_t total = 0;
  for (const LaneBlock::Input& input : block.inputs) total += input.count;
  for (const LaneBlock::Output& output : block.outputs) total += output.count;
  Ball* next = scratch->take(total);
  const void* in[kMostOperands];
  size_t in_count[kMostOperands];
  bool in_shared[kMostOperands] = {};
  void* out[kMostOperands];
  size_t out_count[kMostOperands];
  Ball* arrays[kMostOperands];
  for (size_t k = 0; k < block.inputs.size(); ++k) {
    const LaneBlock::Input& input = block.inputs[k];
    arrays[k] = next;
    in[k] = next;
    in_count[k] = input.count;
    next += input.count;
    if (!input.shared) continue;
    for (size_t i = 0; i < input.count; ++i) arrays[k][i] = load_lines(input, 0, 1, i);
  }
  for (size_t k = 0; k < block.outputs.size(); ++k) {
    out[k] = next;
    out_count[k] = block.outputs[k].count;
    next += block.outputs[k].count;
  }
  for (size_t line = 0; line < block.lines; line += kLanes) {
    const size_t lanes = least(kLanes, block.lines - line);
    for (size_t k = 0; k < block.inputs.size(); ++k) {
      const LaneBlock::Input& input = block.inputs[k];
      if (input.shared) continue;
      for (size_t i = 0; i < input.count; ++i) arrays[k][i] = load_lines(input, line, lanes, i);
    }
    ONNXV_JOIN(lanes_of_, ONNXV_LANES)(*block.formula)({in, in_count, in_shared, out, out_count, block.options, 1});
    for (size_t k = 0; k < block.outputs.size(); ++k) {
      const Ball* results = static_cast<const Ball*>(out[k]);
      for (size_t i = 0; i < out_count[k]; ++i) {
        settle_into(block.outputs[k], results[i], line, lanes, i, block.open);
      }
    }
  }
}

}  // namespace
}  // namespace ONNXV_LANES

void ONNXV_JOIN(run_lanes_, ONNXV_LANES)(const LaneBlock& block) {
  static thread_local Scratch scratch;
  if (block.formula->elementwise) {
    run_elementwise(block, &scratch);
  } else {
    run_line_formula(block, &scratch);
  }
}

}  // namespace onnxv
