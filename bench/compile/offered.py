#!/usr/bin/env python3
# What offering its code to kernels of other files costs a unit
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/compile/offered.py --build DIR [--work DIR] [--repeat 5] [NAME...]
#
# Every unit of the libraries of test/libraries/run.py with -foffload-export and without,
# and two units of 5,000 lines (lines) whose functions use containers, streams and regular
# expressions, one of which includes <xcc/xcc.h>; on two cores, the sides taking turns.
# The ratio of the best times and that of the sizes of objects, of all units together, with
# the largest size of a unit in parentheses. Writes Markdown to standard output.

import argparse
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "test" / "libraries"))
import catalogue  # noqa: E402
import run as libraries  # noqa: E402


def host_only(path, lines=5000):
    text = ["#ifdef OFFER", "#include <xcc/xcc.h>", "#endif", "#include <iostream>", "#include <map>",
            "#include <regex>", "#include <string>", "#include <vector>"]
    bodies = [
        "std::map<std::string, int> f{0}(const std::vector<std::string> &list) {{",
        "  std::map<std::string, int> found;",
        "  for (const std::string &text : list)",
        "    found[text + \"{0}\"] += int(text.size()) + {0};",
        "  return found;", "}}",
        "void g{0}(const std::map<std::string, int> &found) {{",
        "  for (auto &[text, count] : found)",
        "    std::cout << text << ' ' << count + {0} << '\\n';", "}}"]
    number = 0
    while len(text) < lines:
        text += [line.format(number) for line in bodies]
        if number % 50 == 0:
            text.append(f"bool h{number}(const std::string &s) {{ "
                        f"return std::regex_search(s, std::regex(\"a{number}[bc]+\")); }}")
        number += 1
    path.write_text("\n".join(text) + "\n")
    return path


def compile_once(xcc, source, output, options):
    begin = time.monotonic()
    libraries.compile_unit(xcc, source, output, options)
    return time.monotonic() - begin, output.stat().st_size


def measure(args, units, options, with_it):
    """The sums of best times and sizes without and with it, and the largest ratio of sizes."""
    total, worst = [0, 0, 0, 0], 0
    for source in units:
        best = [float("inf")] * 2
        sizes = [0, 0]
        for _ in range(args.repeat):
            for side, extra in enumerate(([], with_it)):
                took, sizes[side] = compile_once(args.xcc, source, args.work / "offered.o", options + extra)
                best[side] = min(best[side], took)
        for side in range(2):
            total[side] += best[side]
            total[2 + side] += sizes[side]
        worst = max(worst, sizes[1] / sizes[0])
    return f"{total[1] / total[0]:.2f} | {total[3] / total[2]:.2f} ({worst:.2f})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/xcc-libraries"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.xcc = args.build.resolve() / "bin" / "xcc"
    args.work.mkdir(parents=True, exist_ok=True)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    rows = []
    for name, library in catalogue.LIBRARIES.items():
        if library.kind != catalogue.SOURCES or (args.names and name not in args.names):
            continue
        try:
            folder = libraries.fetch(library, args.work)
        except libraries.NotFetched as reason:
            print(f"{name}: left out, {reason}", file=sys.stderr)
            continue
        units = libraries.sources_of(library, folder)
        rows.append((f"{name}, {len(units)} unit{'s'[:len(units) > 1]}", units,
                     libraries.includes_of(library, folder), ["-foffload-export"]))
    if not args.names or "lines" in args.names:
        unit = host_only(args.work / "host_only.cpp")
        rows.append(("5,000 lines, `-foffload-export`", [unit], ["-std=c++20"], ["-foffload-export"]))
        rows.append(("5,000 lines, `<xcc/xcc.h>`", [unit], ["-std=c++20"], ["-DOFFER"]))
    print("| | time, -O0 | size (largest) | time, -O2 | size (largest) |\n|---|---|---|---|---|")
    for title, units, options, with_it in rows:
        print(f"| {title} | " + " | ".join(measure(args, units, [*options, level], with_it)
                                          for level in ("-O0", "-O2")) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
