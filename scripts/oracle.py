#!/usr/bin/env python3
"""An independent second answer: seeded single-node cases with exact outputs, for every floating operator.

Usage: scripts/oracle.py -o DIR [--op NAME]... [--seed S] [--cases N] [--jobs N]
  Writes test directories in the official layout, one per operator and version, that
  `onnx-verify suite DIR --tolerance exact` must pass. Written from the specification's text with Python's
  fractions and mpmath, by someone who has not read ops/. A seed that is not given is drawn and printed.
"""
import argparse
import importlib
import os
import pathlib
import random
import sys
from concurrent.futures import ProcessPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from oracle import suite  # noqa: E402  (the package beside this file)

MODULES = ["elementwise", "reductions", "products", "pooling", "normalization", "losses", "quantization", "sampling",
           "attention", "recurrent", "states", "fourier", "learned", "trees", "training",
           "legacy", "removed", "scattering", "modifiers"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="folder", required=True, metavar="DIR", help="where the directories go")
    parser.add_argument("--op", action="append", metavar="NAME", help="only this operator; repeatable")
    parser.add_argument("--seed", default=None, help="of all draws; drawn and printed when absent")
    parser.add_argument("--cases", type=int, default=50, metavar="N", help="per operator (default 50)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes")
    options = parser.parse_args()
    for module in MODULES:
        importlib.import_module(f"oracle.{module}")
    seed = options.seed if options.seed is not None else str(random.SystemRandom().randrange(10 ** 9))
    unknown = set(options.op or []) - {name for _, name in suite.OPERATORS}
    if unknown:
        parser.error(f"no such operator: {', '.join(sorted(unknown))}")
    chosen = [key for key in suite.OPERATORS if not options.op or key[1] in options.op]
    print(f"oracle.py: seed {seed}, {len(chosen)} operators, {options.cases} cases each", flush=True)
    # A case depends on nothing but its seed, operator and number, so the order of work is free.
    with ProcessPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(suite.write, options.folder, *key, seed, options.cases) for key in chosen]
        for future in futures:
            future.result()


if __name__ == "__main__":
    main()
