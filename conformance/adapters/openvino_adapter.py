"""OpenVINO. Options: device=CPU, threads=N, execution_mode=ACCURACY|PERFORMANCE, inference_precision=f32, and any
property of OpenVINO's under its own name in capitals, such as ENABLE_CPU_PINNING=NO."""

import numpy
import openvino
from onnx import TensorProto
from onnxv_values import Ports, Unsupported, plain_array, raw_bytes, tensor_of, tensor_of_bytes, type_name
from onnxv_worker import option, serve

TYPES = {
    TensorProto.FLOAT: openvino.Type.f32, TensorProto.DOUBLE: openvino.Type.f64,
    TensorProto.FLOAT16: openvino.Type.f16, TensorProto.BFLOAT16: openvino.Type.bf16,
    TensorProto.FLOAT8E4M3FN: openvino.Type.f8e4m3, TensorProto.FLOAT8E5M2: openvino.Type.f8e5m2,
    TensorProto.FLOAT8E8M0: openvino.Type.f8e8m0, TensorProto.FLOAT4E2M1: openvino.Type.f4e2m1,
    TensorProto.BOOL: openvino.Type.boolean,
    TensorProto.INT4: openvino.Type.i4, TensorProto.INT8: openvino.Type.i8, TensorProto.INT16: openvino.Type.i16,
    TensorProto.INT32: openvino.Type.i32, TensorProto.INT64: openvino.Type.i64,
    TensorProto.UINT2: openvino.Type.u2, TensorProto.UINT4: openvino.Type.u4, TensorProto.UINT8: openvino.Type.u8,
    TensorProto.UINT16: openvino.Type.u16, TensorProto.UINT32: openvino.Type.u32,
    TensorProto.UINT64: openvino.Type.u64,
}
ELEMENT_TYPES = {kind.type_name: element_type for element_type, kind in TYPES.items()}

PROPERTIES = {"execution_mode": "EXECUTION_MODE_HINT", "inference_precision": "INFERENCE_PRECISION_HINT",
              "threads": "INFERENCE_NUM_THREADS"}

# What it says of an operator, version or type that it lacks, as the scoreboard met it; whatever else it raises is an error.
NOT_SUPPORTED = (
    r"[Nn]ot supported|[Uu]nsupported|[Nn]ot implemented|is not registered|No conversion rule|does not support|"
    r"doesn't support|No translator found|Failed to find|not convertible")


def properties(options):
    named = {"INFERENCE_NUM_THREADS": "1"}
    for key, value in options.items():
        if key == "device":
            continue
        if key not in PROPERTIES and not key.isupper():
            raise ValueError(f"no such option: {key}; known: device, {', '.join(PROPERTIES)}, PROPERTY_IN_CAPITALS")
        named[PROPERTIES.get(key, key)] = value
    return named


def bound(tensor):
    """Bit by bit, whatever the type. The array stays beside: the tensor only looks at its memory."""
    if not isinstance(tensor, TensorProto):
        raise Unsupported("only tensors can be bound")
    if tensor.data_type == TensorProto.STRING:
        array = plain_array(tensor).astype(str)
        return openvino.Tensor(array), array
    if tensor.data_type not in TYPES:
        raise Unsupported(f"it has no element type {type_name(tensor.data_type)}")
    memory = numpy.frombuffer(raw_bytes(tensor), dtype=numpy.uint8).copy()
    return openvino.Tensor(memory, list(tensor.dims), TYPES[tensor.data_type]), memory


def tensor_of_result(result):
    kind = result.element_type.type_name
    if kind == "string":
        return tensor_of(result.str_data)
    if kind not in ELEMENT_TYPES:
        raise Unsupported(f"its output has the type {kind}, which ONNX lacks")
    return tensor_of_bytes(ELEMENT_TYPES[kind], list(result.shape), numpy.asarray(result.data).tobytes())


class Compiled:
    core = openvino.Core()

    def __init__(self, path, options):
        self.ports = Ports.of_file(path)
        model = self.core.read_model(path)
        self.compiled = self.core.compile_model(model, options.get("device", "CPU"), properties(options))

    def __call__(self, inputs, want):
        request, kept = self.compiled.create_infer_request(), []
        results = {name: port for port in self.compiled.outputs for name in port.names}
        for port, proto in zip(self.compiled.inputs, self.values_by_port(inputs)):
            tensor, memory = bound(proto)
            kept.append(memory)
            request.set_tensor(port, tensor)
        request.infer()
        return [tensor_of_result(request.get_tensor(results[name])) for name in want]

    def values_by_port(self, inputs):
        """An input that is handed on as an output loses its own name: what the names leave over goes by its place.
        There are fewer ports than inputs where some were optimised away."""
        feeds, values = self.ports.feeds(inputs), []
        for port in self.compiled.inputs:
            name = next((name for name in port.names if name in feeds), None)
            values.append(feeds.pop(name, None))
        missing = [i for i, value in enumerate(values) if value is None]
        if missing and len(missing) != len(feeds):
            raise RuntimeError("its inputs cannot be told apart: " + ", ".join(str(port) for port in self.compiled.inputs))
        for i, value in zip(missing, feeds.values()):
            values[i] = value
        return values


def device_name():
    device = option("device", "CPU")
    known = device in Compiled.core.available_devices
    return Compiled.core.get_property(device, "FULL_DEVICE_NAME") if known else device


serve("openvino", openvino.__version__.split("-")[0], Compiled, options=None, not_supported=NOT_SUPPORTED,
      device=device_name())
