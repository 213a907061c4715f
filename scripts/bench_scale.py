"""The rows of scripts/bench that ask for memory: a model larger than a protobuf may be, and what is held beside the live tensors."""
import os
import pathlib
import subprocess
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

GIB, MIB = 2**30, 2**20


def large_model(path, gib=3, side=8192):
    """A chain of MatMuls whose weights, `gib` GiB together, lie in a file beside the model."""
    path = pathlib.Path(path)
    bytes_each = side * side * 4
    count = gib * GIB // bytes_each
    block = (numpy.random.default_rng(5).standard_normal((side, side)) * side**-0.5).astype(numpy.float32)
    weights = []
    with open(path.with_suffix(".bin"), "wb") as file:
        for k in range(count):
            numpy.roll(block, k, axis=0).tofile(file)
            tensor = TensorProto(name=f"w{k}", data_type=TensorProto.FLOAT, dims=[side, side], data_location=TensorProto.EXTERNAL)
            for key, value in (("location", path.with_suffix(".bin").name), ("offset", k * bytes_each), ("length", bytes_each)):
                tensor.external_data.add(key=key, value=str(value))
            weights.append(tensor)
    nodes = [helper.make_node("MatMul", [f"x{k}", f"w{k}"], [f"x{k + 1}"]) for k in range(count)]
    graph = helper.make_graph(nodes, "large", [helper.make_tensor_value_info("x0", TensorProto.FLOAT, [1, side])],
                              [helper.make_tensor_value_info(f"x{count}", TensorProto.FLOAT, [1, side])], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), path)
    return count * bytes_each


def elementwise_chain(mib, nodes):
    """Node after node on tensors of `mib` MiB; three are live at most."""
    elements = mib * MIB // 4
    names = ["x", *(f"t{k}" for k in range(nodes - 1)), "y"]
    chain = [helper.make_node(("Neg", "Relu", "Exp", "Sqrt")[k % 4], [names[k]], [names[k + 1]]) for k in range(nodes)]
    ports = [[helper.make_tensor_value_info(n, TensorProto.FLOAT, [elements])] for n in ("x", "y")]
    graph = helper.make_graph(chain, "chain", *ports)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def sizes(model):
    """Bytes by name, of everything that shape inference knows."""
    inferred = shape_inference.infer_shapes(model, data_prop=True).graph
    known = {}
    for info in [*inferred.input, *inferred.value_info, *inferred.output]:
        tensor = info.type.tensor_type
        dims = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
        if None in dims or not tensor.elem_type:
            raise ValueError(f"the size of {info.name} is not known")
        known[info.name] = int(numpy.prod(dims, dtype=numpy.int64)) * helper.tensor_dtype_to_np_dtype(tensor.elem_type).itemsize
    return known


def live_bytes(model):
    """The most that is alive at one node: the constants and inputs, which live throughout, and what later nodes still read."""
    graph, known = model.graph, sizes(model)
    constants = [numpy_helper.to_array(tensor).nbytes for tensor in graph.initializer]
    constants += [known[node.output[0]] for node in graph.node if node.op_type == "Constant"]
    inputs = sum(known[port.name] for port in graph.input)
    last = {name: k for k, node in enumerate(graph.node) for name in node.input}
    last.update({port.name: len(graph.node) for port in graph.output})
    alive, most = {}, 0
    for k, node in enumerate(graph.node):
        if node.op_type != "Constant":
            alive.update({name: known[name] for name in node.output})
        most = max(most, sum(alive.values()))
        alive = {name: size for name, size in alive.items() if last.get(name, -1) > k}
    return most + inputs + sum(constants)


def peak_of(program, model, inputs, folder):
    command = [program, "run", str(model), "--threads", "1", "--verbose", "-o", f"{folder}/out"]
    for name, array in inputs.items():
        path = f"{folder}/{len(os.listdir(folder))}.pb"
        pathlib.Path(path).write_bytes(numpy_helper.from_array(array, name).SerializeToString())
        command += ["--input", f"{name}={path}"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = [line for line in done.stderr.splitlines() if "peak memory" in line]
    if done.returncode != 0 or not said:
        raise ValueError(done.stderr.strip()[:200])
    return int(said[0].split("peak memory ")[1].split()[0]) * 1024


def result(name, measure):
    """`measure` gives the peak and what it may be."""
    try:
        peak, bound = measure()
    except (ValueError, OSError) as error:
        return {"group": "scale", "name": name, "error": str(error), "short": ["error"]}
    return {"group": "scale", "name": name, "peak": peak, "bound": bound, "short": ["memory"] if peak > bound else []}


def allowed(live):
    return live * 6 // 5 + 64 * MIB


def normal(*shape):
    return numpy.random.default_rng(11).standard_normal(shape).astype(numpy.float32)


def large(program):
    with tempfile.TemporaryDirectory() as folder:
        weights = large_model(f"{folder}/large.onnx")
        return peak_of(program, f"{folder}/large.onnx", {"x0": normal(1, 8192)}, folder), weights + GIB


def chain(program, mib):
    with tempfile.TemporaryDirectory() as folder:
        model = elementwise_chain(mib, 12)
        onnx.save(model, f"{folder}/chain.onnx")
        inputs = {"x": numpy.abs(normal(mib * MIB // 4))}
        return peak_of(program, f"{folder}/chain.onnx", inputs, folder), allowed(live_bytes(model))


def fetched(program, path, name, shape):
    with tempfile.TemporaryDirectory() as folder:
        model = onnx.load(path)
        for port in model.graph.input:
            for dim, size in zip(port.type.tensor_type.shape.dim, shape):
                dim.dim_value = size
        for port in model.graph.output:
            port.type.tensor_type.ClearField("shape")
        return peak_of(program, path, {name: normal(*shape)}, folder), allowed(live_bytes(model))


DETECTION = "rapidocr-onnxruntime/ch_PP-OCRv4_det_infer.onnx"
NAMES = ("a model of 3 GiB", "12 elementwise nodes of 16 MiB", "12 elementwise nodes of 96 MiB", "PP-OCRv4 det at 960x960")


def rows(program, models, chosen):
    measures = (lambda: large(program), lambda: chain(program, 16), lambda: chain(program, 96),
                lambda: fetched(program, models() / DETECTION, "x", (1, 3, 960, 960)))
    for name, measure in zip(NAMES, measures):
        if chosen("scale", f"peak memory: {name}"):
            yield result(f"peak memory: {name}", measure)
