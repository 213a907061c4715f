// What becomes of an offset that is added to a position, for interpolation between the cells around it.
#pragma once

#include <cstdint>

#include "src/number/model.h"

namespace onnxv {

// `offset` as a backend has it that computes start + distance + offset and takes that apart again, `cell` being floor(offset): the
// sum is rounded by its own size. It does not leave the cell, whose ends are numbers of the type that positions are computed in;
// open where they are not.
ModelReal computed_offset(double offset, int64_t cell, int64_t start, int64_t distance);

}  // namespace onnxv
