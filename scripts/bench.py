"""Runs the rows of bench_rows.py on onnx-verify and its peers, side by side: see scripts/bench."""
import argparse
import datetime
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import numpy_helper

import bench_scale
from bench_rows import GROWTH, ROWS

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1.15  # of a growth's factor: what the clock of a busy machine blurs
SLOW = 0.020      # seconds: only where onnx.reference takes longer, it must be left far behind


# ---- the three programs ----

class Peer:
    """A Python peer, asked line by line."""

    def __init__(self, name):
        self.process = subprocess.Popen([sys.executable, "-B", str(ROOT / "scripts/bench_peer.py"), name], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})

    def times(self, model, inputs, seconds, threads):
        self.process.stdin.write(json.dumps({"model": model, "inputs": [path for _, path in inputs], "seconds": seconds,
                                             "threads": threads}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "the process ended"}

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Ours:
    def __init__(self, program):
        self.program = program

    def times(self, model, inputs, seconds, threads):
        command = [self.program, "run", model, "--timing", str(seconds), "--threads", str(threads), "--verbose"]
        for name, path in inputs:
            command += ["--input", f"{name}={path}"]
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            code = subprocess.run(command, stdout=out, stderr=err).returncode
            out.seek(0)
            err.seek(0)
            lines, said = out.read().split("\n"), err.read()
        if code != 0:
            return {"error": said.strip()[:200]}
        counts = rungs(said)
        clock, processor = zip(*(map(float, line.split()) for line in lines if line))
        return {"clock": clock, "processor": processor, "peak": counts.pop("peak"), "rungs": counts}


def rungs(said):
    """The counts of --verbose."""
    ladder = re.search(r"computed (\d+) elements .*; (\d+) of (\d+) lines needed a proof of up to (\d+) bits, (\d+) elements", said)
    products = re.search(r"multiplied (\d+) elements; (\d+) needed a compensated sum, (\d+) an exact", said)
    peak = re.search(r"peak memory (\d+) KiB", said)
    names = ("elements", "proof_lines", "lines", "most_bits", "unproved")
    counts = dict(zip(names, map(int, ladder.groups()))) if ladder else {}
    if products:
        counts.update(zip(("products", "compensated", "exact"), map(int, products.groups())))
    counts["peak"] = int(peak[1]) * 1024 if peak else 0
    return counts


# ---- one row ----

def write_files(row, folder, models):
    """The model's path and [(input name, path)]."""
    if isinstance(row.model, str):
        model = str(models / row.model)
    else:
        model = str(folder / "model.onnx")
        onnx.save(row.model(), model)
    inputs = []
    for k, (name, array) in enumerate(row.inputs(numpy.random.default_rng(11)).items()):
        path = folder / f"input_{k}.pb"
        path.write_bytes(numpy_helper.from_array(array, name).SerializeToString())
        inputs.append((name, str(path)))
    return model, inputs


def pooled(answers, clock):
    """Minimum and median over the rounds; an error where there is one."""
    errors = [a["error"] for a in answers if "error" in a]
    if errors:
        return {"error": errors[0]}
    times = [t for a in answers for t in a[clock]]
    result = {"min": min(times), "median": statistics.median(times), "evaluations": len(times),
              "peak": max(a["peak"] for a in answers)}
    if "rungs" in answers[-1]:
        result["rungs"] = answers[-1]["rungs"]
    return result


def measure(row, ours, arguments):
    """One thread of each by processor time, round after round; two threads of ours beside one on the clock."""
    with tempfile.TemporaryDirectory() as folder:
        model, inputs = write_files(row, pathlib.Path(folder), arguments.models)
        peers = {name: Peer(name) for name in ("onnxruntime", "onnx-reference")}
        answers = {"ours": [], "ours_two_threads": [], **{name: [] for name in peers}}
        seconds = arguments.seconds / arguments.rounds
        for turn in range(arguments.rounds):
            answers["ours"].append(ours.times(model, inputs, seconds, 1))
            answers["onnxruntime"].append(peers["onnxruntime"].times(model, inputs, seconds, 1))
            answers["ours_two_threads"].append(ours.times(model, inputs, seconds, 2))
            if turn == 0:
                answers["onnx-reference"].append(peers["onnx-reference"].times(model, inputs, seconds, 1))
        for peer in peers.values():
            peer.close()
    result = {name: pooled(found, "processor") for name, found in answers.items()}
    for name, found in answers.items():
        result[name]["clock"] = pooled(found, "clock")
    result["ours_two_threads"] = pooled(answers["ours_two_threads"], "clock")
    return {"group": row.group, "name": row.name, **result, **judged(row, result)}


def ratio(a, b, key="median"):
    return None if "error" in a or "error" in b else a[key] / b[key]


def judged(row, result):
    ours, runtime, reference = result["ours"], result["onnxruntime"], result["onnx-reference"]
    verdict = {"bound": row.bound, "ratio": ratio(ours, runtime), "ratio_of_minima": ratio(ours, runtime, "min"),
               "reference_factor": ratio(reference, ours),
               "two_threads": ratio(ours["clock"], result["ours_two_threads"], "min"), "two_threads_bound": row.two_threads,
               "reference_bound": row.reference_bound}
    short = []
    if "error" in ours:
        short.append("error")
    if row.bound and verdict["ratio"] and verdict["ratio"] > row.bound:
        short.append("ratio")
    if row.two_threads and verdict["two_threads"] and verdict["two_threads"] < row.two_threads:
        short.append("two threads")
    slow = "error" not in reference and reference["median"] > SLOW
    if row.reference_bound and slow and verdict["reference_factor"] and verdict["reference_factor"] < row.reference_bound:
        short.append("onnx.reference")
    return {**verdict, "short": short}


# ---- rows that are whole programs: start-up and the official suite ----

def clocked(command):
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin, done.returncode


def start_up(arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/empty.onnx"
        onnx.save(onnx.helper.make_model(onnx.helper.make_graph([], "empty", [], [])), path)
        for name, command, bound in (("--version", ["--version"], .020), ("an empty model", ["run", path], .040)):
            times = [clocked([arguments.program, *command])[0] for _ in range(20)]
            yield {"group": "start-up", "name": f"start-up: {name}", "bound": bound, "min": min(times),
                   "median": statistics.median(times), "short": ["time"] if statistics.median(times) > bound else []}


REFERENCE_SUITE = """
import pathlib, sys, onnx, numpy
from onnx import numpy_helper as n
from onnx.reference import ReferenceEvaluator
numpy.seterr(all="ignore")
for path in sorted(pathlib.Path(sys.argv[1]).rglob("model.onnx")):
    try:
        model = onnx.load(path)
        evaluator = ReferenceEvaluator(model)
        names = [port.name for port in model.graph.input]
        for data in sorted(path.parent.glob("test_data_set_*")):
            feeds = {}
            for k, port in enumerate(model.graph.input):
                file, kind = data / f"input_{k}.pb", port.type.WhichOneof("value")
                if not file.exists():
                    continue
                if kind == "tensor_type":
                    feeds[port.name] = n.to_array(onnx.load_tensor(file))
                else:
                    proto, read = {"sequence_type": (onnx.SequenceProto, n.to_list), "map_type": (onnx.MapProto, n.to_dict),
                                   "optional_type": (onnx.OptionalProto, n.to_optional)}[kind]
                    feeds[port.name] = read(proto.FromString(file.read_bytes()))
            evaluator.run(None, feeds)
    except Exception:
        pass
"""


def official_suite(arguments):
    """Whole runs on the clock, one process each; the peer compares nothing and skips what it cannot do."""
    ours, reference = [], []
    for _ in range(2):
        ours.append(clocked([arguments.program, "suite", str(arguments.official), "--jobs", "1", "--threads", "1", "--quiet",
                             "--progress", "never"])[0])
        reference.append(clocked([sys.executable, "-B", "-c", REFERENCE_SUITE, str(arguments.official)])[0])
    ratio_of_minima = min(ours) / min(reference)
    yield {"group": "suite", "name": "the official suite, whole", "bound": 0.5, "min": min(ours), "reference_min": min(reference),
           "ratio": ratio_of_minima, "short": ["time"] if ratio_of_minima > 0.5 else []}


def growth(entry, ours, rounds):
    """Seconds per size, and whether each step costs at most the class's factor: the least of several rounds, size after size in
    each, so that what disturbs the machine for a while disturbs them alike."""
    minima = [math.inf] * len(entry.sizes)
    with tempfile.TemporaryDirectory() as folder:
        asked = []
        for size in entry.sizes:
            path = f"{folder}/{size}.onnx"
            onnx.save(entry.model(size), path)
            inputs = []
            for k, (name, array) in enumerate(entry.inputs(numpy.random.default_rng(11), size).items()):
                (pathlib.Path(folder) / f"{size}_{k}.pb").write_bytes(numpy_helper.from_array(array, name).SerializeToString())
                inputs.append((name, f"{folder}/{size}_{k}.pb"))
            asked.append((path, inputs))
        for k, (path, inputs) in list(enumerate(asked)) * rounds:
            answer = ours.times(path, inputs, 0.4, 1)
            if "error" in answer:
                return {"group": "growth", "name": entry.name, "error": answer["error"], "short": ["error"]}
            minima[k] = min(minima[k], *answer["processor"])
    steps = [b / a for a, b in zip(minima, minima[1:])]
    return {"group": "growth", "name": entry.name, "sizes": entry.sizes, "seconds": minima, "steps": steps, "factor": entry.factor,
            "short": ["growth"] if max(steps) > entry.factor * TOLERANCE else []}


# ---- what is printed ----

def milliseconds(seconds):
    return f"{seconds * 1e3:.3g}" if seconds < 0.1 else f"{seconds * 1e3:.0f}"


def cell(value, pattern="{:.2f}"):
    return "" if value is None else pattern.format(value)


def open_elements(counts):
    """Elements and lines that the first rung left open, rung by rung."""
    return "/".join(str(counts.get(name, 0)) for name in ("compensated", "exact", "proof_lines"))


HEAD = ("work", "ours ms", "onnxruntime ms", "ratio", "bound", "", "onnx.reference /", "two threads", "open", "peak MiB")


def columns(result):
    verdict = "short: " + ", ".join(result["short"]) if result["short"] else "ok"
    name = result["name"]
    if result["group"] == "growth":
        steps = " ".join(f"{step:.2f}" for step in result.get("steps", []))
        times = " ".join(milliseconds(t) for t in result.get("seconds", []))
        return name, times, "", steps, cell(result.get("factor")), verdict, "", "", "", ""
    if result["group"] == "scale":
        size, most = (f"{result[key] / 2**20:.0f} MiB" if key in result else "" for key in ("peak", "bound"))
        return name, result.get("error", ""), "", "", most, verdict, "", "", "", size
    if result["group"] == "start-up":
        return name, milliseconds(result["median"]), "", "", f"{result['bound'] * 1e3:.0f} ms", verdict, "", "", "", ""
    if result["group"] == "suite":
        return (name, milliseconds(result["min"]), "", "", f"{1 / result['bound']:.1f}", verdict, cell(1 / result["ratio"]), "", "", "")
    ours, runtime = result["ours"], result["onnxruntime"]
    if "error" in ours:
        return name, ours["error"], "", "", cell(result["bound"]), verdict, "", "", "", ""
    theirs = "-" if "error" in runtime else milliseconds(runtime["median"])
    if not result["bound"] and not result["short"]:
        verdict = ""
    return (name, milliseconds(ours["median"]), theirs, cell(result["ratio"]), cell(result["bound"]), verdict,
            cell(result["reference_factor"], "{:.1f}"), cell(result["two_threads"]), open_elements(ours["rungs"]),
            f"{ours['peak'] / 2**20:.0f}")


def print_row(values):
    print(f"{values[0]:<50} {values[1]:>16} {values[2]:>14} {values[3]:>10} {values[4]:>6}  {values[5]:<14} "
          f"{values[6]:>16} {values[7]:>11} {values[8]:>10} {values[9]:>8}", flush=True)


def machine(program):
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    best = "AVX-512" if " avx512f" in flags else "AVX2" if " avx2" in flags else "no vectors"
    return {"processor": model[1] if model else "unknown", "vectors": best, "processors": os.cpu_count(),
            "load": os.getloadavg()[0], "onnxruntime": __import__("onnxruntime").__version__, "onnx": onnx.__version__}


def markdown(results, about, date):
    yield "# Benchmarks\n"
    yield (f"Written by `scripts/bench --markdown`, {date}: {about['processor']}, {about['processors']} processors, {about['vectors']}; "
           f"load {about['load']:.1f} at the start; onnxruntime {about['onnxruntime']}, onnx {about['onnx']}.\n")
    yield ("Medians of processor time, one thread of each, interleaved; two threads against one on the clock. *open*: elements that needed "
           "a compensated sum / an exact sum / lines that needed a proof. *onnx.reference /*: how many times longer it takes.\n")
    yield "| " + " | ".join(HEAD) + " |\n|" + " --- |" * len(HEAD)
    for result in results:
        yield "| " + " | ".join(columns(result)) + " |"


def write_markdown(path, text):
    """What people wrote behind the table stays."""
    notes = path.read_text().partition("\n## ") if path.exists() else ("", "", "")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + notes[1] + notes[2])


# ---- main ----

def parsed():
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.5, help="for each program and row, over all rounds")
    parser.add_argument("--json")
    parser.add_argument("--markdown")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "build/models")
    parser.add_argument("--official", type=pathlib.Path, default=ROOT / "build/official")
    parser.add_argument("--program", default=str(ROOT / "build/onnx-verify"))
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def needed(folder, script):
    if not (folder / "manifest.json").exists():
        subprocess.run([str(ROOT / "scripts" / script), str(folder)], check=True, stdout=sys.stderr)


