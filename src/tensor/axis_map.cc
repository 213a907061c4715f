#include "src/tensor/axis_map.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/parallel.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// Output positions [to, to + count) of an axis take [from, from + count).
struct Run {
  int64_t to, from, count;
};

int64_t source_of(const AxisMap& map, int64_t i, int64_t dim) {
  const int64_t source = map.source ? map.source(i) : i;
  if (source < -1 || source >= dim) fail_internal("axis-map", "a source position is outside its axis");
  return source;
}

// An axis as the runs that it takes; -1 as `from`: the fill.
std::vector<Run> runs_of(const AxisMap& map, int64_t dim) {
  const AxisMap::Straight& straight = map.straight;
  if (straight.count > 0 && (straight.from < 0 || straight.from > dim - straight.count || straight.to > map.length - straight.count)) {
    fail_internal("axis-map", "a source position is outside its axis");
  }
  std::vector<Run> runs;
  const auto add = [&](Run run) {
    const bool follows = !runs.empty() && (run.from < 0 ? runs.back().from < 0 : runs.back().from >= 0 && runs.back().from + runs.back().count == run.from);
    if (follows) {
      runs.back().count += run.count;
    } else {
      runs.push_back(run);
    }
  };
  for (int64_t i = 0; i < map.length;) {
    const bool is_straight = straight.count > 0 && i == straight.to;
    const Run run = is_straight ? Run{i, straight.from, straight.count} : Run{i, source_of(map, i, dim), 1};
    add(run);
    i += run.count;
  }
  return runs;
}

bool has_gap(std::span<const Run> runs) {
  return std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.from < 0; });
}

// Position by position.
std::vector<int64_t> sources_of(std::span<const Run> runs) {
  std::vector<int64_t> sources;
  for (const Run& run : runs) {
    for (int64_t i = 0; i < run.count; ++i) sources.push_back(run.from < 0 ? -1 : run.from + i);
  }
  return sources;
}

bool is_identity(const AxisMap& map, int64_t dim) { return !map.source && map.length == dim; }

// Where row `at` of the leading axes starts in the data, in rows; nullopt where an axis takes the
// fill.
std::optional<int64_t> source_row(const Odometer& at,
                                  const std::vector<std::vector<int64_t>>& sources,
                                  const Shape& data) {
  int64_t row = 0;
  for (size_t axis = 0; axis < sources.size(); ++axis) {
    const int64_t source = sources[axis][static_cast<size_t>(at[static_cast<int64_t>(axis)])];
    if (source < 0) return std::nullopt;
    row = row * data[static_cast<int64_t>(axis)] + source;
  }
  return row;
}

// Where the rows of the output start in the data, in elements; -1 where a row is all fill.
std::vector<int64_t> row_starts(const Shape& leading, const std::vector<std::vector<int64_t>>& sources, const Shape& data,
                                int64_t from_row) {
  std::vector<int64_t> starts;
  for (Odometer at(leading); at.more(); at.next()) {
    const auto row = source_row(at, sources, data);
    starts.push_back(row ? *row * from_row : -1);
  }
  return starts;
}

// Where the elements of every row lie behind its start; -1 where they are fill.
std::vector<int64_t> row_columns(const std::vector<int64_t>& sources, int64_t block) {
  std::vector<int64_t> columns;
  for (const int64_t source : sources) {
    for (int64_t i = 0; i < block; ++i) columns.push_back(source < 0 ? -1 : source * block + i);
  }
  return columns;
}

Tensor gathered_rows(const Tensor& data, Shape shape, std::span<const int64_t> starts, std::span<const int64_t> columns,
                     const Tensor* fill) {
  std::vector<int64_t> positions;
  positions.reserve(starts.size() * columns.size());
  for (const int64_t start : starts) {
    for (const int64_t column : columns) positions.push_back(start < 0 || column < 0 ? -1 : start + column);
  }
  return gather_elements(data, std::move(shape), positions, fill);
}

