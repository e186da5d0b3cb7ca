#!/usr/bin/env python3
# That every file which lit takes for a test is one
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys


def main():
    lit, tests = sys.argv[1:]
    shown = subprocess.run([lit, "--show-tests", tests], capture_output=True, text=True, check=True)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    names = [line.split(":: ", 1)[1] for line in shown.stdout.splitlines() if ":: " in line]
    # Programs and CTest's tests (test/formats) have names that are no files.
    files = [name for name in names if os.path.isfile(os.path.join(source, name))]
    bad = [name for name in files if "RUN:" not in open(os.path.join(source, name), errors="replace").read()]
    print("\n".join(f"{name}: no RUN line" for name in bad) or f"{len(files)} tests")
    return bool(bad) or len(files) < 100


if __name__ == "__main__":
    sys.exit(main())
