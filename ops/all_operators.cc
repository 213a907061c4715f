// Joins the families' lists: no registration by static constructors, so that nothing depends on link order.
#include <algorithm>
#include <string>

#include "ops/families.h"

namespace onnxv {
namespace {

bool by_name(const Operator* a, const Operator* b) {
  return a->domain != b->domain ? a->domain < b->domain : a->name < b->name;
}

std::vector<const Operator*> joined() {
  std::vector<const Operator*> all;
  for (auto* family : {
           &elementwise_family,
           &cast_family,
           &lines_family,
           &reduce_family,
           &reshape_family,
           &index_family,
           &linear_family,
           &convolution_family,
           &pool_family,
           &normalize_family,
           &attention_family,
           &recurrent_family,
           &control_family,
           &sequence_family,
           &random_family,
           &signal_family,
           &vision_family,
           &quantize_family,
           &text_family,
           &ml_family,
           &training_family,
           &experimental_family,
       }) {
    for (const Operator* op : family()) all.push_back(op);
  }
  std::sort(all.begin(), all.end(), by_name);
  return all;
}

}  // namespace

std::span<const Operator* const> all_operators() {
  static const std::vector<const Operator*> all = joined();
  return all;
}

const Operator* find_operator(std::string_view domain, std::string_view name) {
  if (domain.empty()) domain = "ai.onnx";
  const auto all = all_operators();
  const auto found = std::lower_bound(all.begin(), all.end(), std::pair(domain, name),
      [](const Operator* op, const std::pair<std::string_view, std::string_view>& key) {
        return std::pair(op->domain, op->name) < key;
      });
  if (found == all.end() || (*found)->domain != domain || (*found)->name != name) return nullptr;
  return *found;
}

}  // namespace onnxv
