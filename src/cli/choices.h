// The tagged decisions of the sources: collected by choices.py as the program is built.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace onnxv::cli {

struct Decision {
  std::string_view file;
  int line;
  std::string_view tag;  // "Spec", "Choice" or "Erratum"
  std::string_view text;
};

std::span<const Decision> decisions();

}  // namespace onnxv::cli
