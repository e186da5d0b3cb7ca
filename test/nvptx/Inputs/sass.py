#!/usr/bin/env python3
# What ptxas makes wrong of PTX that its definition allows
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   sass.py [--arch sm_75,sm_90] [--levels 0,3] FILE.ptx...
#   sass.py --xcc XCC [--arch sm_75,sm_90] [--levels 0,2] FILE.cpp...
#
# (A program is compiled at each level with the options of its RUN line. Those of
# test/random write one with --print.)
#
# Assembles PTX, disassembles the cubin, prints what is wrong, and ends with status
# 1 then. nvdisasm is taken from PATH, CUDA's folder, or the Python package
# nvidia-cuda-nvdisasm. What is looked for:
#
# - Conversions (F2I, I2F, F2F and their packed forms). Each line of the PTX is made
#   a source line of its own, and says which a conversion comes from. Those of a cvt
#   are meant, and those of a quotient or another function that takes several
#   instructions; one of a store, a load, a copy or a choice is not.
# - Accesses of a function's frame before the register is set that addresses it.

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

import nvdisasm

# What may convert without saying so: ptxas has no single instruction for it. What
# it calls for that comes behind the function's end.
CONVERTS = re.compile(
    r"\b(cvt|div|rem|set|slct|rcp|sqrt|rsqrt|ex2|lg2|sin|cos|tanh|call|ret|exit"
    r"|(add|sub|mul|mad|fma|min|max|neg|abs|atom|red)\.\S*(f16|f64|f32))\b")
CONVERSION = re.compile(r"\b(?:F2I|I2F|F2F|I2I|FRND)\S*")
# FRND rounds and I2I saturates: neither is looked for.
LOOKED_FOR = ("F2I", "I2F", "F2F")
INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(.*?);")


def numbered(ptx):
    """The text whose lines are those of a source file named `ptx`."""
    lines, body, ended = [], False, True
    for number, line in enumerate(ptx.split("\n"), 1):
        bare = line.split("//")[0].strip()
        if re.match(r"\.(loc|file)\b", bare):
            line = bare = ""
        if re.match(r"\t\.section\b", line):
            break
        if body and ended and re.match(r"[a-z@{]", bare) and not re.match(r"\S+\s*:", bare):
            lines.append(f".loc 1 {number} 0")
        lines.append(line)
        if line.startswith("{"):
            body = True
        elif line.startswith("}"):
            body = False
        if bare:
            ended = bare[-1] in ";{}:"
    return "\n".join([*lines, '.file 1 "ptx"', ""])


def conversions(sass):
    """Pairs of a conversion and the line that it comes from."""
    line = 0
    for each in sass.split("\n"):
        if found := re.search(r'//## File ".*", line (\d+)', each):
            line = int(found[1])
        elif found := INSTRUCTION.search(each):
            conversion = CONVERSION.search(found[1])
            if conversion and conversion[0].startswith(LOOKED_FOR):
                yield conversion[0], line


def astray(sass):
    """Pairs of a function and an access by R2 before that is the frame's address.

    The stack pointer, R1, becomes R2 where a function allocates. Where R2 is never
    set, the caller has set it."""
    name, early = "", None
    for each in sass.split("\n"):
        if found := re.match(r"([^\s.][^\s:]*):$", each):
            name, early, unset = found[1], None, True
        elif (found := INSTRUCTION.search(each)) and name and unset:
            text = found[1].strip()
            if re.match(r"(STL|LDL)\S* .*\[R2\b", text):
                early = early or text
            elif re.match(r"\S+ R2,", text):
                unset = False
                if early and re.match(r"\S*MOV\S* R2, (RZ, RZ, )?R1$", text):
                    yield name, early


def faults(ptx, arch, level, programs):
    """What is wrong, as text; with the lines of PTX where these are known."""
    lines = ptx.split("\n")
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = os.path.join(folder, "x.ptx"), os.path.join(folder, "x.cubin")
        with open(source, "w") as file:
            file.write(numbered(ptx))
        done = subprocess.run([programs[0], "-lineinfo", "-arch", arch, "-O" + level, source,
                               "-o", cubin], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"ptxas -arch {arch}: {done.stdout}{done.stderr}")
        sass = subprocess.run([programs[1], "-g", "-c", cubin], check=True, capture_output=True,
                              text=True).stdout
    converted = collections.Counter(
        (line, conversion) for conversion, line in conversions(sass)
        if not line or not CONVERTS.search(lines[line - 1]))
    for (line, conversion), times in sorted(converted.items()):
        yield f"line {line}: {times} {conversion} of: {lines[line - 1].strip()}"
    for name, access in astray(sass):
        yield f"{name}: before its register is set: {access}"


def compiled(name, xcc, arch, level):
    """The PTX of a program."""
    with open(name) as file:
        run = re.search(r"// RUN: %xcc (.*?)%s", file.read())
    flags = [flag for flag in (run[1].split() if run else [])
             if not flag.startswith(("-O", "-offload-arch"))]
    headers = os.path.join(os.path.dirname(__file__), "..", "..", "random", "Inputs")
    done = subprocess.run([xcc, "-std=c++20", "-w", "-Wno-c++11-narrowing", "-I", headers, *flags,
                           "-O" + level, "-S", "-o", "-",
                           "-foffload-device-only", "-offload-arch=" + arch, name],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--levels", default="3")
    parser.add_argument("--xcc", default="xcc")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
    parser.add_argument("--nvdisasm", default=nvdisasm.find())
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    if not args.nvdisasm:
        raise SystemExit("there is no nvdisasm: pip install nvidia-cuda-nvdisasm")
    wrong = False
    for name in args.files:
        for arch in args.arch.split(","):
            for level in args.levels.split(","):
                if name.endswith(".ptx"):
                    with open(name) as file:
                        ptx = file.read()
                else:
                    ptx = compiled(name, args.xcc, arch, level)
                for fault in faults(ptx, arch, level, (args.ptxas, args.nvdisasm)):
                    wrong = True
                    print(f"{name}: {arch} -O{level}: {fault}")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
