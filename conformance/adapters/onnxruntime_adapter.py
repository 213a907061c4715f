"""ONNX Runtime. Options: provider=CUDAExecutionProvider, optimization=off|basic|extended|all, threads=N."""

import ctypes

import onnxruntime
from onnx import TensorProto
from onnxv_values import (NUMPY_TYPES, Unsupported, element_types, plain_array, proto_of, python_value, raw_bytes,
                          tensor_of, tensor_of_bytes, type_name)
from onnxv_worker import option, serve

LEVELS = {
    "off": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}

# What it says of an operator, version or type that it lacks, as the scoreboard met it; whatever else it raises is an error.
NOT_SUPPORTED = (
    r"NOT_IMPLEMENTED|is not a registered function/op|No Op registered for|is till opset|is under development|"
    r"not currently registered or supported|[Nn]ot supported|[Uu]nsupported|not implemented|"
    r"Type '[^']*' of (input|output) parameter .* is invalid")


def bound(tensor):
    """A tensor of any type as the runtime's own value, bit by bit."""
    if tensor.data_type in NUMPY_TYPES:
        return onnxruntime.OrtValue.ortvalue_from_numpy(plain_array(tensor))
    value = onnxruntime.OrtValue.ortvalue_from_shape_and_type(list(tensor.dims), tensor.data_type)
    data = raw_bytes(tensor)
    if value.tensor_size_in_bytes() != len(data):
        raise Unsupported(f"a tensor of type {type_name(tensor.data_type)} has another size in memory")
    if data:
        ctypes.memmove(value.data_ptr(), data, len(data))
    return value


def tensor_of_value(value):
    """A tensor that the runtime holds, bit by bit."""
    if value.element_type() == TensorProto.STRING:
        return tensor_of(value.numpy())
    size = value.tensor_size_in_bytes()
    data = ctypes.string_at(value.data_ptr(), size) if size else b""
    return tensor_of_bytes(value.element_type(), value.shape(), data)


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
        self.session = onnxruntime.InferenceSession(path, settings, providers=[provider])
        self.inputs = [port.name for port in self.session.get_inputs()]
        self.types = {port.name: port.type for port in self.session.get_outputs()}

    def __call__(self, inputs, want):
        given = {name: proto for name, proto in zip(self.inputs, inputs) if proto is not None}
        # Strings are no memory that could be bound.
        bindable = all(isinstance(proto, TensorProto) and proto.data_type != TensorProto.STRING
                       for proto in given.values())
        if bindable and all(self.types[name].startswith("tensor(") for name in want):
            feeds = {name: bound(proto) for name, proto in given.items()}
            return [tensor_of_value(v) for v in self.session.run_with_ort_values(want, feeds)]
        if any(element_types(proto) - NUMPY_TYPES for proto in given.values()):
            raise Unsupported("only tensors of this element type can be bound without a cast")
        values = self.session.run(want, {name: python_value(proto) for name, proto in given.items()})
        return [proto_of(value, self.types[name].startswith("optional(")) for name, value in zip(want, values)]


serve("onnxruntime", onnxruntime.__version__, Session, options=("provider", "optimization", "threads"),
      not_supported=NOT_SUPPORTED, device=option("provider", "cpu"))
