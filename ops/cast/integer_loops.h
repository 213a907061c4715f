// Loops over codes that the optimizer makes vectors of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/number/format.h"

namespace onnxv {

// The low bits of the integers [first, first + count), which have whole bytes; sub-byte targets take a byte each.
void keep_low_bits(const std::byte* integers, IntegerFormat format, size_t first, size_t count, int bits, std::byte* out);

// out[i] is 1 where element i in [begin, end) has a bit set, the sign of a float aside; else 0. 8 to 64 bits.
void mark_nonzero(const std::byte* codes, int bits, bool has_sign, size_t begin, size_t end, uint8_t* out);

}  // namespace onnxv
