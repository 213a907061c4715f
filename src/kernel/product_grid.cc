#include "src/kernel/product_grid.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/base/parallel.h"
#include "src/kernel/packing.h"
#include "src/kernel/product_few.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr size_t kBlockOfA = size_t{1} << 15;   // doubles of a block of a: it stays in the second cache
constexpr size_t kBlockOfB = size_t{1} << 16;   // doubles of b that are packed at a time
constexpr size_t kMostPacked = size_t{1} << 22; // doubles of a that are packed at a time
constexpr size_t kMostPanels = 16;              // of b that are packed at a time
constexpr size_t kMostRows = 192;               // of a tile
constexpr size_t kSmallWork = size_t{1} << 16;  // multiplications that are not worth a second thread

size_t divided_up(size_t count, size_t by) { return (count + by - 1) / by; }

// A packed family's norms and quanta with one more element in each vector.
struct Measures {
  std::vector<double> norms, quanta;
};
Measures extended(const double* norms, const double* quanta, size_t count, const double* extra, size_t present) {
  Measures measures;
  for (size_t v = 0; v < count; ++v) {
    const double value = extra == nullptr ? 1.0 : v < present ? extra[v] : 0.0;
    double norm = norms[v], quantum = quanta[v];
    product_kernels().measure_more(value, &norm, &quantum);
    measures.norms.push_back(norm);
    measures.quanta.push_back(quantum);
  }
  return measures;
}

// Some vectors of a, packed.
struct Rows {
  size_t first, count;
  Packed packed;
  Measures with_start;
  std::vector<double> start;

  const double* norms() const { return with_start.norms.empty() ? packed.norms : with_start.norms.data(); }
  const double* quanta() const { return with_start.quanta.empty() ? packed.quanta : with_start.quanta.data(); }
};

class Grid {
 public:
  Grid(const ProductTask& task, const UseOfTile& use) : task_(task), use_(use), kernels_(product_kernels()), length_(task.a.length()) {
    const size_t depth = std::min(length_, task.run) + divided_up(length_, task.run) + (task.start == nullptr ? 0 : 1);
    factor_ = static_cast<double>(depth + 8) * kUnit;
    const size_t rows = kBlockOfA / length_ / kernels_.rows * kernels_.rows;
    block_rows_ = std::clamp(rows, 4 * kernels_.rows, kMostRows);
  }
  void run() {
    const size_t together = std::max(block_rows_, kMostPacked / length_ / block_rows_ * block_rows_);
    for (size_t first = 0; first < task_.a.count(); first += together) run_rows(first, std::min(together, task_.a.count() - first));
  }

 private:
  void run_rows(size_t first, size_t count);
  void run_chunk(const Rows& rows, size_t from, size_t to, size_t column, size_t columns) const;
  Rows packed_rows(size_t first, size_t count, Scratch& memory) const;

  const ProductTask& task_;
  const UseOfTile& use_;
  const ProductKernels& kernels_;
  const size_t length_;
  size_t block_rows_;
  double factor_;
};

Rows Grid::packed_rows(size_t first, size_t count, Scratch& memory) const {
  Rows rows{first, count, pack(task_.a, first, count, kernels_.rows, memory), {}, {}};
  const size_t padded = divided_up(count, kernels_.rows) * kernels_.rows;
  rows.start.assign(padded, -0.0);
  if (task_.start == nullptr) return rows;
  std::copy_n(task_.start + first, count, rows.start.begin());
  rows.with_start = extended(rows.packed.norms, rows.packed.quanta, padded, task_.start + first, count);
  return rows;
}

// Chunks of columns are packed by the thread that multiplies them; where there are few, the rows are cut too.
void Grid::run_rows(size_t first, size_t count) {
  static thread_local Scratch memory;
  const Rows rows = packed_rows(first, count, memory);
  const size_t threads = static_cast<size_t>(thread_count());
  const size_t panels = divided_up(task_.b.count(), kernels_.columns);
  const bool alone = threads == 1 || count * task_.b.count() * length_ < kSmallWork;
  size_t chunk = std::clamp<size_t>(kBlockOfB / (length_ * kernels_.columns), 1, kMostPanels);
  if (!alone) chunk = std::min(chunk, std::max<size_t>(1, panels / (4 * threads)));
  const size_t chunks = divided_up(panels, chunk), blocks = divided_up(count, block_rows_);
  const size_t cuts = alone || chunks >= 2 * threads ? 1 : std::min(blocks, divided_up(2 * threads, chunks));
  const size_t cut = divided_up(blocks, cuts) * block_rows_, width = chunk * kernels_.columns;
  const auto work = [&](size_t begin, size_t end) {
    for (size_t unit = begin; unit < end; ++unit) {
      const size_t from = unit % cuts * cut, column = unit / cuts * width;
      if (from < count) run_chunk(rows, from, std::min(count, from + cut), column, std::min(width, task_.b.count() - column));
    }
  };
  parallel_for(chunks * cuts, alone ? chunks * cuts : 1, work);
}

void Grid::run_chunk(const Rows& rows, size_t from, size_t to, size_t column, size_t columns) const {
  static thread_local Scratch memory, scratch;
  const size_t width = kernels_.columns, padded = divided_up(columns, width) * width;
  const Packed b = pack(task_.b, column, columns, width, memory);
  const Measures with_start = task_.start == nullptr ? Measures{} : extended(b.norms, b.quanta, padded, nullptr, 0);
  const double* norms = task_.start == nullptr ? b.norms : with_start.norms.data();
  const double* quanta = task_.start == nullptr ? b.quanta : with_start.quanta.data();
  double* sums = scratch.take(kMostRows * width);
  for (size_t row = from; row < to; row += block_rows_) {
    const size_t block = std::min(block_rows_, to - row);
    for (size_t j = 0; j < columns; j += width) {
      kernels_.tile({rows.packed.panels + row * length_, b.panels + j * length_, divided_up(block, kernels_.rows), length_, task_.run,
                     rows.start.data() + row, sums});
      use_({sums, width, block, std::min(width, columns - j), rows.norms() + row, rows.quanta() + row, norms + j, quanta + j, factor_},
           rows.first + row, column + j);
    }
  }
}

}  // namespace

const ProductKernels& product_kernels() {
  static const ProductKernels& kernels = []() -> const ProductKernels& {
    const std::string_view set = instruction_set();
#ifdef ONNXV_SET_avx512
    if (set == "avx512") return product_kernels_avx512();
#endif
#ifdef ONNXV_SET_avx2
    if (set == "avx2") return product_kernels_avx2();
#endif
#ifdef ONNXV_SET_none
    return product_kernels_none();
#endif
    fail_internal("simd", "no product kernel for " + std::string(set));
  }();
  return kernels;
}

bool fits_tiles(const ProductTask& task) {
  return task.a.narrow() && task.b.narrow() && task.a.length() != 0 && task.a.length() < (size_t{1} << 24);
}

void for_each_tile(const ProductTask& task, const UseOfTile& use) {
  if (is_few(task)) return for_each_tile_of_few(task, use);
  Grid(task, use).run();
}

}  // namespace onnxv
