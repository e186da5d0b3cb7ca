#!/usr/bin/env python3
# Code that is generated where a program runs: how soon, and how good
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/jit/speed.py --build DIR [--kernels 1000]
#
# The first kernel of a process with an empty cache and a full one, beside
# PoCL's (Debian: pocl-opencl-icd, ocl-icd-opencl-dev; left out where there is
# none); five kernels for the values of their launches beside the same for any;
# and what a program with many kernels generates when it launches one. Sides
# take turns. Markdown on standard output.

import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(*command, **environment):
    ran = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                         env={**os.environ, **environment})
    if ran.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}")
    return ran


def first_kernels(xcc, scratch, rounds):
    run(xcc, "-std=c++20", "-O2", "-offload-arch=generic:x86_64", HERE / "first_xcc.cpp",
        "-o", scratch / "first")
    peer = subprocess.run(["c++", "-O2", HERE / "first_opencl.cpp", "-o", scratch / "opencl", "-lOpenCL"],
                          capture_output=True).returncode == 0
    best = {}

    def take(name, program, keep, **environment):
        if not keep:
            for folder in environment.values():
                shutil.rmtree(folder, ignore_errors=True)
                os.makedirs(folder, mode=0o700)
        took = float(run(program, **environment).stdout)
        best[name] = min(best.get(name, math.inf), took)

    ours, theirs = str(scratch / "cache"), str(scratch / "pocl")
    for _ in range(rounds):
        for name, keep in ("cold", False), ("warm", True):
            take("xcc, " + name, scratch / "first", keep, XCC_CACHE_DIR=ours)
            if peer:
                take("PoCL, " + name, scratch / "opencl", keep, POCL_CACHE_DIR=theirs)
    print("| first kernel of a process: saxpy | cache | ms | to PoCL |\n|---|---|---|---|")
    for name, took in best.items():
        side, cache = name.split(", ")
        ratio = f"{took / best['PoCL, ' + cache]:.3f}" if peer else ""
        print(f"| {side} | {cache} | {took:.2f} | {ratio} |")


def special(xcc, scratch):
    run(xcc, "-std=c++20", "-O2", "-offload-arch=generic:x86_64", HERE / "special.cpp",
        "-o", scratch / "special")
    lines = run(scratch / "special", XCC_DEVICE="host", XCC_CACHE_DIR=str(scratch / "cache")).stdout
    print("\n| kernel | generic, ms | for its values, ms | times as fast |\n|---|---|---|---|")
    ratios = []
    for line in lines.splitlines():
        name, generic, specialised = line.split()
        ratios.append(float(generic) / float(specialised))
        print(f"| {name} | {float(generic) * 1e3:.3f} | {float(specialised) * 1e3:.3f} "
              f"| {ratios[-1]:.2f} |")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"| geometric mean | | | {mean:.2f} |")


def many(xcc, scratch, count):
    source = scratch / "many.cpp"
    source.write_text("#include <xcc/xcc.h>\n#include <cstdlib>\n#include <utility>\n"
                      "template <int N> void kernel(int *p) { *p = N; }\n"
                      "template <int... N> void run(int n, int *p, std::integer_sequence<int, N...>) {\n"
                      "  ((N == n ? xcc::launch({{1}, {1}}, kernel<N>, p) : void()), ...);\n}\n"
                      "int main(int, char **a) {\n  xcc::buffer<int> out(1);\n"
                      f"  run(std::atoi(a[1]), out.data(), std::make_integer_sequence<int, {count}>());\n"
                      "  int host; out.copy_to(&host, 1);\n  return host != std::atoi(a[1]);\n}\n")
    run(xcc, "-std=c++20", "-O2", "-offload-arch=generic:x86_64", "-ftemplate-depth=4096",
        "-fbracket-depth=4096", source, "-o", scratch / "many")
    said = run(scratch / "many", count // 2, XCC_LOG="load", XCC_CACHE_SIZE="0").stderr
    made = [line for line in said.splitlines() if "generated here" in line]
    print(f"\nA program with {count} kernels that launches one generates {len(made)}: "
          f"{made[0].split('(')[-1].rstrip(')')}.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    xcc = args.build.resolve() / "bin/xcc"
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        first_kernels(xcc, scratch, args.rounds)
        special(xcc, scratch)
        many(xcc, scratch, args.kernels)


if __name__ == "__main__":
    main()
