# Programs linked from several units, in every way of optimising device code
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: lto_programs.py XCC UNIT SOURCE...
#
# Each source is a program of its own; UNIT is another one with kernels, which is
# linked with it. What a program prints and how it ends has to be the same with
# -foffload-lto=full, thin and none, and from the cache. A run takes every second
# program; the day of the last commit says which.

import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "formats"))
import days

xcc, unit, *sources = sys.argv[1:]
os.environ["XCC_CACHE_DIR"] = str(pathlib.Path("cache").resolve())


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout, done.stderr


def must(*command):
    code, _, said = run(*command)
    if code:
        sys.exit(f"{' '.join(command)}\n{said}")


must(xcc, "-std=c++23", "-O2", "-c", unit, "-o", "unit.o")
sources = sources[days.day_of(pathlib.Path(__file__).parent) % 2::2]
for source in sources:
    must(xcc, "-std=c++23", "-w", "-O2", "-c", source, "-o", "program.o")
    seen = {}
    for how in ("full", "thin", "thin", "none", "none"):
        must(xcc, "-O2", f"-foffload-lto={how}", "program.o", "unit.o", "-latomic",
             "-o", "program")
        seen[how] = run("./program")[:2]
        if seen[how] != seen["full"]:
            sys.exit(f"{source}: full {seen['full']}\n{how} {seen[how]}")
print(f"{len(sources)} programs")
