#!/usr/bin/env python3
# Errors of GPU math libraries, measured on the host
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A GPU's math library is LLVM bitcode, and nearly all of it is arithmetic that
# every machine does alike. This links our wrappers with a library, makes x86-64
# code of the result, with Inputs/shims.cpp for the GPUs' own instructions, and
# compares each function with the host's in higher precision.
#
#   measure.py --build build                        the table, as Markdown
#   measure.py --build build --update docs/math.md  and into the page
#   measure.py --build build --check --count 4000   or only whether the bounds of
#                                                   Inputs/functions.def hold

import argparse
import concurrent.futures
import glob
import math
import os
import re
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))


def run(*command, **options):
    try:
        return subprocess.run(command, check=True, **options)
    except OSError as error:
        sys.exit(f"measure.py: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.stderr or ''}measure.py: {command[0]} failed")


def find_libdevice():
    names = glob.glob("/usr/local/cuda*/nvvm/libdevice/libdevice.10.bc")
    names += glob.glob("/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc")
    return sorted(names)[-1] if names else None


# libdevice's inline assembly: by what it is known, and the function of
# shims.cpp that does the same.
ASSEMBLY = (
    ("setp.equ.f64", "double @shim.asm.select (double, double, double, double)"),
    ("{clo,chi}", "{ i64, i64 } @shim.asm.mad128 (i64, i64, i64)"),
    ("{alo,ahi}", "{ i64, i64 } @shim.asm.mul128 (i64, i64)"),
    ("add.cc.u32      r0", "{ i64, i64 } @shim.asm.add128 (i64, i64, i64, i64)"),
    ("sub.cc.u32      r0", "{ i64, i64 } @shim.asm.sub128 (i64, i64, i64, i64)"),
    ("rcp.approx.ftz.f32", "float @shim.asm.rcp.f32 (float)"),
    ("rsqrt.approx.ftz.f64", "double @shim.asm.rsqrt.f64 (double)"),
    ("sub.rn.f32", "float @shim.asm.sub.f32 (float, float)"),
    ("sub.rn.ftz.f32", "float @shim.asm.sub.ftz.f32 (float, float)"),
    ("mad.lo.cc.u32", "{ i32, i32 } @shim.asm.mad64 (i32, i32, i32, i32)"),
)
# What libclc has not.
OPTIONAL = ("j0", "j1", "y0", "y1")
DIVISION = "float @shim.fdiv.fpmath (float, float)"
ROOT = "float @shim.sqrt.fpmath (float)"

# In IR: C's functions return two small numbers in one register.
MAD64 = """
define internal { i32, i32 } @shim.asm.mad64(i32 %a, i32 %b, i32 %c, i32 %unused) {
  %a64 = zext i32 %a to i64
  %b64 = zext i32 %b to i64
  %c64 = zext i32 %c to i64
  %product = mul i64 %a64, %b64
  %sum = add i64 %product, %c64
  %low = trunc i64 %sum to i32
  %above = lshr i64 %sum, 32
  %high = trunc i64 %above to i32
  %one = insertvalue { i32, i32 } poison, i32 %low, 0
  %both = insertvalue { i32, i32 } %one, i32 %high, 1
  ret { i32, i32 } %both
}
"""


def name_of(function):
    return re.search(r"@[\w.]+", function)[0]


def assembly(match):
    for part, function in ASSEMBLY:
        if part in match[1]:
            return name_of(function)
    sys.exit(f"measure.py: no function in shims.cpp for: {match[1]}")


def reflected(text):
    """__nvvm_reflect answered as LLVM does by default, for sm_90."""
    strings = dict(re.findall(r'^(@\.str[.\w]*) = .*c"(__CUDA_\w+)', text, flags=re.M))
    return re.sub(r"call (?:noundef )?i32 @__nvvm_reflect\(ptr [a-z ]*(@[.\w]+)\)",
                  lambda m: "add i32 0, %d ;" % (900 * (strings[m[1]] == "__CUDA_ARCH")),
                  text)


def clamped_shifts(text):
    """PTX shifts by any amount; libdevice counts on it."""
    for kind in ("shl", "lshr"):
        for bits in (32, 64):
            text = re.sub(
                rf"= {kind} (?:nuw |nsw |exact )*i{bits} ([^ ,]+), (%[^ ,\n]+)",
                rf"= call i{bits} @shim.{kind}.i{bits}(i{bits} \1, i{bits} \2)", text)
            text += f"""
define internal i{bits} @shim.{kind}.i{bits}(i{bits} %x, i{bits} %n) alwaysinline {{
  %inside = icmp ult i{bits} %n, {bits}
  %amount = select i1 %inside, i{bits} %n, i{bits} 0
  %shifted = {kind} i{bits} %x, %amount
  %result = select i1 %inside, i{bits} %shifted, i{bits} 0
  ret i{bits} %result
}}
"""
    return text


