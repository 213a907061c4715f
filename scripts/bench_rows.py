"""The rows of scripts/bench: what is measured, on which data, and the bound that it must keep.

A row is one call of `row(group, name, bound, model, inputs)`. `model` and `inputs` are functions, so that a row costs nothing
unless it is run. A weight is an initializer; everything else is an input.
"""
import dataclasses
import math
import typing

import ml_dtypes
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


@dataclasses.dataclass
class Row:
    group: str
    name: str
    bound: float                     # our time over onnxruntime's, one thread each; None: no bound
    model: typing.Callable           # () -> ModelProto, or a path in the folder of fetched models
    inputs: typing.Callable          # (random generator) -> {name: array}, in the order of the graph's inputs
    two_threads: float = None        # least speed-up of two threads over one
    reference_bound: float = None    # least factor over onnx.reference, where that takes over 20 ms


ROWS = []


def row(*arguments, **named):
    ROWS.append(Row(*arguments, **named))


# ---- models of one node ----

def element_type(array):
    return helper.np_dtype_to_tensor_dtype(array.dtype)


def graph_model(nodes, inputs, outputs, initializers, opset, domain=""):
    """inputs: {name: array} whose types and shapes are declared; outputs: {name: type or 0}."""
    graph = helper.make_graph(
        nodes, "bench", [helper.make_tensor_value_info(n, element_type(a), a.shape) for n, a in inputs.items()],
        [helper.make_tensor_value_info(n, t, None) for n, t in outputs.items()],
        [numpy_helper.from_array(a, n) for n, a in initializers.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(domain, opset)], ir_version=10)


def one_node(section, name, bound, op, inputs, weights=None, outputs=("float",), opset=21, order=None, two_threads=None, **attributes):
    """A row of one node. `inputs`, `weights`: functions of a random generator to {name: array}; `order`: the node's input names,
    "" for an absent one; `outputs`: names of element types, "" for an output that is not wanted."""
    weights = weights or (lambda random: {})

    def model():
        random = numpy.random.default_rng(7)
        given, constant = inputs(random), weights(random)
        names = order or [*given, *constant]
        produced = {f"y{k}": getattr(TensorProto, t.upper()) for k, t in enumerate(outputs) if t}
        node = helper.make_node(op, names, [f"y{k}" if t else "" for k, t in enumerate(outputs)], **attributes)
        return graph_model([node], given, produced, constant, opset)

    row(section, name, bound, model, lambda random: inputs(random), two_threads=two_threads)


def normal(*shape, dtype=numpy.float32, scale=1.0):
    return lambda random: (random.standard_normal(shape) * scale).astype(dtype)


def data(**arrays):
    return lambda random: {name: make(random) for name, make in arrays.items()}


def integers(low, high, *shape, dtype=numpy.int64):
    return lambda random: random.integers(low, high, shape).astype(dtype)


def constant(value, dtype):
    return lambda random: numpy.array(value, dtype)


HALF, BRAIN = numpy.float16, ml_dtypes.bfloat16

# ---- products ----

for size in (512, 1024):
    one_node("products", f"MatMul {size} float32", 2.6, "MatMul", data(a=normal(size, size), b=normal(size, size)),
             two_threads=1.7 if size == 1024 else None)
one_node("products", "MatMul 512 float16", 2.6, "MatMul", data(a=normal(512, 512, dtype=HALF), b=normal(512, 512, dtype=HALF)),
         outputs=("float16",))
one_node("products", "MatMul 1024 float16", 2.6, "MatMul",
         data(a=normal(1024, 1024, dtype=HALF), b=normal(1024, 1024, dtype=HALF)), outputs=("float16",))
one_node("products", "MatMul 512 bfloat16", None, "MatMul",
         data(a=normal(512, 512, dtype=BRAIN), b=normal(512, 512, dtype=BRAIN)), outputs=("bfloat16",))
