#!/usr/bin/env python3
"""The main job, suite and report as a user sees them: verdicts, JSON, exit codes, bad backends, interrupted runs.

usage: comparison_test.py PROGRAM FAKE_BACKEND
"""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest
import xml.dom.minidom

import cli_test
from cli_test import FLOAT, INT32, model, node, tensor, value_info

FAKE = ""
SCHEMA = str(pathlib.Path(__file__).resolve().parents[2] / "conformance/report/junit.xsd")
COPY = model([node("Identity", ["x"], ["y"], "copy")], [value_info("x", FLOAT, [2])], [value_info("y", FLOAT, [2])])
# A backend that copies its input is right on the first node and wrong on the second.
CHAIN = model([node("Identity", ["x"], ["a"], "first"), node("Neg", ["a"], ["b"], "second"),
               node("Identity", ["b"], ["y"], "third")],
              [value_info("x", FLOAT, [2])], [value_info("y", FLOAT, [2])])
TWO = model([node("Identity", ["x"], ["y"]), node("Neg", ["x"], ["b"])], [value_info("x", FLOAT, [2])],
            [value_info("y", FLOAT, [2]), value_info("b", FLOAT, [2])])
KEYS = ["test", "path", "backend", "status", "seconds", "message", "ops", "outputs", "warnings", "erratum",
        "generated_inputs", "extracted", "unstable", "nodes", "op_versions"]
OUTPUT_KEYS = ["name", "data_set", "dtype", "shape", "tolerance", "max_abs", "max_rel", "max_ulp", "bound_ratio",
               "expected_ratio", "mismatched", "unspecified", "unproved", "loose", "elements"]


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


