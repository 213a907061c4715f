#include "src/run/kept_results.h"

namespace onnxv {

void KeptResults::keep(int node, const Outputs& outputs) {
  constexpr size_t kMostBytes = size_t{32} << 20;
  size_t bytes = 0;
  for (const Value& output : outputs) {
    if (!output.exists()) continue;
    if (!output.is_tensor() || output.tensor().is_string()) return;
    bytes += output.tensor().bytes().size();
  }
  if (bytes > kMostBytes - bytes_) return;
  bytes_ += bytes;
  for (const Value& output : outputs) {
    if (output.exists()) weights_.push_back(std::make_unique<Weights>(output.tensor()));
  }
  outputs_[static_cast<size_t>(node)] = outputs;
}

}  // namespace onnxv
