// Compiled once per instruction set: runs a block of lines through the Ball (or Machine) reading of a formula and settles it.
#include <new>

#include "src/number/formula.h"
#include "src/number/ladder.h"
#include "src/number/lane_settle.h"

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

constexpr size_t kMostOperands = 24;
constexpr size_t kWidest = 8;   // lanes of the widest set: what shared operands are repeated to
constexpr size_t kRun = 512;    // elementwise: elements whose midpoints and radii stay in the first cache

alignas(64) constexpr double kZeros[kWidest] = {};

// Operands as an elementwise formula reads them from `first` on.
struct Operands {
  LaneOperand operand[kMostOperands];
  const void* in[kMostOperands];
  alignas(64) double shared[kMostOperands][2][kWidest];

  explicit Operands(const LaneBlock& block) {
    for (size_t k = 0; k < block.inputs.size(); ++k) {
      const LaneBlock::Input& input = block.inputs[k];
      in[k] = &operand[k];
      operand[k] = {input.m, input.r, 1, 1};
      if (input.shared) {
        for (size_t i = 0; i < kWidest; ++i) {
          shared[k][0][i] = input.m[0];
          shared[k][1][i] = input.r == nullptr ? 0.0 : input.r[0];
        }
        operand[k] = {shared[k][0], shared[k][1], 0, 0};
      }
      if (input.r == nullptr) {
        operand[k].r = kZeros;
        operand[k].r_step = 0;
      }
    }
  }
  void advance(const LaneBlock& block, size_t elements) {
    for (size_t k = 0; k < block.inputs.size(); ++k) {
      operand[k].m += operand[k].m_step * elements;
      operand[k].r += operand[k].r_step * elements;
    }
  }
};

void run_elementwise(const LaneBlock& block, Reading reading, bool machine) {
  // Apart by no multiple of 4096 bytes: a store that shares its lowest 12 bits with a later load delays it.
  alignas(64) double m[kRun + 16], r[kRun + 16];
  Operands operands(block);
  const LaneResult result{m, r};
  void* out[1] = {const_cast<LaneResult*>(&result)};
  const LaneBlock::Output& output = block.outputs[0];
  const size_t width = output.target.width();
  for (size_t line = 0; line < block.lines; line += kRun) {
    const size_t lines = block.lines - line < kRun ? block.lines - line : kRun;
    const size_t padded = (lines + kLanes - 1) / kLanes * kLanes;
    reading({operands.in, nullptr, nullptr, out, nullptr, block.options, padded});
    operands.advance(block, kRun);
    char* codes = static_cast<char*>(output.codes) + line * width;
    if (machine) {
      settle_exact_run(output.target, m, lines, codes);
    } else {
      settle_run(output.target, m, r, lines, codes, block.open + line);
    }
  }
}

// Element `element` of as many lines as there are lanes; the last line repeats.
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

#ifdef __AVX2__
// Four elements of four rows, as four columns.
void store_transposed(const double* rows, size_t stride, double* columns, size_t column_stride) {
  const __m256d a = _mm256_loadu_pd(rows), b = _mm256_loadu_pd(rows + stride);
  const __m256d c = _mm256_loadu_pd(rows + 2 * stride), d = _mm256_loadu_pd(rows + 3 * stride);
  const __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
  const __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
  _mm256_storeu_pd(columns, _mm256_permute2f128_pd(ab_even, cd_even, 0x20));
  _mm256_storeu_pd(columns + column_stride, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20));
  _mm256_storeu_pd(columns + 2 * column_stride, _mm256_permute2f128_pd(ab_even, cd_even, 0x31));
  _mm256_storeu_pd(columns + 3 * column_stride, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31));
}
#endif

// The elements of `lanes` lines from `line` on, side by side.
void load_block(const LaneBlock::Input& input, size_t line, size_t lanes, Ball* out) {
  if (input.count == 1 && lanes == kLanes) {
    out[0] = {load(input.m + line), input.r == nullptr ? broadcast(0.0) : load(input.r + line)};
    return;
  }
  size_t i = 0;
#ifdef __AVX2__
  if (lanes == kLanes) {
    constexpr size_t kBall = sizeof(Ball) / sizeof(double);
    const double* m = input.m + line * input.count;
    const double* r = input.r == nullptr ? nullptr : input.r + line * input.count;
    for (; i + 4 <= input.count; i += 4) {
      for (size_t row = 0; row < kLanes; row += 4) {
        store_transposed(m + row * input.count + i, input.count, reinterpret_cast<double*>(&out[i].m) + row, kBall);
        if (r != nullptr) {
          store_transposed(r + row * input.count + i, input.count, reinterpret_cast<double*>(&out[i].r) + row, kBall);
        }
      }
      for (size_t k = i; r == nullptr && k < i + 4; ++k) out[k].r = broadcast(0.0);
    }
  }
#endif
  for (; i < input.count; ++i) out[i] = load_lines(input, line, lanes, i);
}

void settle_column(const Ball& x, size_t count, size_t lanes, uint32_t* codes, uint8_t* open) {
  uint32_t column[kLanes];
  uint8_t undecided[kLanes] = {};
  settle_float32(x.m, x.r, column, undecided);
  for (size_t l = 0; l < lanes; ++l) {
    codes[l * count] = column[l];
    open[l] |= undecided[l];
  }
}

