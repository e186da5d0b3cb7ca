#!/usr/bin/env python3
# The standard's parallel algorithms beside TBB and GCC's parallel mode
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/stdpar/run.py --build DIR [--elements 10000,1000000] [--seconds 0.4]
#                            [--rounds 1]
#
# Needs g++ and libtbb-dev. Writes a table in Markdown to standard output.
"""Builds three libraries of one source, and lets them take turns in one process."""
import argparse
import math
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHARED = ["-O2", "-w", "-march=native", "-std=c++17", "-fPIC", "-shared",
          "-fvisibility=hidden", "-Wl,-Bsymbolic", str(HERE / "cases.cpp")]


def build_all(options, folder):
    """The program that measures, and the libraries by name."""
    sides = {
        "xcc": [options.build / "bin/xcc", *SHARED, "-foffload-stdpar"],
        "tbb": [options.clang, *SHARED, "-ltbb"],
        "gcc": ["g++", *SHARED, "-D_GLIBCXX_PARALLEL", "-fopenmp",
                "-fno-gnu-unique"],
    }
    for name, command in sides.items():
        subprocess.run([*map(str, command), "-o", folder / f"{name}.so"],
                       check=True)
    subprocess.run(["g++", "-O2", "-std=c++17", HERE / "turns.cpp", "-ldl",
                    "-o", folder / "turns"], check=True)
    return [f"{name}={folder / name}.so" for name in sides]


def measure(options, folder, sides, elements):
    """{algorithm: {side: microseconds}}, the least of all rounds: a machine with
    other work is slow for seconds."""
    times = {}
    for _ in range(options.rounds):
        for name, side, wall, processor in turns(options, folder, sides, elements):
            sides_of = times.setdefault(name, {})
            time = float(wall if options.clock == "wall" else processor)
            sides_of[side] = min(time, sides_of.get(side, time))
    return times


def turns(options, folder, sides, elements):
    """[algorithm, side, wall time, processor time] of each line."""
    output = subprocess.run(
        [folder / "turns", elements, options.seconds, *sides], check=True,
        text=True, stdout=subprocess.PIPE,
        # A thread that waits does not use a processor of another side.
        env={**os.environ, "OMP_WAIT_POLICY": "passive"}).stdout
    return [line.split("\t") for line in output.splitlines()]


def ratio(times):
    return min(t for side, t in times.items() if side != "xcc") / times["xcc"]


def print_table(elements, results):
    print("| algorithm | " + " | ".join(f"{int(n):,}" for n in elements) + " |")
    print("|---|" + "---|" * len(elements))
    for name in results[0]:
        print(f"| {name} | " + " | ".join(
            f"{ratio(result[name]):.2f}" for result in results) + " |")
    means = [math.exp(sum(math.log(ratio(t)) for t in result.values()) /
                      len(result)) for result in results]
    print("| geometric mean | " + " | ".join(f"{m:.2f}" for m in means) + " |")
    print("| least | " + " | ".join(
        f"{min(map(ratio, result.values())):.2f}" for result in results) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--elements", default="10000,1000000")
    parser.add_argument("--seconds", default="0.4", help="for an algorithm")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--clock", choices=("processor", "wall"),
                        default="processor", help="wall: on an idle machine")
    options = parser.parse_args()
    elements = options.elements.split(",")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sides = build_all(options, folder)
        print_table(elements, [measure(options, folder, sides, n)
                               for n in elements])


if __name__ == "__main__":
    main()
