#!/usr/bin/env python3
"""Compiles and runs each program of docs/tutorial.md, and compares what it prints.

    tutorial.py --xcc XCC --filecheck FILECHECK --work FOLDER [--options OPTIONS]
                [--environment "NAME=VALUE ..."]... TUTORIAL

A program is a block of ```cpp, and the block of ```text behind it what it prints. It is run in
each environment. What an error says there is the CPU device's: its name, and what follows the
text, are others elsewhere.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

DEVICE = re.compile(r"(failed on device 0) \(host\): (.*); in blocks .*")
PROGRAM = re.compile(r"^```cpp\n(.*?)^```\n```text\n(.*?)^```$", re.M | re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--filecheck", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--options", type=shlex.split, default=[])
    parser.add_argument("--environment", type=shlex.split, action="append")
    parser.add_argument("tutorial", type=pathlib.Path)
    args = parser.parse_args()
    text = args.tutorial.read_text()
    found = PROGRAM.findall(text)
    headings = re.findall(r"^## (\d+)\. ", text, re.M)
    if len(found) != len(headings) or text.count("```cpp") != len(found):
        sys.exit(f"{len(headings)} steps, {len(found)} programs with what they print")
    args.work.mkdir(parents=True, exist_ok=True)
    for number, (program, printed) in enumerate(found, 1):
        source = args.work / f"step{number}.cpp"
        source.write_text(program)
        binary = args.work / f"step{number}"
        subprocess.run([args.xcc, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror",
                        *args.options, source, "-o", binary], check=True)
        expected = args.work / f"step{number}.expected"
        lines = [DEVICE.sub(r"\1 ({{.*}}): \2{{.*}}", line).replace("step.cpp", f"{{{{.*}}}}step{number}.cpp")
                 for line in printed.splitlines()]
        expected.write_text("".join(f"CHECK{'-NEXT' * bool(i)}: {{{{^}}}}{line}{{{{$}}}}\n"
                                    for i, line in enumerate(lines)))
        for each in args.environment or [[]]:
            ran = subprocess.run(["env", *each, binary], text=True, capture_output=True, check=False)
            if ran.returncode:
                sys.exit(f"step {number} with {each} ends with {ran.returncode}: "
                         f"{ran.stdout}{ran.stderr}")
            subprocess.run([args.filecheck, expected], input=ran.stdout, text=True, check=True)
    print(f"{len(found)} steps")


if __name__ == "__main__":
    main()
