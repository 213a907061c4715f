// What the files of the Model reading share: the rounding of one operation.
#pragma once

#include "src/number/model.h"

namespace onnxv {

// The compute type holds the number (infinities and NaN as well).
bool representable(double x);
// The ends moved apart by a relative error and the subnormal floor; the expected part in quadrature.
ModelReal widened(ModelReal x, double relative, double expected);
// By one operation's error.
ModelReal rounded(const ModelReal& x);
// The result m of an operation on points; `exact`: no rounding to double took place.
ModelReal rounded_point(double m, bool exact);

}  // namespace onnxv