class Comparison(unittest.TestCase):
    # How a command is called; the tests of that class are run by its own file.
    setUp, tearDown = cli_test.CommandLine.setUp, cli_test.CommandLine.tearDown
    file, call, fails = cli_test.CommandLine.file, cli_test.CommandLine.call, cli_test.CommandLine.fails

    def fake(self, mode, once=""):
        return f"--backend=command:'{sys.executable}' -B '{FAKE}' {mode} {once}"

    def json(self, *arguments, code=0):
        path = str(self.at / "results.json")
        self.call(*arguments, "--json", path, code=code)
        return json.loads(pathlib.Path(path).read_text())

    def directory(self, name, expected=(1, 2), of=COPY):
        folder = self.at / "tests" / name
        (folder / "test_data_set_0").mkdir(parents=True)
        (folder / "model.onnx").write_bytes(of)
        (folder / "test_data_set_0/input_0.pb").write_bytes(tensor("x", FLOAT, [2], floats(1, 2)))
        (folder / "test_data_set_0/output_0.pb").write_bytes(tensor("y", FLOAT, [2], floats(*expected)))
        return str(self.at / "tests")

    # ---- the main job ----

    def test_a_backend_that_agrees(self):
        results = self.json(self.file("m.onnx", COPY), self.fake("plain"))
        self.assertEqual(list(results), ["tool", "format", "version", "backends", "summary", "results"])
        self.assertEqual(results["backends"][0]["name"], "fake")
        (result,) = results["results"]
        self.assertEqual(list(result), KEYS)
        self.assertEqual(result["status"], "pass")
        self.assertEqual(result["test"], "m")
        self.assertEqual(list(result["outputs"][0]), OUTPUT_KEYS)
        self.assertEqual(result["outputs"][0]["tolerance"], {"kind": "scaled", "scale": 1e-3, "atol": 1e-7})
        self.assertEqual(len(result["generated_inputs"]), 1)

    def test_the_first_diverging_node_is_named(self):
        extracted = self.at / "extracted"
        results = self.json(self.file("m.onnx", CHAIN), self.fake("plain"), "--extract", str(extracted), code=1)
        (result,) = results["results"]
        self.assertEqual(result["status"], "fail")
        first = result["first_divergence"]
        self.assertEqual((first["node"], first["op"], first["index"], first["output"]), ("second", "Neg", 1, "b"))
        self.assertEqual([n["status"] for n in result["nodes"]], ["pass", "fail", "pass"])
        self.assertRegex(result["outputs"][0]["first_mismatch"]["expected"], r"^-?\d\S* \(0x[0-9a-f]{8}\)$")
        self.json("suite", str(extracted), self.fake("plain"), code=1)
        self.json("suite", str(extracted))

    def test_a_diverging_node_is_told_of(self):
        x = self.file("x.pb", tensor("x", FLOAT, [2], floats(2.5, 0)))
        path = self.file("m.onnx", CHAIN)
        (result,) = self.json(path, self.fake("values"), "--input", "x=" + x, "--jobs", "3", code=1)["results"]
        self.assertEqual([n["index"] for n in result["nodes"]], [0, 1, 2])
        node = result["nodes"][1]
        self.assertEqual(node["since_version"], 13)
        self.assertEqual(node["outputs"][0]["first_mismatch"],
                         {"index": [0], "expected": "-2.5 (0xc0200000)", "actual": "2.5 (0x40200000)"})
        (given,) = node["inputs"]
        self.assertEqual((given["minimum"], given["maximum"], given["zero"], given["smallest_magnitude"]),
                         ("0.0 (0x00000000)", "2.5 (0x40200000)", 1, "2.5 (0x40200000)"))
        # Its own values in the whole model, which it can give: x itself is right for a alone.
        self.assertEqual([n["in_model"][0]["mismatched"] for n in result["nodes"]], [0, 1, 1])
        self.assertEqual(result["first_in_model"]["node"], "second")
        self.assertNotIn("inputs", result["nodes"][0])

    def test_what_is_extracted_is_small(self):
        x = self.file("x.pb", tensor("x", FLOAT, [2], floats(0, 3)))
        self.json(self.file("m.onnx", CHAIN), self.fake("plain"), "--input", "x=" + x, "--extract", str(self.at / "e"), code=1)
        (result,) = self.json("suite", str(self.at / "e"), self.fake("plain"), code=1)["results"]
        self.assertEqual((result["outputs"][0]["shape"], result["outputs"][0]["mismatched"]), ([1], 1))

    def peak_of_chain(self, length):
        """MiB that it takes at most to compare x + 0 + 0 …, each value of 1 MiB, node by node and in the model."""
        names = ["x", *(f"t{i}" for i in range(length - 1)), "y"]
        size = 1 << 18
        chain = model([node("Add", [a, "zero"], [b]) for a, b in zip(names, names[1:])], [value_info("x", FLOAT, [size])],
                      [value_info("y", FLOAT, [size])], [tensor("zero", FLOAT, [], floats(0))])
        measure = ("import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10); sys.exit(done.returncode)")
        done = subprocess.run([sys.executable, "-c", measure, cli_test.PROGRAM, self.file("chain.onnx", chain), self.fake("values"),
                               "--nodes", "--jobs", "1"], capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(done.stdout)

    def test_nodes_are_compared_one_at_a_time_in_memory(self):
        program = pathlib.Path(cli_test.PROGRAM).read_bytes()
        if b"__asan_init" in program or b"__tsan_init" in program:
            self.skipTest("a sanitizer keeps memory of its own")
        # Held, 32 more values on either side would take 64 MiB; small ones wait in memory up to 8 MiB.
        self.assertLess(self.peak_of_chain(36), self.peak_of_chain(4) + 16)

    def test_no_nodes_unless_wanted(self):
        path = self.file("m.onnx", CHAIN)
        self.assertEqual(self.json(path, self.fake("plain"), "--no-nodes", code=1)["results"][0]["nodes"], [])
        self.assertEqual(len(self.json(path, "--backend=reference", "--nodes")["results"][0]["nodes"]), 3)

    def test_bad_backends(self):
        path = self.file("m.onnx", COPY)
        for mode, status in (("crash", "crash"), ("hang", "timeout"), ("rubbish", "error"), ("flood", "error"),
                             ("count", "error"), ("truncated", "error"), ("dies", "error"), ("protocol", "error")):
            once = str(self.at / ("once-" + mode))
            results = self.json(path, self.fake(mode, once), "--timeout", "3", code=3)
            self.assertEqual(results["results"][0]["status"], status, mode)
        self.assertEqual(self.json(path, self.fake("unsupported"))["results"][0]["status"], "unsupported")
        self.json(path, self.fake("unsupported"), "--strict", code=1)
        self.fails(2, "usage/backend", path, "--backend=nobody")
        self.fails(2, "usage/command-line", path, "--backend=command:'open")

    def test_no_defined_value_is_exit_4_and_written(self):
        quotient = self.file("q.onnx", cli_test.QUOTIENT)
        a = self.file("a.pb", tensor("a", INT32, [2], struct.pack("<2i", 1, 2)))
        b = self.file("b.pb", tensor("b", INT32, [2], struct.pack("<2i", 1, 0)))
        results = self.json(quotient, self.fake("plain"), "--input", "a=" + a, "--input", "b=" + b, code=4)
        self.assertEqual(results["results"][0]["status"], "undefined")
        self.call(self.file("w.onnx", cli_test.WRONG), self.fake("plain"), code=2)

    def test_data_with_outputs(self):
        tests = self.directory("test_x", expected=(1, 3))
        results = self.json(tests + "/test_x/model.onnx", "--data", tests + "/test_x/test_data_set_0", code=1)
        self.assertEqual(results["results"][0]["backend"], "reference")
        self.assertEqual(results["results"][0]["generated_inputs"], [])

    def test_repeat(self):
        self.assertEqual(self.json(self.file("m.onnx", COPY), self.fake("plain"), "--repeat", "3")["results"][0]["unstable"], [])

    # ---- suite ----

    def test_suite_statuses_and_exit_codes(self):
        tests = self.directory("test_good")
        self.assertEqual(self.json("suite", tests)["summary"]["reference"]["pass"], 1)
        self.directory("test_bad", expected=(1, 5))
        results = self.json("suite", tests, code=1)
        self.assertEqual([r["test"] for r in results["results"]], ["test_bad", "test_good"])
        self.json("suite", tests, "--exclude", "bad")
        self.json("suite", tests, self.fake("plain"), "--expected", "exact")
        self.json("suite", tests, self.fake("plain"), "--expected", "exact", "--strict", code=1)
        self.fails(2, "usage/no-tests", "suite", tests, "--include", "nothing")
        self.fails(2, "usage/unreadable", "suite", str(self.at / "absent"))
        self.fails(2, "usage/tolerance", "suite", tests, "--tolerance", "close")
        self.fails(2, "usage/shard", "suite", tests, "--shard", "3/2")
        self.fails(2, "usage/pattern", "suite", tests, "--include", "(")

    def test_a_lost_output_file_is_told_of(self):
        tests = self.directory("test_two", of=TWO)
        self.assertIn("1 with warnings", self.call("suite", tests).stdout)
        self.assertIn('output "b" has no file, and is not compared', self.call("suite", tests, "--strict", code=1).stdout)

    def test_known_failures(self):
        tests = self.directory("test_bad", expected=(1, 5))
        self.directory("test_good")
        known = self.file("known.json", json.dumps({"known": [
            {"test": "test_bad", "status": "fail", "reason": "why", "link": "where"}]}).encode())
        results = self.json("suite", tests, "--expect", known)
        self.assertEqual(results["summary"]["reference"]["expected_fail"], 1)
        self.assertEqual(results["results"][0]["known"], {"reason": "why", "link": "where"})
        known = self.file("known.json", json.dumps({"known": [{"test": "test_*"}]}).encode())
        self.assertEqual(self.json("suite", tests, "--expect", known, code=1)["summary"]["reference"]["unexpected_pass"], 1)

    def test_shards_merge_to_the_whole(self):
        for i in range(7):
            tests = self.directory(f"test_{i}", expected=(1, 2 + i % 2))
        whole = self.json("suite", tests, code=1)
        parts = []
        for i in (1, 2, 3):
            parts.append(str(self.at / f"{i}.json"))
            environment = {"SLURM_ARRAY_TASK_ID": str(3 + 2 * i), "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "5",
                           "SLURM_ARRAY_TASK_STEP": "2"} if i > 1 else {}
            arguments = ["--shard", "1/3"] if i == 1 else []
            subprocess.run([cli_test.PROGRAM, "suite", tests, "--json", parts[-1], *arguments], capture_output=True,
                           env={**os.environ, **environment}, timeout=120)
        merged, junit, html = (str(self.at / name) for name in ("merged.json", "merged.xml", "merged.html"))
        self.call("report", *parts, "--json", merged, "--junit", junit, "--html", html)
        self.assertEqual(json.loads(pathlib.Path(merged).read_text())["summary"], whole["summary"])
        suite, = xml.dom.minidom.parse(junit).getElementsByTagName("testsuite")
        self.assertEqual((suite.getAttribute("tests"), suite.getAttribute("failures")), ("7", "3"))
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, junit], check=True, capture_output=True)
        self.assertIn("test_6", pathlib.Path(html).read_text())
        self.assertIn("better (0)", self.call("report", "--diff", merged, merged).stdout)

    def test_a_killed_run_is_continued(self):
        for i in range(8):
            tests = self.directory(f"test_{i}")
        results = str(self.at / "r.json")
        arguments = [cli_test.PROGRAM, "suite", tests, self.fake("slow"), "--jobs", "1", "--json", results]
        run = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
        time.sleep(1.2)
        run.send_signal(signal.SIGKILL)
        run.wait()
        summary = self.json("suite", tests, self.fake("slow"), "--resume", results)["summary"]
        self.assertEqual([s["pass"] for s in summary.values()], [8])


if __name__ == "__main__":
    FAKE = sys.argv.pop(2)
    cli_test.PROGRAM = sys.argv.pop(1)
    unittest.main()
