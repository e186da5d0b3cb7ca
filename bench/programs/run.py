#!/usr/bin/env python3
# Whole programs on the CPU device beside their host builds
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bench/programs/run.py --xcc build/bin/xcc [--runs 9] [--only NAME]
#
# Each program is built by Clang and by `xcc -foffload-main`, both at -O2, and the
# two take turns. Printed is the time of the fastest run of each, of the system's
# clock, and how fast the device is beside the host: more than 1 is faster.

import argparse
import glob
import os
import subprocess
import sys
import tempfile
import time

CLANG = "/usr/lib/llvm-22/bin/clang"


def seconds_of(program):
    begin = time.perf_counter()
    done = subprocess.run([program], capture_output=True, check=True)
    return time.perf_counter() - begin, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--clang", default=CLANG)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    print(f"{'program':<14} {'host ms':>9} {'device ms':>9} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as work:
        for source in sorted(glob.glob(os.path.join(here, "*.c*"))):
            name = os.path.splitext(os.path.basename(source))[0]
            if args.only not in name:
                continue
            builds = {"host": [args.clang + ("" if source.endswith(".c") else "++")],
                      "device": [args.xcc, "-foffload-main"]}
            best, outputs = {}, {}
            for side, compiler in builds.items():
                subprocess.run(compiler + ["-O2", source, "-o", f"{work}/{name}-{side}", "-lm"], check=True)
            for _ in range(args.runs * (10 if name == "start" else 1)):
                for side in builds:
                    taken, outputs[side] = seconds_of(f"{work}/{name}-{side}")
                    best[side] = min(taken, best.get(side, taken))
            if outputs["host"] != outputs["device"]:
                sys.exit(f"{name}: {outputs}")
            print(f"{name:<14} {best['host'] * 1e3:9.2f} {best['device'] * 1e3:9.2f}"
                  f" {best['host'] / best['device']:6.2f}")


if __name__ == "__main__":
    main()
