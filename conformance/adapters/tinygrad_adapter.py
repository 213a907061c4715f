"""tinygrad's OnnxRunner. Options: device=CPU (which compiles by clang, or by what CC names)."""

import os
import shutil

# Processes of its own to compile in parallel cost more than they save on small models.
os.environ.setdefault("PARALLEL", "0")
for compiler in ("clang", "clang-19"):  # before tinygrad looks
    if "CC" not in os.environ and shutil.which(compiler):
        os.environ["CC"] = compiler

import importlib.metadata

import numpy
from onnx import TensorProto
from onnxv_values import NUMPY_TYPES, Ports, Unsupported, plain_array, proto_of, raw_bytes, tensor_of_bytes, type_name
from onnxv_worker import option, serve
from tinygrad import Tensor, dtypes
from tinygrad.helpers import Context
from tinygrad.nn.onnx import OnnxRunner

# Those that NumPy lacks go in and out as bits.
BIT_TYPES = {TensorProto.BFLOAT16: dtypes.bfloat16, TensorProto.FLOAT8E4M3FN: dtypes.fp8e4m3,
             TensorProto.FLOAT8E5M2: dtypes.fp8e5m2}

# What it says of an operator, version or type that it lacks, as the scoreboard met it; whatever else it raises is an error.
NOT_SUPPORTED = r"is not supported|not supported|not implemented|is not a valid OnnxDataType|is not a valid Domain"


def bound(proto):
    if isinstance(proto, TensorProto) and proto.data_type in BIT_TYPES:
        data = numpy.frombuffer(raw_bytes(proto), dtype=numpy.uint8).copy()
        kind = BIT_TYPES[proto.data_type]
        return Tensor(data).bitcast(kind).reshape(tuple(proto.dims))
    array = plain_array(proto)
    if array.dtype.kind not in "biuf":
        raise Unsupported(f"it has no element type {array.dtype}")
    return Tensor(array)


def given_back(value):
    if isinstance(value, (list, tuple)):
        return [given_back(item) for item in value]
    if not isinstance(value, Tensor):
        return numpy.asarray(value)
    for element_type, kind in BIT_TYPES.items():
        if value.dtype == kind:
            bits = value.contiguous().bitcast(dtypes.uint16 if kind.itemsize == 2 else dtypes.uint8)
            return tensor_of_bytes(element_type, value.shape, bits.numpy().tobytes())
    return value.numpy()


class Runner:
    def __init__(self, path, options):
        self.device = options.get("device", "CPU")
        self.ports = Ports.of_file(path)
        with Context(DEV=self.device):
            self.runner = OnnxRunner(path)

    def __call__(self, inputs, want):
        with Context(DEV=self.device):
            outputs = self.runner({name: bound(proto) for name, proto in self.ports.feeds(inputs).items()})
            values = [given_back(outputs[name]) for name in want]
        return [value if isinstance(value, TensorProto) else proto_of(value) for value in values]


serve("tinygrad", importlib.metadata.version("tinygrad"), Runner, options=("device",), not_supported=NOT_SUPPORTED,
      device=option("device", "CPU"))
