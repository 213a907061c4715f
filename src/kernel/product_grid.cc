#include "src/kernel/product_grid.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "src/base/parallel.h"
#include "src/kernel/packing.h"
#include "src/kernel/product_few.h"
#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr size_t kBlockOfA = size_t{1} << 14;   // doubles of a block of a, and about as many of b: both stay in the second cache
constexpr size_t kColumns = 96;                 // of b that are packed at a time
constexpr size_t kMostPacked = size_t{1} << 22; // doubles of a that are packed at a time
constexpr size_t kMostRows = 4096;              // of a that have sums at a time
constexpr size_t kFewColumns = 512;             // so few that it pays to keep the norms of a, where it is a weight
constexpr size_t kSmallWork = size_t{1} << 18;  // multiplications that are not worth waking a second thread

size_t divided_up(size_t count, size_t by) { return (count + by - 1) / by; }

// What bounds the products of some vectors: [first, first + count), in whole panels.
struct Measures {
  std::vector<double> norms;  // squares, until finish()
  std::vector<double> more;   // one more element of each; empty: none
  LateQuanta quanta;

  Measures(const Vectors& vectors, size_t first, size_t count, size_t width, std::vector<double> one_more)
      : norms(divided_up(count, width) * width), more(std::move(one_more)),
        quanta(vectors, first, count, width, more.empty() ? nullptr : more.data()) {}
  void finish() {
    for (size_t v = 0; v < norms.size(); ++v) {
      const double x = v < more.size() ? more[v] : 0.0;
      norms[v] = std::sqrt(norms[v] + x * x);
    }
  }
};

// One more element for each of some vectors; 1 where `given` is null.
std::vector<double> more_elements(bool wanted, const double* given, size_t first, size_t count) {
  if (!wanted) return {};
  return given == nullptr ? std::vector<double>(count, 1.0) : std::vector<double>(given + first, given + first + count);
}

// Some vectors of a, packed: all panels of the first kDepth elements, then of the next.
struct Rows {
  size_t first, count, padded;
  double* panels;
  std::vector<double> start;  // [padded]; empty: the columns have it
  Measures measures;

  Rows(const ProductTask& task, size_t first_row, size_t rows, size_t width, Scratch& memory)
      : first(first_row), count(rows), padded(divided_up(rows, width) * width), panels(memory.take(padded * task.a.length())),
        measures(task.a, first, count, width, more_elements(task.starts(), task.start, first, count)) {
    if (task.start != nullptr) start = measures.more;
    if (task.start_of_b == nullptr) start.resize(padded, -0.0);
    const size_t length = task.a.length();
    const auto kept = task.b.count() <= kFewColumns ? task.a.measures() : nullptr;
    for (size_t k = 0; k < length; k += kDepth) {
      pack_part(task.a, {first, count, k, std::min(kDepth, length - k)}, width, panels + k * padded, kept == nullptr ? measures.norms.data() : nullptr);
    }
    for (size_t i = 0; kept != nullptr && i < count; ++i) measures.norms[i] = kept->norms[first + i] * kept->norms[first + i];
    measures.finish();
  }
};

struct TileQuanta : QuantaSource {
  TileQuanta(LateQuanta& of_a, LateQuanta& of_b, size_t at_row, size_t at_column)
      : a(of_a), b(of_b), row(at_row), column(at_column) {}
  void add_quanta(SumsOfTile* tile) const override {
    tile->quanta_a = a.of(row, tile->rows);
    tile->quanta_b = b.of(column, tile->columns);
  }
  LateQuanta &a, &b;
  size_t row, column;
};

// Rows [from, to) of a against columns [column, column + columns) of b.
struct Chunk {
  size_t from, to, column, columns;
};

// Columns of a chunk: some of their elements, and what they start from (null: the rows have it).
struct Columns {
  const double *panels, *start;
};

class Grid {
 public:
  Grid(const ProductTask& task, const UseOfTile& use) : task_(task), use_(use), kernels_(product_kernels()), length_(task.a.length()) {
    const size_t depth = std::min(length_, task.run) + divided_up(length_, task.run) + (task.starts() ? 1 : 0);
    factor_ = static_cast<double>(depth + 8) * kUnit;
    block_rows_ = divided_up(kBlockOfA / std::min(length_, kDepth), kernels_.rows) * kernels_.rows;
  }
  void run() {
    const size_t rows = std::min(kMostRows, std::max(block_rows_, kMostPacked / length_)) / kernels_.rows * kernels_.rows;
    for (size_t first = 0; first < task_.a.count(); first += rows) run_rows(first, std::min(rows, task_.a.count() - first));
  }

