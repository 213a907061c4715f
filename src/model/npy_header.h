// The header of a .npy file: a Python dictionary as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/tensor/tensor.h"

namespace onnxv {

struct NpyHeader {
  char kind = 'f';       // NumPy's letter: b i u f c U S
  size_t item_size = 4;  // bytes of one element
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;             // its product fits 63 bits
  size_t data_offset = 0;  // where the elements start

  // kString for U and S. kModel "npy" for a type that ONNX has not.
  DType dtype() const;
};

// kModel "npy" for anything that is no header of versions 1 to 3, and for structured and object
// types.
NpyHeader parse_npy_header(std::string_view bytes);
// The magic, the lengths and the dictionary, padded as NumPy pads it.
std::string npy_header_text(std::string_view descr, const Shape& shape);

}  // namespace onnxv
