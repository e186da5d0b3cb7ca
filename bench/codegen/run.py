#!/usr/bin/env python3
# Registers and instructions beside nvcc's
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/codegen/run.py --build DIR [--archs sm_80,sm_90] [--clang]
#                             [--only NAME,...] [--keep DIR] [--json FILE]
#
# Compiles kernels/NAME.cu with nvcc -O3 and kernels/NAME.cpp with xcc -O3 to
# PTX, the PTX with the same ptxas -O3, and compares the machine code. Needs a
# CUDA toolkit and no GPU. All other options are the defaults, which agree:
# multiply-adds are contracted, denormals kept, divisions and roots rounded
# correctly. --clang adds clang -x cuda on the .cu files, to tell what LLVM does
# from what xcc does. Markdown goes to standard output. The exit status is 1 if
# something was not compiled.

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import cubin

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 1.05


class Failed(Exception):
    pass


def run(*command):
    """Standard output and error of a command that must succeed."""
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    except OSError as error:
        raise Failed(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stderr.strip()}")
    return done.stdout + done.stderr


def assemble(tools, arch, ptx, out):
    return run(tools.ptxas, "-O3", "-v", f"-arch={arch}", ptx, "-o", out)


def with_nvcc(tools, arch, name, scratch):
    ptx, out = scratch / f"{name}.{arch}.nvcc.ptx", scratch / f"{name}.{arch}.nvcc.cubin"
    run(tools.nvcc, "-O3", "-std=c++20", "--extended-lambda", f"-arch={arch}", "-ptx",
        HERE / "kernels" / f"{name}.cu", "-o", ptx)
    return assemble(tools, arch, ptx, out), out


def with_xcc(tools, arch, name, scratch):
    ptx, out = scratch / f"{name}.{arch}.xcc.ptx", scratch / f"{name}.{arch}.xcc.cubin"
    run(tools.xcc, "-O3", "-std=c++20", f"-offload-arch={arch}", "-foffload-device-only", "-S",
        *tools.options.split(), HERE / "kernels" / f"{name}.cpp", "-o", ptx)
    return assemble(tools, arch, ptx, out), out


def with_clang(tools, arch, name, scratch):
    ptx, out = scratch / f"{name}.{arch}.clang.ptx", scratch / f"{name}.{arch}.clang.cubin"
    run(tools.clang, "-x", "cuda", "-O3", "-std=c++20", f"--cuda-gpu-arch={arch}",
        f"--cuda-path={tools.cuda}", "--cuda-device-only", "-Wno-unknown-cuda-version", "-S",
        HERE / "kernels" / f"{name}.cu", "-o", ptx)
    return assemble(tools, arch, ptx, out), out


SIDES = {"nvcc": with_nvcc, "xcc": with_xcc, "clang": with_clang}


def measure(tools, arch, name, side, scratch):
    """The kernel's properties, or a text that says why there are none."""
    try:
        verbose, out = SIDES[side](tools, arch, name, scratch)
        return cubin.describe(out.read_bytes(), verbose)
    except (Failed, cubin.BadCubin, OSError) as error:
        return str(error)


def geometric_mean(ratios):
    return statistics.geometric_mean(ratios) if ratios else float("nan")


def marked(ratio):
    return f"**{ratio:.2f}**" if ratio > LIMIT else f"{ratio:.2f}"


def spills(found):
    return found["spill_stores"] + found["spill_loads"] + found["stack"]


def table(arch, side, names, results):
    """A Markdown table of one side beside nvcc; the geometric means."""
    print(f"### {arch}: {side} beside nvcc\n")
    print(f"| kernel | registers nvcc | {side} | ratio | instructions nvcc | {side} | ratio "
          "| stack and spills nvcc | " + side + " |")
    print("|" + "---|" * 9)
    registers, counts, spilling = [], [], []
    for name in names:
        peer, own = results[arch, name, "nvcc"], results[arch, name, side]
        if isinstance(peer, str) or isinstance(own, str):
            print(f"| {name} |" + " failed |" * 8)
            continue
        registers.append(own["registers"] / peer["registers"])
        counts.append(own["instructions"] / peer["instructions"])
        if spills(own) and not spills(peer):
            spilling.append(name)
        print(f"| {name} | {peer['registers']} | {own['registers']} | {marked(registers[-1])} "
              f"| {peer['instructions']} | {own['instructions']} | {marked(counts[-1])} "
              f"| {spills(peer)} B | {spills(own)} B |")
    means = {"registers": geometric_mean(registers), "instructions": geometric_mean(counts)}
    print(f"| geometric mean of {len(counts)} | | | {marked(means['registers'])} | | "
          f"| {marked(means['instructions'])} | | |\n")
    if spilling:
        print(f"Spills where nvcc has none: {', '.join(spilling)}.\n")
    return means


def arguments():
    parser = argparse.ArgumentParser(description="Registers and instructions beside nvcc's.")
    parser.add_argument("--build", type=pathlib.Path, help="xcc's build folder")
    parser.add_argument("--xcc", type=pathlib.Path, help="instead of --build: the compiler")
    parser.add_argument("--options", default="", help="more options for xcc, for experiments")
    parser.add_argument("--cuda", type=pathlib.Path, default="/usr/local/cuda")
    parser.add_argument("--archs", default="sm_80,sm_90")
    parser.add_argument("--only", help="kernels, separated by commas")
    parser.add_argument("--clang", nargs="?", const="clang++-22", help="a third side")
    parser.add_argument("--keep", type=pathlib.Path, help="where PTX and cubins stay")
    parser.add_argument("--json", type=pathlib.Path, help="where the numbers go too")
    parser.add_argument("--jobs", type=int, default=2)
    tools = parser.parse_args()
    if not tools.xcc:
        if not tools.build:
            parser.error("--build or --xcc is needed")
        tools.xcc = tools.build.resolve() / "bin" / "xcc"
    tools.nvcc, tools.ptxas = tools.cuda / "bin" / "nvcc", tools.cuda / "bin" / "ptxas"
    known = sorted(path.stem for path in (HERE / "kernels").glob("*.cu"))
    tools.names = tools.only.split(",") if tools.only else known
    for name in tools.names:
        if name not in known:
            parser.error(f"no kernel '{name}'; there are {', '.join(known)}")
    return tools


def main():
    tools = arguments()
    sides = ["nvcc", "xcc"] + (["clang"] if tools.clang else [])
    archs = tools.archs.split(",")
    work = [(arch, name, side) for arch in archs for name in tools.names for side in sides]
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(tools.jobs) as pool:
        scratch = tools.keep or pathlib.Path(temporary)
        scratch.mkdir(parents=True, exist_ok=True)
        results = dict(zip(work, pool.map(lambda w: measure(tools, *w, scratch), work)))

    means = {f"{arch} {side}": table(arch, side, tools.names, results)
             for arch in archs for side in sides[1:]}
    failures = {w: text for w, text in results.items() if isinstance(text, str)}
    for (arch, name, side), text in failures.items():
        print(f"{side}, {arch}, {name}: {text}", file=sys.stderr)
    if tools.json:
        kernels = [{"arch": arch, "kernel": name, "side": side, **found}
                   for (arch, name, side), found in results.items() if isinstance(found, dict)]
        tools.json.write_text(json.dumps({"means": means, "kernels": kernels}, indent=1) + "\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
