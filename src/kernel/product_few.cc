#include "src/kernel/product_few.h"

#include <algorithm>
#include <vector>

#include "src/base/parallel.h"
#include "src/kernel/few_tile.h"
#include "src/kernel/packing.h"
#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr size_t kMostFew = 7;                   // from 8 on packing pays
constexpr size_t kTogether = 2400;               // at most so many vectors of a block, in long runs of memory
constexpr size_t kPanel = 48;                    // a multiple of every panel's width
constexpr size_t kDecoded = 64;                  // elements of theirs that are decoded at a time, where they are not plain
constexpr size_t kSmallWork = size_t{1} << 19;   // multiplications that are not worth waking a second thread

void few_sums(const FewSums& job) {
  static const auto function = ONNXV_OF_SET(few_sums);
  function(job);
}

// The few vectors as rows of doubles, and everything that blocks of the many share.
class Few {
 public:
  Few(const ProductTask& task, const UseOfTile& use)
      : task_(task), use_(use), few_are_a_(task.a.count() <= kMostFew), few_(few_are_a_ ? task.a : task.b),
        many_(few_are_a_ ? task.b : task.a), length_(few_.length()), plain_(many_.plain()), measures_(many_.measures()) {
    const bool is_plain = plain_.floats() != nullptr || plain_.doubles() != nullptr;
    across_ = !is_plain || plain_.element_stride != 1;
    decodes_ = !is_plain || (plain_.element_stride != 1 && plain_.vector_stride != 1);
    const size_t calls = decodes_ ? (length_ + kDecoded - 1) / kDecoded : 1;
    const size_t depth = few_depth(across_, decodes_ ? kDecoded : length_) + calls + (task.starts() ? 1 : 0);
    factor_ = static_cast<double>(depth + 8) * 0x1p-53;
    for (size_t f = 0; f < few_.count(); ++f) {
      rows_.resize((f + 1) * length_);
      few_.read(f, 1, 0, length_, rows_.data() + f * length_);
    }
    for (size_t f = 0; f < few_.count(); ++f) {
      const VectorMeasure measure = measured_alone(rows_.data() + f * length_, length_);
      few_measures_.norms.push_back(measure.norm);
      few_measures_.quanta.push_back(measure.quantum);
      if (!task.starts()) continue;
      product_kernels().measure_more(few_are_a_ ? task.more_of_a(f) : task.more_of_b(f), &few_measures_.norms[f], &few_measures_.quanta[f]);
    }
  }
  void run() const {
    const size_t count = many_.count();
    const bool alone = thread_count() == 1 || count * few_.count() * length_ < kSmallWork;
    const size_t blocks = alone ? (count + kTogether - 1) / kTogether : 4 * static_cast<size_t>(thread_count());
    const size_t block = std::min(kTogether, (count / blocks + kPanel) / kPanel * kPanel);
    const auto work = [&](size_t begin, size_t end) {
      for (size_t first = begin; first < end; first += block) run_block(first, std::min(block, end - first));
    };
    parallel_for(count, alone ? count : block, work);
  }

 private:
  void run_block(size_t first, size_t count) const;
  void add_sums(size_t first, size_t count, double* sums, size_t stride) const;
  VectorMeasures measures_of(size_t first, size_t count) const;
  double start_at(size_t i, size_t j) const { return task_.starts() ? task_.more_of_a(i) * task_.more_of_b(j) : -0.0; }

  const ProductTask& task_;
  const UseOfTile& use_;
  const bool few_are_a_;
  const Vectors& few_;
  const Vectors& many_;
  const size_t length_;
  const Vectors::Plain plain_;
  const std::shared_ptr<const VectorMeasures> measures_;
  bool across_ = true, decodes_ = true;
  double factor_ = 0;
  std::vector<double> rows_;
  VectorMeasures few_measures_;
};

