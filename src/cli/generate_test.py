#!/usr/bin/env python3
"""`onnx-verify generate` as a user sees it: the layout, the slices, the same bytes each time, one line per error.

usage: generate_test.py PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=280)


def contents(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def tests(root):
    return json.loads((root / "index.json").read_text())["tests"]


class Generate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def generate(self, name, *arguments):
        out = self.root / name
        done = run("generate", "-o", out, "--quiet", *arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return out

    def test_layout(self):
        out = self.generate("out", "--op", "MatMul", "--op", "ai.onnx.ml.Scaler", "--op", "TopK")
        listed = tests(out)
        self.assertEqual(sorted(test["test"] for test in listed),
                         sorted(path.name for path in out.iterdir() if path.is_dir()))
        self.assertEqual({test["op"] for test in listed}, {"MatMul", "Scaler", "TopK"})
        self.assertEqual({test["version"] for test in listed if test["op"] == "TopK"}, {1, 10, 11, 24})
        for test in listed:
            folder = out / test["test"]
            self.assertTrue((folder / "test_data_set_0" / "input_0.pb").exists(), test)
            self.assertTrue((folder / "test_data_set_0" / "output_0.pb").exists(), test)
            rules = json.loads((folder / "tolerance.json").read_text())
            self.assertEqual(len(rules["outputs"]), 2 if test["op"] == "TopK" else 1)
            # The sentence stands in the model, too.
            self.assertIn(test["sentence"].encode(), (folder / "model.onnx").read_bytes())
            self.assertTrue(test["sentence"].startswith(f"{test['op']}-{test['version']} for "), test)

    def test_the_suite_passes_itself(self):
        out = self.generate("out", "--op", "Softmax", "--op", "Loop", "--op", "RandomNormal", "--op", "SequenceAt",
                            "--op", "Dropout", "--op", "ZipMap", "--type", "float")
        done = run("suite", out, "--tolerance", "exact", "--progress", "never", "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(tests(out))} pass, 0 fail", done.stdout)

    def test_the_same_bytes_whatever_the_number_of_processes(self):
        slice_ = ["--op", "Gelu", "--op", "Where", "--op", "If", "--type", "float16"]
        one = contents(self.generate("one", *slice_, "--threads", "1"))
        three = contents(self.generate("three", *slice_, "--threads", "3"))
        self.assertEqual(one, three)

    def test_no_two_directories_are_equal(self):
        files = contents(self.generate("out", "--op", "Clip", "--op", "Identity", "--type", "int8"))
        seen = {}
        for name, data in files.items():
            folder, _, file = name.partition("/")
            if file == "model.onnx" or "/input_" in file:
                seen.setdefault(folder, []).append((file, data))
        self.assertEqual(len({tuple(parts) for parts in seen.values()}), len(seen))

    def test_a_slice_by_type_is_a_part_of_the_whole(self):
        whole = contents(self.generate("whole", "--op", "Relu"))
        part = contents(self.generate("part", "--op", "Relu", "--type", "float16", "--type", "int8"))
        self.assertLess(len(part), len(whole))
        for name, data in part.items():
            if name != "index.json":
                self.assertEqual(data, whole[name])
        types = {test["types"]["T"] for test in tests(self.root / "part")}
        self.assertEqual(types, {"tensor(float16)", "tensor(int8)"})

    def test_a_slice_by_opset_takes_the_version_that_holds_there(self):
        out = self.generate("out", "--op", "Softmax", "--op", "Cos", "--opset", "12")
        self.assertEqual({(test["op"], test["version"], test["opset"]) for test in tests(out)},
                         {("Softmax", 11, 12), ("Cos", 7, 12)})

    def assert_refused(self, line, *arguments):
        done = run("generate", "-o", self.root / "out", *arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", line + "\n"))

    def test_errors(self):
        self.assert_refused('usage/unknown-operator: there is no operator "Sofmax"', "--op", "Sofmax")
        self.assert_refused('usage/unknown-type: there is no element type "float7"', "--type", "float7")
        newest = max(int(entry["since_version"]) for entry in
                     json.loads(run("ops", "--json").stdout)["operators"] if entry["domain"] == "ai.onnx")
        self.assert_refused(f"usage/opset: --opset is {newest + 1}, must be in [1, {newest}]", "--opset", newest + 1)
        (self.root / "out").mkdir()
        (self.root / "out" / "mine.txt").write_text("x")
        self.assert_refused(f'usage/not-empty: "{self.root}/out" holds something, must be new or empty', "--op", "Abs")

    def test_an_empty_slice(self):
        done = run("generate", "-o", self.root / "out", "--op", "Not", "--type", "float")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "usage/no-tests: no directory is generated, "
                                      "the slice holds no operator with such types\n")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