// Codes of float32 go straight to their lines.
void settle_float32_lines(const Ball* results, size_t count, size_t lanes, uint32_t* codes, uint8_t* open) {
  size_t i = 0;
#ifdef __AVX2__
  for (; lanes == kLanes && i + 4 <= count; i += 4) {
    ClearlyRounded clearly;
    float columns[4][kLanes];
    for (size_t k = 0; k < 4; ++k) {
      clearly.add(results[i + k].m, results[i + k].r);
      const FloatVec rounded = as_floats(results[i + k].m);
      __builtin_memcpy(columns[k], &rounded, sizeof rounded);
    }
    for (size_t row = 0; row < kLanes; row += 4) {
      __m128 a = _mm_loadu_ps(columns[0] + row), b = _mm_loadu_ps(columns[1] + row);
      __m128 c = _mm_loadu_ps(columns[2] + row), d = _mm_loadu_ps(columns[3] + row);
      _MM_TRANSPOSE4_PS(a, b, c, d);
      float* to = reinterpret_cast<float*>(codes + row * count + i);
      _mm_storeu_ps(to, a);
      _mm_storeu_ps(to + count, b);
      _mm_storeu_ps(to + 2 * count, c);
      _mm_storeu_ps(to + 3 * count, d);
    }
    if (clearly.all_are()) continue;
    for (size_t k = i; k < i + 4; ++k) settle_column(results[k], count, lanes, codes + k, open);
  }
#endif
  for (; i < count; ++i) settle_column(results[i], count, lanes, codes + i, open);
}

// Every other target waits in rows of ends.
void settle_lines(const LaneBlock::Output& output, const Ball* results, size_t line, size_t lanes, uint8_t* open) {
  if (is_plain_float32(output.target)) {
    uint32_t* codes = static_cast<uint32_t*>(output.codes) + line * output.count;
    return settle_float32_lines(results, output.count, lanes, codes, open + line);
  }
  constexpr size_t kColumn = 256;
  double m[kLanes][kColumn + 8], r[kLanes][kColumn + 8];
  const size_t width = output.target.width();
  for (size_t first = 0; first < output.count; first += kColumn) {
    const size_t count = output.count - first < kColumn ? output.count - first : kColumn;
    for (size_t i = 0; i < count; ++i) {
      for (size_t l = 0; l < lanes; ++l) {
        m[l][i] = results[first + i].m[l];
        r[l][i] = results[first + i].r[l];
      }
    }
    for (size_t i = count; i % kLanes != 0; ++i) {
      for (size_t l = 0; l < lanes; ++l) m[l][i] = r[l][i] = 0;
    }
    for (size_t l = 0; l < lanes; ++l) {
      uint8_t unclear[kColumn] = {};
      char* codes = static_cast<char*>(output.codes) + ((line + l) * output.count + first) * width;
      settle_run(output.target, m[l], r[l], count, codes, unclear);
      for (size_t i = 0; i < count; ++i) open[line + l] |= unclear[i];
    }
  }
}

void run_line_formula(const LaneBlock& block, Reading reading, Scratch* scratch) {
  size_t total = 0;
  // One Ball between two arrays: lines of 1,024 would lie apart by a multiple of 4096 bytes (as in run_elementwise).
  for (const LaneBlock::Input& input : block.inputs) total += input.count + 1;
  for (const LaneBlock::Output& output : block.outputs) total += output.count + 1;
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
    next += input.count + 1;
    if (!input.shared) continue;
    for (size_t i = 0; i < input.count; ++i) arrays[k][i] = load_lines(input, 0, 1, i);
  }
  for (size_t k = 0; k < block.outputs.size(); ++k) {
    out[k] = next;
    out_count[k] = block.outputs[k].count;
    next += block.outputs[k].count + 1;
  }
  for (size_t line = 0; line < block.lines; line += kLanes) {
    const size_t lanes = block.lines - line < kLanes ? block.lines - line : kLanes;
    for (size_t k = 0; k < block.inputs.size(); ++k) {
      if (!block.inputs[k].shared) load_block(block.inputs[k], line, lanes, arrays[k]);
    }
    reading({in, in_count, in_shared, out, out_count, block.options, 1});
    for (size_t k = 0; k < block.outputs.size(); ++k) {
      settle_lines(block.outputs[k], static_cast<const Ball*>(out[k]), line, lanes, block.open);
    }
  }
}

}  // namespace
}  // namespace ONNXV_LANES

void ONNXV_JOIN(run_lanes_, ONNXV_LANES)(const LaneBlock& block) {
  static thread_local Scratch scratch;
  const Formula& formula = *block.formula;
  if (block.machine) {
    run_elementwise(block, ONNXV_JOIN(machine_of_, ONNXV_LANES)(formula), true);
  } else if (formula.elementwise) {
    run_elementwise(block, ONNXV_JOIN(lanes_of_, ONNXV_LANES)(formula), false);
  } else {
    run_line_formula(block, ONNXV_JOIN(lanes_of_, ONNXV_LANES)(formula), &scratch);
  }
}

}  // namespace onnxv
