#!/usr/bin/env python3
"""Backends as a user sees them: workers that misbehave, plug-ins, python:MODULE, and the adapters with small needs.

usage: backends_test.py PROGRAM FAKE_BACKEND EXAMPLE_PLUGIN BAD_PLUGIN NEWER_PLUGIN
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv/bin/python"
sys.path.insert(0, str(ROOT / "src/cli"))
import cli_test  # noqa: E402
from cli_test import FLOAT, block, model, node, number, tensor, value_info  # noqa: E402

FAKE = EXAMPLE = BAD = NEWER = ""
STRING, FLOAT8 = 8, 17
TIMEOUT = "10"  # of each test and of a start: a good worker starts within it on a busy machine, too
COPY = model([node("Identity", ["x"], ["y"])], [value_info("x", FLOAT, [2])], [value_info("y", FLOAT, [2])])


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def one_input(op, dtype=FLOAT, dims=(2,)):
    return model([node(op, ["x"], ["y"])], [value_info("x", dtype, dims)], [value_info("y", dtype, dims)], opset=19)


class Suite(unittest.TestCase):
    """Test directories in a folder of their own, run as a suite."""

    setUp, tearDown = cli_test.CommandLine.setUp, cli_test.CommandLine.tearDown
    fails, call = cli_test.CommandLine.fails, cli_test.CommandLine.call

    def add(self, name, of=COPY, inputs=(tensor("x", FLOAT, [2], floats(1, 2)),),
            output=tensor("y", FLOAT, [2], floats(1, 2))):
        folder = self.at / "tests" / name
        (folder / "test_data_set_0").mkdir(parents=True)
        (folder / "model.onnx").write_bytes(of)
        for i, data in enumerate(inputs):
            (folder / f"test_data_set_0/input_{i}.pb").write_bytes(data)
        (folder / "test_data_set_0/output_0.pb").write_bytes(output)

    def run_suite(self, *arguments, environment=()):
        path = self.at / "results.json"
        command = [cli_test.PROGRAM, "suite", str(self.at / "tests"), "--json", str(path), "--progress", "never"]
        run = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=250, cwd=self.at,
                             env={**os.environ, **dict(environment)})
        self.assertIn(run.returncode, (0, 1, 3), run.stderr)
        self.code = run.returncode
        self.results = json.loads(path.read_text())
        return {result["test"]: result for result in self.results["results"]}

    def statuses(self, *arguments, **keywords):
        return {test: result["status"] for test, result in self.run_suite(*arguments, **keywords).items()}


class Misbehaving(Suite):
    STATUSES = {
        "crash": "crash", "exit": "crash", "hang": "timeout", "deaf": "timeout", "rubbish": "error", "flood": "error",
        "wrong-id": "error", "no-status": "error", "count": "error", "outside": "error", "missing": "error",
        "empty": "error", "truncated": "error", "too-few-bytes": "error", "too-many-bytes": "error", "no-type": "error",
        "negative-size": "error", "huge": "error", "wrong-shape": "fail", "wrong-type": "fail",
        "unsupported": "unsupported", "error": "error",
    }

    def fake(self, mode, once=""):
        return f"--backend=command:'{sys.executable}' -B '{FAKE}' {mode} {once}"

    def test_each_costs_its_own_test_and_no_other(self):
        for mode in self.STATUSES:
            self.add("test_" + mode)
        good = [f"test_{mode}+good" for mode in self.STATUSES]  # each stands behind one that went wrong
        for name in good:
            self.add(name)
        found = self.statuses(self.fake("as-named"), "--jobs", "1", "--timeout", TIMEOUT, "--no-nodes")
        self.assertEqual(found, {**{"test_" + mode: status for mode, status in self.STATUSES.items()},
                                 **{name: "pass" for name in good}})
        self.assertEqual(self.code, 1)

    def test_one_that_never_starts_leaves_the_others_alone(self):
        for name in ("test_a", "test_b"):
            self.add(name)
        self.run_suite(self.fake("never"), self.fake("plain"), "--jobs", "1", "--timeout", TIMEOUT, "--no-nodes")
        statuses = [(r["test"], r["status"]) for r in self.results["results"]]
        self.assertEqual(sorted(statuses), [(test, s) for test in ("test_a", "test_b") for s in ("error", "pass")])
        self.assertEqual(self.code, 3)
        self.assertIn("no first line", self.results["results"][0]["message"])

    def test_a_crash_is_not_explained_by_an_earlier_warning(self):
        self.add("test_a")
        self.add("test_crash")
        found = self.run_suite(self.fake("as-named"), "--jobs", "1", "--no-nodes")
        self.assertEqual(found["test_crash"]["message"], "signal 11 (Segmentation fault)")

    def test_bits_that_change_between_runs_are_named(self):
        self.add("test_a", output=tensor("y", FLOAT, [2], floats(1, 1)))
        (result,) = self.run_suite(self.fake("unstable"), "--repeat", "3", "--jobs", "1", "--no-nodes").values()
        self.assertEqual((result["status"], result["unstable"]), ("pass", ["y"]))


class PlugIn(Suite):
    def test_the_example(self):
        self.add("test_copy")
        pair = [value_info("a", FLOAT, [2]), value_info("b", FLOAT, [2])]
        self.add("test_sum", model([node("Add", ["a", "b"], ["y"])], pair, [value_info("y", FLOAT, [2])]),
                 [tensor("a", FLOAT, [2], floats(1, 2)), tensor("b", FLOAT, [2], floats(0.5, -2))],
                 tensor("y", FLOAT, [2], floats(1.5, 0)))
        self.add("test_abs", one_input("Abs"))
        found = self.run_suite("--backend=plugin:" + EXAMPLE, "--no-nodes")
        self.assertEqual({test: r["status"] for test, r in found.items()},
                         {"test_copy": "pass", "test_sum": "pass", "test_abs": "unsupported"})
        self.assertEqual(found["test_abs"]["message"], "Abs")
        (backend,) = self.results["backends"]
        self.assertEqual((backend["name"], backend["version"], backend["device"]), ("example", "1.0", "cpu"))

    def test_every_kind_of_value(self):
        strings = number(1, 2) + number(2, STRING) + block(6, "ab") + block(6, b"\x00c")
        self.add("test_strings", one_input("Identity", STRING), [strings], strings)
        packed = number(1, 3) + number(2, 22) + block(9, b"\x21\x0f")  # int4: 1, 2, -1
        self.add("test_int4", model([node("Identity", ["x"], ["y"])], [value_info("x", 22, [3])],
                                    [value_info("y", 22, [3])], opset=21), [packed], packed)
        of_tensor = block(1, number(1, FLOAT))  # TypeProto.tensor_type
        of_sequence = block(4, block(1, of_tensor))
        item = tensor("", FLOAT, [1], floats(7))
        for kind, of, value in (("sequence", of_sequence, number(2, 1) + block(3, item)),
                                ("optional", block(9, block(1, of_tensor)), number(2, 1) + block(3, item)),
                                ("optional_sequence", block(9, block(1, of_sequence)),
                                 number(2, 3) + block(5, number(2, 1) + block(3, item)))):
            ports = [block(1, name) + block(2, of) for name in "xy"]
            copy = model([node("Identity", ["x"], ["y"])], ports[:1], ports[1:], opset=16)
            self.add("test_" + kind, copy, [value], value)
        found = self.statuses("--backend=plugin:" + EXAMPLE, "--no-nodes", "--tolerance", "exact")
        self.assertEqual(found, {"test_" + kind: "pass" for kind in (
            "strings", "int4", "sequence", "optional", "optional_sequence")})

    def test_what_a_plugin_breaks_costs_one_test(self):
        wanted = {"crash": "crash", "exit": "crash", "hang": "timeout", "floods": "timeout", "chats": "pass",
                  "unsupported": "unsupported", "wrong_type": "fail", "good": "pass"}
        wanted |= dict.fromkeys(["nothing", "second", "null", "no_data", "short", "no_type", "wrong_kind", "negative",
                                 "huge"], "error")
        for name in wanted:
            self.add("test_" + name)
        found = self.statuses("--backend=plugin:" + BAD, "--timeout", TIMEOUT, "--jobs", "1", "--no-nodes")
        self.assertEqual(found, {"test_" + name: status for name, status in wanted.items()})

    def test_what_is_no_plugin(self):
        self.add("test_a")
        for library, words in ((NEWER, "version 2, wanted 1"), (FAKE, "invalid ELF header")):
            (result,) = self.run_suite("--backend=plugin:" + library).values()
            self.assertEqual((result["status"], self.code), ("error", 3))
            self.assertIn(words, result["message"])
        self.fails(2, "usage/backend", "suite", str(self.at / "tests"), "--backend=plugin:/no/such.so")


@unittest.skipUnless(VENV.exists(), "scripts/setup has not run")
class PythonModule(Suite):
    def small(self, options=""):
        return [f"--backend=python:small_backend{options}", "--no-nodes"]

    def setUp(self):
        super().setUp()
        self.path = {"PYTHONPATH": str(pathlib.Path(FAKE).parent)}

    def test_any_module_with_the_interface(self):
        self.add("test_neg", one_input("Neg"), output=tensor("y", FLOAT, [2], floats(-1, -2)))
        self.add("test_abs", one_input("Abs"))
        twice = [node("Neg", ["x"], ["a"]), node("Neg", ["a"], ["y"])]
        self.add("test_chain", model(twice, [value_info("x", FLOAT, [2])], [value_info("y", FLOAT, [2])]))
        found = self.run_suite(*self.small(), environment=self.path)
        self.assertEqual({test: (r["status"], r["message"]) for test, r in found.items()},
                         {"test_neg": ("pass", ""), "test_abs": ("unsupported", "SkipTest: no Abs today"),
                          "test_chain": ("unsupported", "it calls the model incompatible")})
        (backend,) = self.results["backends"]
        self.assertEqual((backend["name"], backend["version"]), ("small_backend", "3.2.1"))

    def test_options_reach_prepare(self):
        self.add("test_copy", output=tensor("y", FLOAT, [2], floats(3, 6)))
        self.assertEqual(self.statuses(*self.small(",scale=3"), environment=self.path), {"test_copy": "pass"})
        self.assertEqual(self.results["backends"][0]["options"], {"scale": "3"})
        self.assertEqual(self.statuses(*self.small(",device=CUDA"), environment=self.path), {"test_copy": "unsupported"})
        self.assertEqual(self.results["backends"][0]["device"], "CUDA")

    def test_a_module_of_the_working_folder(self):
        (self.at / "mine.py").write_text("from small_backend import *\n")
        self.add("test_copy")
        self.assertEqual(self.statuses("--backend=python:mine", environment=self.path), {"test_copy": "pass"})

    def test_no_such_module(self):
        self.add("test_copy")
        (result,) = self.run_suite("--backend=python:no_such_module").values()
        self.assertIn("No module named 'no_such_module'", result["message"])

    def test_a_real_one(self):
        self.add("test_neg", one_input("Neg"), output=tensor("y", FLOAT, [2], floats(-1, -2)))
        self.assertEqual(self.statuses("--backend=python:onnxruntime.backend"), {"test_neg": "pass"})


@unittest.skipUnless(VENV.exists(), "scripts/setup has not run")
class OnnxRuntime(Suite):
    def test_options_are_reported_and_checked(self):
        self.add("test_copy")
        self.assertEqual(self.statuses("--backend=onnxruntime,optimization=off,threads=2"), {"test_copy": "pass"})
        (backend,) = self.results["backends"]
        self.assertEqual(backend["options"], {"optimization": "off", "threads": "2"})
        self.assertTrue(backend["version"] and backend["device"])
        (result,) = self.run_suite("--backend=onnxruntime,optimisation=off").values()
        self.assertEqual(result["status"], "error")
        self.assertIn("no such option: optimisation; known: provider, optimization, threads", result["message"])

    def test_low_precision_goes_in_as_bits(self):
        # 0x7F is float8e4m3fn's NaN, 0x80 its negative zero: a cast there and back loses neither here, but an adapter
        # that casts through float32 would be caught by the NaN's sign.
        bits = tensor("x", FLOAT8, [4], b"\x7f\xff\x80\x08")
        self.add("test_float8", one_input("Identity", FLOAT8, [4]), [bits], tensor("y", FLOAT8, [4], b"\x7f\xff\x80\x08"))
        self.assertEqual(self.statuses("--backend=onnxruntime", "--tolerance", "exact", "--nan", "bits", "--zero", "bits"),
                         {"test_float8": "pass"})

    def test_the_chosen_python_runs_the_adapter(self):
        self.add("test_copy")
        chosen = self.at / "python"
        chosen.write_text(f'#!/bin/sh\ntouch "{self.at}/chosen"\nexec "{VENV}" "$@"\n')
        chosen.chmod(0o755)
        self.assertEqual(self.statuses("--backend=onnxruntime", "--backend-python", str(chosen)), {"test_copy": "pass"})
        self.assertTrue((self.at / "chosen").exists())
        (result,) = self.run_suite("--backend=onnxruntime", "--backend-python", "/no/such/python").values()
        self.assertIn("/no/such/python: No such file", result["message"])


if __name__ == "__main__":
    # Absolute: each test runs in a folder of its own.
    cli_test.PROGRAM, FAKE, EXAMPLE, BAD, NEWER = (os.path.abspath(path) for path in sys.argv[1:6])
    unittest.main(argv=sys.argv[:1] + sys.argv[6:])
