// Between the wire's messages and the plain structs. For the .cc files of this room alone: protobuf
// ends here.
//
// "Leftover": what a message still holds once everything that the struct has a place for was taken
// out (fields we keep but never interpret, and fields we do not know), serialized. Writing starts
// from it, so that nothing is lost.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wpedantic"
#include "onnx.pb.h"
#pragma GCC diagnostic pop

#include <memory>
#include <string>
#include <string_view>

#include "src/model/external_data.h"
#include "src/model/external_sink.h"
#include "src/model/graph.h"

namespace onnxv {

// Parses or throws kModel "text-form", "too-large", "truncated" or "nesting". `what` names the
// message for people.
void parse_wire(std::string_view bytes, std::string_view what, google::protobuf::MessageLite& into);

// The functions `…_from_wire` empty the message that they read; strings and raw bytes are moved,
// not copied.
Tensor tensor_from_wire(wire::TensorProto& proto, ExternalFiles& files);
SparseTensor sparse_from_wire(wire::SparseTensorProto& proto, ExternalFiles& files);
// The elements of a typed field, whose count was checked against `elements`.
Tensor typed_from_wire(wire::TensorProto& proto, DType dtype, const Shape& shape, size_t elements);
// dims as a Shape whose product (zeros left out) fits 63 bits.
Shape shape_from_wire(const google::protobuf::RepeatedField<int64_t>& dims);
// Product of a checked shape.
uint64_t element_count(const Shape& shape);

Type type_from_wire(const wire::TypeProto& proto);
// The DType with this number; kModel "data-type" when there is none.
DType dtype_from_wire(int64_t number);
Graph graph_from_wire(wire::GraphProto& proto, ExternalFiles& files);
Model model_from_wire(wire::ModelProto& proto, ExternalFiles& files);

// The functions `…_to_wire` add to what `proto` holds already. `sink`: null, or where large tensors
// go.
void tensor_to_wire(const Tensor& tensor, wire::TensorProto& proto, ExternalSink* sink = nullptr);
void sparse_to_wire(const SparseTensor& sparse, wire::SparseTensorProto& proto,
                    ExternalSink* sink = nullptr);
void type_to_wire(const Type& type, wire::TypeProto& proto);
void model_to_wire(const Model& model, wire::ModelProto& proto, ExternalSink* sink);

Value sequence_from_wire(wire::SequenceProto& proto, const Type& hint, ExternalFiles& files);
Value optional_from_wire(wire::OptionalProto& proto, const Type& hint, ExternalFiles& files);
Value map_from_wire(wire::MapProto& proto, const Type& hint, ExternalFiles& files);

}  // namespace onnxv
