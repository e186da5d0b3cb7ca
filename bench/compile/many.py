#!/usr/bin/env python3
# Compile and link times of many small kernels
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/compile/many.py --build DIR [--counts N ...] [--shapes NAME ...]
#
# One file of so many kernels, launched from 100 functions, for the CPU device:
# the processor time of `-c` and of the link. The last column is clang++ -O2 -c of
# as many functions of the same loops. Markdown goes to standard output.

import argparse
import pathlib
import tempfile

import large

STEP = "p[i] = p[i] * {0}.5f + {1};"
INDEX = "if (int i = xcc::global_id(); i < n) "
BARRIER = ("static xcc::block_shared<float[256]> tile; int i = xcc::thread_idx().x; tile[i] = p[xcc::global_id()]; "
           "xcc::sync_block(); p[xcc::global_id()] = tile[255 - i] * {0}.5f;")
SHAPES = {  # what stands before main, and the kernel
    "map": ("void k{0}(int n, float *p) {{ " + INDEX + STEP + " }}", "k{0}, n, p"),
    "barrier": ("void k{0}(int n, float *p) {{ " + BARRIER + " }}", "k{0}, n, p"),
    "lambda": ("", "[=] {{ " + INDEX + STEP + " }}"),
    "template": ("", "body<{0}>, n, p"),
}
TEMPLATE = ("template <int N> void body(int n, float *p) { " + INDEX +
            "for (int j = 0; j < N % 5; ++j) p[i] = p[i] * N + j; }")
LOOP = ("__attribute__((noinline)) void k{0}(int n, float *p) {{ for (int i = 0; i < n; ++i) " + STEP + " }}")


def source_of(count, first, call, before):
    """A file of `count` kernels, and of the functions that launch them."""
    lines = [before] + [first.format(i, i % 7) for i in range(count)]
    for f in range(100):
        lines += [f"void f{f}(int n, float *p) {{", *[call.format(i, i % 7) for i in range(f, count, 100)], "}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Compile and link times of many small kernels.")
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--counts", nargs="+", type=int, default=[500, 1000, 2000, 5000])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--clang", default="clang++-22")
    args = parser.parse_args()
    xcc = args.build.resolve() / "bin" / "xcc"
    print("| kernels | `-c` | link | link, per kernel | clang++ -c of plain loops |\n" + "|---" * 5 + "|")
    with tempfile.TemporaryDirectory() as folder:
        kernels, loops, code = (pathlib.Path(folder) / name for name in ("kernels.cpp", "loops.cpp", "code.o"))
        for count in args.counts:
            loops.write_text(source_of(count, LOOP, "  k{0}(n, p);", ""))
            floor = large.processor_time([args.clang, "-O2", "-c", loops, "-o", code])
            for shape in args.shapes:
                first, kernel = SHAPES[shape]
                kernels.write_text(source_of(count, first, "  xcc::launch({{{{(n + 255) / 256}}, {{256}}}}, " + kernel +
                                             ");", "#include <xcc/xcc.h>\nint main() {}\n" + TEMPLATE))
                compiled = large.processor_time([xcc, "-O2", "-c", kernels, "-o", code])
                linked = large.processor_time([xcc, "-O2", "-fno-offload-cache", code, "-o", f"{folder}/program"])
                print(f"| {count} {shape} | {compiled:.1f} s | {linked:.1f} s | {1000 * linked / count:.1f} ms "
                      f"| {floor:.1f} s |", flush=True)


if __name__ == "__main__":
    main()
