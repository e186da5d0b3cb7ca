#!/usr/bin/env python3
# What mapping costs beside the same by hand
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/mapping/speed.py --build DIR [--alone] [--repetitions N] [--only REGEX]

Compiles speed.cpp with xcc and runs it, on the CPU device with memory of its own
and as it is. Writes a Markdown table: what is by hand, what is mapped, their
ratio, and what was asked. Fails where a ratio is above that. Needs
libbenchmark-dev.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Most that a ratio may be, with the noise of one measurement.
ASKED = {"one vector": 1.03, "twenty vectors": 1.1, "64 launches, others present": 1.05,
         "shared: empty launches": 1.05}


def measure(binary, only, repetitions, **environment):
    """The counters of each benchmark's repetitions, by its name."""
    result = subprocess.run(
        [binary, f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.2",
         "--benchmark_format=json", f"--benchmark_filter={only}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment)
    if result.returncode or not result.stdout:
        sys.exit(f"failed: {binary}\n{result.stderr}")
    counters = {}
    for run in json.loads(result.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            counters.setdefault(run["name"].removesuffix("/manual_time"), []).append(run)
    return counters


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--alone", action="store_true",
                        help="CPU time on one thread, for a machine that is busy")
    parser.add_argument("--only", default=".", help="names that match")
    options = parser.parse_args()
    common = {"XCC_CPU_THREADS": "1", "SPEED_CLOCK": "cpu"} if options.alone else {}
    worse = []
    print("| | by hand | mapped | ratio | asked |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        binary = pathlib.Path(scratch) / "speed"
        subprocess.run([options.build / "bin/xcc", "-O2", "-std=c++20", HERE / "speed.cpp",
                        "-o", binary, "-lbenchmark", "-lpthread"], check=True)
        for separate, only in (("2", "-^shared"), ("0", "^shared")):
            found = measure(binary, only, options.repetitions, XCC_CPU_SEPARATE=separate, **common)
            for name, runs in found.items():
                if not re.search(options.only, name):
                    continue
                hand, mapped, ratio = (statistics.median(run[counter] for run in runs)
                                       for counter in ("hand_us", "mapped_us", "ratio"))
                what, *size = name.split("/")
                asked = ASKED[what]
                print(f"| {' '.join([what, *size])} | {hand:.1f} us | {mapped:.1f} us "
                      f"| {ratio:.2f} | {asked:.2f} |", flush=True)
                if ratio > asked:
                    worse.append(name)
    if worse:
        sys.exit("above what was asked: " + ", ".join(worse))


if __name__ == "__main__":
    main()