VectorMeasures Few::measures_of(size_t first, size_t count) const {
  static thread_local Scratch memory;
  VectorMeasures block;
  const size_t padded = (count + kPanel - 1) / kPanel * kPanel;
  block.norms.reserve(padded);
  block.quanta.reserve(padded);
  const auto append = [&](const double* norms, const double* quanta, size_t some) {
    block.norms.insert(block.norms.end(), norms, norms + some);
    block.quanta.insert(block.quanta.end(), quanta, quanta + some);
  };
  if (measures_ != nullptr) {
    append(measures_->norms.data() + first, measures_->quanta.data() + first, count);
  } else if (count <= kMostFew) {
    for (size_t v = first; v < first + count; ++v) {
      double* vector = memory.take(length_);
      many_.read(v, 1, 0, length_, vector);
      const VectorMeasure measure = measured_alone(vector, length_);
      append(&measure.norm, &measure.quantum, 1);
    }
  } else {
    for (size_t v = 0; v < count; v += kPanel) {
      const size_t some = std::min(kPanel, count - v);
      const Packed packed = pack(many_, first + v, some, kPanel, memory);
      append(packed.norms, packed.quanta, some);
    }
  }
  for (size_t v = 0; v < count && task_.starts(); ++v) {
    product_kernels().measure_more(few_are_a_ ? task_.more_of_b(first + v) : task_.more_of_a(first + v), &block.norms[v], &block.quanta[v]);
  }
  block.norms.resize(padded);
  block.quanta.resize(padded);
  return block;
}

void Few::add_sums(size_t first, size_t count, double* sums, size_t stride) const {
  const size_t few = few_.count();
  if (!decodes_) {
    const int64_t at = static_cast<int64_t>(first) * plain_.vector_stride;
    const int64_t many_stride = across_ ? plain_.element_stride : plain_.vector_stride;
    few_sums({rows_.data(), length_, few, plain_.floats() == nullptr ? nullptr : plain_.floats() + at,
              plain_.doubles() == nullptr ? nullptr : plain_.doubles() + at, across_, many_stride, length_, count, sums, stride});
    return;
  }
  static thread_local Scratch memory;
  double* decoded = memory.take(kDecoded * count);
  for (size_t k = 0; k < length_; k += kDecoded) {
    const size_t depth = std::min(kDecoded, length_ - k);
    many_.read(first, count, k, depth, decoded);
    few_sums({rows_.data() + k, length_, few, nullptr, decoded, true, static_cast<int64_t>(count), depth, count, sums, stride});
  }
}

void Few::run_block(size_t first, size_t count) const {
  const VectorMeasures many = measures_of(first, count);
  const size_t few = few_.count(), stride = many.norms.size();
  std::vector<double> sums(few * stride);
  for (size_t f = 0; f < few; ++f) {
    for (size_t v = 0; v < count; ++v) {
      sums[f * stride + v] = few_are_a_ ? start_at(f, first + v) : start_at(first + v, f);
    }
  }
  add_sums(first, count, sums.data(), stride);
  if (few_are_a_) {
    use_({sums.data(), stride, few, count, few_measures_.norms.data(), few_measures_.quanta.data(), many.norms.data(),
          many.quanta.data(), factor_}, 0, first);
    return;
  }
  // A portable panel may be narrower than the few.
  const size_t panel = product_kernels().columns, width = (few + panel - 1) / panel * panel;
  std::vector<double> turned(count * width), norms(width), quanta(width);
  for (size_t f = 0; f < few; ++f) {
    norms[f] = few_measures_.norms[f];
    quanta[f] = few_measures_.quanta[f];
    for (size_t v = 0; v < count; ++v) turned[v * width + f] = sums[f * stride + v];
  }
  use_({turned.data(), width, count, few, many.norms.data(), many.quanta.data(), norms.data(), quanta.data(), factor_}, first, 0);
}

}  // namespace

bool is_few(const ProductTask& task) { return task.a.count() <= kMostFew || task.b.count() <= kMostFew; }

void for_each_tile_of_few(const ProductTask& task, const UseOfTile& use) { Few(task, use).run(); }

}  // namespace onnxv
