// Reading and writing models and values. The only headers through which protobuf is reached.
#pragma once

#include <string>
#include <string_view>

#include "src/model/graph.h"

namespace onnxv {

// Reads a .onnx file. Errors: kModel (unreadable, truncated, not a model, text form, bad sizes, external
// data outside its file or outside the model's directory); the message names the file.
// External data is memory-mapped; nothing is read before it is touched.
Model read_model(const std::string& path);
// The same from bytes in memory; `directory` is where external data is looked for ("" : none allowed).
Model parse_model(std::string_view bytes, const std::string& directory = {});

// Writes beside, then renames. Tensors of more than `external_threshold` bytes in all that came from external data
// stay in (or are copied to) a file beside the model when the model would exceed 2 GiB.
void write_model(const Model& model, const std::string& path);
std::string serialize_model(const Model& model);

enum class ValueKind { kTensor, kSequence, kOptional, kMap, kSparseTensor };

// A .pb file of the official layout: TensorProto, SequenceProto, OptionalProto, MapProto or SparseTensorProto as `type` says.
Value read_value(const std::string& path, const Type& type);
// A TensorProto file.
Tensor read_tensor(const std::string& path);
Value parse_value(std::string_view bytes, const Type& type, const std::string& directory = {});
void write_value(const Value& value, const std::string& path, std::string_view name = {});
std::string serialize_value(const Value& value, std::string_view name = {});

}  // namespace onnxv