one_node("products", "MatMul 1x2048x2048", 1.5, "MatMul", data(a=normal(1, 2048)), data(b=normal(2048, 2048, scale=.02)))
one_node("products", "MatMul 256 float64", 3.5, "MatMul",
         data(a=normal(256, 256, dtype=numpy.float64), b=normal(256, 256, dtype=numpy.float64)), outputs=("double",))
one_node("products", "MatMul 64 batches of 64", None, "MatMul", data(a=normal(64, 64, 64), b=normal(64, 64, 64)))
one_node("products", "Gemm 256x512x512", None, "Gemm", data(a=normal(256, 512)),
         data(b=normal(512, 512), c=normal(512)), transB=1)
one_node("products", "MatMulInteger 512", None, "MatMulInteger",
         data(a=integers(0, 256, 512, 512, dtype=numpy.uint8)), data(b=integers(-128, 128, 512, 512, dtype=numpy.int8)),
         outputs=("int32",))
one_node("products", "QLinearMatMul 512", None, "QLinearMatMul", data(a=integers(0, 256, 512, 512, dtype=numpy.uint8)),
         data(a_scale=constant(.02, numpy.float32), a_zero=constant(120, numpy.uint8),
              b=integers(0, 256, 512, 512, dtype=numpy.uint8), b_scale=constant(.01, numpy.float32),
              b_zero=constant(128, numpy.uint8), y_scale=constant(.5, numpy.float32), y_zero=constant(128, numpy.uint8)),
         outputs=("uint8",))
one_node("products", "Conv 3x3 64 channels 56x56", 3.0, "Conv", data(x=normal(1, 64, 56, 56)),
         data(w=normal(64, 64, 3, 3, scale=.05), b=normal(64)), pads=[1, 1, 1, 1])
one_node("products", "Conv 1x1 256 to 64 at 56x56", 3.0, "Conv", data(x=normal(1, 256, 56, 56)),
         data(w=normal(64, 256, 1, 1, scale=.05), b=normal(64)))
one_node("products", "Conv 3x3 depthwise 144 channels 56x56", 4.0, "Conv", data(x=normal(1, 144, 56, 56)),
         data(w=normal(144, 1, 3, 3, scale=.3), b=normal(144)), pads=[1, 1, 1, 1], group=144)
one_node("products", "ConvTranspose 4x4 stride 2, 64 to 32 at 28x28", None, "ConvTranspose", data(x=normal(1, 64, 28, 28)),
         data(w=normal(64, 32, 4, 4, scale=.05), b=normal(32)), strides=[2, 2], pads=[1, 1, 1, 1])
one_node("products", "ConvInteger 3x3 64 channels 56x56", None, "ConvInteger",
         data(x=integers(0, 256, 1, 64, 56, 56, dtype=numpy.uint8)),
         data(w=integers(0, 256, 64, 64, 3, 3, dtype=numpy.uint8)), outputs=("int32",), pads=[1, 1, 1, 1])
one_node("products", "Attention B1 H8 S256 D64", 4.0, "Attention",
         data(q=normal(1, 8, 256, 64), k=normal(1, 8, 256, 64), v=normal(1, 8, 256, 64)), opset=23)
one_node("products", "LSTM hidden 128 sequence 100", 4.0, "LSTM", data(x=normal(100, 1, 128)),
         data(w=normal(1, 512, 128, scale=.1), r=normal(1, 512, 128, scale=.1), b=normal(1, 1024, scale=.1)), hidden_size=128)
one_node("products", "GRU hidden 128 sequence 100", None, "GRU", data(x=normal(100, 1, 128)),
         data(w=normal(1, 384, 128, scale=.1), r=normal(1, 384, 128, scale=.1), b=normal(1, 768, scale=.1)), hidden_size=128)

# ---- elementwise ----

for operator, limit in (("Exp", 8), ("Tanh", 7), ("Erf", 5), ("Sigmoid", 8), ("Gelu", 8)):
    one_node("elementwise", f"{operator} 1M float32", limit, operator, data(x=normal(1024, 1024)))

