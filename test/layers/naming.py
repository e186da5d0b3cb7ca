#!/usr/bin/env python3
# Names are as .clang-tidy says
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: naming.py SOURCE BUILD [--changed] [PATH...]

Runs clang-tidy over the C++ of SOURCE that BUILD compiles: all of it, what
lies below PATH..., or what changed in the last five commits and since.
"""

import concurrent.futures
import json
import os
import subprocess
import sys


def changed(source):
    """Files that the last commits touched, or none without a history."""
    git = ["git", "-C", source, "-c", "safe.directory=*"]
    for depth in (5, 1, 0):
        names = subprocess.run(
            git + ["diff", "--name-only", "--diff-filter=d", f"HEAD~{depth}"],
            capture_output=True, text=True)
        if names.returncode == 0:
            return names.stdout.split()
    return []


def main():
    source, build = map(os.path.abspath, sys.argv[1:3])
    paths = sys.argv[3:]
    if "--changed" in paths:
        # A few: a change of a header that all include is looked at by ./dev tidy.
        wanted = [name for name in changed(source) if name.endswith((".cpp", ".c"))][:12]
    else:
        wanted = [os.path.relpath(os.path.abspath(p), source) for p in paths] or [""]

    with open(os.path.join(build, "compile_commands.json")) as commands:
        compiled = {os.path.relpath(c["file"], source) for c in json.load(commands)}
    files = sorted(
        name for name in compiled
        if name.endswith((".cpp", ".c")) and not name.startswith(("..", "build"))
        and any(w in ("", ".") or name == w or name.startswith(w.rstrip("/") + "/")
                for w in wanted))

    def tidy(name):
        return subprocess.run(
            ["clang-tidy-22", "-p", build, "--quiet", "--warnings-as-errors=*",
             os.path.join(source, name)], capture_output=True, text=True)

    found = set()
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(tidy, files):
            failed = failed or result.returncode != 0
            found.update(line for line in result.stdout.splitlines() if ": error: " in line)
            if result.returncode != 0 and not result.stdout:
                found.add(result.stderr.strip())
    print("\n".join(sorted(found)))
    print(len(files), "files,", len(found), "names to change")
    return failed


if __name__ == "__main__":
    sys.exit(main())
