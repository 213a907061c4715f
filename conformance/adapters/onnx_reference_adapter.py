"""The onnx package's own ReferenceEvaluator."""

import numpy
import onnx
from onnx.reference import ReferenceEvaluator
from onnxv_values import Ports, python_value
from onnxv_worker import serve

# What it says of an operator, version or type that it lacks, as the scoreboard met it; whatever else it raises is an error.
NOT_SUPPORTED = "No implementation for|is not implemented|No registered implementation|not supported"


class Evaluator:
    def __init__(self, path, options):
        model = onnx.load(path)
        self.ports = Ports(model)
        self.evaluator = ReferenceEvaluator(model)

    def __call__(self, inputs, want):
        given = {name: None if proto is None else python_value(proto) for name, proto in zip(self.ports.inputs, inputs)}
        with numpy.errstate(all="ignore"):
            return self.ports.protos(want, self.evaluator.run(want, given))


serve("onnx-reference", onnx.__version__, Evaluator, not_supported=NOT_SUPPORTED, device="cpu")
