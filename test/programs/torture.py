#!/usr/bin/env python3
# GCC's C torture programs as whole programs on a device
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each program of gcc.c-torture/execute is built by Clang, and by
# `xcc -foffload-main` for a device. Those that Clang builds and that end with
# status 0 on the host have to be built for the device, and to end there with
# the same status and output. The programs come from Debian's gcc-12-source.
# On demand, from the root of the tree:
#
#   test/programs/torture.py --build build [--device sm_90] [--match 'pr2[0-9]*']
#
# Prints each program that differs, with the reason, and the counts; the exit
# status is 1 if any differs. `--compile` builds and does not run.

import argparse
import collections
import concurrent.futures
import fnmatch
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "Inputs"))
from compare import environment_of, run, simulator_of

# Much of the suite is older than C99.
DIALECT = ["-std=gnu89", "-w", "-Wno-error", "-Wno-implicit-int", "-Wno-int-conversion", "-Wno-return-type",
           "-Wno-implicit-function-declaration", "-Wno-incompatible-pointer-types"]
SUITE = "gcc/testsuite/gcc.c-torture/execute"
# Prints an address of a stack, which is another in each run.
ADDRESSES = {"return-addr.c", "941014-2.c"}


def fetch(into):
    """The suite's folder; its package is downloaded where it is not there."""
    into.mkdir(parents=True, exist_ok=True)
    if not any(into.glob(f"*/{SUITE}")):
        subprocess.run(["apt-get", "-q", "download", "gcc-12-source"], check=True, cwd=into)
        package = next(into.glob("gcc-12-source_*.deb"))
        subprocess.run(["dpkg-deb", "-x", package, into / "package"], check=True)
        archive = next((into / "package").rglob("gcc-12.*.tar.*"))
        subprocess.run(["tar", "xf", archive, "-C", into, "--wildcards", f"*/{SUITE}/*"], check=True)
    return next(into.glob(f"*/{SUITE}"))


def options_of(text):
    """What a program asks for of every target."""
    found = re.finditer(r'dg-(?:additional-)?options\s+"([^"]*)"\s*(\{)?', text)
    return [option for match in found if not match.group(2) for option in match.group(1).split()
            if not option.startswith("-O")]


def try_program(source, level, args):
    """A result's name, and what was said."""
    rest = DIALECT + options_of(source.read_text(errors="replace")) + [level, str(source), "-lm"]
    with tempfile.TemporaryDirectory() as folder:
        if run([args.clang, *rest, "-o", "host"], folder, args.seconds)[0] != 0:
            return "not for the host", ""
        status, expected = run([f"{folder}/host"], folder, args.seconds)
        if status != 0:
            return "fails on the host", ""
        simulator = simulator_of(args.device)
        build = [args.build / "bin/xcc", "-foffload-main", f"-offload-arch={args.device}",
                 *(simulator[2] if simulator else []), *args.options, *rest, "-o", "device"]
        status, said = run(build, folder, args.seconds)
        if status != 0:
            return "not built", said
        if args.compile:
            return "built", ""
        status, found = run([f"{folder}/device"], folder, args.seconds, environment_of(args.device, args.build))
        if status != 0:
            return "fails", f"status {status}: {found}"
        if found != expected and source.name not in ADDRESSES:
            return "differs", f"host {expected}, device {found}"
        return "passes", ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--suite", type=pathlib.Path, help="the folder of the programs, if it is there already")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/torture"), help="where it is put if not")
    parser.add_argument("--device", default="host")
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--options", type=shlex.split, default=[], help="for xcc alone")
    parser.add_argument("--match", default="*", help="a pattern of programs' names")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--jobs", "-j", type=int, default=2)
    args = parser.parse_args()
    args.build = args.build.resolve()
    suite = args.suite or fetch(args.work)
    jobs = [(source, level) for level in args.levels.split(",") for source in sorted(suite.rglob("*.c"))
            if fnmatch.fnmatch(source.stem, args.match) and source.parent.name != "builtins"]
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda job: try_program(*job, args), jobs)
        for (source, level), (result, said) in zip(jobs, results):
            counts[level, result] += 1
            if said:
                print(f"{source.name} at {level}: {result}: {said.strip()[:600]}", flush=True)
    for (level, result), count in counts.items():
        print(f"{level}: {count} {result}")
    sys.exit(any(result in ("not built", "fails", "differs") for _, result in counts))


if __name__ == "__main__":
    main()
