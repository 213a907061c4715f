// Reading and writing models and values. The only header through which protobuf is reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/graph.h"

namespace onnxv {

// Reads a .onnx file. Errors: kModel (unreadable, truncated, not a model, text form, nested deeper
// than protobuf reads, bad sizes, external data outside its file or outside the model's directory);
// the message names the file. External data is memory-mapped; nothing is read before it is touched.
Model read_model(const std::string& path);
// The same from bytes in memory; `directory` is where external data is looked for ("": none
// allowed).
Model parse_model(std::string_view bytes, const std::string& directory = {});

// Writes beside, then renames; the same model gives the same bytes. When the tensors take more than
// `largest_inline` bytes (or more than a protobuf can hold), those of 1 KiB and more go to
// PATH.data beside the model.
void write_model(const Model& model, const std::string& path, size_t largest_inline = SIZE_MAX);
// kModel "too-large" where a protobuf cannot hold it.
std::string serialize_model(const Model& model);

// The locations of external data that a model file names, each once, in the order of first use. For
// copying a model with all that belongs to it.
std::vector<std::string> external_locations(const std::string& model_path);

// The message that a value file holds.
enum class ValueKind { kTensor, kSequence, kOptional, kMap, kSparseTensor };

// A .pb file of the official layout: TensorProto, SequenceProto, OptionalProto, MapProto or
// SparseTensorProto as `type` says (kUnknown: TensorProto). An empty sequence or optional takes its
// element type from `type`; items of another kind or type than `type` says are a kModel error
// "value-type". A tensor's own type and shape are not compared.
Value read_value(const std::string& path, const Type& type);
Value parse_value(std::string_view bytes, const Type& type, const std::string& directory = {});
// A TensorProto file.
Tensor read_tensor(const std::string& path);
// The message that fits the value. A Value that does not exist is an internal error.
void write_value(const Value& value, const std::string& path, std::string_view name = {});
std::string serialize_value(const Value& value, std::string_view name = {});

}  // namespace onnxv