# ---- lines ----

one_node("lines", "Softmax 1024x1024", 6, "Softmax", data(x=normal(1024, 1024, scale=3)), axis=-1)
one_node("lines", "LayerNormalization 512x768", 4, "LayerNormalization", data(x=normal(512, 768)),
         data(scale=normal(768), bias=normal(768)), axis=-1)
one_node("lines", "ReduceSum 1M", 2, "ReduceSum", data(x=normal(1024, 1024)),
         data(axes=lambda random: numpy.array([1], numpy.int64)))
one_node("lines", "CumSum 1M", 2, "CumSum", data(x=normal(1024, 1024)), data(axis=constant(1, numpy.int64)))
one_node("lines", "TopK 10 of 1M", 2, "TopK", data(x=normal(1024, 1024)),
         data(k=lambda random: numpy.array([10], numpy.int64)), outputs=("float", "int64"), axis=-1)

# ---- data movement and casts ----

one_node("movement", "Transpose 1M", 2, "Transpose", data(x=normal(1024, 1024)), perm=[1, 0])
one_node("movement", "Gather 1M", 2, "Gather", data(x=normal(4096, 256)), data(i=integers(0, 4096, 4096)), axis=0)
one_node("movement", "Concat 1M", 2, "Concat", data(a=normal(1024, 512), b=normal(1024, 512)), axis=1)
one_node("movement", "Slice 1M", 2, "Slice", data(x=normal(1024, 2048)),
         data(starts=lambda random: numpy.array([512], numpy.int64), ends=lambda random: numpy.array([1536], numpy.int64),
              axes=lambda random: numpy.array([1], numpy.int64)))
one_node("movement", "Cast 1M float32 to float8e4m3fn", 2, "Cast", data(x=normal(1024, 1024)), outputs=("float8e4m3fn",),
         to=TensorProto.FLOAT8E4M3FN)
one_node("movement", "QuantizeLinear 1M", 2, "QuantizeLinear", data(x=normal(1024, 1024)),
         data(scale=constant(.02, numpy.float32), zero=constant(128, numpy.uint8)), outputs=("uint8",))

one_node("movement", "Transpose 1M, channels behind", None, "Transpose", data(x=normal(4, 64, 64, 64)), perm=[0, 2, 3, 1])
one_node("movement", "Where 1M", None, "Where", data(c=lambda random: random.random((1024, 1024)) < .5, x=normal(1024, 1024), y=normal(1024, 1024)))
for source, target, wanted in ((numpy.float32, HALF, "float16"), (HALF, numpy.float32, "float"), (numpy.float32, numpy.int32, "int32"),
                               (numpy.int64, numpy.int32, "int32"), (numpy.uint8, numpy.float32, "float")):
    one_node("movement", f"Cast 1M {numpy.dtype(source)} to {numpy.dtype(target)}", None, "Cast",
             data(x=lambda random, source=source: (random.random((1024, 1024)) * 100).astype(source)), outputs=(wanted,),
             to=getattr(TensorProto, wanted.upper()))

# ---- quantizers ----

one_node("quantizers", "QuantizeLinear 1M per axis to int8", None, "QuantizeLinear", data(x=normal(1024, 1024)),
         data(scale=lambda random: (random.random(1024) + .01).astype(numpy.float32), zero=integers(-9, 9, 1024, dtype=numpy.int8)),
         outputs=("int8",), axis=0)
one_node("quantizers", "QuantizeLinear 1M in blocks of 32 to int16", None, "QuantizeLinear", data(x=normal(1024, 1024)),
         data(scale=lambda random: (random.random((1024, 32)) + .01).astype(numpy.float32), zero=integers(-9, 9, 1024, 32, dtype=numpy.int16)),
         outputs=("int16",), axis=1, block_size=32)
