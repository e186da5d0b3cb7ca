#!/usr/bin/env python3
"""Compares what images say of their kernels' memory with a source's comments.

    access.py XCC-INFO SOURCE PROGRAM [--covers]

A line "// access: 0:r,8:w" is about the kernel that is launched in the next
line, on all devices; "// access sm_: ..." about devices whose arch begins so.
"unknown" stands for no column. With --covers the image may say more than the
comment, as it does without optimisation.
"""

import json
import re
import subprocess
import sys


def expected(source):
    """{line: [(arch prefix, column)]}, of the launches' lines."""
    result, waiting = {}, []
    for number, line in enumerate(open(source), 1):
        comment = re.match(r"\s*// access ?(\S*): (\S+)$", line)
        if comment:
            waiting.append(comment.groups())
        elif waiting:
            result[number] = sorted(waiting, key=lambda entry: -len(entry[0]))
            waiting = []
    return result


def lines(column):
    """[(components, below, how)]"""
    if column == "none":
        return []
    parts = [line.split(":") for line in column.split(",")]
    return [(path.rstrip("+").split("."), path.endswith("+"), how) for path, how in parts]


def covers(column, wanted):
    """Whether all that `wanted` names is named by `column`, in as many ways."""

    def has(path, below, way):
        for other, all_below, how in lines(column):
            if way not in how or len(other) > len(path):
                continue
            if len(other) < len(path) and not all_below:
                continue
            if all(a in ("*", b) for a, b in zip(other, path)) and (all_below or not below):
                return True
        return False

    return column == "unknown" or all(
        has(path, below, way) for path, below, how in lines(wanted) for way in how
    )


def main():
    tool, source, program = sys.argv[1:4]
    exact = "--covers" not in sys.argv
    wanted = expected(source)
    info = json.loads(subprocess.run([tool, "--json", program], stdout=subprocess.PIPE, check=True).stdout)
    checked, wrong = 0, 0
    for image in info["files"][0]["images"]:
        for kernel in image["kernels"]:
            line = int(re.findall(r"[: ](\d+):\d+\)", kernel["name"])[-1])
            if line not in wanted:
                continue
            column = kernel.get("access", "unknown")
            want = next(text for prefix, text in wanted[line] if image["arch"].startswith(prefix))
            checked += 1
            if column != want if exact else want != "unknown" and not covers(column, want):
                wrong += 1
                print(f"{source}:{line}: {image['arch']}: {column}, and not {want}")
    print(f"{checked} checked, {wrong} wrong")
    return wrong != 0 or checked < len(wanted)


if __name__ == "__main__":
    sys.exit(main())