def inexact_divisions(text):
    """Divisions and square roots that need not be correctly rounded."""
    text = re.sub(
        r"= fdiv (?:[a-z]+ )*float ([^,]+), ([^,]+), !fpmath ![0-9]+",
        r"= call float @shim.fdiv.fpmath(float \1, float \2)", text)
    return re.sub(
        r"call (?:[a-z]+ )*float @llvm\.sqrt\.f32(\([^)]*\))[^,\n]*, !fpmath",
        r"call float @shim.sqrt.fpmath\1, !unused", text)


def for_host(text, target):
    """A GPU's module, as text, made one for the host."""
    text = reflected(text)
    text = re.sub(r"^target (datalayout|triple).*\n", "", text, flags=re.M)
    text = re.sub(r"^.*@llvm\.lifetime\..*\n", "", text, flags=re.M)
    text = re.sub(r"^define hidden", "define", text, flags=re.M)
    # One address space.
    text = re.sub(r",? ?addrspace\(\d+\)", "", text)
    text = re.sub(r"addrspacecast \(ptr (@[^ ]+) to ptr\)", r"\1", text)
    text = text.replace("addrspacecast ptr", "bitcast ptr")
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    # The GPUs' instructions are functions of shims.cpp.
    text = re.sub(r"@llvm\.(nvvm|amdgcn|ldexp)\.", r"@shim.\1.", text)
    text = re.sub(r'asm (?:sideeffect )?"([^"]*)", "[^"]*"', assembly, text)
    # GPUs' conversions saturate, and make 0 of NaNs.
    types = {"float": "f32", "double": "f64"}
    text = re.sub(
        r"= (fpto[su]i) (float|double) ([^ ]+) to (i\d+)",
        lambda m: f"= call {m[4]} @llvm.{m[1]}.sat.{m[4]}.{types[m[2]]}({m[2]} {m[3]})",
        text)
    for function in sorted(set(re.findall(r"call (i\d+ @llvm\.fpto[^ ]+\(\w+) ", text))):
        text += f"\ndeclare {function})\n"
    if target == "nvptx":
        text = clamped_shifts(text)
    if target == "amdgcn":  # NVPTX knows no inexact ones.
        text = inexact_divisions(text)
    for function in {f for _, f in ASSEMBLY} | {DIVISION, ROOT}:
        name = name_of(function)
        if name == "@shim.asm.mad64":
            text += MAD64
        elif f"declare {function.replace(' (', '(')}" not in text:
            text += f"\ndeclare {function.replace(' (', '(')}\n"
    return text


class Library:
    """A math library as it is linked for a GPU."""

    def __init__(self, column, target, wrappers, bitcode):
        self.column, self.target = column, target
        self.wrappers, self.bitcode = wrappers, bitcode

    def shared_library(self, build, work, tool):
        name = os.path.join(work, re.sub(r"\W+", "-", self.column))
        # Of our C library what computes.
        folder = f"{build}/device-runtime/gpu/gpu-libc-{self.target}.dir"
        own = [path for path in glob.glob(f"{folder}/*.bc")
               if re.match("math_|complex|int128", os.path.basename(path))]
        run(tool("llvm-link"), *sorted(own), f"{build}/lib/xcc/{self.wrappers}.bc", "-o", name + ".own.bc")
        run(tool("llvm-link"), "--only-needed", name + ".own.bc", self.bitcode,
            "-o", name + ".bc", stderr=subprocess.PIPE, text=True)
        text = run(tool("llvm-dis"), name + ".bc", "-o", "-",
                   capture_output=True, text=True).stdout
        with open(name + ".ll", "w") as file:
            file.write(for_host(text, self.target))
        # GPUs contract llvm.fmuladd, so do hosts with FMA.
        run(tool("clang"), "--target=x86_64-pc-linux-gnu", "-march=x86-64-v3",
            "-O2", "-fPIC", "-shared", "-Wno-override-module", name + ".ll",
            "-Wl,-Bsymbolic", "-Wl,-z,defs", os.path.join(work, "libshims.so"),
            "-Wl,-rpath," + work, "-lm", "-lstdc++", "-o", name + ".so")
        return name + ".so"


def between(best, worst):
    numbers = best not in "-=" and worst not in "-="
    return f"{best} to {worst}" if numbers and float(worst) > float(best) else best


