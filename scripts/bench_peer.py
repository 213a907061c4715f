"""One peer of scripts/bench in a process of its own: reads one JSON request a line, answers with the times of its evaluations.

usage: bench_peer.py onnxruntime|onnx-reference

A request: {"model": path, "inputs": [paths of TensorProto files], "seconds": S, "threads": N}. The answer: {"clock": [seconds],
"processor": [seconds], "peak": bytes} or {"error": text}. The model is loaded and its inputs are bound before time runs.
"""
import ctypes
import json
import re
import sys
import time

import numpy
import onnx
from onnx import numpy_helper

FEWEST = 3
TOO_LONG = 1.0  # seconds: then one evaluation is enough


def tensors(paths):
    return [onnx.load_tensor(path) for path in paths]


def onnxruntime_evaluation(request):
    import onnxruntime
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    settings.intra_op_num_threads = request["threads"]
    settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(request["model"], settings, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for port, tensor in zip(session.get_inputs(), tensors(request["inputs"])):
        value = onnxruntime.OrtValue.ortvalue_from_shape_and_type(list(tensor.dims), tensor.data_type)
        ctypes.memmove(value.data_ptr(), tensor.raw_data, len(tensor.raw_data))
        binding.bind_ortvalue_input(port.name, value)
    for port in session.get_outputs():
        binding.bind_output(port.name)
    return lambda: session.run_with_iobinding(binding)


def onnx_reference_evaluation(request):
    from onnx.reference import ReferenceEvaluator
    model = onnx.load(request["model"])
    initial = {tensor.name for tensor in model.graph.initializer}
    names = [port.name for port in model.graph.input if port.name not in initial]
    feeds = {name: numpy_helper.to_array(tensor) for name, tensor in zip(names, tensors(request["inputs"]))}
    evaluator = ReferenceEvaluator(model)
    numpy.seterr(all="ignore")
    return lambda: evaluator.run(None, feeds)


def peak():
    """Of this process alone: what getrusage tells counts the parent before exec."""
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) * 1024


def timed(evaluate):
    clock, processor = time.perf_counter(), time.process_time()
    evaluate()
    return time.perf_counter() - clock, time.process_time() - processor


PEERS = {"onnxruntime": onnxruntime_evaluation, "onnx-reference": onnx_reference_evaluation}


def main(peer):
    loaded, evaluate = None, None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if loaded != (request["model"], request["threads"]):
                evaluate = PEERS[peer](request)
                loaded = request["model"], request["threads"]
            times = [timed(evaluate)]
            if times[0][0] < TOO_LONG:
                begin, times = time.perf_counter(), []
                while len(times) < FEWEST or time.perf_counter() - begin < request["seconds"]:
                    times.append(timed(evaluate))
            answer = {"clock": [t[0] for t in times], "processor": [t[1] for t in times],
                      "peak": peak()}
        except Exception as error:  # a peer that cannot do a row costs that row
            answer = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
