#!/usr/bin/env python3
# docs/supported.md, from the compiler and the tests, and the table of
# variables in docs/settings.md, from what the runtime has of them
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/generate.py --xcc PATH [--check]
#
# A feature is in the table because a test of it is in the tree; its words are
# the comment that the test begins with. With --check nothing is written, and
# the exit status says whether the files are up to date.

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VARIABLES = ROOT / "host-runtime" / "src" / "process" / "environment.def"
AREAS = {
    "exec": "What kernels are written with, run on the CPU device",
    "kernel-info": "What a kernel can be, and what its descriptor says",
    "diagnostics": "What is refused, and how it is said",
    "driver": "The command line",
    "embedding": "Device code in objects, archives, libraries and programs",
    "nvptx": "Code for NVIDIA GPUs",
    "amdgcn": "Code for AMD GPUs",
    "archs": "The command line with GPUs",
    "host-calls": "Device code calls the host",
    "cuda": "CUDA's and HIP's words, by `<xcc/cuda.h>` and `<xcc/hip.h>`",
    "mapping": "Members of objects",
    "jit": "Code generated where the program runs",
    "libraries": "Libraries that work unmodified",
    "debugging": "Debuggers and profilers",
    "x86": "x86's instructions on GPUs",
    "random": "Random programs, compared with the host",
    "cmake": "CMake and compiler caches",
    "install": "An installation",
}


def by_device(archs):
    """Names by what they name; a GPU's other names follow its own."""
    devices, device = {}, "CPU device"
    for arch in archs:
        if arch.startswith("generic"):
            device = "any device ([jit.md](jit.md))"
        elif arch.startswith("sm_"):
            device = "NVIDIA GPUs"
        elif arch.startswith("gfx"):
            device = "AMD GPUs"
        devices.setdefault(device, []).append(f"`{arch}`")
    return devices


def first_comment(path):
    words = []
    for line in path.read_text().splitlines():
        text = line.lstrip("/#; ").rstrip()
        if not line.startswith(("//", "#", ";")) or text.startswith(("RUN:", "REQUIRES:")):
            break
        if text.startswith(("===", "Part of the xcc project", "SPDX-")):
            continue
        if text:
            words.append(text)
    return " ".join(words).replace("|", "\\|").replace("<", "\\<")


def generate(xcc):
    archs = subprocess.run([xcc, "-print-offload-archs"], check=True,
                           capture_output=True, text=True).stdout.split()
    out = ["# What is supported", "",
           "Made by `docs/generate.py` from the compiler and the tests; each line has a test "
           "of that name that fails if it stops being true.", "",
           "## `--offload-arch=`", "", "| device | names |", "|---|---|"]
    out += [f"| {device} | {', '.join(names)} |" for device, names in by_device(archs).items()]
    for area, title in AREAS.items():
        out += ["", f"## {title}", "", f"| test/{area} | |", "|---|---|"]
        for path in sorted((ROOT / "test" / area).iterdir()):
            if path.suffix in (".cpp", ".test"):
                words = first_comment(path)
                if not words:
                    sys.exit(f"{path}: its first line does not say what it tests")
                out.append(f"| `{path.stem}` | {words} |")
    return "\n".join(out) + "\n"


def variables():
    """A row for each XCC_VARIABLE(name, values, meaning, at length)."""
    text = "".join(line for line in VARIABLES.read_text().splitlines(True)
                   if not line.startswith("//"))
    string = r'\s*"(?:[^"\\]|\\.)*"'
    rows = ["| variable | values | meaning |", "|---|---|---|"]
    for entry in re.findall(rf"XCC_VARIABLE\(((?:{string}|,)+)\)", text):
        name, values, *meanings = ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', argument))
                                   for argument in re.findall(rf"(?:{string})+", entry)]
        rows.append(f"| `{name}` | {values} | {meanings[-1]} |")
    if len(rows) - 2 != text.count("XCC_VARIABLE("):
        sys.exit(f"{VARIABLES}: an entry is not understood")
    return "\n".join(rows)


def with_variables(text):
    begin, end = "<!-- docs/generate.py: variables -->\n", "\n<!-- end -->"
    before, rest = text.split(begin)
    return before + begin + variables() + end + ("\n" + rest).split(end, 1)[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    settings = ROOT / "docs" / "settings.md"
    made = {ROOT / "docs" / "supported.md": generate(args.xcc),
            settings: with_variables(settings.read_text())}
    for target, text in made.items():
        if not args.check:
            target.write_text(text)
        elif not target.exists() or target.read_text() != text:
            sys.exit(f"docs/{target.name} is out of date: "
                     "run docs/generate.py --xcc build/bin/xcc")


if __name__ == "__main__":
    main()
