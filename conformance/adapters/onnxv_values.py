"""Between the protos of the protocol and what a Python backend takes and gives: arrays, lists, dictionaries.

Element types that NumPy lacks travel as raw bytes, never through a cast.
"""

import numpy
import onnx
from onnx import TensorProto, numpy_helper


class Unsupported(Exception):
    """What the backend does not claim to support; the message is its own."""


# What every NumPy knows, and so every backend that takes arrays.
NUMPY_TYPES = {
    TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BOOL, TensorProto.STRING,
    TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
    TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64,
    TensorProto.COMPLEX64, TensorProto.COMPLEX128,
}


class Ports:
    """The inputs that a model must be given, and the outputs with their declared types."""

    def __init__(self, model):
        graph = model.graph
        initial = {i.name for i in graph.initializer} | {i.values.name for i in graph.sparse_initializer}
        self.inputs = [port.name for port in graph.input if port.name not in initial]
        self.outputs = {port.name: port.type for port in graph.output}

    @classmethod
    def of_file(cls, path):
        return cls(onnx.load(path, load_external_data=False))

    def feeds(self, inputs):
        """By name, omitted ones left out."""
        return {name: proto for name, proto in zip(self.inputs, inputs) if proto is not None}

    def protos(self, want, values):
        return [proto_of(value, self.outputs[name].HasField("optional_type")) for name, value in zip(want, values)]


def type_name(element_type):
    return TensorProto.DataType.Name(element_type).lower()


def raw_bytes(tensor):
    """The elements as the bytes of raw_data, two or four to a byte where they are that small."""
    if tensor.HasField("raw_data"):
        return tensor.raw_data
    return numpy_helper.from_array(numpy_helper.to_array(tensor)).raw_data


def tensor_of_bytes(element_type, shape, data):
    return TensorProto(data_type=element_type, dims=shape, raw_data=data)


def element_types(proto):
    if isinstance(proto, TensorProto):
        return {proto.data_type}
    if isinstance(proto, onnx.SequenceProto):
        parts = (proto.tensor_values, proto.sequence_values, proto.map_values)
        return {t for part in parts for v in part for t in element_types(v)}
    if isinstance(proto, onnx.OptionalProto):
        for field in ("tensor_value", "sequence_value", "map_value"):
            if proto.HasField(field):
                return element_types(getattr(proto, field))
        return set()
    if isinstance(proto, onnx.MapProto):
        return {proto.key_type} | element_types(proto.values)
    raise Unsupported("sparse tensors cannot be bound")


def plain_array(proto):
    """A tensor of a type that NumPy has, as an array; anything else is unsupported."""
    if not isinstance(proto, TensorProto):
        raise Unsupported("only tensors can be bound")
    if proto.data_type not in NUMPY_TYPES:
        raise Unsupported(f"a tensor of type {type_name(proto.data_type)} cannot be bound without a cast")
    array = numpy_helper.to_array(proto)
    return numpy.ascontiguousarray(array).reshape(array.shape)


def python_value(proto):
    """Arrays, lists, dictionaries. Types that NumPy lacks get those of ml_dtypes."""
    if isinstance(proto, TensorProto):
        return numpy_helper.to_array(proto)
    if isinstance(proto, onnx.SequenceProto):
        return numpy_helper.to_list(proto)
    if isinstance(proto, onnx.OptionalProto):
        return numpy_helper.to_optional(proto)
    if isinstance(proto, onnx.MapProto):
        return numpy_helper.to_dict(proto)
    raise Unsupported("sparse tensors cannot be bound")


def tensor_of(value):
    array = numpy.asarray(value)
    if array.dtype == object or array.dtype.kind in "UST":
        flat = [text if isinstance(text, bytes) else str(text).encode() for text in array.reshape(-1).tolist()]
        return onnx.helper.make_tensor("", TensorProto.STRING, array.shape, flat)
    return numpy_helper.from_array(numpy.ascontiguousarray(array).reshape(array.shape))


def map_of(value):
    keys = list(value)
    proto = onnx.MapProto()
    if keys and isinstance(keys[0], (str, bytes)):
        proto.key_type = TensorProto.STRING
        proto.string_keys.extend(k if isinstance(k, bytes) else k.encode() for k in keys)
    else:
        proto.key_type = TensorProto.INT64
        proto.keys.extend(int(k) for k in keys)
    proto.values.elem_type = onnx.SequenceProto.TENSOR
    # Maps hold float32; Python has no float of that size.
    proto.values.tensor_values.extend(
        tensor_of(numpy.float32(value[k]) if isinstance(value[k], float) else value[k]) for k in keys)
    return proto


def sequence_of(items):
    proto = onnx.SequenceProto()
    if items and isinstance(items[0], dict):
        proto.elem_type = onnx.SequenceProto.MAP
        proto.map_values.extend(map_of(item) for item in items)
    elif items and isinstance(items[0], (list, tuple)):
        proto.elem_type = onnx.SequenceProto.SEQUENCE
        proto.sequence_values.extend(sequence_of(item) for item in items)
    else:
        proto.elem_type = onnx.SequenceProto.TENSOR
        proto.tensor_values.extend(tensor_of(item) for item in items)
    return proto


def optional_of(value):
    if value is None:
        return None
    proto = onnx.OptionalProto()
    if isinstance(value, (list, tuple)):
        proto.elem_type = onnx.OptionalProto.SEQUENCE
        proto.sequence_value.CopyFrom(sequence_of(value))
    else:
        proto.elem_type = onnx.OptionalProto.TENSOR
        proto.tensor_value.CopyFrom(tensor_of(value))
    return proto


def proto_of(value, optional=False):
    """What a backend gave, as a proto; None for an empty optional."""
    if optional:
        return optional_of(value)
    if isinstance(value, (list, tuple)):
        return sequence_of(value)
    if isinstance(value, dict):
        return map_of(value)
    return tensor_of(value)