def results_of(arguments):
    def chosen(group, name):
        return not arguments.only or any(text.lower() in f"{group}/{name}".lower() for text in arguments.only)

    ours = Ours(arguments.program)
    for row in ROWS:
        if chosen(row.group, row.name):
            if row.group == "models":
                needed(arguments.models, "fetch-models")
            yield measure(row, ours, arguments)
    if chosen("suite", "the official suite"):
        needed(arguments.official, "official-tests")
        yield from official_suite(arguments)
    if chosen("start-up", "start-up"):
        yield from start_up(arguments)
    for entry in GROWTH:
        if chosen("growth", entry.name):
            yield growth(entry, ours, arguments.rounds)

    def models():
        needed(arguments.models, "fetch-models")
        return arguments.models
    yield from bench_scale.rows(arguments.program, models, chosen)


def main():
    arguments = parsed()
    if arguments.list:
        for row in ROWS:
            print(f"{row.group}/{row.name}")
        print("suite/the official suite\nstart-up/start-up")
        for entry in GROWTH:
            print(f"growth/{entry.name}")
        for name in bench_scale.NAMES:
            print(f"scale/peak memory: {name}")
        return 0
    about, date = machine(arguments.program), datetime.date.today().isoformat()
    print_row(HEAD)
    results = []
    try:
        for result in results_of(arguments):
            results.append(result)
            print_row(columns(result))
            if error := result.get("onnxruntime", {}).get("error"):
                print(f"  onnxruntime: {error}")
    except KeyboardInterrupt:  # what was measured is written all the same
        print("interrupted")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"date": date, "machine": about, "results": results}, indent=1) + "\n")
    if arguments.markdown:
        write_markdown(pathlib.Path(arguments.markdown), "\n".join(markdown(results, about, date)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
