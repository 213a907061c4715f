"""tract, through its Python package. Options: runtime=default|cuda|metal."""

import os

# A stack trace in every error takes longer than the test, and hides its words.
os.environ["RUST_BACKTRACE"] = os.environ["RUST_LIB_BACKTRACE"] = "0"

import tract
from onnxv_values import Ports, Unsupported, plain_array, tensor_of
from onnxv_worker import option, serve

NAMES = {"bool": "bool", "float16": "f16", "float32": "f32", "float64": "f64",
         "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"}

# It plans before it runs, so some inputs must be constants of the model.
NOT_SUPPORTED = (
    r"[Uu]nimplemented|[Nn]ot implemented|[Uu]nsupported|[Nn]ot supported|No implementation|Unknown operator|"
    r"Unknown DatumType|unknown ONNX TensorProto|(as|be) a? ?const|to be const|is variable|not const|constant input|"
    r"to be determined|must be a known scalar")


def array_of(proto):
    array = plain_array(proto)
    if str(array.dtype) not in NAMES:
        raise Unsupported(f"its Python package takes no {array.dtype}")
    return array


def fact_of(array):
    return ",".join([*map(str, array.shape), NAMES[str(array.dtype)]])


class Plan:
    """tract wants to know shapes before it makes a plan, so one is made for each set of them."""

    def __init__(self, path, options):
        self.path = path
        self.ports = Ports.of_file(path)
        self.outputs = list(self.ports.outputs)
        self.runtime = options.get("runtime", "default")
        self.facts, self.runnable = None, None

    def prepare(self, facts):
        if facts == self.facts:
            return
        model = tract.Onnx().load(self.path)
        for number in range(model.input_count()):
            name = model.input_name(number)
            if name in facts:
                model.set_input_fact(number, facts[name])
        order = [model.input_name(number) for number in range(model.input_count())]
        typed = model.into_model()
        runnable = (typed.into_runnable() if self.runtime == "default"
                    else tract.runtime_for_name(self.runtime).prepare(typed))
        self.facts, self.order, self.runnable = facts, order, runnable

    def __call__(self, inputs, want):
        arrays = {name: array_of(proto) for name, proto in self.ports.feeds(inputs).items()}
        self.prepare({name: fact_of(array) for name, array in arrays.items()})
        results = self.runnable.run([arrays[name] for name in self.order])
        values = dict(zip(self.outputs, results, strict=True))
        return [tensor_of(values[name].to_numpy()) for name in want]


serve("tract", tract.version(), Plan, options=("runtime",), not_supported=NOT_SUPPORTED,
      device=option("runtime", "cpu"))
