"""OpenCV's dnn module. Options: engine=auto|new|classic, threads=N."""

import os

os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")  # else its warnings drown the last words of a crash

import cv2
from onnx import TensorProto
from onnxv_values import Ports, Unsupported, plain_array, tensor_of, tensor_of_bytes
from onnxv_worker import serve

ENGINES = {"auto": cv2.dnn.ENGINE_AUTO, "new": cv2.dnn.ENGINE_NEW, "classic": cv2.dnn.ENGINE_CLASSIC}

# What it says of an operator, version or type that it lacks, as the scoreboard met it; whatever else it raises is an error.
NOT_SUPPORTED = r"[Uu]nsupported|[Nn]ot supported|[Nn]ot implemented|NotImplemented|Can't create layer|is missing"


class Net:
    def __init__(self, path, options):
        cv2.setNumThreads(int(options.get("threads", "1")))
        self.ports = Ports.of_file(path)
        self.net = cv2.dnn.readNetFromONNX(path, ENGINES[options.get("engine", "auto")])

    def __call__(self, inputs, want):
        for name, proto in self.ports.feeds(inputs).items():
            self.net.setInput(plain_array(proto), name)
        return [self.given_back(array, name) for array, name in zip(self.net.forward(want), want, strict=True)]

    def given_back(self, array, name):
        if array is None:
            raise Unsupported("its Python package gives no empty array back")
        declared = self.ports.outputs[name].tensor_type.elem_type
        if declared == TensorProto.BFLOAT16 and array.dtype == "uint16":  # the bits, which NumPy has no name for
            return tensor_of_bytes(declared, array.shape, array.tobytes())
        return tensor_of(array)


serve("opencv", cv2.__version__, Net, options=("engine", "threads"), not_supported=NOT_SUPPORTED, device="cpu")
