#!/usr/bin/env python3
"""Looks whether the project's scripts take the options that documents give them.

    scripts.py ROOT

A script is what stands with its folder in a line of code, or in backticks, as
`bench/run.py --build build`: it is asked for --help, which has to name its options.
"""

import pathlib
import re
import subprocess
import sys

COMMAND = re.compile(r"(?<![\w/.])((?:bench|test|docs)/[\w/]+\.py)((?: [^`#\n]*)?)")


def help_of(script, cache={}):
    if script not in cache:
        ran = subprocess.run([sys.executable, script, "--help"], text=True, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        cache[script] = ran.stdout if ran.returncode == 0 else ""
    return cache[script]


def main():
    root = pathlib.Path(sys.argv[1])
    wrong, count = [], 0
    for document in sorted([*root.glob("docs/**/*.md"), root / "README.md", root / "CONTRIBUTING.md"]):
        for number, line in enumerate(document.read_text().splitlines(), 1):
            for script, arguments in COMMAND.findall(line):
                options = re.findall(r"(?<![\w-])--[a-z][\w-]*", arguments)
                if not options:
                    continue
                count += 1
                wrong += [f"{document.name}:{number}: {script} does not take {option}"
                          for option in options if option not in help_of(root / script)]
    print("\n".join(wrong) or f"{count} commands")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