one_node("quantizers", "QuantizeLinear 1M to float8e4m3fn", None, "QuantizeLinear", data(x=normal(1024, 1024)),
         data(scale=constant(.02, numpy.float32), zero=lambda random: numpy.zeros((), ml_dtypes.float8_e4m3fn)), outputs=("float8e4m3fn",))
one_node("quantizers", "DequantizeLinear 1M", None, "DequantizeLinear", data(x=integers(0, 256, 1024, 1024, dtype=numpy.uint8)),
         data(scale=constant(.02, numpy.float32), zero=constant(128, numpy.uint8)))
one_node("quantizers", "DynamicQuantizeLinear 1M", None, "DynamicQuantizeLinear", data(x=normal(1024, 1024)), outputs=("uint8", "float", "uint8"))

# ---- integers, comparisons, and other reductions ----

one_node("integers", "Add 1M int32", None, "Add", data(a=integers(-99, 99, 1024, 1024, dtype=numpy.int32), b=integers(-99, 99, 1024, 1024, dtype=numpy.int32)),
         outputs=("int32",))
one_node("integers", "Mul 1M int64", None, "Mul", data(a=integers(-99, 99, 1024, 1024), b=integers(-99, 99, 1024, 1024)), outputs=("int64",))
one_node("integers", "Less 1M float32", None, "Less", data(a=normal(1024, 1024), b=normal(1024, 1024)), outputs=("bool",))
one_node("integers", "Clip 1M int8", None, "Clip", data(x=integers(-128, 128, 1024, 1024, dtype=numpy.int8)),
         data(low=constant(-9, numpy.int8), high=constant(9, numpy.int8)), outputs=("int8",))
for operator in ("ReduceSum", "ReduceMax", "ReduceMean"):
    one_node("reductions", f"{operator} 1M along columns", None, operator, data(x=normal(1024, 1024)),
             data(axes=lambda random: numpy.array([0], numpy.int64)))
one_node("reductions", "ReduceMax 1M", None, "ReduceMax", data(x=normal(1024, 1024)), data(axes=lambda random: numpy.array([1], numpy.int64)))
one_node("reductions", "ReduceSum 1M int64", None, "ReduceSum", data(x=integers(-99, 99, 1024, 1024)),
         data(axes=lambda random: numpy.array([1], numpy.int64)), outputs=("int64",))
one_node("reductions", "ArgMax 1M", None, "ArgMax", data(x=normal(1024, 1024)), outputs=("int64",), axis=1)
one_node("reductions", "TopK 400 of 1M", None, "TopK", data(x=normal(1024, 1024)),
         data(k=lambda random: numpy.array([400], numpy.int64)), outputs=("float", "int64"), axis=-1)

# ---- the fetched real models (scripts/fetch-models) ----


def fetched(path, two_threads=None, **inputs):
    row("models", path.removesuffix(".onnx"), 3.5, path, data(**inputs), two_threads=two_threads, reference_bound=10)


def length(*values):
    return lambda random: numpy.array(values, numpy.int64)


fetched("rapidocr-onnxruntime/ch_PP-OCRv4_det_infer.onnx", x=normal(1, 3, 320, 320), two_threads=1.7)
fetched("rapidocr-onnxruntime/ch_PP-OCRv4_rec_infer.onnx", x=normal(1, 3, 48, 320))
fetched("rapidocr-onnxruntime/ch_ppocr_mobile_v2.0_cls_infer.onnx", x=normal(1, 3, 48, 192))
fetched("basic-pitch/nmp.onnx", **{"serving_default_input_2:0": normal(1, 43844, 1)})
fetched("magika/model.onnx", bytes=integers(0, 256, 1, 2048, dtype=numpy.int32))
for rate in ("44_16", "48_16", "8_16"):
    fetched(f"onnx-asr/resample_{rate}.onnx", waveforms=normal(1, 16000), waveforms_lens=length(16000))
