#include "src/number/float_functions.h"

#include <algorithm>
#include <mutex>

#include "src/base/parallel.h"
#include "src/number/instruction_sets.h"

namespace onnxv {
namespace {

constexpr size_t kGrain = size_t{1} << 15, kBlock = 64;

void settle_block(FunctionLoops::Loop loop, const float* x, size_t first, size_t count, float* y, std::vector<size_t>* open) {
  if (loop(x + first, count, y + first)) return;
  for (size_t i = first; i < first + count; ++i) {
    if (!loop(x + i, 1, y + i)) open->push_back(i);
  }
}

}  // namespace

std::vector<size_t> function_of_floats(FloatFunction function, const float* x, size_t count, float* y) {
  static const FunctionLoops& loops = ONNXV_OF_SET(kFunctionLoops);
  const FunctionLoops::Loop loop = loops.functions[static_cast<size_t>(function)];
  std::vector<size_t> open;
  std::mutex mutex;
  parallel_for(count, kGrain, [&](size_t begin, size_t end) {
    std::vector<size_t> still_open;
    for (size_t i = begin; i < end; i += kBlock) settle_block(loop, x, i, std::min(kBlock, end - i), y, &still_open);
    if (still_open.empty()) return;
    const std::lock_guard lock(mutex);
    open.insert(open.end(), still_open.begin(), still_open.end());
  });
  std::sort(open.begin(), open.end());
  return open;
}

}  // namespace onnxv
