#!/usr/bin/env python3
"""Runs the examples of running-many.md: each way of running a suite ends with the totals of one run.

usage: running_many_test.py PROGRAM [--slurm]
  --slurm  the Slurm example alone, on a one-node cluster that is started for it (as root; Debian's slurmctld, slurmd,
           slurm-client and munge); without it, all the others. What is not installed is skipped.

The examples stand in a folder with tests/; `--backend=onnxruntime` is left out of them, so that the interpreter itself is
tested and nothing needs to be installed.
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src/cli"))
from cli_test import FLOAT, model, node, tensor, value_info  # noqa: E402

PROGRAM = ""
TESTS, WRONG = 23, {2, 11, 12}
BLOCKS = {head: text.replace(" --backend=onnxruntime", "")
          for head, text in re.findall(r"(?ms)^```(\S[^\n]*)\n(.*?)^```$", (HERE / "running-many.md").read_text())}


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def write_tests(folder):
    copy = model([node("Identity", ["x"], ["y"])], [value_info("x", FLOAT, [2])], [value_info("y", FLOAT, [2])])
    for i in range(TESTS):
        data = folder / f"test_{i}" / "test_data_set_0"
        data.mkdir(parents=True)
        (data.parent / "model.onnx").write_bytes(copy)
        (data / "input_0.pb").write_bytes(tensor("x", FLOAT, [2], floats(1, i)))
        (data / "output_0.pb").write_bytes(tensor("y", FLOAT, [2], floats(1, i + (i in WRONG))))


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)
        write_tests(self.at / "tests")
        (self.at / "bin").mkdir()
        (self.at / "bin/onnx-verify").symlink_to(pathlib.Path(PROGRAM).resolve())
        self.environment = {**os.environ, "PATH": f"{self.at / 'bin'}:{os.environ['PATH']}"}

    def tearDown(self):
        self.folder.cleanup()

    def run_block(self, head, code=0, **environment):
        done = subprocess.run(["sh", "-ec", BLOCKS[head]], cwd=self.at, capture_output=True, text=True, timeout=300,
                              env={**self.environment, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def totals(self, file):
        results = json.loads((self.at / file).read_text())
        self.assertEqual(len({r["test"] for r in results["results"]}), TESTS)
        summary = results["summary"]["reference"]
        return summary["pass"], summary["fail"]

    def check(self, file):
        self.assertEqual(self.totals(file), (TESTS - len(WRONG), len(WRONG)))


class Everyday(Examples):
    def test_one_run_and_the_difference(self):
        self.run_block("sh one", code=1)
        self.check("results.json")
        shutil.copy(self.at / "results.json", self.at / "all.json")
        self.assertIn("worse (0)", self.run_block("sh diff"))

    def test_killed_at_any_moment_and_resumed(self):
        # Slow enough that the kill comes in the midst: the program starts anew in each round.
        for seed in range(3):
            run = subprocess.Popen(["sh", "-c", "exec " + BLOCKS["sh one"]], cwd=self.at, env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(random.Random(seed).uniform(0.01, 0.4))
            run.send_signal(signal.SIGKILL)
            run.wait()
            self.run_block("sh resume", code=1)
            self.check("results.json")
            (self.at / "results.json").unlink()

    def test_a_loop_of_shards(self):
        self.run_block("sh loop")
        self.check("all.json")
        self.assertIn("test_22", (self.at / "all.html").read_text())

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_gnu_parallel(self):
        self.run_block("sh parallel")
        self.check("all.json")

    def merged(self, lines):
        for line, environment in lines:
            subprocess.run(["sh", "-c", line], cwd=self.at, env={**self.environment, **environment}, capture_output=True, timeout=100)
        subprocess.run("onnx-verify report part-*.json --json all.json", shell=True, cwd=self.at, env=self.environment, check=True,
                       capture_output=True)
        self.check("all.json")

    def test_the_ci_matrices(self):
        gitlab = re.search(r"(?m)^    - (onnx-verify .*)$", BLOCKS["yaml gitlab"])[1]
        self.merged([(gitlab, {"CI_NODE_INDEX": str(i), "CI_NODE_TOTAL": "4"}) for i in (1, 2, 3, 4)])
        github = re.search(r"(?m)^    - run: (onnx-verify .*)$", BLOCKS["yaml github"])[1]
        self.merged([(github.replace("${{ matrix.slice }}", str(i)), {}) for i in (1, 2, 3, 4)])

    def test_known_failures(self):
        (self.at / "known.json").write_text(BLOCKS["json known.json"])
        self.assertIn("1 expected fail", self.run_block("sh expect"))


class Slurm(Examples):
    """A cluster of one node, with a key, ports and folders of its own."""

    def setUp(self):
        super().setUp()
        self.daemons = []
        self.home = tempfile.TemporaryDirectory()
        home = pathlib.Path(self.home.name)
        home.chmod(0o755)
        for folder in ("state", "spool", "munge"):
            (home / folder).mkdir(mode=0o755)
        (home / "munge/key").write_bytes(random.randbytes(128))
        (home / "munge/key").chmod(0o600)
        host = subprocess.run(["hostname", "-s"], capture_output=True, text=True, check=True).stdout.strip()
        ports = random.sample(range(20000, 30000), 2)
        (home / "slurm.conf").write_text(f"""ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={home}/munge/socket
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool
SlurmctldPidFile={home}/slurmctld.pid
SlurmdPidFile={home}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=10 State=UP
""")
        self.environment["SLURM_CONF"] = str(home / "slurm.conf")
        munge = home / "munge"
        self.start("munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket", f"--pid-file={munge}/pid",
                   f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self.wait_for(lambda: (munge / "socket").exists(), "munged")
        self.start("slurmctld", "-D", "-f", str(home / "slurm.conf"))
        self.start("slurmd", "-D", "-f", str(home / "slurm.conf"), "-N", host)
        self.wait_for(lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True, timeout=60,
                                                       env=self.environment).stdout, "an idle node")

    def start(self, *command):
        log = open(pathlib.Path(self.home.name) / f"{command[0]}.log", "w")
        with log:
            self.daemons.append(subprocess.Popen(command, stdout=log, stderr=log, env=self.environment))

    def wait_for(self, there, what):
        for _ in range(240):
            if there():
                return
            time.sleep(0.5)
        logs = "\n".join(f"{p.name}:\n{p.read_text()[-3000:]}" for p in pathlib.Path(self.home.name).glob("*.log"))
        self.tearDown()
        raise RuntimeError(f"no {what}\n{logs}")

    def tearDown(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
        self.daemons = []
        self.home.cleanup()
        super().tearDown()

    def test_an_array_of_four(self):
        (self.at / "verify.sbatch").write_text(BLOCKS["sh slurm verify.sbatch"])
        self.run_block("sh slurm")
        self.assertEqual(len(list(self.at.glob("part-*.json"))), 4)
        self.check("all.json")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    wanted = "Everyday"
    if "--slurm" in sys.argv:
        sys.argv.remove("--slurm")
        wanted = "Slurm"
        if not all(map(shutil.which, ("munged", "slurmctld", "slurmd", "sbatch"))) or os.geteuid() != 0:
            print("skipped: Slurm is not installed, or this is not root")
            sys.exit(77)
    unittest.main(defaultTest=wanted)
