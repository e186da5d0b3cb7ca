#!/usr/bin/env python3
# How many instructions a second the simulators execute
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/simulator/run.py --build DIR [--simulators DIR[,DIR]] [--runs 5]
#            [--interpreted]
#
# Writes a table in Markdown to standard output.
"""Runs each kernel of kernels.cpp, and divides its instructions by the processor time."""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = ["saxpy", "matmul", "orbits", "bodies", "hash", "collatz", "sums", "words"]
DEVICES = {"sm_90": ("cuda", "MOCK_CUDA_DEVICES"), "gfx1100": ("hsa", "MOCK_HSA_AGENTS")}


def execute(program, simulators, arch, kernel, **more):
    kind, variable = DEVICES[arch]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("XCC_")}
    return subprocess.run(
        [program, kernel], check=True, capture_output=True, text=True,
        env={**clean, "LD_LIBRARY_PATH": str(simulators / kind), variable: arch,
             "XCC_DEVICE": kind, **more})


def instructions(program, simulators, arch, kernel):
    """Those of warps, which a simulator counts itself."""
    told = execute(program, simulators, arch, kernel, XCC_SIM_PROFILE="1").stderr
    return max(map(int, re.findall(r"(\d+) (?:instructions of warps|wave instructions)", told)))


def seconds(program, simulators, arch, kernel, runs, **more):
    return min(float(execute(program, simulators, arch, kernel, **more).stdout)
               for _ in range(runs))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--simulators", help="folders with cuda/ and hsa/, with commas")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--interpreted", action="store_true",
                        help="a column more: without host code")
    options = parser.parse_args()
    folders = [pathlib.Path(f) for f in
               (options.simulators or str(options.build / "simulator")).split(",")]
    more = options.interpreted
    print("| kernel | arch | instructions of warps |" + " million a second |" * len(folders) +
          " interpreted |" * more)
    print("|---|---|---|" + "---|" * (len(folders) + more))
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "kernels"
        subprocess.run([options.build / "bin/xcc", "-O2", "-std=c++20",
                        "-offload-arch=" + ",".join(DEVICES), "-foffload-no-cubin",
                        HERE / "kernels.cpp", "-o", program], check=True)
        for arch in DEVICES:
            for kernel in KERNELS:
                count = instructions(program, folders[0], arch, kernel)
                rates = [count / seconds(program, f, arch, kernel, options.runs) / 1e6
                         for f in folders]
                if more:
                    rates.append(count / seconds(program, folders[0], arch, kernel, options.runs,
                                                 XCC_SIM_HOT="0") / 1e6)
                print(f"| {kernel} | {arch} | {count:,} | " +
                      " | ".join(f"{rate:.1f}" for rate in rates) + " |", flush=True)


if __name__ == "__main__":
    main()
