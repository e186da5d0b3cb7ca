#!/usr/bin/env python3
"""Runs the commands of a document, and compares what they print.

    commands.py --path FOLDER --work FOLDER [--write] DOCUMENT

A block of ```cpp whose first line is "// NAME" is the file NAME. In a block of ```console
lines "$ COMMAND" are run by the shell, with FOLDER before PATH; the lines below are what
the command prints, on either output. Blanks count as one, a line "..." stands for any
lines, and after "console varies" every number for any number with any unit, the CPU for any
other, and lines may come in any order. --write puts what is printed into the document instead.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(cpp|console varies|console)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"\d+(\.\d+)?( ?([num]?s|B|[KMG]iB|[KMG]B/s|%))?(?!\w)")


def plain(line, varies):
    line = " ".join(line.split())
    return NUMBER.sub("N", re.sub(r"\(host, .*\)(?=:)", "(host)", line)) if varies else line


def same(expected, printed):
    """Are the lines these, with "..." for any?"""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(same(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and expected[0] == printed[0] and same(expected[1:], printed[1:])


def run(block, varies, args, environment):
    """The block with what its commands print, and whether it is what the block says."""
    out, right = [], True
    for step in re.split(r"^(?=\$ )", block, flags=re.M)[1:]:
        command, *expected = step.rstrip("\n").split("\n")
        ran = subprocess.run(command[2:], shell=True, cwd=args.work, text=True, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        printed = ran.stdout.rstrip("\n").split("\n") if ran.stdout.strip() else []
        out += [command, *(line.rstrip() for line in printed)]
        lines = [[plain(line, varies) for line in each] for each in (expected, printed)]
        if varies:
            lines = [sorted(each) for each in lines]
        if ran.returncode or not (args.write or same(*lines)):
            right = False
            print(f"{args.document}: {command}\nends with {ran.returncode} and prints:\n"
                  + ran.stdout)
    return "\n".join(out) + "\n", right


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--path", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("document", type=pathlib.Path)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PATH=f"{args.path}:{os.environ['PATH']}")
    text, right, count = args.document.read_text(), True, 0
    for kind, block in BLOCK.findall(text):
        name = re.match(r"// (\w+\.\w+)\n", block)
        if kind != "cpp":
            made, as_said = run(block, kind.endswith("varies"), args, environment)
            text, right, count = text.replace(block, made), right and as_said, count + 1
        elif name:
            (args.work / name[1]).write_text(block)
    if args.write:
        args.document.write_text(text)
    print(f"{count} blocks of commands")
    return not right or not count


if __name__ == "__main__":
    sys.exit(main())
