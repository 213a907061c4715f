// Means of values, weighted by the softmax of scaled products of queries and keys: attention, a panel of queries at a time,
// without the matrix of its scores. Elements are proved in double, those that stay open in pairs of doubles.
#pragma once

#include <functional>
#include <vector>

#include "src/kernel/packing.h"
#include "src/kernel/softmax_tile.h"
#include "src/kernel/vectors.h"
#include "src/number/ladder.h"

namespace onnxv {

// logit = product * scale, or, where no scale is given, product / sqrt(length); then softcap * tanh(logit / softcap) where that is
// positive; then a bias.
struct LogitForm {
  bool scale_given;
  double scale;
  double softcap;
};

class SoftmaxMeans {
 public:
  // True where write() can prove something: exact products, sizes that the bounds hold for, memory within reason.
  static bool takes(const Vectors& keys, const Vectors& values);
  // The vectors of `values` are its components, one element for each key. Both are packed.
  SoftmaxMeans(const Vectors& keys, const Vectors& values, const LogitForm& form);

  // The biases of all keys for one query. False: no key is allowed, the query's row is left alone.
  using BiasOf = std::function<bool(size_t query, double* bias)>;
  // Row `query` of the output from element first + query * components on, rounded to the nearest of its format. Returns the queries
  // whose rows are not proved, in order. `bias_of`: none where it is empty.
  std::vector<size_t> write(const Vectors& queries, const BiasOf& bias_of, Tensor* out, size_t first) const;

 private:
  friend class SoftmaxPanel;
  size_t keys_, components_, length_;
  LogitForm form_;
  double scale_, scale_rest_;
  Scratch key_memory_, value_memory_;
  Packed key_panels_, value_panels_;
  double largest_key_;  // norm; infinity where one is not finite
  std::vector<double> start_;
};

}  // namespace onnxv
