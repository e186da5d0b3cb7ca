#!/usr/bin/env python3
# Loads in flight, beside nvcc's
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/codegen/loops.py DIR [--arch sm_90] [--nvdisasm FILE] [--only NAME,...]
#
# DIR is what `run.py --keep DIR` left. Of each kernel's innermost loops, the one
# with the most loads of global memory: how many loads, and how many instructions
# for each; and how many loads of global memory, barriers and votes the kernel has.
# These are counts of SASS, no timings. Needs nvdisasm, which is in CUDA toolkits
# and, by itself, on PyPI (nvidia-cuda-nvdisasm).

import argparse
import pathlib
import re
import shutil
import subprocess

INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]+)\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*);")
LABEL = re.compile(r"^(\.L_x_\d+):")
TARGET = re.compile(r"`\((\.L_x_\d+)\)")


def read(nvdisasm, path):
    """Opcodes in order, and the branches as (from, to), by index."""
    text = subprocess.run([nvdisasm, "-c", path], capture_output=True, text=True,
                          check=True).stdout
    opcodes, labels, branches = [], {}, []
    for line in text.splitlines():
        if match := LABEL.match(line):
            labels[match[1]] = len(opcodes)
        elif match := INSTRUCTION.match(line):
            if match[2].startswith("BRA") and (target := TARGET.search(match[3])):
                branches.append((len(opcodes), target[1]))
            opcodes.append(match[2])
    return opcodes, [(at, labels[to]) for at, to in branches if to in labels]


def describe(opcodes, branches):
    loops = [(to, at) for at, to in branches if to < at]
    inner = [(a, b) for a, b in loops
             if not any((c, d) != (a, b) and a <= c and d <= b for c, d in loops)]
    counts = [(sum(op.startswith("LDG") for op in opcodes[a:b + 1]), b - a + 1)
              for a, b in inner]
    loads, length = max(counts, default=(0, 0))
    count = lambda *names: sum(op.startswith(names) for op in opcodes)
    return loads, length, count("LDG"), count("BAR"), count("VOTE")


def main():
    parser = argparse.ArgumentParser(description="Loads in flight, beside nvcc's.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--nvdisasm", default=shutil.which("nvdisasm") or
                        "/usr/local/cuda/bin/nvdisasm")
    parser.add_argument("--only", help="kernels, separated by commas")
    args = parser.parse_args()
    names = sorted(path.name.split(".")[0]
                   for path in args.folder.glob(f"*.{args.arch}.xcc.cubin"))
    if args.only:
        names = [name for name in names if name in args.only.split(",")]
    print("| kernel | loads in a loop nvcc | xcc | instructions for each nvcc | xcc "
          "| loads nvcc | xcc | barriers nvcc | xcc | votes nvcc | xcc |")
    print("|" + "---|" * 11)
    for name in names:
        sides = [describe(*read(args.nvdisasm, args.folder / f"{name}.{args.arch}.{side}.cubin"))
                 for side in ("nvcc", "xcc")]
        cells = []
        for loads in (side[0] for side in sides):
            cells.append(str(loads))
        for loads, length, *_ in sides:
            cells.append(f"{length / loads:.1f}" if loads else "-")
        for which in (2, 3, 4):
            cells += [str(side[which]) for side in sides]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
