#!/usr/bin/env python3
# The C++ in documents that are no whole programs
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: snippets.py --contexts snippets.h document... > program.cpp
#
# Each block of ```cpp becomes a function, as the examples in comments do
# (comments.py), with what its page's namespace in snippets.h declares in reach, and the
# parameters that the page has there: what lambdas capture is no global variable.

import argparse
import pathlib
import re

from comments import parts, placed


def snippets(document):
    """The lines of each block, with their numbers."""
    text = document.read_text()
    for block in re.finditer(r"^```cpp\n(.*?)^```$", text, re.M | re.S):
        first = text[:block.start(1)].count("\n") + 1
        lines = re.sub(r" *// .*|(?<=\{) \.\.\. (?=\})", "", block[1]).splitlines()
        yield list(enumerate(lines, first))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--contexts", type=pathlib.Path, required=True)
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    print(f'#include "{args.contexts.resolve()}"')
    count = 0
    for document in args.documents:
        for code in snippets(document):
            count += 1
            outside, inside = parts(code)
            if outside and outside[0][1].startswith("template <>"):
                print("\n".join(placed(document, outside)))
                outside = []
            page = document.stem.replace("-", "_")
            print(f"namespace of_{page} {{ namespace line_{code[0][0]} {{")
            print("\n".join(placed(document, outside)))
            print(f"void snippet(LOCALS_OF_{page}) {{ {{")
            print("\n".join(placed(document, inside)))
            print("} }\n} }")
    print(f"// {count} snippets")


if __name__ == "__main__":
    main()
