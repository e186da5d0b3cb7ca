#!/usr/bin/env python3
# Every benchmark, each beside its peer, in one run
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/run.py --build DIR [--only compile,kernels,start,scale,launch,graphs,algorithms]
#
# Sides take turns, and what is reported is the ratio of their best times, so
# that a busy machine hurts both. Writes Markdown to standard output; progress
# goes to standard error.

import argparse
import itertools
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def run(*command, **options):
    result = subprocess.run([str(c) for c in command], capture_output=True,
                            text=True, **options)
    if result.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def wall(command, times):
    """Seconds of each of `times` runs, after one that warms caches."""
    run(*command)
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run(*command)
        seconds.append(time.perf_counter() - start)
    return seconds


def largest_size(command):
    """Seconds of a run, and MiB of the largest of its processes."""
    start = time.perf_counter()
    child = subprocess.Popen([str(c) for c in command])
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return time.perf_counter() - start, used.ru_maxrss / 1024


def take_turns(sides, rounds, times=3):
    """The fastest wall time of each command, sides alternating."""
    best = {name: math.inf for name in sides}
    for _ in range(rounds):
        for name, command in sides.items():
            best[name] = min(best[name], *wall(command, times))
    return best


def table(title, note, header, rows):
    print(f"### {title}\n\n{note}\n")
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def compile_time(tools, scratch):
    source = HERE / "compile"
    sides = {
        "clang++": [tools.clang, "-O2", source / "saxpy_host.cpp", "-o", scratch / "host"],
        "xcc": [*fresh(tools), source / "saxpy.cpp", "-o", scratch / "both"],
        "clang++ (no kernel)": [tools.clang, "-O2", "-c", source / "saxpy_host.cpp", "-o", scratch / "h.o"],
        "xcc (no kernel)": [tools.xcc, "-O2", "-c", source / "saxpy_host.cpp", "-o", scratch / "h.o"],
    }
    best = take_turns(sides, 5)
    table("Compiling", "One step, source to program; and -c of a file without kernels.",
          ["what", "clang++ -O2", "xcc -O2", "xcc / clang++"],
          [["saxpy, host and CPU device", f"{best['clang++']:.3f} s", f"{best['xcc']:.3f} s",
            f"{best['xcc'] / best['clang++']:.2f}"],
           ["the same without kernels, -c", f"{best['clang++ (no kernel)']:.3f} s",
            f"{best['xcc (no kernel)']:.3f} s",
            f"{best['xcc (no kernel)'] / best['clang++ (no kernel)']:.2f}"]])


def fresh(tools):
    """xcc, of which each run generates all code."""
    return [tools.xcc, "-O2", "-fno-offload-cache"]


def many_loops(count):
    """What many_kernels has, as loops of OpenMP's."""
    lines = []
    for i in range(count):
        lines.append(f"void k{i}(int n, float a, float *p) {{\n#pragma omp parallel for\n"
                     f"for (int i = 0; i < n; ++i) p[i] = p[i] * a + {i}.0f; }}")
    lines.append("int main(int argc, char **argv) { if (argc > 1) {")
    lines += [f"k{i}(argc, 1.0f, (float *)argv);" for i in range(count)]
    lines.append("} }\n")
    return "\n".join(lines)


def many_kernels(count):
    lines = ["#include <xcc/xcc.h>"]
    for i in range(count):
        lines.append(f"void k{i}(int n, float a, float *p) {{ int i = xcc::global_id();"
                     f" if (i < n) p[i] = p[i] * a + {i}.0f; }}")
    lines.append("int main(int argc, char **argv) { if (argc > 1) {")
    for i in range(count):
        lines.append(f"xcc::launch({{{{1}}, {{1}}}}, k{i}, argc, 1.0f, (float *)argv);")
    lines.append("} }\n")
    return "\n".join(lines)


def scale(tools, scratch):
    rows, previous = [], None
    for count in (250, 500, 1000, 2000):
        source = scratch / f"many{count}.cpp"
        source.write_text(many_kernels(count))
        seconds = min(wall([*fresh(tools), source, "-o", scratch / f"many{count}"], 2))
        rows.append([str(count), f"{seconds:.2f} s", f"{1e3 * seconds / count:.2f} ms",
                     f"{seconds / previous:.2f}" if previous else ""])
        previous = seconds
    table("Many kernels in one translation unit", "xcc -O2, one step. Twice the kernels "
          "should take twice the time.",
          ["kernels", "time", "per kernel", "to the row before"], rows)
    beside_openmp(tools, scratch)


