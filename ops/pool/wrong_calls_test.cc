#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, Value x) { return NodeUnderTest(op, opset).input(std::move(x)); }
NodeUnderTest pool(const char* op, int64_t opset, std::vector<int64_t> kernel) {
  return call(op, opset, floats({1, 1, 3}, {1, 2, 3})).integers("kernel_shape", std::move(kernel));
}
NodeUnderTest regions(std::vector<float> roi) {
  return call("MaxRoiPool", 22, floats({1, 1, 2, 2}, {1, 2, 3, 4})).input(floats({1, 5}, std::move(roi))).integers("pooled_shape", {1, 1});
}
NodeUnderTest unpool(std::vector<int64_t> indices) {
  return call("MaxUnpool", 11, floats({1, 1, 2}, {1, 2})).input(int64s({1, 1, 2}, std::move(indices))).integers("kernel_shape", {2}).integers("strides", {2});
}

TEST_CASE("pool: windows") {
  check_wrong_calls({
      {pool("MaxPool", 12, {4}), "schema/empty-window", "MaxPool-12", "a window of 4 cells slides over 3 with 0 and 0 of padding", "at least one window must fit"},
      {pool("AveragePool", 19, {2}).integers("dilations", {3}), "schema/empty-window", "AveragePool-19", "a window of 4 cells slides over 3 with 0 and 0 of padding",
       "at least one window must fit"},
      {pool("MaxPool", 1, {2, 2}), "schema/attribute-length", "MaxPool-1", "kernel_shape has 2 entries", "must have 1"},
      {pool("LpPool", 18, {0}), "schema/attribute-range", "LpPool-18", "kernel_shape has 0", "must be 1 or more"},
      {pool("AveragePool", 7, {2}).integers("strides", {0}), "schema/attribute-range", "AveragePool-7", "strides has 0", "must be 1 or more"},
      {pool("AveragePool", 22, {2}).integers("pads", {1}), "schema/attribute-length", "AveragePool-22", "pads has 1 entries", "must have 2"},
      {pool("MaxPool", 11, {2}).integers("pads", {0, -1}), "schema/attribute-range", "MaxPool-11", "pads has -1", "must be 0 or more"},
      {pool("MaxPool", 8, {2}).integers("pads", {1, 0}).attribute("auto_pad", "VALID"), "schema/attribute-conflict", "MaxPool-8", "auto_pad is VALID and pads is given",
       "cannot be used simultaneously"},
      {pool("LpPool", 2, {2}).attribute("auto_pad", "SAME"), "schema/attribute-value", "LpPool-2", "auto_pad is \"SAME\"", "must be NOTSET, SAME_UPPER, SAME_LOWER or VALID"},
      {pool("MaxPool", 10, {2}).attribute("storage_order", 2).outputs(2), "schema/attribute-value", "MaxPool-10", "storage_order is 2", "must be 0 or 1"},
      {call("AveragePool", 10, floats({2, 2}, {1, 2, 3, 4})).integers("kernel_shape", {2}), "schema/rank", "AveragePool-10", "X is [2,2]",
       "must have a batch, channels and at least one spatial axis"},
      {pool("MaxPool", 22, {2}).integers("pads", {INT64_MAX, 1}), "limit/size-overflow", "MaxPool-22", "a size exceeds 2^63", ""},
      {call("LpPool", 1, floats({1, 1, 3}, {1, 2, 3})), "undefined/kernel-shape", "LpPool-1", "kernel_shape is absent", "a window needs a size"},
  });
}

TEST_CASE("pool: powers, and an element is needed") {
  check_wrong_calls({
      {pool("LpPool", 11, {2}).attribute("p", 0), "schema/attribute-range", "LpPool-11", "p is not a positive number", "must be above 0"},
      {call("GlobalLpPool", 1, floats({1, 1, 1}, {1})).attribute("p", -1.0f), "schema/attribute-range", "GlobalLpPool-1", "p is not a positive number", "must be above 0"},
      {call("GlobalMaxPool", 1, floats({1, 1, 0}, {})), "schema/empty-window", "GlobalMaxPool-1", "X is [1,1,0]", "needs an element per channel"},
      {call("GlobalAveragePool", 22, floats({1}, {1})), "schema/rank", "GlobalAveragePool-22", "X is [1]", "must have a batch and channels"},
  });
}

TEST_CASE("pool: indices and regions that the values put out of range") {
  const std::string image = "must be an integer in [0, 0]";
  check_wrong_calls({
      {unpool({0, 4}), "undefined/index-range", "MaxUnpool-11", "I has 4", "must be in [0, 3]"},
      {unpool({-1, 0}), "undefined/index-range", "MaxUnpool-11", "I has -1", "must be in [0, 3]"},
      {call("MaxUnpool", 9, floats({1, 1, 2}, {1, 2})).input(int64s({1, 1, 1}, {0})).integers("kernel_shape", {2}), "schema/shape-mismatch", "MaxUnpool-9",
       "X is [1,1,2] and I is [1,1,1]", "must be equal"},
      {unpool({0, 1}).input(int64s({3}, {1, 1, 3})), "undefined/input-range", "MaxUnpool-11", "output_shape is [1,1,3]", "must hold [1,1,4] with the same batch and channels"},
      {regions({1, 0, 0, 1, 1}), "undefined/index-range", "MaxRoiPool-22", "rois names image 1.0", image},
      {regions({0.5f, 0, 0, 1, 1}), "undefined/index-range", "MaxRoiPool-22", "rois names image 0.5", image},
      {regions({0, 0, 0, __builtin_inff(), 1}), "undefined/value-range", "MaxRoiPool-22", "rois has a NaN or an infinity", "must be finite"},
      {call("MaxRoiPool", 1, floats({1, 1, 1}, {1})).input(floats({1, 5}, {0, 0, 0, 0, 0})).integers("pooled_shape", {1, 1}), "schema/rank", "MaxRoiPool-1", "X is [1,1,1]",
       "must have rank 4"},
  });
}

}  // namespace
}  // namespace onnxv::testing
