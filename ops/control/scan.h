// One run of a Scan body over a sequence, shared by the batched text (8) and the plain one (9).
#pragma once

#include <vector>

#include "ops/control/bodies.h"

namespace onnxv {

struct ScanInput {
  Tensor data;
  int64_t axis = 0;  // the scanned one
  bool reverse = false;
};

struct ScanResult {
  Outputs states;
  std::vector<std::vector<Tensor>> elements;  // per scan output, in iteration order
};

// Runs `body` for the first `length` positions of the inputs; a reversed input starts at position length - 1.
ScanResult run_scan(Body& body, Outputs states, std::span<const ScanInput> inputs, int64_t length);

// What the shapes of one iteration's arguments say about the symbols of the body's inputs.
SymbolSizes symbols_of(const Body& body, std::span<const Shape> arguments);

// What one element of a scan output is.
struct ElementType {
  DType dtype;
  Shape shape;
};

// An element of a scan output (body output `port`) that no iteration has produced, from its declaration.
// Undefined error "zero-trip-scan" where that does not give a shape.
ElementType undone_element(const Body::Port& port, const SymbolSizes& sizes);

// 0 or 1 per input or output, all 0 where the list is absent; schema errors "list-length" and "attribute-range".
std::vector<bool> direction_flags(const OpCall& call, std::string_view name, size_t count);

// Splits the variadic inputs into N states and M = num_scan_inputs tensors; checks the body's arity.
struct ScanArguments {
  Outputs states;
  std::vector<ScanInput> inputs;
  size_t scan_outputs = 0;  // K
};
ScanArguments scan_arguments(const OpCall& call, std::string_view port, const Body& body);

// Schema error "shape-mismatch" unless all inputs are equally long along their scanned axes; that length.
int64_t common_length(std::span<const ScanInput> inputs);

Outputs scan_8(const OpCall& call);
Outputs scan_9(const OpCall& call);

}  // namespace onnxv
