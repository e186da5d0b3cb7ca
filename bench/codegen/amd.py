#!/usr/bin/env python3
# Registers and occupancy of AMD kernels beside clang's
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/codegen/amd.py --build DIR [--archs gfx90a,gfx1100]
#
# Compiles amd/dslash.cpp with xcc -O3 and amd/dslash.hip with clang -x hip -O3,
# which needs neither ROCm nor a GPU, and prints what both say of the kernels:
# vector registers, spilled ones, bytes of a thread's own memory, and occupancy,
# the share of the waves that a SIMD unit could hold. Markdown goes to standard
# output.

import argparse
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = ("dslash", "gather")


MOST_WAVES = {"gfx90a": 8, "gfx942": 8, "gfx1030": 16, "gfx1100": 16}


def run(*command):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True)


def with_xcc(args, arch, folder):
    table = run(args.build / "bin" / "xcc", "-std=c++17", "-O3", "-c", "-foffload-resource-usage",
                f"--offload-arch={arch}", HERE / "amd" / "dslash.cpp", "-o", folder / "x.o").stderr
    rows = [line.split() for line in table.splitlines() if line.startswith(arch)]
    return {row[-1]: (row[1], row[3], row[4], row[6]) for row in rows}


def with_clang(args, arch, folder):
    out = folder / "clang.s"
    run(args.clang, "-x", "hip", "-std=c++17", "-O3", "-S", "--offload-device-only", f"--offload-arch={arch}",
        "-nogpuinc", "-nogpulib", HERE / "amd" / "dslash.hip", "-o", out)
    text = out.read_text()
    found = {}
    for kernel in KERNELS:
        entry = text[text.index(f".name:           {kernel}\n"):]
        number = {key: re.search(rf"\.{key}: +(\d+)", entry)[1]
                  for key in ("vgpr_count", "vgpr_spill_count", "private_segment_fixed_size")}
        waves = int(re.search(r"; Occupancy: (\d+)", text[text.index(f"\n{kernel}:"):])[1])
        found[kernel] = (*number.values(), f"{100 * waves // MOST_WAVES[arch]}%")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--archs", default="gfx90a,gfx942,gfx1100")
    parser.add_argument("--clang", default="clang++-22")
    args = parser.parse_args()
    print("| arch | kernel | | registers | spilled | bytes of memory | occupancy |\n"
          "|---|---|---|---|---|---|---|")
    for arch in args.archs.split(","):
        with tempfile.TemporaryDirectory() as folder:
            made = {each.__name__[5:]: each(args, arch, pathlib.Path(folder)) for each in (with_xcc, with_clang)}
        for kernel in KERNELS:
            for compiler, usage in made.items():
                print(f"| {arch} | {kernel} | {compiler} | {' | '.join(usage[kernel])} |")


if __name__ == "__main__":
    main()
