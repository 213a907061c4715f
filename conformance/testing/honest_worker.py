"""A backend that computes honestly in float32, for tests of the derived bounds: formulas as the texts write them, sums in one of several orders.

Usage: honest_worker.py sequential|backward|random|pairwise|fused

Speaks the worker protocol. Models of one node with float32 numbers alone; everything else is unsupported.
"""
import math
import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "adapters"))
from onnxv_values import Unsupported  # noqa: E402
from onnxv_worker import serve  # noqa: E402

STYLE = sys.argv[1] if len(sys.argv) > 1 else "sequential"
F = np.float32
RANDOM = np.random.default_rng(20261130)


def total(terms, axis=-1):
    """The sum along one axis, in float32 throughout, in this backend's order."""
    x = np.moveaxis(np.asarray(terms, F), axis, -1)
    if x.shape[-1] == 0:
        return np.zeros(x.shape[:-1], F)
    if STYLE == "pairwise":
        while x.shape[-1] > 1:
            if x.shape[-1] % 2:
                x = np.concatenate([x, np.zeros(x.shape[:-1] + (1,), F)], -1)
            x = x[..., 0::2] + x[..., 1::2]
        return x[..., 0]
    if STYLE == "backward":
        x = x[..., ::-1]
    if STYLE == "random":
        x = x[..., RANDOM.permutation(x.shape[-1])]
    return np.add.accumulate(x, -1, dtype=F)[..., -1]


def dot(a, b):
    """Sums of products along the last axis of both."""
    if STYLE != "fused":
        return total(a * b)
    a, b = np.broadcast_arrays(a, b)
    result = np.zeros(a.shape[:-1], F)
    for k in range(a.shape[-1]):  # the product is exact in double
        result = (a[..., k].astype(np.float64) * b[..., k] + result).astype(F)
    return result


def matmul(a, b):
    if a.ndim == 1:
        return matmul(a[None], b)[..., 0, :] if b.ndim > 1 else dot(a, b)
    if b.ndim == 1:
        return dot(a, b)
    return dot(a[..., :, None, :], np.swapaxes(b, -1, -2)[..., None, :, :])


def sigmoid(x):
    return F(1) / (F(1) + np.exp(-x))


def softplus(x):
    return np.log(np.exp(x) + F(1))


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x.astype(np.float64)).astype(F)


def gelu(x, attributes):
    if attributes.get("approximate", b"none") == b"tanh":
        return F(0.5) * x * (F(1) + np.tanh(F(math.sqrt(2 / math.pi)) * (x + F(0.044715) * x * x * x)))
    return F(0.5) * x * (F(1) + erf(x / np.sqrt(F(2))))


def number(attributes, name, default):
    return F(attributes.get(name, default))


FUNCTIONS = {
    "Abs": np.abs, "Acos": np.arccos, "Acosh": np.arccosh, "Asin": np.arcsin, "Asinh": np.arcsinh, "Atan": np.arctan,
    "Atanh": np.arctanh, "Ceil": np.ceil, "Cos": np.cos, "Cosh": np.cosh, "Erf": erf, "Exp": np.exp, "Floor": np.floor,
    "Log": np.log, "Neg": np.negative, "Reciprocal": lambda x: F(1) / x, "Round": np.rint, "Sigmoid": sigmoid, "Sin": np.sin,
    "Sinh": np.sinh, "Softplus": softplus, "Softsign": lambda x: x / (F(1) + np.abs(x)), "Sqrt": np.sqrt, "Tan": np.tan,
    "Tanh": np.tanh, "Mish": lambda x: x * np.tanh(softplus(x)),
    "HardSwish": lambda x: x * np.maximum(F(0), np.minimum(F(1), F(1) / F(6) * x + F(0.5))),
}
BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Pow": np.power}


def elu(x, a):
    alpha = number(a, "alpha", 1.0)
    return np.where(x < 0, alpha * (np.exp(x) - F(1)), x)


def selu(x, a):
    alpha, gamma = number(a, "alpha", 1.67326319217681884765625), number(a, "gamma", 1.05070102214813232421875)
    return np.where(x > 0, gamma * x, gamma * (alpha * np.exp(x) - alpha))


def celu(x, a):
    alpha = number(a, "alpha", 1.0)
    return np.maximum(F(0), x) + np.minimum(F(0), alpha * (np.exp(x / alpha) - F(1)))


def hard_sigmoid(x, a):
    return np.maximum(F(0), np.minimum(F(1), number(a, "alpha", 0.2) * x + number(a, "beta", 0.5)))