def table(best, worst, columns):
    """The program's lines as Markdown: float and double in one line; where
    approximate instructions matter, both ends of what they may lead to."""
    numbers = {}
    for low, high in zip(best, worst):
        name, kind, *lows = low.split()
        highs = high.split()[2:]
        numbers.setdefault(name, {})[kind] = [
            between(a, b) for a, b in zip(lows, highs)]
    titles = [f"{c} {t}" for c in columns for t in ("float", "double")]
    out = ["| | " + " | ".join(titles) + " |", "|---" * (len(titles) + 1) + "|"]
    exact = []
    for name, kinds in numbers.items():
        cells = [kinds[t][i] if t in kinds else "" for i in range(len(columns))
                 for t in ("float", "double")]
        if set(cells) <= {"=", ""}:
            exact.append(f"`{name}`")
        else:
            out.append(f"| `{name}` | " + " | ".join(cells) + " |")
    out += ["", "The same as the host's, bit by bit: " + ", ".join(exact) + "."]
    return "\n".join(out) + "\n"


def bounds():
    """functions.def's bounds by (function, type, target)."""
    with open(f"{here}/Inputs/functions.def") as file:
        lines = re.findall(r"^XCC_(?:ROUNDED|MEASURED)_\d\((\w+),(.*)\)$", file.read(), flags=re.M)
    found = {}
    for name, rest in lines:
        pairs = re.findall(r"\(([^,()]+), ([^()]+)\)", rest)[-2:]
        for target, pair in zip(("nvptx", "amdgcn"), pairs):
            for kind, bound in zip(("float", "double"), pair):
                found[name, kind, target] = float(bound)
    return found


def complaints(lines, libraries):
    """Errors beyond the bounds, 0 for functions without one."""
    limits = bounds()
    for line in lines:
        name, kind, *errors = line.split()
        for error, library in zip(errors, libraries):
            limit = limits.get((name, kind, library.target), 0)
            value = {"=": 0, "-": 0 if name in OPTIONAL else math.inf}.get(error)
            value = float(error) if value is None else value
            if not value <= limit:
                yield f"{library.column}: {name} {kind}: {error}, bound {limit:g}"


def update(page, text):
    with open(page) as file:
        old = file.read()
    new, found = re.subn(r"(<!-- measured -->\n).*?(<!-- end -->)",
                         lambda m: m[1] + text + m[2], old, flags=re.S)
    if not found:
        sys.exit(f"measure.py: {page} has no <!-- measured --> ... <!-- end -->")
    with open(page, "w") as file:
        file.write(new)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="where xcc was built")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22", help="LLVM 22")
    parser.add_argument("--libdevice", default=find_libdevice())
    parser.add_argument("--libclc", default="/usr/lib/clc", help="libclc's folder")
    parser.add_argument("--count", default="1000000", help="inputs a function")
    parser.add_argument("--keep", help="a folder for all that is made on the way")
    parser.add_argument("--check", action="store_true", help="no table, but the bounds")
    parser.add_argument("--update", help="the page whose table is renewed")
    options = parser.parse_args()
    tool = lambda name: os.path.join(options.llvm, "bin", name)

    libraries = [
        Library("libdevice", "nvptx", "math-libdevice-nvptx", options.libdevice),
        Library("libclc, NVIDIA", "nvptx", "math-libclc-nvptx",
                os.path.join(options.libclc, "nvptx64--.bc")),
        Library("libclc, AMD", "amdgcn", "math-libclc-amdgcn",
                os.path.join(options.libclc, "gfx90a-amdgcn--.bc")),
    ]
    libraries = [l for l in libraries if l.bitcode and os.path.exists(l.bitcode)]
    if not libraries:
        sys.exit("measure.py: neither libdevice.10.bc nor libclc is here; "
                 "name one with --libdevice or --libclc")

    with tempfile.TemporaryDirectory() as scratch:
        work = os.path.abspath(options.keep or scratch)
        os.makedirs(work, exist_ok=True)
        inputs = os.path.join(here, "Inputs")
        compiler = [tool("clang++"), "-std=c++20", "-march=x86-64-v3",
                    "-ffp-contract=off", "-D_GNU_SOURCE"]
        run(*compiler, "-O2", "-fPIC", "-shared", f"{inputs}/shims.cpp", "-lm",
            "-o", f"{work}/libshims.so")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            # The check's few inputs are not worth an optimised program.
            program = pool.submit(run, *compiler, "-O0" if options.check else "-O2",
                                  f"{inputs}/measure.cpp", "-lm", "-o", f"{work}/measure")
            paths = list(pool.map(
                lambda l: l.shared_library(options.build, work, tool), libraries))
            program.result()
        measure = lambda **variables: run(
            f"{work}/measure", options.count, *paths, text=True,
            stdout=subprocess.PIPE, env={**os.environ, **variables}).stdout.splitlines()
        worst = measure()
        if options.check:
            bad = list(complaints(worst, libraries))
            print("\n".join(bad) or f"{len(worst)} functions are within their bounds")
            sys.exit(bool(bad))
        best = measure(SHIMS_BEST="1")
    text = table(best, worst, [l.column for l in libraries])
    print(text, end="")
    if options.update:
        update(options.update, text)


if __name__ == "__main__":
    main()
