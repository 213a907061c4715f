#include <limits>

#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const Tensor kImage = floats({1, 1, 2, 2}, {1, 2, 3, 4}), kLine = floats({4}, {1, 2, 3, 4}), kNone = floats({0}, {});

NodeUnderTest resized(int64_t opset, const Tensor& x, std::vector<float> scales) {
  const auto count = static_cast<int64_t>(scales.size());
  NodeUnderTest node = NodeUnderTest("Resize", opset).input(x);
  if (opset >= 11) node.input(kNone);
  return node.input(floats({count}, std::move(scales)));
}
NodeUnderTest sized(const Tensor& x, std::vector<int64_t> sizes) {
  const auto count = static_cast<int64_t>(sizes.size());
  return NodeUnderTest("Resize", 19).input(x).no_input().no_input().input(int64s({count}, std::move(sizes)));
}
NodeUnderTest upsampled(std::vector<float> scales) { return NodeUnderTest("Upsample", 7).reals("scales", std::move(scales)).input(kLine); }
NodeUnderTest sampled(int64_t opset, const Tensor& x, const Tensor& grid) { return NodeUnderTest("GridSample", opset).input(x).input(grid); }
NodeUnderTest aligned(const Tensor& rois, const Tensor& images) { return NodeUnderTest("RoiAlign", 16).input(kImage).input(rois).input(images); }
NodeUnderTest kept(const Tensor& boxes, const Tensor& scores) { return NodeUnderTest("NonMaxSuppression", 11).input(boxes).input(scores); }

TEST_CASE("vision: sizes that do not fit") {
  check_wrong_calls({
      {resized(10, kLine, {2, 2}), "schema/shape-mismatch", "Resize-10", "scales has 2 elements", "must have 1"},
      {resized(10, kLine, {0}), "undefined/scale", "Resize-10", "a scale is 0.000000", "must be positive and finite"},
      {resized(10, kLine, {2}).attribute("mode", "cubic"), "schema/attribute-value", "Resize-10", "mode is \"cubic\"", "is not one of the values that the text lists"},
      {resized(13, kLine, {-1}), "undefined/scale", "Resize-13", "a scale is -1.000000", "must be positive and finite"},
      {resized(13, kLine, {kInfinity}), "undefined/scale", "Resize-13", "a scale is inf", "must be positive and finite"},
      {resized(13, kLine, {2}).attribute("coordinate_transformation_mode", "tf_half_pixel_for_nn"), "schema/attribute-value", "Resize-13", "coordinate_transformation_mode is \"tf_half_pixel_for_nn\"", "is not one of the values that the text lists"},
      {resized(18, kLine, {2}).attribute("coordinate_transformation_mode", "half_pixel_symmetric"), "schema/attribute-value", "Resize-18", "coordinate_transformation_mode is \"half_pixel_symmetric\"", "is not one of the values that the text lists"},
      {resized(19, kLine, {2}).attribute("nearest_mode", "round"), "schema/attribute-value", "Resize-19", "nearest_mode is \"round\"", "is not one of the values that the text lists"},
      {resized(19, kLine, {2}).attribute("antialias", 1), "schema/attribute-value", "Resize-19", "antialias is 1 with mode nearest", "needs linear or cubic"},
      {resized(19, kLine, {2}).integers("axes", {1}), "schema/attribute-range", "Resize-19", "axes is 1", "must be in [-1, 0]"},
      {resized(19, kImage, {2, 2}).integers("axes", {2, -2}), "schema/attribute-value", "Resize-19", "axes names an axis twice", "must name each axis once"},
      {resized(19, kLine, {2}).attribute("coordinate_transformation_mode", "tf_crop_and_resize"), "schema/input-missing", "Resize-19", "roi is absent", "tf_crop_and_resize needs it"},
      {resized(19, kLine, {2}).input(int64s({1}, {8})), "schema/input-missing", "Resize-19", "scales and sizes are both given", "exactly one is needed"},
      {NodeUnderTest("Resize", 19).input(kLine), "schema/input-missing", "Resize-19", "neither scales nor sizes is given", "exactly one is needed"},
      {sized(kLine, {-1}), "undefined/size", "Resize-19", "a size is -1", "must not be negative"},
      {sized(kLine, {INT64_MAX}), "limit/resized-length", "Resize-19", "an axis is resized to 9223372036854775807", "must be at most 16777216"},
      {sized(floats({0}, {}), {2}), "undefined/size", "Resize-19", "an empty axis is resized to 2", "needs an element"},
      {sized(kLine, {8}).attribute("keep_aspect_ratio_policy", "larger"), "schema/attribute-value", "Resize-19", "keep_aspect_ratio_policy is \"larger\"", "is not one of the values that the text lists"},
      {sized(kLine, {8}).attribute("mode", "cubic").attribute("cubic_coeff_a", kInfinity), "schema/attribute-value", "Resize-19", "cubic_coeff_a is inf", "must be finite"},
      {sized(strings({2}, {"a", "b"}), {4}).attribute("mode", "linear"), "schema/attribute-value", "Resize-19", "mode is \"linear\" for string", "must be nearest"},
      {upsampled({0.5f}), "undefined/scale", "Upsample-7", "a scale is below 1", "Upsample never shrinks"},
      {upsampled({1, 1}), "schema/shape-mismatch", "Upsample-7", "scales has 2 elements", "must have 1"},
      {NodeUnderTest("Upsample", 1).attribute("height_scale", 1.0f).attribute("width_scale", 1.0f).input(kLine), "schema/rank", "Upsample-1", "X is [4]", "must have rank 4"},
  });
}

