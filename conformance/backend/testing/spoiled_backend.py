"""ONNX Runtime with a fault in one node: a worker for tests of node isolation.

usage: spoiled_backend.py NODE KIND
  NODE  the name of a node, in the main graph or a subgraph; models without it are run as they are
  KIND  element  its last output element is off by more than its largest
        offset   every element is off by 1% of the largest
        scale    every element is 2% too large, and 0.02
"""
import json
import os
import sys

import onnx
import onnxruntime
from onnx import helper, numpy_helper

NODE, KIND = sys.argv[1:3]


def off_by_largest(name, factor):
    """Nodes that make name.off, factor * (1 + the largest magnitude)."""
    return [helper.make_node("Abs", [name], [name + ".abs"]),
            helper.make_node("ReduceMax", [name + ".abs"], [name + ".max"], keepdims=0),
            constant(name + ".one", onnx.TensorProto.FLOAT, [], [1.0]),
            constant(name + ".factor", onnx.TensorProto.FLOAT, [], [factor]),
            helper.make_node("Add", [name + ".max", name + ".one"], [name + ".more"]),
            helper.make_node("Mul", [name + ".more", name + ".factor"], [name + ".off"])]


def constant(name, dtype, dims, values):
    return helper.make_node("Constant", [], [name], value=helper.make_tensor(name, dtype, dims, values))


def fault(right, wrong):
    """Nodes that make a wrong value of a right one."""
    if KIND == "scale":
        return [constant(right + ".factor", onnx.TensorProto.FLOAT, [], [1.02]),
                constant(right + ".rest", onnx.TensorProto.FLOAT, [], [0.02]),
                helper.make_node("Mul", [right, right + ".factor"], [right + ".scaled"]),
                helper.make_node("Add", [right + ".scaled", right + ".rest"], [wrong])]
    if KIND == "offset":
        return off_by_largest(right, 0.01) + [helper.make_node("Add", [right, right + ".off"], [wrong])]
    return off_by_largest(right, 1.0) + [
        constant(right + ".flat", onnx.TensorProto.INT64, [1], [-1]),
        constant(right + ".unit", onnx.TensorProto.INT64, [1, 1], [1]),
        helper.make_node("Reshape", [right, right + ".flat"], [right + ".line"]),
        helper.make_node("Size", [right], [right + ".size"]),
        helper.make_node("Sub", [right + ".size", right + ".unit"], [right + ".last"]),
        helper.make_node("GatherND", [right + ".line", right + ".last"], [right + ".old"]),
        helper.make_node("Add", [right + ".old", right + ".off"], [right + ".new"]),
        helper.make_node("ScatterND", [right + ".line", right + ".last", right + ".new"], [right + ".spoiled"]),
        helper.make_node("Shape", [right], [right + ".shape"]),
        helper.make_node("Reshape", [right + ".spoiled", right + ".shape"], [wrong])]


def spoil(graph):
    nodes = []
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                spoil(attribute.g)
        nodes.append(node)
        if node.name == NODE:
            wrong = node.output[0]
            node.output[0] = wrong + ".right"
            nodes += fault(node.output[0], wrong)
    nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(nodes)


def answer(request):
    model = onnx.load(request["model"])
    spoil(model.graph)
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
    feeds = {port.name: numpy_helper.to_array(onnx.load_tensor(path))
             for port, path in zip(session.get_inputs(), request["inputs"]) if path}
    names = []
    for i, value in enumerate(session.run(request["want"], feeds)):
        names.append(f"output_{i}.pb")
        onnx.save_tensor(numpy_helper.from_array(value), os.path.join(request["output_dir"], names[-1]))
    return {"status": "ok", "outputs": names}


channel = os.fdopen(int(os.environ["ONNXV_FD"]), "w")
print(json.dumps({"protocol": 1, "name": "spoiled", "version": onnxruntime.__version__, "max_opset": 0,
                  "intermediates": False}), file=channel, flush=True)
for line in sys.stdin:
    question = json.loads(line)
    try:
        reply = answer(question)
    except Exception as error:  # what the runtime refuses is its answer
        reply = {"status": "error", "message": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": question["id"], **reply}), file=channel, flush=True)
