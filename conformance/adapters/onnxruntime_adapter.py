"""ONNX Runtime. Options: provider=CUDAExecutionProvider, optimization=off|basic|extended|all, threads=N."""

import ctypes
import re

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, numpy_helper
from onnxv_worker import Unsupported, serve

LEVELS = {
    "off": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}

# Types that NumPy holds and the session takes as arrays; all others go by their raw bytes, never through a cast.
PLAIN = {
    TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BOOL, TensorProto.STRING,
    TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
    TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64,
}

# How ONNX Runtime says that it does not have something, as against failing at it.
NOT_SUPPORTED = re.compile(
    r"NOT_IMPLEMENTED|is not a registered function/op|No Op registered for|is till opset|is under development|"
    r"not currently registered or supported|[Nn]ot supported|[Uu]nsupported|not implemented|"
    r"Type '[^']*' of (input|output) parameter .* is invalid"
)


def sorted_out(error):
    text = " ".join(str(error).split())
    if NOT_SUPPORTED.search(text):
        return Unsupported(text)
    return error


def raw_bytes(tensor):
    if tensor.HasField("raw_data"):
        return tensor.raw_data
    return numpy_helper.from_array(numpy_helper.to_array(tensor)).raw_data


def bound(tensor):
    """A tensor of any type as the runtime's own value, bit by bit."""
    if tensor.data_type in PLAIN:
        array = numpy_helper.to_array(tensor)
        return onnxruntime.OrtValue.ortvalue_from_numpy(numpy.ascontiguousarray(array).reshape(array.shape))
    value = onnxruntime.OrtValue.ortvalue_from_shape_and_type(list(tensor.dims), tensor.data_type)
    data = raw_bytes(tensor)
    if value.tensor_size_in_bytes() != len(data):
        raise Unsupported(f"a tensor of type {tensor.data_type} has another size in memory")
    if data:
        ctypes.memmove(value.data_ptr(), data, len(data))
    return value


def element_types(proto):
    if isinstance(proto, TensorProto):
        return {proto.data_type}
    if isinstance(proto, onnx.SequenceProto):
        return {t for part in (proto.tensor_values, proto.sequence_values, proto.map_values) for v in part
                for t in element_types(v)}
    if isinstance(proto, onnx.OptionalProto):
        for field in ("tensor_value", "sequence_value", "map_value"):
            if proto.HasField(field):
                return element_types(getattr(proto, field))
        return set()
    if isinstance(proto, onnx.MapProto):
        return {proto.key_type} | element_types(proto.values)
    raise Unsupported("sparse tensors cannot be bound")


def python_value(proto):
    if isinstance(proto, TensorProto):
        return numpy_helper.to_array(proto)
    if isinstance(proto, onnx.SequenceProto):
        return numpy_helper.to_list(proto)
    if isinstance(proto, onnx.OptionalProto):
        return numpy_helper.to_optional(proto)
    return numpy_helper.to_dict(proto)


def tensor_of(array):
    if array.dtype == object or array.dtype.kind in "US":
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
    values = proto.values
    values.elem_type = onnx.SequenceProto.TENSOR
    values.tensor_values.extend(scalar_of(value[k]) for k in keys)
    return proto


def scalar_of(value):
    if isinstance(value, float):  # maps hold float32; Python has no other float
        value = numpy.float32(value)
    return tensor_of(numpy.asarray(value))


def sequence_of(items):
    proto = onnx.SequenceProto()
    if items and isinstance(items[0], dict):
        proto.elem_type = onnx.SequenceProto.MAP
        proto.map_values.extend(map_of(item) for item in items)
    else:
        proto.elem_type = onnx.SequenceProto.TENSOR
        proto.tensor_values.extend(tensor_of(numpy.asarray(item)) for item in items)
    return proto


def proto_of(value, declared):
    """What the session gave, as the proto of the declared type."""
    if declared.startswith("optional("):
        if value is None:
            return None
        proto = onnx.OptionalProto()
        if isinstance(value, list):
            proto.elem_type = onnx.OptionalProto.SEQUENCE
            proto.sequence_value.CopyFrom(sequence_of(value))
        else:
            proto.elem_type = onnx.OptionalProto.TENSOR
            proto.tensor_value.CopyFrom(tensor_of(numpy.asarray(value)))
        return proto
    if isinstance(value, list):
        return sequence_of(value)
    if isinstance(value, dict):
        return map_of(value)
    return tensor_of(numpy.asarray(value))


def tensor_of_value(value):
    """A tensor that the runtime holds, bit by bit."""
    kind = value.element_type()
    if kind == TensorProto.STRING:
        return tensor_of(value.numpy())
    tensor = TensorProto(data_type=kind, dims=value.shape())
    size = value.tensor_size_in_bytes()
    tensor.raw_data = ctypes.string_at(value.data_ptr(), size) if size else b""
    return tensor


class Session:
    def __init__(self, path, options):
        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = 4
        settings.graph_optimization_level = LEVELS[options.get("optimization", "all")]
        settings.intra_op_num_threads = int(options.get("threads", "1"))
        settings.inter_op_num_threads = 1
        provider = options.get("provider", "CPUExecutionProvider")
        if provider not in onnxruntime.get_available_providers():
            raise ValueError(f"{provider} is not among {onnxruntime.get_available_providers()}")
        try:
            self.session = onnxruntime.InferenceSession(path, settings, providers=[provider])
        except Exception as error:
            raise sorted_out(error) from error
        self.inputs = [port.name for port in self.session.get_inputs()]
        self.types = {port.name: port.type for port in self.session.get_outputs()}

    def __call__(self, inputs, want):
        given = {name: proto for name, proto in zip(self.inputs, inputs) if proto is not None}
        try:
            return self.run(given, want)
        except Unsupported:
            raise
        except Exception as error:
            raise sorted_out(error) from error

    def run(self, given, want):
        # Strings are no memory that could be bound.
        bindable = all(isinstance(proto, TensorProto) and proto.data_type != TensorProto.STRING
                       for proto in given.values())
        if bindable and all(self.types[name].startswith("tensor(") for name in want):
            feeds = {name: bound(proto) for name, proto in given.items()}
            return [tensor_of_value(v) for v in self.session.run_with_ort_values(want, feeds)]
        if any(element_types(proto) - PLAIN for proto in given.values()):
            raise Unsupported("only tensors of this element type can be bound without a cast")
        feeds = {name: python_value(proto) for name, proto in given.items()}
        values = self.session.run(want, feeds)
        return [proto_of(value, self.types[name]) for name, value in zip(want, values)]


serve("onnxruntime", onnxruntime.__version__, Session, device="cpu")