TEST_CASE("vision: grids that do not fit") {
  const Tensor grid = floats({1, 1, 1, 2}, {0, 0}), theta = floats({1, 2, 3}, {1, 0, 0, 0, 1, 0});
  const auto affine = [](const Tensor& matrix, std::vector<int64_t> size) {
    const auto count = static_cast<int64_t>(size.size());
    return NodeUnderTest("AffineGrid", 20).input(matrix).input(int64s({count}, std::move(size)));
  };
  check_wrong_calls({
      {sampled(16, floats({1, 1, 2}, {1, 2}), floats({1, 1, 1}, {0})), "schema/rank", "GridSample-16", "X is [1,1,2]", "must have rank 4"},
      {sampled(20, floats({1, 1}, {1}), floats({1, 0}, {})), "schema/rank", "GridSample-20", "X is [1,1]", "must have rank 3 or more"},
      {sampled(20, kImage, floats({1, 1, 1, 3}, {0, 0, 0})), "schema/shape-mismatch", "GridSample-20", "grid is [1,1,1,3] for X [1,1,2,2]", "must be [1, …, 2]"},
      {sampled(20, kImage, floats({2, 1, 1, 2}, {0, 0, 0, 0})), "schema/shape-mismatch", "GridSample-20", "grid is [2,1,1,2] for X [1,1,2,2]", "must be [1, …, 2]"},
      {sampled(20, kImage, grid).attribute("mode", "spline"), "schema/attribute-value", "GridSample-20", "mode is \"spline\"", "must be nearest, linear or cubic"},
      {sampled(20, kImage, grid).attribute("padding_mode", "wrap"), "schema/attribute-value", "GridSample-20", "padding_mode is \"wrap\"", "must be zeros, border or reflection"},
      {sampled(20, floats({1, 1, 0, 2}, {}), grid).attribute("padding_mode", "border"), "schema/shape-mismatch", "GridSample-20", "X is [1,1,0,2]", "padding needs a pixel"},
      {sampled(20, bools({1, 1, 1, 1}, {true}), grid), "schema/attribute-value", "GridSample-20", "mode is \"linear\" for bool", "must be nearest"},
      {affine(theta, {1, 1, 2}), "schema/shape-mismatch", "AffineGrid-20", "size has 3 elements", "must have 4 or 5"},
      {affine(theta, {2, 1, 2, 2}), "undefined/size", "AffineGrid-20", "theta is [1,2,3]", "size asks for [2,2,3]"},
      {affine(theta, {1, 1, -2, 2}), "undefined/size", "AffineGrid-20", "a size is -2", "must not be negative"},
      {affine(theta, {1, 1, INT64_MAX, 2}), "limit/size-overflow", "AffineGrid-20", "a size exceeds 2^63", ""},
      {affine(theta, {1, 1, 2, 2}).attribute("align_corners", 2), "schema/attribute-value", "AffineGrid-20", "align_corners is 2", "must be 0 or 1"},
  });
}

