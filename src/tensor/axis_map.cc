#include "src/tensor/axis_map.h"

#include <optional>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// Output positions [to, to + count) of an axis take [from, from + count).
struct Run {
  int64_t to, from, count;
};

std::vector<int64_t> sources_of(const AxisMap& map, int64_t dim) {
  std::vector<int64_t> sources(static_cast<size_t>(map.length));
  for (int64_t i = 0; i < map.length; ++i) {
    const int64_t source = map.source ? map.source(i) : i;
    if (source < -1 || source >= dim)
      fail_internal("axis-map", "a source position is outside its axis");
    sources[static_cast<size_t>(i)] = source;
  }
  return sources;
}

std::vector<Run> runs_of(const std::vector<int64_t>& sources) {
  std::vector<Run> runs;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] < 0) continue;
    if (!runs.empty()) {
      Run& last = runs.back();
      if (last.to + last.count == static_cast<int64_t>(i) && last.from + last.count == sources[i]) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({static_cast<int64_t>(i), sources[i], 1});
  }
  return runs;
}

bool is_identity(const AxisMap& map, int64_t dim) { return !map.source && map.length == dim; }

bool has_gap(const std::vector<std::vector<int64_t>>& sources) {
  for (const auto& axis : sources) {
    for (int64_t source : axis) {
      if (source < 0) return true;
    }
  }
  return false;
}

// Where row `at` of the leading axes starts in the data, in rows; nullopt where an axis takes the
// fill.
std::optional<int64_t> source_row(const Odometer& at,
                                  const std::vector<std::vector<int64_t>>& sources,
                                  const Shape& data) {
  int64_t row = 0;
  for (size_t axis = 0; axis + 1 < sources.size(); ++axis) {
    const int64_t source = sources[axis][static_cast<size_t>(at[static_cast<int64_t>(axis)])];
    if (source < 0) return std::nullopt;
    row = row * data[static_cast<int64_t>(axis)] + source;
  }
  return row;
}

// The linear source of every output element of a row that starts at `row`; -1 where it takes the
// fill.
void append_row(std::vector<int64_t>& positions, std::optional<int64_t> row,
                const std::vector<int64_t>& sources, int64_t from_row, int64_t block) {
  for (int64_t source : sources) {
    const bool is_fill = !row || source < 0;
    for (int64_t i = 0; i < block; ++i) {
      positions.push_back(is_fill ? -1 : *row * from_row + source * block + i);
    }
  }
}

}  // namespace

Tensor filled(const Tensor& element, Shape shape) {
  if (element.size() != 1) fail_internal("fill", "a fill has more or less than one element");
  const std::vector<int64_t> still(shape.size(), 0);
  return strided_copy(element, std::move(shape), 0, still);
}

Tensor map_axes(const Tensor& data, std::span<const AxisMap> maps, const Tensor* fill) {
  const Shape& from = data.shape();
  if (maps.size() != from.size()) fail_internal("axis-map", "the maps are not one for each axis");
  Shape shape;
  int64_t mapped_axes = 0;  // behind them all axes are taken whole
  for (int64_t axis = 0; axis < from.rank(); ++axis) {
    const AxisMap& map = maps[static_cast<size_t>(axis)];
    shape.push_back(map.length);
    if (!is_identity(map, from[axis])) mapped_axes = axis + 1;
  }
  if (mapped_axes == 0) return data;
  Tensor out = Tensor::unfilled(data.dtype(), shape);
  if (out.size() == 0) return out;

  std::vector<std::vector<int64_t>> sources;
  for (int64_t axis = 0; axis < mapped_axes; ++axis) {
    sources.push_back(sources_of(maps[static_cast<size_t>(axis)], from[axis]));
  }
  const std::vector<Run> runs = runs_of(sources.back());
  const int64_t block = shape.elements(mapped_axes, shape.rank());
  const int64_t from_row = from[mapped_axes - 1] * block, to_row = shape[mapped_axes - 1] * block;
  const Shape leading(std::span(shape.dims()).first(static_cast<size_t>(mapped_axes - 1)));
  // Copying in pieces this short costs more than saying where each element comes from.
  constexpr int64_t kShort = 8;
  if (static_cast<int64_t>(runs.size()) * kShort > to_row) {
    std::vector<int64_t> positions;
    positions.reserve(out.size());
    for (Odometer at(leading); at.more(); at.next()) {
      append_row(positions, source_row(at, sources, from), sources.back(), from_row, block);
    }
    return gather_elements(data, std::move(shape), positions, fill);
  }
  if (has_gap(sources)) out = fill != nullptr ? filled(*fill, shape) : Tensor(data.dtype(), shape);
  int64_t to = 0;
  for (Odometer at(leading); at.more(); at.next(), to += to_row) {
    const auto row = source_row(at, sources, from);
    if (!row) continue;
    for (const Run& run : runs) {
      copy_elements(data, static_cast<size_t>(*row * from_row + run.from * block),
                    static_cast<size_t>(run.count * block), out,
                    static_cast<size_t>(to + run.to * block));
    }
  }
  return out;
}

}  // namespace onnxv
