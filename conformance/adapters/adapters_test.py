#!/usr/bin/env python3
"""Each adapter against its real package, as scripts/setup --backend installs it.

usage: adapters_test.py PROGRAM OFFICIAL_TESTS [BACKEND...]
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = OFFICIAL = ""
# What every one of them can do: arithmetic, integers, bool, several outputs, an empty or a scalar tensor.
# The one-input sum is an input handed on as an output, which may lose its name on the way.
EASY = ["test_abs", "test_sum_one_input", "test_add_bcast", "test_relu", "test_softmax_axis_1", "test_matmul_2d", "test_basic_conv_with_padding",
        "test_greater", "test_concat_2d_axis_1", "test_transpose_default", "test_gather_0", "test_maxpool_2d_default"]
# float8, bfloat16 and int4 as inputs: bound bit by bit, or unsupported, but never a wrong value.
LOW = ["test_cast_FLOAT8E4M3FN_to_FLOAT", "test_cast_FLOAT8E5M2_to_FLOAT", "test_cast_INT4_to_FLOAT",
       "test_cast_BFLOAT16_to_FLOAT"]
BACKENDS = {
    "onnxruntime": "optimization=off", "onnx-reference": "", "openvino": "execution_mode=ACCURACY",
    "tract": "runtime=default", "tinygrad": "device=CPU", "opencv": "engine=classic", "onnxruntime-node": "optimization=off",
    "onnxruntime-web": "optimization=off", "python:onnxruntime.backend": "",
}


class Adapters(unittest.TestCase):
    chosen = list(BACKENDS)

    def run_tests(self, backend, names):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.json"
            done = subprocess.run([PROGRAM, "suite", OFFICIAL, "--backend", backend, "--json", str(path), "--no-nodes",
                                   "--progress", "never", "--timeout", "300", *(f"--include=^{name}$" for name in names)],
                                  capture_output=True, text=True, timeout=1800)
            self.assertIn(done.returncode, (0, 1, 3), done.stderr)
            return json.loads(path.read_text())

    def each(self, check):
        for backend in self.chosen:
            with self.subTest(backend):
                check(backend)

    def test_each_is_named_and_right_on_easy_tests(self):
        def check(backend):
            results = self.run_tests(backend, EASY)
            self.assertEqual({r["test"]: (r["status"], r["message"]) for r in results["results"]},
                             {name: ("pass", "") for name in EASY})
            (description,) = results["backends"]
            self.assertRegex(description["version"], r"^\d+\.\d+")
            self.assertTrue(description["device"])

        self.each(check)

    def test_each_takes_its_options_and_no_others(self):
        def check(backend):
            if BACKENDS[backend]:
                results = self.run_tests(f"{backend},{BACKENDS[backend]}", EASY[:1])
                self.assertEqual(results["results"][0]["status"], "pass", results["results"][0]["message"])
                self.assertEqual(results["backends"][0]["options"], dict([BACKENDS[backend].split("=")]))
            if not backend.startswith("python:"):
                (result,) = self.run_tests(f"{backend},no_such=1", EASY[:1])["results"]
                self.assertEqual(result["status"], "error")
                self.assertRegex(result["message"], "no such option: no_such")

        self.each(check)

    def test_low_precision_is_right_or_unsupported(self):
        def check(backend):
            results = self.run_tests(backend, LOW)["results"]
            self.assertEqual(len(results), len(LOW))
            self.assertEqual([(r["test"], r["status"], r["message"]) for r in results
                              if r["status"] not in ("pass", "unsupported")], [])

        self.each(check)


if __name__ == "__main__":
    PROGRAM, OFFICIAL, *chosen = sys.argv[1:]
    Adapters.chosen = chosen or Adapters.chosen
    unittest.main(argv=sys.argv[:1])
