// What If, Loop and Scan need to know of their subgraphs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ops/operator.h"

namespace onnxv {

// Sizes of symbolic dimensions, learnt from the values bound to a body's inputs.
using SymbolSizes = std::map<std::string, int64_t>;

// Adds what `shape` says about the symbols that `port` declares.
void learn_symbols(const Type& port, const Shape& shape, SymbolSizes& sizes);

// The shape that a port declares, symbols replaced; nullopt where the rank or a size is not known.
std::optional<Shape> declared_shape(const Type& port, const SymbolSizes& sizes);

// Limit error "scan-length" where more elements of a scan output than a computer can hold are to be kept.
void check_element_count(size_t count);

// The output of a body as a tensor; schema error "type-mismatch" when it is something else.
const Tensor& tensor_output(const Value& value, const Body::Port& port);

// Schema error "shape-mismatch" when an output does not repeat the type and shape it had before.
void check_unchanged(const Tensor& before, const Tensor& now, std::string_view name);

}  // namespace onnxv
