"""OpenCV's dnn module. Options: engine=auto|new|classic, threads=N."""

import os

os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")  # else its warnings drown the last words of a crash

import cv2
from onnxv_values import Ports, plain_array, tensor_of
from onnxv_worker import serve

ENGINES = {"auto": cv2.dnn.ENGINE_AUTO, "new": cv2.dnn.ENGINE_NEW, "classic": cv2.dnn.ENGINE_CLASSIC}

NOT_SUPPORTED = r"[Uu]nsupported|[Nn]ot supported|[Nn]ot implemented|NotImplemented|Can't create layer|is missing"


class Net:
    def __init__(self, path, options):
        cv2.setNumThreads(int(options.get("threads", "1")))
        self.ports = Ports.of_file(path)
        self.net = cv2.dnn.readNetFromONNX(path, ENGINES[options.get("engine", "auto")])

    def __call__(self, inputs, want):
        for name, proto in self.ports.feeds(inputs).items():
            self.net.setInput(plain_array(proto), name)
        return [tensor_of(array) for array in self.net.forward(want)]


serve("opencv", cv2.__version__, Net, options=("engine", "threads"), not_supported=NOT_SUPPORTED, device="cpu")
