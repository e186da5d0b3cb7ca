#!/usr/bin/env python3
"""Runs the lines of a document's ```sh blocks, each of which has to succeed.

    shell.py --path FOLDER --work FOLDER [--only HEADING] [--skip REGEX] DOCUMENT

In the folder of work are the sources that the lines name.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--path", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--only", help="the section of that heading")
    parser.add_argument("--skip", help="lines that are not run", default="$^")
    parser.add_argument("document", type=pathlib.Path)
    args = parser.parse_args()
    text = args.document.read_text()
    if args.only:
        text = re.search(rf"^## {re.escape(args.only)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
    environment = dict(os.environ, PATH=f"{args.path}:{os.environ['PATH']}")
    count = 0
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S):
        for line in block.splitlines():
            if re.search(args.skip, line):
                continue
            count += 1
            ran = subprocess.run(line, shell=True, cwd=args.work, text=True, check=False, env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if ran.returncode:
                sys.exit(f"{args.document}: {line}\nends with {ran.returncode}: {ran.stdout}")
    print(f"{count} lines")


if __name__ == "__main__":
    main()