TEST_CASE("vision: regions that do not fit") {
  const Tensor roi = floats({1, 4}, {0, 0, 1, 1}), first = int64s({1}, {0});
  const Tensor box = floats({1, 1, 4}, {0, 0, 1, 1}), score = floats({1, 1, 1}, {1}), one = int64s({}, {1});
  check_wrong_calls({
      {aligned(roi, int64s({1}, {1})), "undefined/index-range", "RoiAlign-16", "batch_indices has 1", "must be in [0, 0]"},
      {aligned(roi, int64s({1}, {-1})), "undefined/index-range", "RoiAlign-16", "batch_indices has -1", "must be in [0, 0]"},
      {aligned(floats({1, 4}, {0, 0, kInfinity, 1}), first), "undefined/roi", "RoiAlign-16", "a region is not finite", "must be"},
      {aligned(floats({4}, {0, 0, 1, 1}), first), "schema/shape-mismatch", "RoiAlign-16", "rois is [4]", "must be [regions, 4]"},
      {aligned(roi, int64s({2}, {0, 0})), "schema/shape-mismatch", "RoiAlign-16", "batch_indices is [2]", "must be [1]"},
      {aligned(roi, first).attribute("output_height", 0), "schema/attribute-value", "RoiAlign-16", "output_height, output_width or sampling_ratio is too small", "must be at least 1, 1 and 0"},
      {aligned(roi, first).attribute("mode", "sum"), "schema/attribute-value", "RoiAlign-16", "mode is \"sum\"", "must be avg or max"},
      {aligned(roi, first).attribute("coordinate_transformation_mode", "none"), "schema/attribute-value", "RoiAlign-16", "coordinate_transformation_mode is \"none\"", "must be half_pixel or output_half_pixel"},
      {aligned(roi, first).attribute("sampling_ratio", INT64_MAX), "limit/roi-samples", "RoiAlign-16", "a bin has 9223372036854775807 samples along one axis", "must have at most 65536"},
      {aligned(roi, first).attribute("sampling_ratio", 4096).attribute("mode", "max"), "limit/roi-samples", "RoiAlign-16", "a bin has 67108864 corners", "must have at most 2^24"},
      {aligned(roi, first).attribute("spatial_scale", kInfinity), "schema/attribute-value", "RoiAlign-16", "spatial_scale is not finite", "must be"},
      {kept(floats({1, 4}, {0, 0, 1, 1}), score), "schema/shape-mismatch", "NonMaxSuppression-11", "boxes is [1,4]", "must be [batches, boxes, 4]"},
      {kept(box, floats({1, 1, 2}, {1, 1})), "schema/shape-mismatch", "NonMaxSuppression-11", "scores is [1,1,2] for boxes [1,1,4]", "must be [batches, classes, boxes]"},
      {kept(box, score).input(one).input(floats({}, {1.5f})), "undefined/iou-threshold", "NonMaxSuppression-11", "iou_threshold is outside [0, 1]", "must be inside"},
      {kept(box, score).input(int64s({2}, {1, 1})), "schema/not-one-element", "NonMaxSuppression-11", "max_output_boxes_per_class is int64[2]", "must have one element"},
      {kept(box, score).attribute("center_point_box", 2), "schema/attribute-value", "NonMaxSuppression-11", "center_point_box is 2", "must be 0 or 1"},
      {NodeUnderTest("ImageDecoder", 20).attribute("pixel_format", "RGBA").input(uint8s({1}, {0})), "schema/attribute-value", "ImageDecoder-20", "pixel_format is \"RGBA\"", "must be RGB, BGR or Grayscale"},
      {NodeUnderTest("ImageDecoder", 20).input(uint8s({1, 1}, {0})), "schema/rank", "ImageDecoder-20", "encoded_stream is [1,1]", "must have rank 1"},
  });
}

TEST_CASE("vision: tensors without elements may have dimensions of any size") {
  const int64_t huge = int64_t{1} << 60;
  CHECK(same(kept(floats({0, huge, 4}, {}), floats({0, 1, huge}, {})).input(int64s({}, {1})).one(), int64s({0, 3}, {})));
  CHECK(same(kept(floats({huge, 0, 4}, {}), floats({huge, 1, 0}, {})).input(int64s({}, {1})).one(), int64s({0, 3}, {})));
  CHECK(same(aligned(floats({0, 4}, {}), int64s({0}, {})).attribute("output_height", huge).attribute("output_width", huge).one(),
             floats({0, 1, huge, huge}, {})));
}

}  // namespace
}  // namespace onnxv::testing
