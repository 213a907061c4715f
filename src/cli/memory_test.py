#!/usr/bin/env python3
"""Node by node, a chain of large tensors is compared within the memory of what is alive at one node.

usage: memory_test.py PROGRAM FAKE_BACKEND

The fake backend copies its first input to every output, which is right for each of these nodes. What the process and those
that it waited for held at most is asked of the system; the fake one holds nothing.
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

from cli_test import FLOAT, model, node, tensor, value_info

MIB = 2**20
NODES, SIZE = 24, 8 * MIB  # all intermediate values together: 192 MiB
BOUND = 32                 # bytes for each element of a node's outputs: what an honest backend may have


def allowed():
    """The model's input and exact output, which live throughout; a node's input and output, its answer, the bounds."""
    live = 5 * SIZE + SIZE // 4 * BOUND
    return live * 6 // 5 + 64 * MIB


def chain():
    names = ["x", *(f"t{k}" for k in range(NODES - 1)), "y"]
    nodes = [node(("Relu", "Identity", "Abs")[k % 3], [names[k]], [names[k + 1]], f"n{k}") for k in range(NODES)]
    return model(nodes, *([value_info(name, FLOAT, [SIZE // 4])] for name in ("x", "y")))


def main(program, fake):
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        (at / "m.onnx").write_bytes(chain())
        (at / "x.pb").write_bytes(tensor("x", FLOAT, [SIZE // 4], struct.pack("<4f", 0.5, 1, 2, 3) * (SIZE // 16)))
        backend = f"--backend=command:'{sys.executable}' -B '{fake}' values"
        run = subprocess.Popen([program, at / "m.onnx", "--input", f"x={at / 'x.pb'}", backend, "--nodes", "--threads", "1"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "TMPDIR": folder})
        said = run.stdout.read()
        _, status, usage = os.wait4(run.pid, 0)
    peak = usage.ru_maxrss * 1024
    print(f"{said}peak {peak / MIB:.0f} MiB, allowed {allowed() / MIB:.0f} MiB")
    agreed = f"{NODES} nodes compared one by one, {NODES} agree" in said
    return 0 if os.waitstatus_to_exitcode(status) == 0 and agreed and peak <= allowed() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
