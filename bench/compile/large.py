#!/usr/bin/env python3
# Compile times of large device code, for NVIDIA and AMD GPUs
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/compile/large.py --build DIR [--rounds N]
#
# Two whole programs, a JSON parser and a regular expression with streams, for
# sm_90 (PTX alone) and gfx1100. Sides take turns. The table has the least
# processor time of each, in seconds, and their ratio.

import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"a JSON parser": HERE.parents[1] / "test" / "programs" / "json.cpp",
            "a regular expression, streams": HERE / "regex.cpp"}
ARCHS = ["sm_90", "gfx1100"]


def processor_time(command):
    """Seconds that the command and its threads run."""
    child = subprocess.Popen([str(part) for part in command])
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description="Compile times of large device code.")
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    xcc = args.build.resolve() / "bin" / "xcc"
    print("| program | " + " | ".join(ARCHS) + " | ratio |\n" + "|" + "---|" * (len(ARCHS) + 2))
    with tempfile.TemporaryDirectory() as folder:
        for title, source in PROGRAMS.items():
            best = dict.fromkeys(ARCHS, math.inf)
            for _ in range(args.rounds):
                for arch in ARCHS:
                    best[arch] = min(best[arch], processor_time(
                        [xcc, "-std=c++20", "-O2", "-foffload-main", "-foffload-no-cubin", "-fno-offload-cache",
                         f"--offload-arch={arch}", source, "-o", f"{folder}/program"]))
            print(f"| {title} | " + " | ".join(f"{best[arch]:.1f} s" for arch in ARCHS) +
                  f" | {best[ARCHS[1]] / best[ARCHS[0]]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
