// NumPy's .npy and .npz files.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/tensor/tensor.h"

namespace onnxv {

// Versions 1 to 3 of the format, both byte orders, C and Fortran order; bool, integers, floats,
// complex, fixed-width strings (U, S). Errors: kModel. Sizes in headers are checked before anything
// is allocated.
Tensor read_npy(const std::string& path);
Tensor parse_npy(std::string_view bytes);
// Types that NumPy lacks (bfloat16, float8, sub-byte) are a usage error that names `.pb`.
std::string serialize_npy(const Tensor& tensor);
void write_npy(const Tensor& tensor, const std::string& path);

// Stored and deflated members (zlib). Order of the archive. Writing is deterministic: no clock in
// it.
std::vector<std::pair<std::string, Tensor>> read_npz(const std::string& path);
std::vector<std::pair<std::string, Tensor>> parse_npz(std::string_view bytes);
std::string serialize_npz(const std::vector<std::pair<std::string, Tensor>>& tensors);
void write_npz(const std::vector<std::pair<std::string, Tensor>>& tensors, const std::string& path);

}  // namespace onnxv
