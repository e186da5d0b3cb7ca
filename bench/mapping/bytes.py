#!/usr/bin/env python3
# What mapping moves, beside OpenMP
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/mapping/bytes.py --build DIR [--clang CLANG++]

Compiles each of programs/ twice: with clang++ -fopenmp for LLVM's own OpenMP
device on the host, which has memory of its own, and with xcc for the CPU device
with XCC_CPU_SEPARATE=1. Both runtimes tell of each copy they make
(LIBOMPTARGET_INFO, XCC_LOG=map), and both programs must print the same. Writes a
Markdown table of bytes in each direction; fails where xcc moves more.

Small objects (a vector's own three pointers, captured numbers) are columns of
their own: OpenMP passes what they hold as arguments of the kernel.

Needs libomp-22-dev and liboffload-22-dev.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OMP_LINE = re.compile(r"Copying data from (?P<way>host|device) to (?:host|device),.*Size=(?P<size>\d+)")
XCC_LINE = re.compile(r"(?P<size>\d+) bytes (?P<way>to the device|back to the host)")
SMALL = 256  # bytes


def output(command, **environment):
    result = subprocess.run(command, capture_output=True, text=True,
                            env=os.environ | environment)
    if result.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{result.stderr}")
    return result


def moved(lines, pattern, to_device):
    """Bytes in, bytes out, and of each those of small copies."""
    total = {"in": [0, 0], "out": [0, 0]}
    for line in lines.splitlines():
        if found := pattern.search(line):
            way = "in" if found["way"] == to_device else "out"
            size = int(found["size"])
            total[way][size <= SMALL] += size
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--clang", default="/usr/lib/llvm-22/bin/clang++")
    options = parser.parse_args()

    print("| program | to the device | OpenMP | back | OpenMP | small objects | OpenMP |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    more = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        # Debian's library has no name for the linker.
        (scratch / "libomptarget.so").symlink_to("/usr/lib/llvm-22/lib/libomptarget.so.22.1")
        for source in sorted((HERE / "programs").glob("*.cpp")):
            output([options.clang, "-O2", "-std=c++20", "-fopenmp",
                    "-fopenmp-targets=x86_64-pc-linux-gnu", source,
                    "-L", scratch, "-o", scratch / "omp"])
            output([options.build / "bin/xcc", "-O2", "-std=c++20", source, "-o", scratch / "xcc"])
            omp = output([scratch / "omp"], LIBOMPTARGET_INFO="32")
            xcc = output([scratch / "xcc"], XCC_CPU_SEPARATE="1", XCC_LOG="map")
            if omp.stdout != xcc.stdout:
                sys.exit(f"{source.stem} prints {xcc.stdout!r}, with OpenMP {omp.stdout!r}")
            theirs = moved(omp.stderr, OMP_LINE, "host")
            ours = moved(xcc.stderr, XCC_LINE, "to the device")
            row = [source.stem]
            for way in ("in", "out"):
                row += [ours[way][0], theirs[way][0]]
                if ours[way][0] > theirs[way][0]:
                    more.append(source.stem)
            row += [ours["in"][1] + ours["out"][1], theirs["in"][1] + theirs["out"][1]]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
    if more:
        sys.exit("more than OpenMP: " + ", ".join(more))


if __name__ == "__main__":
    main()