fetched("onnx-asr/whisper80_conv.onnx", waveforms=normal(1, 16000), waveforms_lens=length(16000))
fetched("silero-vad/silero_vad_16k_op15.onnx", input=normal(1, 576), state=normal(2, 1, 128),
        sr=lambda random: numpy.array(16000, numpy.int64))
fetched("silero-vad/silero_vad_half.onnx", input=normal(1, 576), state=normal(2, 1, 128))
fetched("silero-vad/silero_vad_16k_sequence.onnx", input=normal(20, 576), h=normal(1, 1, 128), c=normal(1, 1, 128))

# ---- growth: twice the size never costs more than the complexity class says. The smallest sizes leave the inner caches already
# and take milliseconds, so that neither fixed costs nor a cache that is outgrown on the way pass for growth. ----


@dataclasses.dataclass
class Growth:
    name: str
    sizes: tuple
    factor: float           # of the time, from one size to the next
    model: typing.Callable  # size -> ModelProto
    inputs: typing.Callable  # (random, size) -> {name: array}


def node_of_size(name, sizes, factor, op, inputs, outputs=("float",), opset=23, **attributes):
    def model(size):
        given = inputs(numpy.random.default_rng(7), size)
        node = helper.make_node(op, list(given), [f"y{k}" for k in range(len(outputs))], **attributes)
        return graph_model([node], given, {f"y{k}": getattr(TensorProto, t.upper()) for k, t in enumerate(outputs)}, {}, opset)
    GROWTH.append(Growth(name, sizes, factor, model, inputs))


def chain(size):
    nodes = [helper.make_node("Neg", [f"x{k}"], [f"x{k + 1}"]) for k in range(size)]
    return graph_model(nodes, {"x0": numpy.zeros(4, numpy.float32)}, {f"x{size}": TensorProto.FLOAT}, {}, 21)


def loop(size):
    ports = [helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("c", TensorProto.BOOL, []),
             helper.make_tensor_value_info("s", TensorProto.FLOAT, [4])]
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Add", ["s", "s"], ["t"])], "body", ports,
        [helper.make_tensor_value_info("d", TensorProto.BOOL, []), helper.make_tensor_value_info("t", TensorProto.FLOAT, [4])])
    return graph_model([helper.make_node("Loop", ["n", "", "x"], ["y"], body=body)], {"x": numpy.zeros(4, numpy.float32)},
                       {"y": TensorProto.FLOAT}, {"n": numpy.array(size, numpy.int64)}, 21)


GROWTH = []
node_of_size("MatMul n x n", (512, 1024, 2048), 8, "MatMul",
             lambda random, n: data(a=normal(n, n), b=normal(n, n))(random))
node_of_size("Conv 3x3, 32 channels, n x n", (112, 224, 448), 4, "Conv",
             lambda random, n: data(x=normal(1, 32, n, n), w=normal(32, 32, 3, 3))(random), pads=[1, 1, 1, 1])
node_of_size("Softmax of n lines of 512", (1024, 2048, 4096), 2, "Softmax", lambda random, n: data(x=normal(n, 512))(random))
node_of_size("Attention, sequence n", (256, 512, 1024), 4, "Attention",
             lambda random, n: data(q=normal(1, 4, n, 64), k=normal(1, 4, n, 64), v=normal(1, 4, n, 64))(random))
node_of_size("Unique of n", (262144, 524288, 1048576), 2 * (1 + 1 / math.log2(262144)), "Unique",
             lambda random, n: data(x=integers(0, n, n))(random), outputs=("int64",))
node_of_size("TopK 10 of n", (4194304, 8388608, 16777216), 2, "TopK",
             lambda random, n: {"x": normal(n)(random), "k": numpy.array([10], numpy.int64)}, outputs=("float", "int64"))
GROWTH.append(Growth("Loop of n iterations", (2500, 5000, 10000), 2, loop, lambda random, n: data(x=normal(4))(random)))
GROWTH.append(Growth("a chain of n nodes", (25000, 50000, 100000), 2, chain, lambda random, n: data(x0=normal(4))(random)))
