#!/usr/bin/env python3
# Runs libstdc++'s own tests of parallel algorithms with -foffload-stdpar
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debian's package gcc-12-source has them; they are not part of this repository,
# and are unpacked into a folder that is given:
#
#   test/stdpar/judges.py --xcc build/bin/xcc --folder /tmp/judges
"""Compiles each test unmodified, runs it, and prints one line for it."""
import argparse
import glob
import os
import pathlib
import re
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


def unpack(folder):
    """The folder of tests, from the package's archive if it is not there yet."""
    tests = sorted(folder.glob("*/libstdc++-v3/testsuite"))
    if not tests:
        archives = glob.glob("/usr/src/gcc-12/gcc-12.*.tar.xz")
        if not archives:
            raise SystemExit("there is no /usr/src/gcc-12: install gcc-12-source")
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "xf", archives[0], "-C", folder, "--wildcards",
                        "*/libstdc++-v3/testsuite/*pstl*",
                        "*/libstdc++-v3/testsuite/util/*"], check=True)
        tests = sorted(folder.glob("*/libstdc++-v3/testsuite"))
    return tests[0]


def reason(output):
    lines = [line for line in output.splitlines() if "error" in line]
    return (lines or output.splitlines()[-1:] or ["no output"])[0][:160]


# Where a test is run: the environment of each run.
PLACES = {
    "shared": {},
    "separate": {"XCC_CPU_SEPARATE": "1"},
    "cuda": {"LD_LIBRARY_PATH": "simulator/cuda", "MOCK_CUDA_DEVICES": "sm_90",
             "XCC_DEVICE": "cuda"},
    "hsa": {"LD_LIBRARY_PATH": "simulator/hsa", "MOCK_HSA_AGENTS": "gfx1100",
            "XCC_DEVICE": "hsa"},
}


def text_of(options, source):
    """Unmodified, but for the largest number of elements where one is given."""
    text = source.read_text()
    if options.largest:
        text = re.sub(r"\b100000\b", str(options.largest), text)
    return text


def judge(options, source, folder):
    program = os.path.join(folder, "test")
    written = os.path.join(folder, source.name)
    with open(written, "w") as file:
        file.write(text_of(options, source))
    gpus = [place for place in options.places if place in ("cuda", "hsa")]
    arch = {"cuda": "sm_90", "hsa": "gfx1100"}
    host = ["host"] if len(gpus) < len(options.places) else []
    archs = ["--offload-arch=" + ",".join(host + [arch[g] for g in gpus]),
             "-foffload-no-cubin"] if gpus else []
    # Some are only compiled.
    compiled = re.search(r"dg-do (compile|preprocess)", source.read_text())
    status, output = run(
        [options.xcc, "-std=gnu++17", "-O1", "-w", "-foffload-stdpar", *archs,
         f"-I{options.tests / 'util'}", *options.option, written,
         *(["-fsyntax-only"] if compiled else ["-o", program])],
        options.compile_limit)
    if status:
        return "not compiled: " + reason(output)
    if compiled:
        return "passed"
    build = pathlib.Path(options.xcc).resolve().parent.parent
    for place in options.places:
        settings = dict(PLACES[place])
        if "LD_LIBRARY_PATH" in settings:
            settings["LD_LIBRARY_PATH"] = str(build / settings["LD_LIBRARY_PATH"])
        status, output = run([program], options.limit,
                             XCC_STDPAR_LEAST=options.least, **settings)
        if status:
            return f"failed on {place}: " + reason(output)
    return "passed"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True,
                        help="where the tests are unpacked")
    parser.add_argument("--least", default="256", help="XCC_STDPAR_LEAST")
    parser.add_argument("--limit", type=int, default=120, help="seconds for a run")
    parser.add_argument("--compile-limit", type=int, default=600,
                        help="seconds for a compilation")
    parser.add_argument("--filter", default="", help="part of a test's path")
    parser.add_argument("--option", action="append", default=[],
                        help="a further option of xcc")
    parser.add_argument("--places", default="shared,separate",
                        help="of " + ", ".join(PLACES))
    parser.add_argument("--largest", type=int,
                        help="elements, instead of 100000")
    parser.add_argument("--every", type=int, default=1,
                        help="one test of so many")
    options = parser.parse_args()
    options.places = options.places.split(",")
    options.tests = unpack(options.folder)
    sources = sorted(options.tests.glob("**/pstl/**/*.cc"))
    sources = [s for s in sources if options.filter in str(s)]
    sources = sources[::options.every]
    passed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            begin = time.time()
            result = judge(options, source, folder)
            passed += result == "passed"
            print(f"{source.relative_to(options.tests)}: {result} "
                  f"({time.time() - begin:.0f} s)", flush=True)
    print(f"{passed} of {len(sources)} passed")
    return passed != len(sources) or not sources


if __name__ == "__main__":
    raise SystemExit(main())
