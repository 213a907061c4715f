// Classes of values that tests are about: zeros, ties, infinities, …
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "src/number/philox.h"
#include "src/tensor/tensor.h"

namespace onnxv::generate {

enum class ValueClass : uint8_t {
  kOrdinary,     // floats in [-4, 4), integers in [-9, 9], words
  kZeros,        // nothing but zeros, false, empty strings
  kSignedZeros,  // both zeros among ordinary numbers
  kSubnormals,   // the smallest numbers, normal ones beside them
  kTies,         // halves, and numbers half way between two of a narrower format; odd integers
  kExtremes,     // the largest and smallest of the format, and their neighbours; long strings
  kInfinities,   // both infinities among ordinary numbers
  kNan,          // NaN of both signs among ordinary numbers
  kPatterns,     // any bits at all: for operators that only move data
};

// The recipes' spelling: "signed_zeros".
std::optional<ValueClass> value_class_from_name(std::string_view name);
// As a sentence names it: "signed zeros".
std::string_view value_class_words(ValueClass value_class);
// Whether the type has such values, so that the class differs from the ordinary one.
bool has_class(DType dtype, ValueClass value_class);

// Element `i` follows from the stream, the class and `i` alone. A type without the class takes
// ordinary values.
void fill_by_class(Tensor& tensor, ValueClass value_class, const PhiloxStream& stream);

}  // namespace onnxv::generate
