#!/usr/bin/env python3
# What the standard's algorithms do on a simulated GPU, beside their bounds
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/stdpar/counts.py --build DIR [--elements 131072]
#
# These are counts, the same in each run, and not times.
"""Prints instructions and bytes of device memory for each element."""
import argparse
import math
import os
import pathlib
import re
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "counts.cpp"
LINE = re.compile(r"(\d+) instructions of warps, ([\d.]+) of 32 lanes active, "
                  r"(\d+) sectors")


def bounds(count):
    """Bytes that the best known form reads and writes for an element."""
    merges = math.ceil(math.log2(count / 1024))
    return {
        "reduce": (4, "each is read"),
        "inclusive_scan": (8, "each is read and written"),
        "copy_if": (6, "each is read, half are written"),
        "unique": (6, "each is read, half are written"),
        "merge": (8, "each is read and written"),
        "sort": (36, "a histogram, 4 passes that read and write each"),
        "nth_element": (12, "three histograms of what is left"),
        "sort of structs": (32 * (1 + merges),
                            f"tiles of 1024, and {merges} merges of two"),
    }


def count(program, name, elements):
    output = subprocess.run(
        [program, name, str(elements)], check=True, text=True,
        stderr=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "XCC_DEVICE": "sim:sm_90",
             "XCC_SIM_PROFILE": "1"}).stderr
    found = LINE.findall(output)
    instructions = sum(int(i) * float(lanes) for i, lanes, _ in found)
    sectors = sum(int(s) for _, _, s in found)
    return instructions / elements, 32 * sectors / elements


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--elements", type=int, default=131072)
    options = parser.parse_args()
    print("| algorithm | instructions | bytes | bound in bytes | ratio | "
          "the bound is |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "counts"
        subprocess.run([options.build / "bin/xcc", "-O2", "-w", "-std=c++17",
                        "-foffload-stdpar", "--offload-arch=sm_90",
                        "-foffload-no-cubin", SOURCE, "-o", program],
                       check=True)
        for name, (least, meaning) in bounds(options.elements).items():
            instructions, size = count(program, name, options.elements)
            print(f"| {name} | {instructions:.1f} | {size:.1f} | {least} | "
                  f"{size / least:.2f} | {meaning} |", flush=True)


if __name__ == "__main__":
    main()