// A row whose start is that of the row before is a copy of it.
template <class T>
void pick_rows(const T* from, std::span<const int64_t> starts, std::span<const int64_t> columns, T fill, T* out) {
  const bool gaps = std::any_of(columns.begin(), columns.end(), [](int64_t column) { return column < 0; });
  const size_t width = columns.size();
  for (size_t r = 0; r < starts.size(); ++r, out += width) {
    const T* row = from + starts[r];
    if (starts[r] < 0) {
      std::fill_n(out, width, fill);
    } else if (r > 0 && starts[r] == starts[r - 1]) {
      std::copy_n(out - width, width, out);
    } else if (gaps) {
      for (size_t i = 0; i < width; ++i) out[i] = columns[i] < 0 ? fill : row[columns[i]];
    } else {
      for (size_t i = 0; i < width; ++i) out[i] = row[columns[i]];
    }
  }
}

// False for types that are not numbers of whole bytes.
template <class T>
bool pick_rows_as(const Tensor& data, std::span<const int64_t> starts, std::span<const int64_t> columns, const Tensor* fill,
                  Tensor& out) {
  if (dtype_bits(data.dtype()) != 8 * sizeof(T)) return false;
  const T* from = data.as<T>().data();
  T* to = out.mutable_as<T>().data();
  const T blank = fill == nullptr ? T() : fill->as<T>()[0];
  constexpr size_t kGrain = size_t{1} << 15;
  parallel_for(starts.size(), std::max<size_t>(1, kGrain / columns.size()), [&](size_t begin, size_t end) {
    pick_rows(from, starts.subspan(begin, end - begin), columns, blank, to + begin * columns.size());
  });
  return true;
}

// `out` is unfilled and has the shape.
Tensor picked_rows(const Tensor& data, std::span<const int64_t> starts, std::span<const int64_t> columns, const Tensor* fill,
                   Tensor out) {
  if (data.bounds() != nullptr || data.is_string()) return gathered_rows(data, out.shape(), starts, columns, fill);
  const bool done = pick_rows_as<uint8_t>(data, starts, columns, fill, out) || pick_rows_as<uint16_t>(data, starts, columns, fill, out) ||
                    pick_rows_as<uint32_t>(data, starts, columns, fill, out) || pick_rows_as<uint64_t>(data, starts, columns, fill, out);
  return done ? out : gathered_rows(data, out.shape(), starts, columns, fill);
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

  std::vector<std::vector<int64_t>> sources;  // of the leading axes
  bool gaps = false;
  for (int64_t axis = 0; axis + 1 < mapped_axes; ++axis) {
    const std::vector<Run> runs = runs_of(maps[static_cast<size_t>(axis)], from[axis]);
    gaps = gaps || has_gap(runs);
    sources.push_back(sources_of(runs));
  }
  const std::vector<Run> runs = runs_of(maps[static_cast<size_t>(mapped_axes - 1)], from[mapped_axes - 1]);
  gaps = gaps || has_gap(runs);
  const int64_t block = shape.elements(mapped_axes, shape.rank());
  const int64_t from_row = from[mapped_axes - 1] * block, to_row = shape[mapped_axes - 1] * block;
  const Shape leading(std::span(shape.dims()).first(static_cast<size_t>(mapped_axes - 1)));
  // Copying in pieces this short costs more than saying where each element comes from.
  constexpr int64_t kShort = 8;
  if (static_cast<int64_t>(runs.size()) * kShort > to_row) {
    return picked_rows(data, row_starts(leading, sources, from, from_row), row_columns(sources_of(runs), block), fill, std::move(out));
  }
  if (gaps) out = fill != nullptr ? filled(*fill, shape) : Tensor(data.dtype(), shape);
  int64_t to = 0;
  for (Odometer at(leading); at.more(); at.next(), to += to_row) {
    const auto row = source_row(at, sources, from);
    if (!row) continue;
    for (const Run& run : runs) {
      if (run.from < 0) continue;
      copy_elements(data, static_cast<size_t>(*row * from_row + run.from * block),
                    static_cast<size_t>(run.count * block), out,
                    static_cast<size_t>(to + run.to * block));
    }
  }
  return out;
}

}  // namespace onnxv
