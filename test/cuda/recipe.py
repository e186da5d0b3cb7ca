#!/usr/bin/env python3
"""Runs the recipe of docs/from-cuda.md over a folder of CUDA programs.

Each program is a folder with a Makefile, whose CC is nvcc and whose `run` has the line to run: the layout of HeCBench.
The folders are copied, built with `xcc -foffload-cuda` in the place of nvcc, or with --cudaify rewritten by xcc-cudaify
first, and run. A table says of each whether it compiles, ends and verifies itself.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PASS = re.compile(r"\bpass(ed)?\b|\bsuccess|\bverified\b|\bcorrect\b", re.I)
FAIL = re.compile(r"\bfail(ed|ure)?\b|\bmismatch|\bincorrect\b|\berror\b", re.I)


def call(command, folder, seconds):
    """The exit status, None after a time, and what was printed."""
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=seconds, check=False)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace")


def cudaify(folder, tool):
    """Rewrites the sources of a program; what has to be done by hand is printed by the tool."""
    files = [str(f) for f in sorted(folder.rglob("*")) if f.suffix in (".cu", ".cuh", ".h", ".hpp")]
    return call([tool, "--in-place", *files], folder, 300)


def result_of(folder, options):
    if options.cudaify:
        status, text = cudaify(folder, options.cudaify)
        if status:
            return "not rewritten", text
    # A rewritten file is C++; -foffload-cuda takes it as it is, and rewrites nothing.
    compiler = f"CC={options.xcc} -foffload-cuda {options.flags}".strip()
    status, text = call(["make", "-s", compiler], folder, options.seconds)
    if status != 0:
        return "does not compile", text
    status, text = call(["make", "-s", compiler, "run"], folder, options.seconds)
    if status is None:
        return "runs too long", text
    if status or FAIL.search(text):
        return "fails", text
    return ("verifies" if PASS.search(text) else "ends, says nothing"), text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="with a folder for each program")
    parser.add_argument("--xcc", default="xcc", help="the compiler")
    parser.add_argument("--cudaify", help="xcc-cudaify, to rewrite the programs first")
    parser.add_argument("--flags", default="", help="more options, such as --offload-arch=host,sm_90")
    parser.add_argument("--seconds", type=int, default=600, help="limit of a build and of a run")
    parser.add_argument("--verbose", action="store_true", help="print what programs that do not verify said")
    options = parser.parse_args()
    # Programs are built in folders of their own.
    options.xcc = shutil.which(options.xcc) or options.xcc
    options.xcc = str(pathlib.Path(options.xcc).absolute())
    if options.cudaify:
        options.cudaify = str(pathlib.Path(shutil.which(options.cudaify) or options.cudaify).absolute())
    results = {}
    with tempfile.TemporaryDirectory() as scratch:
        for makefile in sorted(options.folder.glob("*/Makefile")):
            name = makefile.parent.name
            copy = pathlib.Path(scratch) / name
            shutil.copytree(makefile.parent, copy)
            results[name], text = result_of(copy, options)
            print(f"{name}: {results[name]}", flush=True)
            if options.verbose and results[name] != "verifies":
                print(text)
            shutil.rmtree(copy)
    good = sum(result == "verifies" for result in results.values())
    print(f"{good} of {len(results)} verify")
    return 0 if results and good == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
