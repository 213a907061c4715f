// Vectors as the inner kernels read them: panels of a few vectors side by side, with what bounds their products.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "src/kernel/vectors.h"

namespace onnxv {

// Memory for doubles that is not cleared, and grows but never shrinks.
class Scratch {
 public:
  double* take(size_t count);

 private:
  struct Free {
    void operator()(double* p) const;
  };
  std::unique_ptr<double[], Free> data_;
  size_t capacity_ = 0;
};

// `count` vectors in panels of `width`, panel after panel, each [length][width]; the last one filled up with zeros.
struct Packed {
  const double* panels = nullptr;
  const double* norms = nullptr;   // Euclidean, [panels * width]
  const double* quanta = nullptr;  // see PanelMeasure
};

// Packs and measures vectors [first, first + count) into `memory`, which the result points to.
Packed pack(const Vectors& vectors, size_t first, size_t count, size_t width, Scratch& memory);
// Doubles of memory that this takes.
size_t packed_doubles(size_t length, size_t count, size_t width);

// The norm and the quantum of one vector alone, whose elements are neighbours.
struct VectorMeasure {
  double norm, quantum;
};
VectorMeasure measured_alone(const double* elements, size_t length);

// Elements of some vectors.
struct VectorPart {
  size_t first, count, from, length;
};
// Packs them alone, panel after panel, and adds their squares to `squares` (one for each vector of the panels; null: not wanted).
void pack_part(const Vectors& vectors, VectorPart part, size_t width, double* panels, double* squares);

// The quanta of vectors [first, first + count), each panel's measured when it is first asked for; from several threads.
class LateQuanta {
 public:
  // `more`: one more element of each vector, [count] (kept by the caller; null: none).
  LateQuanta(const Vectors& vectors, size_t first, size_t count, size_t width, const double* more);
  // Those of vectors first + [at, at + some); `at` begins a panel.
  const double* of(size_t at, size_t some);

 private:
  const Vectors& vectors_;
  const double* more_;
  size_t first_, count_, width_;
  std::mutex mutex_;
  std::vector<double> quanta_;  // whole panels; NaN: not measured yet
};

}  // namespace onnxv