 private:
  void run_rows(size_t first, size_t count);
  void run_chunk(Rows& rows, Chunk chunk) const;
  void add_products(const Rows& rows, const Chunk& chunk, size_t k, Columns b, double* sums) const;

  const ProductTask& task_;
  const UseOfTile& use_;
  const ProductKernels& kernels_;
  const size_t length_;
  size_t block_rows_;
  double factor_;
};

// Chunks of columns are packed by the thread that multiplies them; where there are few, the rows are cut too.
void Grid::run_rows(size_t first, size_t count) {
  static thread_local Scratch memory;
  Rows rows(task_, first, count, kernels_.rows, memory);
  const size_t threads = static_cast<size_t>(thread_count());
  const size_t panels = divided_up(task_.b.count(), kernels_.columns);
  const bool alone = threads == 1 || count * task_.b.count() * length_ < kSmallWork;
  size_t together = std::max<size_t>(1, kColumns / kernels_.columns);
  if (!alone) together = std::min(together, std::max<size_t>(1, panels / (4 * threads)));
  const size_t chunks = divided_up(panels, together), blocks = divided_up(count, block_rows_);
  const size_t cuts = alone || chunks >= 2 * threads ? 1 : std::min(blocks, divided_up(2 * threads, chunks));
  const size_t cut = divided_up(blocks, cuts) * block_rows_, width = together * kernels_.columns;
  const auto work = [&](size_t begin, size_t end) {
    for (size_t unit = begin; unit < end; ++unit) {
      const size_t from = unit % cuts * cut, column = unit / cuts * width;
      if (from < count) run_chunk(rows, {from, std::min(count, from + cut), column, std::min(width, task_.b.count() - column)});
    }
  };
  parallel_for(chunks * cuts, alone ? chunks * cuts : 1, work);
}

// The products of elements from k on. Panels of b one after another; sums are [panel][rows of the chunk][columns of a panel].
void Grid::add_products(const Rows& rows, const Chunk& chunk, size_t k, Columns b, double* sums) const {
  const size_t length = std::min(kDepth, length_ - k), width = kernels_.columns, padded = divided_up(chunk.to - chunk.from, kernels_.rows) * kernels_.rows;
  for (size_t row = chunk.from; row < chunk.to; row += block_rows_) {
    const size_t block = divided_up(std::min(block_rows_, chunk.to - row), kernels_.rows);
    for (size_t j = 0; j < chunk.columns; j += width) {
      kernels_.tile({rows.panels + k * rows.padded + row * length, b.panels + j * length, block, length, chunk.columns - j, task_.run,
                     k == 0 && !rows.start.empty() ? rows.start.data() + row : nullptr, sums + (j / width * padded + row - chunk.from) * width,
                     k == 0 && b.start != nullptr ? b.start + j : nullptr});
    }
  }
}

void Grid::run_chunk(Rows& rows, Chunk chunk) const {
  static thread_local Scratch memory_b, memory_sums;
  const size_t width = kernels_.columns, padded = divided_up(chunk.to - chunk.from, kernels_.rows) * kernels_.rows;
  const size_t columns = divided_up(chunk.columns, width) * width;
  double* panels = memory_b.take(columns * std::min(kDepth, length_));
  double* sums = memory_sums.take(columns * padded);
  Measures b(task_.b, chunk.column, chunk.columns, width, more_elements(task_.starts(), task_.start_of_b, chunk.column, chunk.columns));
  std::vector<double> start;
  if (task_.start_of_b != nullptr) start = b.more;
  start.resize(task_.start_of_b == nullptr ? 0 : columns);
  for (size_t k = 0; k < length_; k += kDepth) {
    pack_part(task_.b, {chunk.column, chunk.columns, k, std::min(kDepth, length_ - k)}, width, panels, b.norms.data());
    add_products(rows, chunk, k, {panels, start.empty() ? nullptr : start.data()}, sums);
  }
  b.finish();
  for (size_t row = chunk.from; row < chunk.to; row += block_rows_) {
    for (size_t j = 0; j < chunk.columns; j += width) {
      const TileQuanta quanta(rows.measures.quanta, b.quanta, row, j);
      use_({sums + (j / width * padded + row - chunk.from) * width, width, std::min(block_rows_, chunk.to - row),
            std::min(width, chunk.columns - j), rows.measures.norms.data() + row, nullptr, b.norms.data() + j, nullptr, factor_, &quanta},
           rows.first + row, chunk.column + j);
    }
  }
}

}  // namespace

const ProductKernels& product_kernels() {
  static const ProductKernels& kernels = ONNXV_OF_SET(product_kernels)();
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
