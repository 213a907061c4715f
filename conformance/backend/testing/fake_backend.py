"""A worker that answers each request with a copy of its first input, or misbehaves as its argument says.

`as-named`: as the name of the model's folder says, for instance test_hang.
"""

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time

MODE = sys.argv[1]
STATE = sys.argv[2] if len(sys.argv) > 2 else ""
HELLO = {"protocol": 1, "name": "fake", "version": "7", "max_opset": 20, "intermediates": False}


def say(text, stream):
    stream.write(text + "\n")
    stream.flush()


def first_time():
    """True once per STATE file: a worker that misbehaves once, then recovers."""
    if MODE == "as-named":
        return True
    if not STATE or os.path.exists(STATE):
        return False
    open(STATE, "w").close()
    return True


def copied(request):
    name = "output_0.pb"
    shutil.copy(request["inputs"][0], os.path.join(request["output_dir"], name))
    return name


# Outputs that are not what was asked for: dims, element type, bytes.
GIVEN = {
    "wrong-shape": ([1, 2], 1, struct.pack("<2f", 1, 2)),
    "wrong-type": ([2], 11, struct.pack("<2d", 1, 2)),
    "no-type": ([2], 99, struct.pack("<2f", 1, 2)),
    "too-few-bytes": ([2], 1, struct.pack("<f", 1)),
    "too-many-bytes": ([2], 1, struct.pack("<3f", 1, 2, 3)),
    "negative-size": ([-2], 1, struct.pack("<2f", 1, 2)),
    "huge": ([1 << 40, 1 << 40], 1, b""),
}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def write_tensor(request, dims, element_type, raw):
    """A TensorProto: dims are field 1, data_type 2, raw_data 9."""
    with open(os.path.join(request["output_dir"], "output_0.pb"), "wb") as file:
        file.write(b"".join(b"\x08" + varint(dim) for dim in dims) + b"\x10" + varint(element_type) + b"\x4a" +
                   varint(len(raw)) + raw)
    return "output_0.pb"


def misbehave(request, stream, mode):
    """Returns the answer, or None when there is none to give."""
    answer = {"id": request["id"], "status": "ok"}
    if mode == "crash" and first_time():
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "exit" and first_time():
        print("the last words", file=sys.stderr)
        sys.exit(3)
    if mode == "hang" and first_time():
        time.sleep(1000)
    if mode == "rubbish" and first_time():
        say("Segmentation fault? No, just chatting.", stream)
    if mode == "deaf":  # hangs, and what it started keeps its pipes open
        subprocess.Popen(["sleep", "1000"])
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    if mode == "flood":
        while True:
            stream.write("x" * 65536)
    if mode == "stderr":
        sys.stderr.write("e" * 1_000_000)
    if mode == "wrong-id":
        answer["id"] = 1234
    if mode == "no-status":
        del answer["status"]
    if mode == "unsupported":
        return {"id": request["id"], "status": "unsupported", "message": "not that\noperator"}
    if mode == "error":
        return {"id": request["id"], "status": "error", "message": "it went wrong"}
    if mode == "count":
        answer["outputs"] = []
        return answer
    if mode == "outside":
        answer["outputs"] = ["../../../etc/passwd"]
        return answer
    if mode == "missing":
        answer["outputs"] = ["nothing.pb"]
        return answer
    if mode == "values":
        answer["outputs"] = []
        for i in range(len(request["want"])):
            answer["outputs"].append(f"output_{i}.pb")
            shutil.copy(request["inputs"][0], os.path.join(request["output_dir"], f"output_{i}.pb"))
        return answer
    if mode == "empty":
        answer["outputs"] = [""]
        return answer
    if mode in GIVEN or mode == "unstable":
        answer["outputs"] = [write_tensor(request, *GIVEN.get(mode, ([2], 1, struct.pack("<2f", 1, request["id"]))))]
        return answer
    name = copied(request)
    if mode == "truncated":
        with open(os.path.join(request["output_dir"], name), "r+b") as file:
            file.truncate(os.path.getsize(file.name) - 2)
    answer["outputs"] = [name]
    return answer


def main():
    stream = sys.stdout
    if MODE == "channel":
        stream = os.fdopen(int(os.environ["ONNXV_FD"]), "w")
        say("a greeting on stdout", sys.stdout)
    if MODE == "never":
        time.sleep(1000)
    if MODE == "dies":
        print("no such device", file=sys.stderr)
        sys.exit(1)
    if MODE == "protocol":
        HELLO["protocol"] = 2
    if MODE == "values":
        HELLO["intermediates"] = True
    if MODE == "slow":
        time.sleep(0.5)
    if MODE == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    say(json.dumps(HELLO), stream)
    for line in sys.stdin:
        request = json.loads(line)
        mode = os.path.basename(os.path.dirname(request["model"])).removeprefix("test_") if MODE == "as-named" else MODE
        answer = misbehave(request, stream, mode)
        if MODE == "as-named":
            print("a warning that explains nothing", file=sys.stderr)
        if MODE == "channel":
            say("chatter that nobody reads", sys.stdout)
        say(json.dumps(answer), stream)


main()
