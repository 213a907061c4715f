// The transposition of a plane: where rows become columns, one side of the copy always strides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace onnxv {
namespace transpose_detail {

// A square of n x n elements of T, each row one register.
template <class T>
struct Square {
  static constexpr size_t n = 16 / sizeof(T);
  typedef T Row __attribute__((vector_size(16)));

  template <size_t... k>
  static Row lower_halves(Row a, Row b, std::index_sequence<k...>) {
    return __builtin_shufflevector(a, b, (k % 2 == 0 ? k / 2 : n + k / 2)...);
  }
  template <size_t... k>
  static Row upper_halves(Row a, Row b, std::index_sequence<k...>) {
    return __builtin_shufflevector(a, b, (k % 2 == 0 ? n / 2 + k / 2 : n + n / 2 + k / 2)...);
  }
  // Interleaving row i with row i + n / 2 turns the bits of (row, column) by one place: after log2(n) times they have changed sides.
  static void transpose(const T* from, size_t from_stride, T* to, size_t to_stride) {
    using Elements = std::make_index_sequence<n>;
    Row rows[n], next[n];
    for (size_t i = 0; i < n; ++i) std::memcpy(&rows[i], from + i * from_stride, sizeof(Row));
#pragma GCC unroll 4
    for (size_t turned = 1; turned < n; turned *= 2) {
#pragma GCC unroll 8
      for (size_t i = 0; i < n / 2; ++i) {
        next[2 * i] = lower_halves(rows[i], rows[i + n / 2], Elements());
        next[2 * i + 1] = upper_halves(rows[i], rows[i + n / 2], Elements());
      }
      std::copy_n(next, n, rows);
    }
    for (size_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, &rows[i], sizeof(Row));
  }
};

}  // namespace transpose_detail

// to[r * to_stride + c] = from[c * from_stride + r]. T: an unsigned integer of 1 to 8 bytes.
//
// A tile goes through a buffer: each of its lines is read, and written, as one run that is long enough for the machine to
// fetch ahead, and lines that are a power of two apart do not drive each other out of the cache.
template <class T>
void transpose_plane(const T* from, size_t from_stride, T* to, size_t to_stride, size_t rows, size_t columns) {
  using Square = transpose_detail::Square<T>;
  constexpr size_t n = Square::n, kTile = sizeof(T) == 8 ? 32 : 64, kStride = kTile + n;
  alignas(64) T buffer[kTile * kStride];
  for (size_t top = 0; top < rows; top += kTile) {
    const size_t height = std::min(kTile, rows - top);
    for (size_t left = 0; left < columns; left += kTile) {
      const size_t width = std::min(kTile, columns - left);
      for (size_t c = 0; c < width; ++c) {
        std::memcpy(buffer + c * kStride, from + top + (left + c) * from_stride, height * sizeof(T));
      }
      T* const out = to + top * to_stride + left;
      const size_t whole_rows = height / n * n, whole_columns = width / n * n;
      for (size_t r = 0; r < whole_rows; r += n) {
        for (size_t c = 0; c < whole_columns; c += n) {
          Square::transpose(buffer + c * kStride + r, kStride, out + r * to_stride + c, to_stride);
        }
      }
      for (size_t r = 0; r < height; ++r) {
        for (size_t c = r < whole_rows ? whole_columns : 0; c < width; ++c) out[r * to_stride + c] = buffer[c * kStride + r];
      }
    }
  }
}

}  // namespace onnxv
