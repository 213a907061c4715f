"""A module with the interface of onnx.backend.base.Backend, for python:MODULE: the first node on NumPy."""

import unittest

import numpy

__version__ = "3.2.1"
OPERATORS = {"Identity": lambda x: x, "Neg": numpy.negative, "Add": numpy.add}


class Prepared:
    def __init__(self, model, scale):
        self.node = model.graph.node[0]
        self.scale = scale

    def run(self, inputs):
        if self.node.op_type == "Abs":
            raise unittest.SkipTest("no Abs today")
        return (OPERATORS[self.node.op_type](*inputs) * numpy.float32(self.scale),)


def supports_device(device):
    return device == "CPU"


def is_compatible(model, device="CPU", **options):
    return len(model.graph.node) == 1


def prepare(model, device="CPU", scale="1"):
    return Prepared(model, float(scale))
