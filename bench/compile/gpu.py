#!/usr/bin/env python3
# Compile times for GPUs beside nvcc and clang -x cuda
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/compile/gpu.py --build DIR [--archs LIST ...] [--runs N]
#
# One source, saxpy, to a program, for one, three and four archs, with
# hyperfine. Each side compiles for the host and the archs and links; nvcc and
# clang embed a cubin for each arch. Sides are measured one after the other in
# `--rounds` rounds, and each is given its best time. Markdown goes to standard
# output. Needs a CUDA toolkit and hyperfine (apt-get install hyperfine).

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def commands(tools, archs, scratch):
    """Each side's command line."""
    cu, cpp = HERE / "saxpy.cu", HERE / "saxpy.cpp"
    gencode = ([f"-arch={archs[0]}"] if len(archs) == 1 else
               [f"-gencode=arch=compute_{a[3:]},code={a}" for a in archs])
    return {
        "nvcc": [tools.cuda / "bin" / "nvcc", "-O2", *gencode, cu, "-o", scratch / "nvcc"],
        # The new driver needs clang-linker-wrapper, which Debian's clang-22 lacks.
        "clang": [tools.clang, "-O2", "-x", "cuda", "--no-offload-new-driver",
                  *[f"--offload-arch={a}" for a in archs], f"--cuda-path={tools.cuda}",
                  "-Wno-unknown-cuda-version", cu,
                  f"-L{tools.cuda}/lib64", "-lcudart_static", "-ldl", "-lrt", "-pthread",
                  "-o", scratch / "clang"],
        "xcc": [tools.xcc, "-O2", f"-offload-arch={','.join(archs)}", cpp, "-o", scratch / "xcc"],
    }


def measure(command, runs, scratch):
    """The fewest seconds of a command, by hyperfine; None if it fails."""
    report = scratch / "report.json"
    line = " ".join(f"'{part}'" for part in command)
    done = subprocess.run(["hyperfine", "-N", "--warmup", "1", "--runs", str(runs),
                           "--export-json", str(report), line],
                          capture_output=True, text=True, env={**os.environ, "CCACHE_DISABLE": "1"})
    if done.returncode:
        print(f"failed: {line}\n{done.stderr}", file=sys.stderr)
        return None
    return json.loads(report.read_text())["results"][0]["min"]


def main():
    parser = argparse.ArgumentParser(description="Compile times beside nvcc and clang -x cuda.")
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--archs", nargs="+", help="lists of archs, one for each row",
                        default=["sm_90", "sm_80,sm_90,sm_100", "sm_80,sm_90,sm_100,sm_120"])
    parser.add_argument("--cuda", type=pathlib.Path, default="/usr/local/cuda")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    tools = parser.parse_args()
    tools.xcc = tools.build.resolve() / "bin" / "xcc"
    if not shutil.which("hyperfine"):
        sys.exit("hyperfine is not installed: apt-get install hyperfine")

    print("| archs | nvcc -O2 | clang++ -x cuda -O2 | xcc -O2 | xcc / nvcc | xcc / clang++ |")
    print("|" + "---|" * 6, flush=True)
    complete = True
    for archs in tools.archs:
        best = {}
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            sides = commands(tools, archs.split(","), scratch)
            for _ in range(tools.rounds):
                for side, command in list(sides.items()):
                    seconds = measure(command, tools.runs, scratch)
                    if seconds is None:
                        del sides[side]
                        complete = False
                    else:
                        best[side] = min(best.get(side, math.inf), seconds)

        def shown(side):
            return f"{best[side]:.3f} s" if side in best else "failed"

        def ratio(side):
            return f"{best['xcc'] / best[side]:.2f}" if {"xcc", side} <= best.keys() else ""
        print(f"| {archs.replace(',', ', ')} | {shown('nvcc')} | {shown('clang')} | {shown('xcc')} "
              f"| {ratio('nvcc')} | {ratio('clang')} |", flush=True)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
