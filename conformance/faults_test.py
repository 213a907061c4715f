#!/usr/bin/env python3
"""Ten seeded faults in a real model, one node each: the node that is named is the faulty one, and the directory
that is extracted shows the fault again.

usage: faults_test.py PROGRAM WORKER MODEL [ARGUMENT...]
  WORKER    backend/testing/spoiled_backend.py
  ARGUMENT  of the main job: inputs
  $ONNXV_PYTHON, else .venv's, has onnx and onnxruntime; without it the test is skipped (exit code 77)
"""
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

FAULTS = 10
KINDS = ("element", "offset", "scale")
ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = os.environ.get("ONNXV_PYTHON", str(ROOT / ".venv/bin/python"))


def call(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        sys.exit(f"{shlex.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def results(file, *arguments):
    done = call(*arguments, "--json", str(file))
    return done.returncode, json.loads(file.read_text())["results"]


def candidates(program, arguments, folder):
    """Nodes by name that make float32 and that nothing else shares its name with."""
    _, (*_, result) = results(folder / "nodes.json", program, *arguments, "--backend=reference", "--nodes")
    names = [node["node"] for node in result["nodes"]]
    return [node for node in result["nodes"]
            if names.count(node["node"]) == 1 and not node["node"].startswith("->") and node["outputs"]
            and node["outputs"][0]["dtype"] == "float32" and node["op"] not in ("If", "Loop", "Scan", "Constant")]


def elements(directory):
    return sum(f.stat().st_size for f in pathlib.Path(directory).rglob("*") if f.is_file())


def check(program, worker, arguments, node, kind, folder):
    backend = f"--backend=command:{shlex.join([PYTHON, '-B', worker, node['node'], kind])}"
    broken = folder / "broken"
    code, (*_, result) = results(folder / "r.json", program, *arguments, backend, "--nodes", "--jobs", "2",
                                 "--extract", str(broken))
    first = result.get("first_divergence")
    if code != 1 or not first:
        return "nothing was found"
    if first["node"] != node["node"]:
        return f"{first['node']} was named"
    (found,) = [n for n in result["nodes"] if n["index"] == first["index"]]
    if not found["inputs"] or not found["outputs"][0]["first_mismatch"]["expected"]:
        return "its values are not told"
    code, (again,) = results(folder / "again.json", program, "suite", found["extracted"], backend)
    if code != 1 or again["status"] != "fail":
        return f"{found['extracted']} does not show it"
    code, (own,) = results(folder / "own.json", program, "suite", found["extracted"])
    if code != 0 or own["status"] != "pass":
        return f"{found['extracted']} is not exact"
    return (f"shape {found['outputs'][0]['shape']} -> {again['outputs'][0]['shape']}, "
            f"{again['outputs'][0]['mismatched']} bad, {elements(found['extracted'])} bytes"), True


def main(program, worker, *arguments):
    if subprocess.run([PYTHON, "-c", "import onnx, onnxruntime"], capture_output=True).returncode != 0:
        print(f"skipped: {PYTHON} has no onnxruntime")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        nodes = candidates(program, arguments, pathlib.Path(folder))
        chosen = random.Random(6).sample(nodes, FAULTS)
        for i, node in enumerate(chosen):
            kind = KINDS[i % len(KINDS)]
            place = pathlib.Path(folder) / str(i)
            place.mkdir()
            found = check(program, worker, arguments, node, kind, place)
            good = isinstance(found, tuple)
            failed += not good
            print(f"{'ok' if good else 'FAILED'} {kind} in {node['op']} {node['node']}: {found[0] if good else found}",
                  flush=True)
    print(f"{FAULTS - failed} of {FAULTS}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
