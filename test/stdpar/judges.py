#!/usr/bin/env python3
# Runs libstdc++'s own tests of parallel algorithms with -foffload-stdpar
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debian's package gcc-12-source has them; they are unpacked with
#   tar xf /usr/src/gcc-12/gcc-12.*.tar.xz --wildcards '*/testsuite/*pstl*'
# and are not part of this repository.
#
#   test/stdpar/judges.py --xcc build/bin/xcc --tests FOLDER/libstdc++-v3/testsuite
"""Compiles each test unmodified, runs it, and prints one line for it."""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time


def run(command, limit, **environment):
    try:
        done = subprocess.run(command, timeout=limit, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, **environment})
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return -1, f"longer than {limit} seconds"


def reason(output):
    lines = [line for line in output.splitlines() if "error" in line]
    return (lines or output.splitlines()[-1:] or ["no output"])[0][:160]


def judge(options, source, folder):
    program = os.path.join(folder, "test")
    util = options.tests / "util"
    status, output = run(
        [options.xcc, "-std=gnu++17", "-O1", "-w", "-foffload-stdpar",
         f"-I{util}", *options.option, str(source), "-o", program], 300)
    if status:
        return "not compiled: " + reason(output)
    for memory in ("0", "1"):
        settings = {"XCC_CPU_SEPARATE": "1"} if memory == "1" else {}
        status, output = run([program], options.limit,
                             XCC_STDPAR_LEAST=options.least, **settings)
        if status:
            where = "separate memory" if settings else "shared memory"
            return f"failed with {where}: " + reason(output)
    return "passed"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--tests", type=pathlib.Path, required=True)
    parser.add_argument("--least", default="256", help="XCC_STDPAR_LEAST")
    parser.add_argument("--limit", type=int, default=120, help="seconds for a run")
    parser.add_argument("--filter", default="", help="part of a test's path")
    parser.add_argument("--option", action="append", default=[],
                        help="a further option of xcc")
    options = parser.parse_args()
    sources = sorted(options.tests.glob("*/pstl/**/*.cc"))
    sources = [s for s in sources if options.filter in str(s)]
    passed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            begin = time.time()
            result = judge(options, source, folder)
            passed += result == "passed"
            print(f"{source.relative_to(options.tests)}: {result} "
                  f"({time.time() - begin:.0f} s)", flush=True)
    print(f"{passed} of {len(sources)} passed")
    return passed != len(sources)


if __name__ == "__main__":
    raise SystemExit(main())
