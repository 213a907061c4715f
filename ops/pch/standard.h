// Precompiled: the standard headers that nearly every file of this library includes; parsing them is most of its cost.
#ifndef ONNXV_OPS_PCH_STANDARD_H  // `#pragma once` is refused in a file that is compiled by itself
#define ONNXV_OPS_PCH_STANDARD_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <mpfr.h>

#endif