ACTIVATIONS = {
    "Gelu": gelu, "Elu": elu, "Selu": selu, "Celu": celu, "HardSigmoid": hard_sigmoid,
    "LeakyRelu": lambda x, a: np.where(x < 0, number(a, "alpha", 0.01) * x, x),
    "Swish": lambda x, a: x * sigmoid(number(a, "alpha", 1.0) * x),
}


def axes_of(attributes, inputs, rank):
    axes = attributes.get("axes")
    if axes is None and len(inputs) > 1 and inputs[1] is not None:
        axes = inputs[1].tolist()
    if not axes:
        return [] if attributes.get("noop_with_empty_axes", 0) else list(range(rank))
    return sorted(axis % rank for axis in axes)


def reduced(op, inputs, attributes):
    x = inputs[0]
    axes = axes_of(attributes, inputs, x.ndim)
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    lines = np.transpose(x, kept + axes).reshape([x.shape[axis] for axis in kept] + [-1])
    sums = {"ReduceSum": lambda v: total(v), "ReduceMean": lambda v: total(v) / F(v.shape[-1]),
            "ReduceL1": lambda v: total(np.abs(v)), "ReduceL2": lambda v: np.sqrt(dot(v, v)),
            "ReduceSumSquare": lambda v: dot(v, v), "ReduceLogSum": lambda v: np.log(total(v)),
            "ReduceLogSumExp": lambda v: np.log(total(np.exp(v)))}
    y = sums[op](lines)
    if attributes.get("keepdims", 1):
        y = y.reshape([1 if axis in axes else x.shape[axis] for axis in range(x.ndim)])
    return y


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / np.expand_dims(total(e, axis), axis)


def softmax_of(op, x, attributes, opset):
    if opset < 13:
        axis = attributes.get("axis", 1) % x.ndim
        flat = x.reshape(int(np.prod(x.shape[:axis], dtype=int)), -1)
    else:
        axis, flat = attributes.get("axis", -1), x
    along = -1 if opset < 13 else axis
    y = softmax(flat, along)
    return (np.log(y) if op == "LogSoftmax" else y).reshape(x.shape)


def normalized(x, scale, bias, epsilon):
    """Along the last axis; the variance by the function body's E[x^2] - E[x]^2 where products are fused."""
    count = F(x.shape[-1])
    mean = (total(x) / count)[..., None]
    d = x - mean
    variance = (total(x * x) / count)[..., None] - mean * mean if STYLE == "fused" else (total(d * d) / count)[..., None]
    inverse = F(1) / np.sqrt(variance + F(epsilon))
    y = d * inverse if STYLE == "backward" else d / np.sqrt(variance + F(epsilon))
    return (y * scale + bias if bias is not None else y * scale), mean, inverse


def layer_normalization(inputs, attributes):
    x = inputs[0]
    axis = attributes.get("axis", -1) % x.ndim
    line = x.reshape(*x.shape[:axis], -1)
    size = x.shape[axis:]
    bias = inputs[2] if len(inputs) > 2 else None
    y, mean, inverse = normalized(line, np.broadcast_to(inputs[1], size).reshape(-1),
                                  None if bias is None else np.broadcast_to(bias, size).reshape(-1), attributes.get("epsilon", 1e-5))
    ones = [1] * len(size)
    return [y.reshape(x.shape), mean.reshape(*x.shape[:axis], *ones), inverse.reshape(*x.shape[:axis], *ones)]


def instance_normalization(inputs, attributes):
    x, scale, bias = inputs
    line = x.reshape(x.shape[0], x.shape[1], -1)
    return normalized(line, scale[:, None], bias[:, None], attributes.get("epsilon", 1e-5))[0].reshape(x.shape)


def batch_normalization(inputs, attributes, opset):
    if attributes.get("training_mode", 0) or opset < 14:
        raise Unsupported("training")
    x, scale, bias, mean, variance = inputs
    shape = [1, -1] + [1] * (x.ndim - 2)
    scale, bias, mean, variance = (v.reshape(shape) for v in (scale, bias, mean, variance))
    return (x - mean) / np.sqrt(variance + F(attributes.get("epsilon", 1e-5))) * scale + bias


def gemm(inputs, attributes):
    a, b = inputs[:2]
    product = matmul(a.T if attributes.get("transA", 0) else a, b.T if attributes.get("transB", 0) else b)
    y = number(attributes, "alpha", 1.0) * product
    if len(inputs) > 2 and inputs[2] is not None:
        y = y + number(attributes, "beta", 1.0) * inputs[2]
    return y


