#!/usr/bin/env python3
# Links of many units: all of the device code, and again after a change
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/link/relink.py --build DIR [--units 50] [--functions 200] [--scale]
#                             [--arch host] [--option OPTION ...]
#
# Each unit has a kernel for every hundred functions, which calls them all in chains of
# ten. Without --scale: a link with an empty cache, one after one unit has changed, and one
# after nothing has. With it: links of a quarter, half and all of the units without a
# cache. CPU time, of all threads, wall time and the largest resident size; the host's link
# is part of them. Writes Markdown to standard output.

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor


def unit(number, functions, change=0):
    def function(i):
        inner = f"u{number}_f{i - 1}(x + {i})" if i % 10 else "x >> 3"
        return (f"uint32_t u{number}_f{i}(uint32_t x) {{ return (x ^ (x >> {i % 7 + 3})) * "
                f"{i + 3 + change}u + ({inner}); }}")

    lines = ["#include <cstdint>", "#include <xcc/xcc.h>"]
    lines += [function(i) for i in range(functions)]
    kernels = max(1, functions // 100)
    for k in range(kernels):
        ends = range(100 * k + 9, min(functions, 100 * k + 100), 10)
        total = " + ".join(f"u{number}_f{i}(i)" for i in ends)
        lines.append(f"void kernel_{number}_{k}(uint32_t *p) {{ uint32_t i = xcc::global_id(); "
                     f"p[i] += {total}; }}")
    launches = " ".join(f"xcc::launch({{{{1}}, {{64}}}}, kernel_{number}_{k}, p);"
                        for k in range(kernels))
    lines.append(f"void run_{number}(uint32_t *p) {{ {launches} }}")
    return "\n".join(lines) + "\n"


def main_unit(units):
    declared = "".join(f"void run_{u}(uint32_t *);\n" for u in range(units))
    calls = "".join(f"  run_{u}(p);\n" for u in range(units))
    return (f"#include <cstdint>\n#include <xcc/xcc.h>\n{declared}int main() {{\n"
            f"  static uint32_t p[64];\n{calls}  xcc::synchronize();\n}}\n")


def compile(xcc, folder, name, text):
    (folder / f"{name}.cpp").write_text(text)
    subprocess.run([*xcc, "-std=c++20", "-O2", "-w", "-c", f"{name}.cpp", "-o", f"{name}.o"],
                   cwd=folder, check=True)


def link(xcc, folder, objects, *options):
    """Wall and CPU seconds, and MiB."""
    start = time.perf_counter()
    process = subprocess.Popen([*xcc, "-O2", *options, *objects, "-o", "program"], cwd=folder)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit("the link failed")
    return (time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def row(what, measured, peer):
    wall, cpu, size = measured
    print(f"| {what} | {wall:.2f} s | {cpu:.2f} s | {size:.0f} MiB | {cpu / peer:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--units", type=int, default=50)
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--scale", action="store_true")
    parser.add_argument("--arch", default="host")
    parser.add_argument("--option", action="append", default=[])
    args = parser.parse_args()
    xcc = [str((args.build / "bin/xcc").resolve()), f"-offload-arch={args.arch}", *args.option]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        os.environ["XCC_CACHE_DIR"] = str(folder / "cache")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda u: compile(xcc, folder, f"u{u}", unit(u, args.functions)),
                          range(args.units)))
        objects = [f"u{u}.o" for u in range(args.units)]
        print("| link | wall time | CPU time | largest size | CPU to the first |\n|---|---|---|---|---|")
        if args.scale:
            first = None
            for units in (args.units // 4, args.units // 2, args.units):
                compile(xcc, folder, "main", main_unit(units))
                measured = link(xcc, folder, ["main.o", *objects[:units]], "-fno-offload-cache")
                first = first or measured[1]
                row(f"{units} units of {args.functions} functions", measured, first)
            return
        compile(xcc, folder, "main", main_unit(args.units))
        objects.append("main.o")
        full = link(xcc, folder, objects)
        row("all device code", full, full[1])
        compile(xcc, folder, "u7", unit(7, args.functions, change=1))
        row(f"one of {args.units} units changed", link(xcc, folder, objects), full[1])
        row("nothing changed", link(xcc, folder, objects), full[1])
        row("all, `-foffload-lto=full`",
            link(xcc, folder, objects, "-foffload-lto=full", "-fno-offload-cache"), full[1])


main()