def beside_openmp(tools, scratch):
    rows = []
    for count in (500, 1000):
        loops, many = scratch / f"loops{count}.cpp", scratch / f"many{count}.cpp"
        loops.write_text(many_loops(count))
        many.write_text(many_kernels(count))
        sides = {"clang++ -fopenmp": [tools.clang, "-O2", "-fopenmp", loops, "-o", scratch / "loops"],
                 "xcc": [*fresh(tools), many, "-o", scratch / "many"]}
        best = {name: (math.inf, math.inf) for name in sides}
        for _ in range(3):
            for name, command in sides.items():
                best[name] = tuple(map(min, best[name], largest_size(command)))
        peer = best["clang++ -fopenmp"]
        for name, (seconds, size) in best.items():
            rows.append([str(count), name, f"{seconds:.2f} s", f"{1e3 * seconds / count:.1f} ms",
                         f"{seconds / peer[0]:.2f}", f"{size:.0f} MiB", f"{size / peer[1]:.2f}"])
    table("Many kernels beside as many loops of OpenMP's", "-O2, one step; the least of three turns. The size is the "
          "largest process's.",
          ["kernels", "compiler", "time", "per kernel", "to clang++", "size", "to clang++"], rows)


def start(tools, scratch):
    source = scratch / "many1000.cpp"
    source.write_text(many_kernels(1000))
    run(tools.xcc, "-O2", source, "-o", scratch / "many1000")
    none = scratch / "none.cpp"
    none.write_text("int main() {}\n")
    run(tools.xcc, "-O2", none, "-o", scratch / "none")
    best = take_turns({"none": [scratch / "none"], "many": [scratch / "many1000"]}, 10, 20)
    extra = 1e3 * (best["many"] - best["none"])
    table("Start-up", "Processes that start and end; nothing is launched.",
          ["no kernel", "1,000 kernels", "difference"],
          [[f"{1e3 * best['none']:.2f} ms", f"{1e3 * best['many']:.2f} ms", f"{extra:.2f} ms"]])


KERNELS = ["saxpy", "triad", "stencil", "nbody", "matmul", "reduction", "dot", "histogram", "uneven",
           "rows", "through", "mixed", "sum", "warps", "blocks", "product", "planes",
           "count"]
# With -ffast-math, and clang++ with -fveclib=libmvec as well, which xcc has by itself.
FAST_KERNELS = ["root", "exp"]


def kernels(tools, scratch):
    source = HERE / "cpu"
    common = ["-O3", "-march=native", "-std=c++20", source / "main.cpp"]
    for suffix, clangs, xccs in (("", [], []), ("-fast", ["-ffast-math", "-fveclib=libmvec"], ["-ffast-math"])):
        run(tools.clang, *common, *clangs, "-fopenmp", source / "kernels_omp.cpp", "-o", scratch / ("omp" + suffix))
        run(tools.xcc, *common, *xccs, "-offload-arch=native", source / "kernels_xcc.cpp", "-o",
            scratch / ("xcc" + suffix))
    rows, ratios = [], []
    for kernel in KERNELS + FAST_KERNELS:
        print(f"  {kernel}", file=sys.stderr)
        suffix = "-fast" if kernel in FAST_KERNELS else ""
        best = {"omp": math.inf, "xcc": math.inf}
        for _ in range(5):
            for side in best:
                best[side] = min(best[side], float(run(scratch / (side + suffix), kernel, "0.5")))
        ratio = best["omp"] / best["xcc"]
        ratios.append(ratio)
        name = kernel + (", -ffast-math" if suffix else "")
        rows.append([name, f"{1e3 * best['omp']:.3f} ms", f"{1e3 * best['xcc']:.3f} ms", f"{ratio:.2f}"])
    rows.append(["geometric mean", "", "", f"{statistics.geometric_mean(ratios):.2f}"])
    table("Kernels on the CPU device", "Against clang++ -O3 -march=native -fopenmp; above 1, xcc is "
          "faster. Best of five alternating runs.", ["kernel", "OpenMP", "xcc", "speed-up"], rows)


