#!/usr/bin/env python3
# Services beside the C library and CUDA's
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/services/run.py --xcc PATH [--cuda ARCH]
#
# On the CPU device: services by calls of the host (-foffload-cpu-services) and
# the C library called directly. With --cuda, on this machine's NVIDIA GPU: xcc
# and nvcc. The best of three turns each; standard output goes to /dev/null.

import argparse
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description="Services on a device.")
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--cuda", metavar="ARCH", help="such as sm_90")
    args = parser.parse_args()
    source = str(HERE / "services.cpp")
    common = ["-std=c++20", "-O2", source, "-o"]
    if args.cuda:
        sides = {"nvcc": ["nvcc", "-x", "cu", "-DSERVICES_CUDA",
                          f"-arch={args.cuda}", *common],
                 "xcc": [args.xcc, f"-offload-arch={args.cuda}", *common]}
        device = "cuda"
    else:
        sides = {"C library": [args.xcc, *common],
                 "services": [args.xcc, "-foffload-cpu-services", *common]}
        device = "host"
    results = {}
    with tempfile.TemporaryDirectory() as scratch:
        for side, command in sides.items():
            program = os.path.join(scratch, "program")
            subprocess.run(command + [program], check=True)
            done = subprocess.run(
                [program], check=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True,
                env={**os.environ, "XCC_DEVICE": device})
            for line in done.stderr.splitlines():
                name, count, seconds = line.rsplit(" ", 2)
                results.setdefault(name, {})[side] = float(seconds) / float(count)
    first, second = sides
    print(f"| per operation | {first} | {second} | ratio |\n|---|---|---|---|")
    for name, times in results.items():
        a, b = times.get(first), times.get(second)
        print(f"| {name} | {a * 1e9:.0f} ns | {b * 1e9:.0f} ns | {b / a:.1f} |"
              if a and b else f"| {name} | | {b * 1e9:.0f} ns | |")


main()
