#!/usr/bin/env python3
# That every file which lit takes for a test is one, and that the tests which
# docs/bugs.md or test/mutations names are in every run
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import subprocess
import sys


def without_test(names, root):
    """What docs/bugs.md calls a test, such as `exec/warp` or `test/block/order.ll`,
    and no run of the tests has."""
    areas = {name.split("/")[0] for name in names}
    known = set()
    for name in names:
        # exec/warp.cpp-O2 is a program at a level.
        name = re.sub(r"-O\w+\+*$", "", name)
        known |= {name, name.rsplit(".", 1)[0]}
    wrong = []
    for said in re.findall(r"`([\w./-]+/[\w./-]+)`", (root / "docs/bugs.md").read_text()):
        name = said.removeprefix("test/").rstrip("/")
        if name.split("/")[0] not in areas or any(
                (root / folder / name).exists()
                for folder in ("", "backend", "host-runtime", "host-runtime/src")):
            continue
        file = root / "test" / name
        if name not in known and not file.is_dir() and not name.endswith((".py", ".h")):
            wrong.append(f"docs/bugs.md names {said}, which no run has")
    return wrong


def main():
    lit, tests = sys.argv[1:]
    shown = subprocess.run([lit, "--show-tests", tests], capture_output=True, text=True, check=True)
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    names = [line.split(":: ", 1)[1] for line in shown.stdout.splitlines() if ":: " in line]
    # Programs and CTest's tests (test/formats) have names that are no files.
    files = [name for name in names if (root / "test" / name).is_file()]
    wrong = [f"{name}: no RUN line" for name in files
             if "RUN:" not in (root / "test" / name).read_text(errors="replace")]
    wrong += without_test(names, root)
    print("\n".join(wrong) or f"{len(files)} tests")
    return bool(wrong) or len(files) < 100


if __name__ == "__main__":
    sys.exit(main())
