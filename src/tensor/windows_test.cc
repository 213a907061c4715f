#include "src/tensor/windows.h"

#include <doctest/doctest.h>

#include <vector>

#include "src/base/error.h"

using namespace onnxv;  // NOLINT

namespace {

WindowAxis placed(int64_t input, WindowAttributes attributes) {
  return placed_windows(std::vector<int64_t>{input}, attributes)[0];
}
std::string error_of(std::vector<int64_t> spatial, const WindowAttributes& attributes) {
  try {
    placed_windows(spatial, attributes);
  } catch (const Error& error) {
    return error.slug();
  }
  return "";
}

}  // namespace

TEST_CASE("windows: explicit padding rounds down, or up with ceil_mode") {
  CHECK(placed(5, {.kernel = {2}, .strides = {2}}).output == 2);
  CHECK(placed(5, {.kernel = {2}, .strides = {2}, .ceil_mode = true}).output == 3);
  CHECK(placed(5, {.kernel = {3}, .dilations = {2}}).output == 1);
  // Three windows by the ceiling, but the third would start in the end padding.
  CHECK(placed(3, {.kernel = {2}, .strides = {3}, .pads = {0, 2}, .ceil_mode = true}).output == 1);
  CHECK(placed(3, {.kernel = {2}, .strides = {2}, .pads = {0, 1}, .ceil_mode = true}).output == 2);
}

TEST_CASE("windows: SAME splits an odd total to the end or to the beginning") {
  const WindowAxis upper = placed(4, {.auto_pad = "SAME_UPPER", .kernel = {2}});
  CHECK(upper.output == 4);
  CHECK(upper.pad_begin == 0);
  CHECK(upper.pad_end == 1);
  const WindowAxis lower = placed(4, {.auto_pad = "SAME_LOWER", .kernel = {2}});
  CHECK(lower.pad_begin == 1);
  CHECK(lower.pad_end == 0);
  const WindowAxis sparse = placed(5, {.auto_pad = "SAME_UPPER", .kernel = {1}, .strides = {3}});
  CHECK(sparse.output == 2);
  CHECK(sparse.pad_begin + sparse.pad_end == 0);
  const WindowAxis dilated = placed(7, {.auto_pad = "SAME_UPPER", .kernel = {2}, .dilations = {3}});
  CHECK(dilated.output == 7);
  CHECK(dilated.pad_begin == 1);
  CHECK(dilated.pad_end == 2);
}

TEST_CASE("windows: VALID pads nothing and ignores ceil_mode") {
  CHECK(placed(5, {.auto_pad = "VALID", .kernel = {2}, .strides = {2}, .ceil_mode = true}).output == 2);
}

TEST_CASE("windows: offsets lead into the padded channel") {
  // 2 x 3 cells, a 2 x 2 kernel, one column of padding on both sides: 1 x 4 windows over 2 x 5 cells.
  const auto axes = placed_windows(std::vector<int64_t>{2, 3}, {.kernel = {2, 2}, .pads = {0, 1, 0, 1}});
  CHECK(window_counts(axes) == Shape{1, 4});
  const WindowOffsets offsets = window_offsets(axes);
  CHECK(offsets.padded == Shape{2, 5});
  CHECK(offsets.windows == std::vector<int64_t>{0, 1, 2, 3});
  CHECK(offsets.taps == std::vector<int64_t>{0, 1, 5, 6});
  CHECK(offsets.cells == 6);
  REQUIRE(offsets.runs.size() == 2);
  CHECK((offsets.runs[0].cell == 0 && offsets.runs[0].offset == 1 && offsets.runs[0].length == 3));
  CHECK((offsets.runs[1].cell == 3 && offsets.runs[1].offset == 6 && offsets.runs[1].length == 3));
  CHECK(declared_cells(axes) == std::vector<uint8_t>(10, 1));
}

TEST_CASE("windows: cells that no window reaches have no place") {
  const auto axes = placed_windows(std::vector<int64_t>{5}, {.kernel = {1}, .strides = {3}});
  const WindowOffsets offsets = window_offsets(axes);
  CHECK(offsets.padded == Shape{4});
  CHECK(offsets.cells == 5);
  REQUIRE(offsets.runs.size() == 1);
  CHECK((offsets.runs[0].cell == 0 && offsets.runs[0].offset == 0 && offsets.runs[0].length == 4));
  // 4 x 2 cells under a padding of one row: windows two rows apart reach two rows of the input, which follow each other.
  const WindowOffsets rows = window_offsets(placed_windows(std::vector<int64_t>{4, 2}, {.kernel = {1, 2}, .strides = {2, 1}, .pads = {1, 0, 0, 0}}));
  CHECK(rows.padded == Shape{5, 2});
  REQUIRE(rows.runs.size() == 1);
  CHECK((rows.runs[0].cell == 0 && rows.runs[0].offset == 2 && rows.runs[0].length == 8));
  const auto ceiled = placed_windows(std::vector<int64_t>{3}, {.kernel = {2}, .strides = {2}, .ceil_mode = true});
  CHECK(declared_cells(ceiled) == std::vector<uint8_t>{1, 1, 1, 0});
}

TEST_CASE("windows: what a node must not say") {
  CHECK(error_of({4}, {.kernel = {5}}) == "schema/empty-window");
  CHECK(error_of({4, 4}, {.kernel = {2}}) == "schema/attribute-length");
  CHECK(error_of({4}, {.kernel = {2}, .strides = {0}}) == "schema/attribute-range");
  CHECK(error_of({4}, {.kernel = {2}, .pads = {-1, 0}}) == "schema/attribute-range");
  CHECK(error_of({4}, {.kernel = {2}, .pads = {0}}) == "schema/attribute-length");
  CHECK(error_of({4}, {.auto_pad = "VALID", .kernel = {2}, .pads = {0, 1}}) == "schema/attribute-conflict");
  CHECK(error_of({4}, {.auto_pad = "VALID", .kernel = {2}, .pads = {0, 0}}) == "");
  CHECK(error_of({4}, {.auto_pad = "SAME", .kernel = {2}}) == "schema/attribute-value");
  CHECK(error_of({4}, {.kernel = {INT64_MAX}, .dilations = {2}}) == "limit/size-overflow");
}
