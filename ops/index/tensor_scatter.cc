// TensorScatter: a copy of the cache in which, for each entry b of the batch axis 0, the update
// stands along `axis` from write_indices[b] on; in mode circular positions count modulo the axis.
#include "ops/index/family.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

struct Sizes {
  int64_t batch, rows, cache, update,
      inner;  // rows: prefixes of one batch entry; inner: elements of one step
};

Sizes sizes_of(const OpCall& call) {
  const Shape &cache = call.tensor("past_cache").shape(), &update = call.tensor("update").shape();
  const int64_t axis = call.axis(cache.rank());
  if (axis == 0) fail_schema("attribute-range", "axis is 0", "must not be the batch axis");
  Shape wanted = cache;
  if (update.rank() == cache.rank()) wanted[axis] = update[axis];
  if (update != wanted || update[axis] > cache[axis]) {
    fail_schema("shape-mismatch", "update has shape " + update.text(),
                "must be that of the cache, " + cache.text() + ", and no longer on axis " +
                    std::to_string(axis));
  }
  return {cache[0], cache.elements(1, axis), cache[axis], update[axis],
          cache.elements(axis + 1, cache.rank())};
}

std::vector<int64_t> write_indices(const OpCall& call, int64_t batch) {
  const Tensor* given = call.optional_tensor("write_indices");
  if (given == nullptr) return std::vector<int64_t>(static_cast<size_t>(batch), 0);
  if (given->shape() != Shape{batch}) {
    fail_schema("shape-mismatch", "write_indices have shape " + given->shape().text(),
                "must be " + Shape{batch}.text());
  }
  return int64_values(*given);
}

bool is_circular(const OpCall& call) {
  const std::string& mode = call.text("mode");
  if (mode != "linear" && mode != "circular") {
    fail_schema("attribute-value", "mode is \"" + mode + "\"", "must be linear or circular");
  }
  return mode == "circular";
}

// Spec: only mode circular wraps. A negative index in mode linear is an error, though the text's
// Python would count it from the end.
int64_t first_step(int64_t index, const Sizes& sizes, bool circular) {
  if (circular) return sizes.cache == 0 ? 0 : (index % sizes.cache + sizes.cache) % sizes.cache;
  if (index < 0 || index > sizes.cache - sizes.update) {
    fail_undefined("index-range", "write_indices hold " + std::to_string(index),
                   "must be in [0, " + std::to_string(sizes.cache - sizes.update) + "]");
  }
  return index;
}

Tensor tensor_scatter_24(const OpCall& call) {
  const Tensor &cache = call.tensor("past_cache"), &update = call.tensor("update");
  const Sizes sizes = sizes_of(call);
  const std::vector<int64_t> indices = write_indices(call, sizes.batch);
  const bool circular = is_circular(call);
  Tensor out = cache;
  for (int64_t b = 0; b < sizes.batch; ++b) {
    const int64_t first = first_step(indices[static_cast<size_t>(b)], sizes, circular);
    // The update is no longer than the cache, so it wraps once at most.
    const int64_t before_end = std::min(sizes.update, sizes.cache - first);
    for (int64_t row = b * sizes.rows; row < (b + 1) * sizes.rows; ++row) {
      const int64_t from = row * sizes.update, to = row * sizes.cache;
      copy_elements(update, static_cast<size_t>(from * sizes.inner),
                    static_cast<size_t>(before_end * sizes.inner), out,
                    static_cast<size_t>((to + first) * sizes.inner));
      copy_elements(update, static_cast<size_t>((from + before_end) * sizes.inner),
                    static_cast<size_t>((sizes.update - before_end) * sizes.inner), out,
                    static_cast<size_t>(to * sizes.inner));
    }
  }
  return out;
}

}  // namespace

const Operator kTensorScatter{"ai.onnx", "TensorScatter", {
    {.since = 24, .run = tensor_scatter_24},
}};

}  // namespace onnxv
