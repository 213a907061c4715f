// How the operators that Gradient knows come from scalar steps.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ops/enclosing.h"
#include "ops/operator.h"
#include "ops/training/tape.h"

namespace onnxv {

// The scalars of a tensor, as a double tensor of its shape that holds their ids: an operator that only moves elements
// moves them too.
using Ids = Tensor;
inline Tape::Id id_at(const Ids& ids, size_t element) { return static_cast<Tape::Id>(ids.as<double>()[element]); }
inline void set_id(Ids& ids, size_t element, Tape::Id id) { ids.mutable_as<double>()[element] = id; }
// The ids of new scalars, one for each element: constants of the elements' values.
Ids constants_of(Tape& tape, const Tensor& tensor);

// A node that was evaluated, and the scalars of its inputs.
struct TracedNode {
  Tape& tape;
  Enclosing& enclosing;
  const Enclosing::CutNode& node;
  const OpCall& call;
  std::span<const Ids* const> ids;  // by input; null: no float tensor
  const Outputs& outputs;
};

// The scalars of each output, before it is rounded.
using DerivativeRule = std::vector<Ids> (*)(const TracedNode& traced);
// nullptr: none is known. For ai.onnx.
DerivativeRule find_derivative_rule(std::string_view op);

}  // namespace onnxv
