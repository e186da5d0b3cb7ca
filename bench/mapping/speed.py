#!/usr/bin/env python3
# What mapping costs beside the same by hand
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/mapping/speed.py --build DIR [--repetitions N] [--only REGEX]

Compiles speed.cpp with xcc and runs it, with and without memory of the CPU
device's own, each benchmark many times in random order. Writes a Markdown table
of each pair's times and ratio, and what was asked. Needs libbenchmark-dev.
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
# Most that a pair's ratio may be; None: only shown.
ASKED = {
    "one vector": 1.03,
    "one vector, one call": 1.03,
    "twenty vectors": 1.1,
    "64 launches": 1.0,
    "shared empty": 1.05,
}


def measure(binary, environment, only, repetitions):
    """Real times in nanoseconds of each benchmark's repetitions."""
    result = subprocess.run(
        [binary, "--benchmark_enable_random_interleaving=true",
         f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.05",
         "--benchmark_format=json", f"--benchmark_filter={only}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment)
    if result.returncode:
        sys.exit(f"failed: {binary}\n{result.stderr}")
    times = {}
    for run in json.loads(result.stdout or '{"benchmarks": []}')["benchmarks"]:
        if run["run_type"] == "iteration":
            if run.get("error_occurred"):
                sys.exit(f"{run['name']}: {run['error_message']}")
            scale = {"ns": 1, "us": 1e3, "ms": 1e6}[run["time_unit"]]
            name = re.sub("/real_time.*", "", run["name"])
            times.setdefault(name, []).append(scale * run["real_time"])
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--only", default=".*", help="names that match")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        binary = pathlib.Path(scratch) / "speed"
        subprocess.run([options.build / "bin/xcc", "-O2", "-std=c++20", HERE / "speed.cpp",
                        "-o", binary, "-lbenchmark", "-lpthread"], check=True)
        times = {}
        for separate, marks in (("2", "-^shared"), ("0", "^shared")):
            found = measure(binary, {"XCC_CPU_SEPARATE": separate}, marks, options.repetitions)
            times |= {name: t for name, t in found.items() if re.search(options.only, name)}
    print("| | by hand | mapped | of the best | of the medians | asked |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, mapped in times.items():
        what, side, *size = name.split("/")
        if not side.startswith("mapped"):
            continue
        hand = times["/".join([what, "hand", *size])]
        shown = ", ".join([what + side.removeprefix("mapped"), *size])
        asked = ASKED.get(what)
        print(f"| {shown} | {min(hand) / 1e3:.2f} us | {min(mapped) / 1e3:.2f} us "
              f"| {min(mapped) / min(hand):.2f} "
              f"| {statistics.median(mapped) / statistics.median(hand):.2f} "
              f"| {f'{asked:.2f}' if asked else ''} |")


if __name__ == "__main__":
    main()
