// Numbers as strings spell them.
#pragma once

#include <optional>
#include <string_view>

#include "src/number/extended.h"

namespace onnxv {

// The number that a string spells by the grammar of the Cast operator's ruling: a decimal, or [+-]INF or NaN in any
// case; nullopt for anything else.
std::optional<Extended> spelled_number(std::string_view text);

}  // namespace onnxv
