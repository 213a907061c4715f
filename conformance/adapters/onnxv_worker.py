"""The worker's side of the line protocol, shared by the Python adapters.

An adapter calls serve(name, version, load). load(path, options) gives a function from a list of inputs (protos, or
None where one is omitted) and the wanted names to a list of outputs (protos, or None for an empty optional).
"""

import json
import os
import re
import sys
import traceback
import unittest

import onnx
from onnxv_values import Unsupported

PROTOS = {
    "tensor": onnx.TensorProto,
    "sparse_tensor": onnx.SparseTensorProto,
    "sequence": onnx.SequenceProto,
    "optional": onnx.OptionalProto,
    "map": onnx.MapProto,
}


def option(key, default):
    """What the spelling says, for the first line: requests come later. All options stand in the arguments, too."""
    return dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word).get(key, default)


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
    def __init__(self, load, options, not_supported):
        self.load = load
        self.options = options
        self.not_supported = re.compile(not_supported) if not_supported else None
        self.key = None
        self.run = None

    def prepared(self, path, options):
        unknown = sorted(set(options) - set(self.options)) if self.options is not None else []
        if unknown:
            raise ValueError(f"no such option: {', '.join(unknown)}; known: {', '.join(self.options) or 'none'}")
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

    def refusal(self, error):
        """How the backend says that it does not have something, as against failing at it."""
        text = " ".join(str(error).split())
        if isinstance(error, Unsupported):
            return {"status": "unsupported", "message": text}
        known = (isinstance(error, (NotImplementedError, unittest.SkipTest)) or
                 self.not_supported is not None and self.not_supported.search(text))
        return {"status": "unsupported" if known else "error", "message": f"{type(error).__name__}: {text}"}

    def guarded(self, request):
        try:
            return self.answer(request)
        except Exception as error:  # whatever the backend throws is its answer
            if os.environ.get("ONNXV_TRACE"):
                traceback.print_exc()
            return self.refusal(error)


def serve(name, version, load, options=(), not_supported="", **extra):
    """options: the keys that requests may carry, None for any. not_supported: a pattern of the backend's own words.
    extra: more of the first line, such as device."""
    channel = open_channel()
    hello = {"protocol": 1, "name": name, "version": version, "max_opset": 0, "intermediates": False, **extra}
    server = Server(load, options, not_supported)
    print(json.dumps(hello), file=channel, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        answer = server.guarded(request)
        answer["id"] = request["id"]
        print(json.dumps(answer), file=channel, flush=True)
