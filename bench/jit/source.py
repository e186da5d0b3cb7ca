#!/usr/bin/env python3
# Source that a program compiles, beside NVRTC
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/jit/source.py --build DIR [--cuda /usr/local/cuda] [--runs 5]
#
# The same four kernels as C++ for xcc and as CUDA for NVRTC, both to PTX for
# sm_90, and xcc also for the CPU device. The first compile of a process, with
# all that is opened for it, the least of ten others after it; with the headers that
# another process parsed, and what was compiled before by another process. In
# turns; the least of the runs. Writes Markdown to standard output.

import argparse
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(command, **environment):
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "XCC_DEVICE": "host", **environment}).stdout
    return [float(word) for word in said.split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--cuda", type=pathlib.Path, default=pathlib.Path("/usr/local/cuda"))
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = f"{folder}/ours", f"{folder}/theirs"
        subprocess.run([args.build.resolve() / "bin/xcc", "-std=c++20", "-O2", HERE / "source_xcc.cpp", "-o", ours], check=True)
        ways = {
            "xcc, sm_90, nothing on disk": ([ours, "sm_90"], {"XCC_CACHE_SIZE": "0"}),
            "xcc, CPU device, nothing on disk": ([ours, "native"], {"XCC_CACHE_SIZE": "0"}),
            "xcc, sm_90, headers that another process parsed": ([ours, "sm_90", "new"], {"XCC_CACHE_DIR": f"{folder}/headers"}),
            "xcc, sm_90, compiled before, found on disk": ([ours, "sm_90"], {"XCC_CACHE_DIR": f"{folder}/cache"}),
        }
        if (args.cuda / "include/nvrtc.h").exists():
            library = args.cuda / "lib64"
            subprocess.run(["clang++-22", "-O2", f"-I{args.cuda}/include", HERE / "source_nvrtc.cpp", "-o", theirs, f"-L{library}", "-lnvrtc",
                            f"-Wl,-rpath,{library}"], check=True)
            ways["NVRTC, sm_90"] = ([theirs], {})
        best = {}
        for _ in range(args.runs + 1):  # the first fills the cache and the page cache
            for name, (command, environment) in ways.items():
                best.setdefault(name, []).append(run(command, **environment))
        print("| | first of a process, ms | another, ms |\n|---|---|---|")
        least = {name: [min(column) for column in zip(*runs[1:])] for name, runs in best.items()}
        for name, (first, other) in least.items():
            print(f"| {name} | {first:.1f} | {other:.1f} |")
        if "NVRTC, sm_90" in least:
            ratio = [a / b for a, b in zip(least["xcc, sm_90, headers that another process parsed"], least["NVRTC, sm_90"])]
            print(f"| xcc / NVRTC, sm_90 | {ratio[0]:.2f} | {ratio[1]:.2f} |")


if __name__ == "__main__":
    main()
