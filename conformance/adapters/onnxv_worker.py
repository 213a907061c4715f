"""The worker's side of the line protocol, shared by the Python adapters.

An adapter calls serve(name, version, load): load(path, options) gives a function from a list of inputs (protos, or
None where one is omitted) and the wanted names to a list of outputs (protos, or None for an empty optional).
"""

import json
import os
import sys
import traceback

import onnx


class Unsupported(Exception):
    """What the backend does not claim to support; the message is its own."""


PROTOS = {
    "tensor": onnx.TensorProto,
    "sparse_tensor": onnx.SparseTensorProto,
    "sequence": onnx.SequenceProto,
    "optional": onnx.OptionalProto,
    "map": onnx.MapProto,
}


def open_channel():
    """Answers go to the second channel: whatever a library prints on stdout cannot spoil them."""
    descriptor = os.environ.get("ONNXV_FD")
    if descriptor is None:
        return os.fdopen(os.dup(1), "w", encoding="utf-8")
    return os.fdopen(int(descriptor), "w", encoding="utf-8")


def read_input(path, kind):
    if not path:
        return None
    proto = PROTOS[kind]()
    with open(path, "rb") as file:
        proto.ParseFromString(file.read())
    return proto


def write_output(proto, directory, number):
    if proto is None:
        return ""
    name = f"output_{number}.pb"
    with open(os.path.join(directory, name), "wb") as file:
        file.write(proto.SerializeToString())
    return name


class Server:
    def __init__(self, load):
        self.load = load
        self.key = None
        self.run = None

    def prepared(self, path, options):
        status = os.stat(path)
        key = (path, status.st_mtime_ns, status.st_size, status.st_ino, tuple(sorted(options.items())))
        if key != self.key:
            self.key, self.run = None, None
            self.run = self.load(path, options)
            self.key = key
        return self.run

    def answer(self, request):
        run = self.prepared(request["model"], request["options"])
        inputs = [read_input(path, kind) for path, kind in zip(request["inputs"], request["kinds"])]
        outputs = run(inputs, request["want"])
        names = [write_output(proto, request["output_dir"], i) for i, proto in enumerate(outputs)]
        return {"status": "ok", "outputs": names}

    def guarded(self, request):
        try:
            return self.answer(request)
        except Unsupported as reason:
            return {"status": "unsupported", "message": str(reason)}
        except Exception as reason:  # whatever the backend throws is its answer
            if os.environ.get("ONNXV_TRACE"):
                traceback.print_exc()
            return {"status": "error", "message": f"{type(reason).__name__}: {reason}"}


def serve(name, version, load, **extra):
    channel = open_channel()
    hello = {"protocol": 1, "name": name, "version": version, "max_opset": 0, "intermediates": False}
    hello.update(extra)
    server = Server(load)
    print(json.dumps(hello), file=channel, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        answer = server.guarded(request)
        answer["id"] = request["id"]
        print(json.dumps(answer), file=channel, flush=True)
