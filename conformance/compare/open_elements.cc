#include "conformance/compare/open_elements.h"

#include <algorithm>

namespace onnxv {

OpenElements open_elements(std::span<const UnspecifiedMark> marks, size_t output) {
  OpenElements open;
  for (const UnspecifiedMark& mark : marks) {
    if (mark.output != output) continue;
    if (mark.elements.empty()) open.all = true;
    open.elements.resize(std::max(open.elements.size(), mark.elements.size()));
    for (size_t i = 0; i < mark.elements.size(); ++i) open.elements[i] |= mark.elements[i];
  }
  return open;
}

}  // namespace onnxv
