// Crop: of each image [H, W] the part inside `border` = [left, top, right, bottom], or, with
// `scale` = [height, width], the part of that size that starts at left, top.
#include <vector>

#include "ops/experimental/family.h"
#include "src/tensor/axis_map.h"

namespace onnxv {
namespace {

// Choice: a border that is not given is zero; right and bottom do not count beside scale. A part
// that is empty or leaves the image is an error.
struct Part {
  int64_t start, length;
};

AxisMap cropped(int64_t dim, const Part& part, std::string_view side) {
  if (part.start < 0 || part.length < 1 || part.start > dim - part.length) {
    fail_schema("attribute-range",
                "the " + std::string(side) + " is cropped to " + std::to_string(part.length) +
                    " from " + std::to_string(part.start) + " on",
                "must be a part of its " + std::to_string(dim) + " elements");
  }
  return {part.length, [start = part.start](int64_t i) { return start + i; }};
}

void check_count(const OpCall& call, std::string_view name, size_t count) {
  if (!call.has_attribute(name) || call.integers(name).size() == count) return;
  fail_schema(
      "attribute-range",
      std::string(name) + " has " + std::to_string(call.integers(name).size()) + " elements",
      "must have " + std::to_string(count));
}

// The length that is left between borders, -1 where the borders are out of range.
int64_t between(int64_t dim, int64_t first, int64_t last) {
  return first < 0 || last < 0 || first > dim || last > dim ? -1 : dim - first - last;
}

Tensor crop_1(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const Shape& shape = input.shape();
  if (shape.rank() != 4)
    fail_schema("rank-mismatch", "input has shape " + shape.text(), "must have rank 4");
  check_count(call, "border", 4);
  check_count(call, "scale", 2);
  if (!call.has_attribute("border") && !call.has_attribute("scale")) {
    fail_schema("attribute-missing", "neither border nor scale is given", "at least one must be");
  }
  std::vector<int64_t> border(4, 0);
  if (call.has_attribute("border")) border = call.integers("border");
  Part rows{border[1], between(shape[2], border[1], border[3])};
  Part columns{border[0], between(shape[3], border[0], border[2])};
  if (call.has_attribute("scale")) {
    rows.length = call.integers("scale")[0];
    columns.length = call.integers("scale")[1];
  }
  const std::vector<AxisMap> maps{{shape[0], {}},
                                  {shape[1], {}},
                                  cropped(shape[2], rows, "height"),
                                  cropped(shape[3], columns, "width")};
  return map_axes(input, maps);
}

}  // namespace

const Operator kCrop{"ai.onnx", "Crop", {
    {.since = 1, .run = crop_1},
}};

}  // namespace onnxv