def launch(tools, scratch):
    binary = scratch / "launch"
    source = HERE / "launch"
    run(tools.clang, "-O2", "-fopenmp", "-c", source / "empty_omp.cpp", "-o", scratch / "omp.o")
    run(tools.xcc, "-O2", "-std=c++20", source / "empty_xcc.cpp", "-o", binary)
    run(tools.clang, "-O2", "-fopenmp", scratch / "omp.o", "-o", scratch / "launch-omp")
    best = {"omp": math.inf, "xcc": math.inf}
    for _ in range(7):
        best["omp"] = min(best["omp"], float(run(scratch / "launch-omp")))
        best["xcc"] = min(best["xcc"], float(run(binary)))
    table("Empty launch and synchronise", "Median of 20,000 calls, best of seven alternating runs.",
          ["empty `omp parallel for`", "empty launch + synchronise", "xcc / OpenMP"],
          [[f"{1e9 * best['omp']:.0f} ns", f"{1e9 * best['xcc']:.0f} ns", f"{best['xcc'] / best['omp']:.2f}"]])


def graphs(tools, scratch):
    binary = scratch / "graph"
    run(tools.xcc, "-O2", "-std=c++20", "-I", HERE / "launch", HERE / "launch" / "graph.cpp", "-o", binary)
    best = [math.inf] * 4
    for _ in range(7):
        best = [min(pair) for pair in zip(best, map(float, run(binary).split()))]
    table("Graphs", "Fifty kernels of 16 threads in each block and the wait for them, launched one by one and replayed "
          "as one graph (bench/launch/graph.cpp). Medians of 20,000, best of seven runs.",
          ["blocks of each", "50 launches", "replay", "replay / launches"],
          [[name, f"{1e6 * a:.2f} us", f"{1e6 * b:.2f} us", f"{b / a:.2f}"]
           for name, a, b in (("1", *best[:2]), ("one for each core", *best[2:]))])


def algorithms(tools, scratch):
    source = HERE / "algorithms"
    sides = {"tbb": scratch / "algorithms-tbb", "xcc": scratch / "algorithms-xcc"}
    run("g++", "-O3", "-march=native", "-std=c++20", source / "algorithms_tbb.cpp", "-ltbb", "-o", sides["tbb"])
    run(tools.xcc, "-O3", "-march=native", "-std=c++20", source / "algorithms_xcc.cpp", "-o", sides["xcc"])
    best = {side: {} for side in sides}
    # Short turns: what else the machine does hits both sides.
    asked = [(kind, count) for count in ("100000", "10000000") for kind in ("int", "float", "double", "struct")]
    for what, _, (side, binary) in itertools.product(asked, range(10), sides.items()):
        for line in run(binary, *what).splitlines():
            *name, seconds = line.split()
            name = tuple(name)
            best[side][name] = min(best[side].get(name, math.inf), float(seconds))
    rows = []
    for algorithm, kind, count in best["xcc"]:
        sides = [best[side][algorithm, kind, count] for side in ("tbb", "xcc")]
        rows.append([algorithm, kind, f"{int(count):,}", *(f"{1e3 * seconds:.3f} ms" for seconds in sides),
                     f"{sides[0] / sides[1]:.2f}"])
    table("Algorithms on the CPU device", "Beside `std::execution::par` of libstdc++ with TBB; the histogram beside one "
          "written with `tbb::parallel_reduce`. The struct has 16 bytes. The fastest of ten alternating runs.",
          ["algorithm", "of", "elements", "libstdc++ with TBB", "xcc", "TBB's time / xcc's"], rows)


def machine():
    name = platform.processor()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            name = line.split(":", 1)[1].strip()
            break
    return f"{name}, {len(os.sched_getaffinity(0))} cores, {platform.system()} {platform.release()}"


BENCHMARKS = {"compile": compile_time, "scale": scale, "start": start, "launch": launch, "graphs": graphs,
              "kernels": kernels, "algorithms": algorithms}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--only", default=",".join(BENCHMARKS))
    parser.add_argument("--clang", default="clang++-22")
    tools = parser.parse_args()
    tools.xcc = tools.build.resolve() / "bin" / "xcc"
    print(f"Measured on {time.strftime('%Y-%m-%d')}: {machine()}.\n")
    with tempfile.TemporaryDirectory() as scratch:
        for name in tools.only.split(","):
            print(name, file=sys.stderr)
            BENCHMARKS[name](tools, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