def convolution(inputs, attributes):
    if attributes.get("auto_pad", b"NOTSET") != b"NOTSET":
        raise Unsupported("auto_pad")
    x, w = inputs[:2]
    rank, groups = x.ndim - 2, attributes.get("group", 1)
    pads = attributes.get("pads", [0] * (2 * rank))
    strides, dilations = attributes.get("strides", [1] * rank), attributes.get("dilations", [1] * rank)
    padded = np.pad(x, [(0, 0), (0, 0)] + [(pads[i], pads[i + rank]) for i in range(rank)])
    kernel = w.shape[2:]
    out = [(padded.shape[2 + i] - dilations[i] * (kernel[i] - 1) - 1) // strides[i] + 1 for i in range(rank)]
    patches = np.empty(x.shape[:2] + tuple(out) + tuple(kernel), F)
    for tap in np.ndindex(*kernel):
        where = tuple(slice(tap[i] * dilations[i], tap[i] * dilations[i] + strides[i] * (out[i] - 1) + 1, strides[i]) for i in range(rank))
        patches[(slice(None), slice(None)) + (slice(None),) * rank + tap] = padded[(slice(None), slice(None)) + where]
    per_group, filters = x.shape[1] // groups, w.shape[0] // groups
    y = np.empty((x.shape[0], w.shape[0]) + tuple(out), F)
    for m in range(w.shape[0]):
        first = m // filters * per_group
        lines = np.moveaxis(patches[:, first:first + per_group], 1, rank + 1).reshape(x.shape[0], *out, -1)
        y[:, m] = dot(lines, w[m].reshape(-1))
    if len(inputs) > 2 and inputs[2] is not None:
        y = y + inputs[2].reshape([1, -1] + [1] * rank)
    return y


def evaluated(node, opset, inputs):
    op = node.op_type
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    if op in FUNCTIONS:
        return FUNCTIONS[op](inputs[0])
    if op in ACTIVATIONS:
        return ACTIVATIONS[op](inputs[0], attributes)
    if op in BINARY and opset >= 7:
        return BINARY[op](inputs[0], inputs[1])
    if op.startswith("Reduce") and op[6:] in ("Sum", "Mean", "L1", "L2", "SumSquare", "LogSum", "LogSumExp"):
        return reduced(op, inputs, attributes)
    if op in ("Softmax", "LogSoftmax"):
        return softmax_of(op, inputs[0], attributes, opset)
    if op == "LayerNormalization":
        return layer_normalization(inputs, attributes)
    if op == "InstanceNormalization":
        return instance_normalization(inputs, attributes)
    if op == "BatchNormalization":
        return batch_normalization(inputs, attributes, opset)
    if op == "GlobalAveragePool":
        line = inputs[0].reshape(*inputs[0].shape[:2], -1)
        return (total(line) / F(line.shape[-1])).reshape(*inputs[0].shape[:2], *[1] * (inputs[0].ndim - 2))
    if op == "Sum" or op == "Mean":
        line = np.stack(np.broadcast_arrays(*inputs), -1)
        return total(line) if op == "Sum" else total(line) / F(len(inputs))
    if op == "MatMul":
        return matmul(*inputs)
    if op == "Gemm" and opset >= 7:
        return gemm(inputs, attributes)
    if op == "Conv":
        return convolution(inputs, attributes)
    raise Unsupported(f"{op} is not written here")


class Honest:
    def __init__(self, path, options):
        model = onnx.load(path)
        if options or len(model.graph.node) != 1 or model.functions or model.graph.initializer:
            raise Unsupported("not a single node")
        self.node, self.graph = model.graph.node[0], model.graph
        if self.node.domain not in ("", "ai.onnx"):
            raise Unsupported("another domain")
        self.opset = max(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))

    def __call__(self, inputs, want):
        if any(proto is not None and not isinstance(proto, onnx.TensorProto) for proto in inputs):
            raise Unsupported("not a tensor")
        arrays = {port.name: None if proto is None else numpy_helper.to_array(proto) for port, proto in zip(self.graph.input, inputs)}
        given = [arrays.get(name) for name in self.node.input]
        if not given or given[0] is None or given[0].size == 0 or given[0].dtype != F or any(x is not None and x.dtype not in (F, np.int64) for x in given):
            raise Unsupported("not a float32 tensor with elements")
        with np.errstate(all="ignore"):
            results = evaluated(self.node, self.opset, given)
        results = results if isinstance(results, list) else [results]
        by_name = dict(zip(self.node.output, results))
        return [numpy_helper.from_array(np.asarray(by_name[name], F, order="C")) for name in want]


serve("honest-float32", STYLE, Honest, device="cpu")
