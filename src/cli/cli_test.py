#!/usr/bin/env python3
"""The command line as a user sees it: outputs, files, exit codes, one line per error.

usage: cli_test.py PROGRAM

Models and arrays are written here, byte by byte, so that nothing but Python is needed.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
FLOAT, INT32, INT64 = 1, 6, 7


# ---- protobuf, as far as small models need it ----

def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def value_info(name, dtype, dims):
    shape = b"".join(block(1, block(2, d) if isinstance(d, str) else number(1, d)) for d in dims)
    return block(1, name) + block(2, block(1, number(1, dtype) + block(2, shape)))


def node(op, inputs, outputs, name=""):
    return (b"".join(block(1, i) for i in inputs) + b"".join(block(2, o) for o in outputs) + block(3, name) +
            block(4, op))


def tensor(name, dtype, dims, raw):
    return b"".join(number(1, d) for d in dims) + number(2, dtype) + block(8, name) + block(9, raw)


def model(nodes, inputs, outputs, initializers=(), opset=14):
    graph = (b"".join(block(1, n) for n in nodes) + block(2, "g") + b"".join(block(5, t) for t in initializers) +
             b"".join(block(11, i) for i in inputs) + b"".join(block(12, o) for o in outputs))
    return number(1, 8) + block(7, graph) + block(8, number(2, opset))


def npy(dtype, shape, raw):
    head = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + raw


SUM = model([node("Add", ["x", "w"], ["y"], "sum")], [value_info("x", FLOAT, ["N", 2])], [value_info("y", FLOAT, ["N", 2])],
            [tensor("w", FLOAT, [2], struct.pack("<2f", 0.5, -2.25))])
QUOTIENT = model([node("Div", ["a", "b"], ["q"], "quotient")], [value_info("a", INT32, [2]), value_info("b", INT32, [2])],
                 [value_info("q", INT32, [2])])
WRONG = model([node("Add", ["x"], ["y"], "one_sided")], [value_info("x", FLOAT, [2])], [value_info("y", FLOAT, [2])])
HUGE = model([node("ConstantOfShape", ["s"], ["y"], "huge")], [value_info("s", INT64, [2])], [value_info("y", FLOAT, ["a", "b"])])


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def file(self, name, data):
        (self.at / name).write_bytes(data)
        return str(self.at / name)

    def call(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        return done

    def fails(self, code, slug, *arguments):
        done = self.call(*arguments, code=code)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith(slug + ": "), lines[0])
        return lines[0]

    # ---- no model ----

    def test_version_and_help_need_nothing(self):
        self.assertRegex(self.call("--version").stdout, r"^onnx-verify \d+\.\d+\.\d+\n$")
        self.assertIn("--backend", self.call("--help").stdout)
        for command in ("suite", "run", "golden", "generate", "check", "ops", "report"):
            self.assertIn("--help", self.call(command, "--help").stdout)

    def test_usage_errors_are_one_line_and_exit_2(self):
        path = self.file("m.onnx", SUM)
        self.fails(2, "usage/arguments")
        self.fails(2, "usage/command", "rnu", path)
        self.fails(2, "model/unreadable", "absent.onnx", "--backend=reference")
        self.fails(2, "usage/arguments", "run")
        self.fails(2, "usage/arguments", "run", path, "--no-such-option")
        self.fails(2, "usage/no-backend", path)
        self.fails(2, "usage/option-value", "run", path, "--seed", "-1")
        self.fails(2, "usage/option-value", "run", path, "--memory", "2GiX")
        self.fails(2, "usage/option-value", "run", path, "--shape", "x=1,,2")
        self.fails(2, "usage/option-value", "run", path, "--range", "x=2:1")
        self.fails(2, "usage/option-value", "run", path, "--color", "sometimes")
        self.fails(2, "usage/unknown-input", "run", path, "--input", "nobody=" + path)
        self.fails(2, "usage/unknown-input", "run", path, "--range", "nobody=0:1")
        self.fails(2, "usage/format", "run", path, "--format", "text")
        self.fails(2, "usage/output", "run", path, "-o", path)
        self.fails(2, "usage/timing", "run", path, "--timing", "1", "-o", str(self.at / "out.npz"))
        self.fails(2, "usage/unwritable", "run", path, "-o", str(self.at / "absent/out.npz"))
        self.fails(2, "usage/unknown-operator", "ops", "NoSuchOperator")

    def test_a_reader_that_has_read_enough_is_no_error(self):
        shell = subprocess.run(["bash", "-c", '"$1" ops --json | true; exit "${PIPESTATUS[0]}"', "bash", PROGRAM],
                               capture_output=True, text=True)
        self.assertEqual((shell.returncode, shell.stderr), (0, ""))

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "ops", "--json"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (3, "internal/output: stdout cannot be written\n"))

    # ---- run ----

    def test_run_prints_outputs(self):
        x = self.file("x.npy", npy("<f4", (2, 2), struct.pack("<4f", 1, 2, float("nan"), float("inf"))))
        done = self.call("run", self.file("m.onnx", SUM), "--input", "x=" + x)
        self.assertEqual(done.stdout, "y: float32[2,2] [[1.5, -0.25], [nan, inf]]\n")
        self.assertEqual(done.stderr, "")

    def test_run_times_evaluations(self):
        done = self.call("run", self.file("m.onnx", SUM), "--timing", "0.001", "--verbose")
        lines = done.stdout.splitlines()
        self.assertGreaterEqual(len(lines), 3)
        for line in lines:
            self.assertRegex(line, r"^\d+\.\d{9} \d+\.\d{9}$")
        self.assertIn("computed 2 elements on ", done.stderr)

    def test_run_generates_inputs_from_seed_and_name(self):
        path = self.file("m.onnx", SUM)
        first = self.call("run", path, "--dim", "N=3")
        self.assertTrue(first.stdout.startswith("y: float32[3,2] [["))
        self.assertIn("generated x: float32[3,2] uniform in [-1,1), seed 0", first.stderr)
        self.assertEqual(first.stdout, self.call("run", path, "--dim", "N=3", "--threads", "3", "--quiet").stdout)
        self.assertNotEqual(first.stdout, self.call("run", path, "--dim", "N=3", "--seed", "1").stdout)
        self.assertIn("float32[1,2]", self.call("run", path).stdout)
        self.assertIn("float32[2,2]", self.call("run", path, "--shape", "x=2,2").stdout)
        ranged = self.call("run", path, "--range", "x=4:4").stdout
        self.assertEqual(ranged, "y: float32[1,2] [[4.5, 1.75]]\n")

    def test_run_writes_files(self):
        path, x = self.file("m.onnx", SUM), self.file("x.npy", npy("<f4", (1, 2), struct.pack("<2f", 1, 2)))
        given = ["run", path, "--input", "x=" + x, "-o"]
        raw = struct.pack("<2f", 1.5, -0.25)
        self.assertEqual(self.call(*given, str(self.at / "pb")).stdout, "")
        written = (self.at / "pb/output_0.pb").read_bytes()
        self.assertTrue(raw in written and b"y" in written)
        self.call(*given, str(self.at / "npy"), "--format", "npy")
        self.assertTrue((self.at / "npy/output_0.npy").read_bytes().endswith(raw))
        self.call(*given, str(self.at / "all.npz"))
        self.assertIn(b"y.npy", (self.at / "all.npz").read_bytes())

    def test_run_reads_a_data_set_and_an_archive(self):
        path = self.file("m.onnx", SUM)
        (self.at / "set").mkdir()
        (self.at / "set/input_0.pb").write_bytes(tensor("x", FLOAT, [1, 2], struct.pack("<2f", 1, 2)))
        expected = "y: float32[1,2] [[1.5, -0.25]]\n"
        self.assertEqual(self.call("run", path, "--data", str(self.at / "set")).stdout, expected)
        copy = model([node("Identity", ["y"], ["x"])], [value_info("y", FLOAT, [1, 2])], [value_info("x", FLOAT, [1, 2])])
        y = self.file("y.npy", npy("<f4", (1, 2), struct.pack("<2f", 1, 2)))
        self.call("run", self.file("copy.onnx", copy), "--input", "y=" + y, "-o", str(self.at / "x.npz"))
        self.assertEqual(self.call("run", path, "--inputs", str(self.at / "x.npz")).stdout, expected)

    def test_run_exit_codes(self):
        self.fails(2, "model/unreadable", "run", str(self.at / "absent.onnx"))
        self.fails(2, "schema/arity", "run", self.file("wrong.onnx", WRONG))
        a = self.file("a.npy", npy("<i4", (2,), struct.pack("<2i", 1, 2)))
        zero = self.file("b.npy", npy("<i4", (2,), struct.pack("<2i", 1, 0)))
        done = self.call("run", self.file("q.onnx", QUOTIENT), "--input", "a=" + a, "--input", "b=" + zero, code=4)
        self.assertRegex(done.stderr, r'^undefined/[a-z-]+: node "quotient" \(Div-14\): .*\n$')
        size = self.file("s.npy", npy("<i8", (2,), struct.pack("<2q", 1 << 20, 1 << 20)))
        done = self.call("run", self.file("h.onnx", HUGE), "--input", "s=" + size, "--memory", "1GiB", code=3)
        self.assertRegex(done.stderr, r'^limit/[a-z-]+: node "huge" \(ConstantOfShape-9\): .*\n$')

    def test_run_refuses_inputs_that_do_not_fit(self):
        path = self.file("m.onnx", SUM)
        wrong = self.file("x.npy", npy("<i4", (1, 2), struct.pack("<2i", 1, 2)))
        self.fails(2, "schema/type-mismatch", "run", path, "--input", "x=" + wrong)
        shape = self.file("x.npy", npy("<f4", (3,), struct.pack("<3f", 1, 2, 3)))
        self.fails(2, "schema/input-shape", "run", path, "--input", "x=" + shape)

    # ---- golden ----

    def test_golden_writes_what_golden_check_accepts(self):
        path, out = self.file("sum.onnx", SUM), str(self.at / "out")
        self.call("golden", path, "-o", out, "--sets", "2", "--dim", "N=3")
        case = self.at / "out/sum"
        self.assertEqual(sorted(p.relative_to(case).as_posix() for p in case.rglob("*") if p.is_file()),
                         ["model.onnx", "test_data_set_0/input_0.pb", "test_data_set_0/output_0.pb",
                          "test_data_set_1/input_0.pb", "test_data_set_1/output_0.pb", "tolerance.json"])
        self.assertEqual((case / "model.onnx").read_bytes(), SUM)
        sets = [(case / f"test_data_set_{n}/input_0.pb").read_bytes() for n in (0, 1)]
        self.assertNotEqual(sets[0], sets[1])
        self.assertIn("outputs", json.loads((case / "tolerance.json").read_text()))
        self.assertEqual(self.call("golden", path, "-o", out, "--check").stdout, f"{case}: holds\n")
        # The same command gives the same bytes.
        before = {p: p.read_bytes() for p in case.rglob("*") if p.is_file()}
        self.call("golden", path, "-o", out, "--sets", "2", "--dim", "N=3")
        self.assertEqual(before, {p: p.read_bytes() for p in case.rglob("*") if p.is_file()})

    def test_golden_of_a_real_model_is_the_same_on_any_number_of_threads(self):
        path = str(pathlib.Path(__file__).resolve().parents[2] / "testdata/silero_vad/model.onnx")
        files = {}
        for run, threads in (("a", "1"), ("b", "3"), ("c", "1")):
            out = self.at / run
            said = self.call("golden", path, "-o", str(out), "--sets", "2", "--dim", "sequence=576", "--threads", threads).stdout
            self.assertIn("set 1: input: float32[1,576] uniform in [-1,1), seed 1", said)
            files[run] = {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()}
            self.assertEqual(len(files[run]), 12)
        self.assertEqual(files["a"], files["b"])
        self.assertEqual(files["a"], files["c"])

    def test_golden_check_finds_differences(self):
        path, out = self.file("sum.onnx", SUM), str(self.at / "out")
        self.call("golden", path, "-o", out)
        output = self.at / "out/sum/test_data_set_0/output_0.pb"
        good = output.read_bytes()
        for broken in (good[:-1] + bytes([good[-1] ^ 1]), good[:-1], b""):
            output.write_bytes(broken)
            self.assertIn("test_data_set_0", self.call("golden", path, "-o", out, "--check", code=1).stdout)
        output.unlink()
        self.call("golden", path, "-o", out, "--check", code=1)
        output.write_bytes(good)
        self.call("golden", path, "-o", out, "--check")
        self.call("golden", self.file("other.onnx", SUM), "-o", out, "--check", code=1)

    def test_golden_refuses_two_models_of_one_name(self):
        (self.at / "b").mkdir()
        first, second = self.file("m.onnx", SUM), self.file("b/m.onnx", SUM)
        self.fails(2, "usage/same-stem", "golden", first, second, "-o", str(self.at / "out"))

    # ---- check ----

    def test_check(self):
        good, bad = self.file("good.onnx", SUM), self.file("bad.onnx", WRONG)
        self.assertEqual(self.call("check", good).stdout, f"{good}: valid\n")
        self.assertEqual(self.call("check", good, "--quiet").stdout, "")
        done = self.call("check", good, bad, code=1)
        self.assertIn(f'{bad}: schema/arity: node "one_sided" (Add-14): ', done.stdout)
        self.assertEqual(done.stderr, "")
        self.call("check", bad, self.file("junk.onnx", b"\xff\xff\xff"), code=2)

    # ---- ops ----

    def test_ops_json(self):
        listed = json.loads(self.call("ops", "--json").stdout)["operators"]
        self.assertGreater(len(listed), 400)
        for entry in listed:
            self.assertEqual(list(entry), ["domain", "name", "since_version", "status", "deprecated", "types", "tolerance"])
            self.assertIn(entry["status"], ("implemented", "unimplemented", "not_evaluable"))
        softmax = [entry for entry in listed if entry["name"] == "Softmax" and entry["domain"] == "ai.onnx"]
        self.assertEqual([entry["since_version"] for entry in softmax], [1, 11, 13])
        self.assertIn("tensor(float16)", softmax[2]["types"]["T"])

    def test_ops_text(self):
        self.assertIn("ai.onnx Softmax-13(input: T) -> (output: T)", self.call("ops", "Softmax").stdout)
        self.assertIn("axis: int = -1", self.call("ops", "Softmax").stdout)
        self.assertRegex(self.call("ops").stdout, r"ai\.onnx +Abs-13 +implemented")
        for line in self.call("ops", "--choices").stdout.splitlines():
            self.assertRegex(line, r"^[\w/.-]+:\d+: (Spec|Choice|Erratum): .")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
