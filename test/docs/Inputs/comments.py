#!/usr/bin/env python3
# The examples in the comments of the public headers
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: comments.py --contexts comments.h [--without name]... header... > program.cpp
#
# An example is what is indented by five columns and more in a comment; in one of
# two slashes behind an empty line or one that ends with a colon, as lists are
# indented too. Each becomes a function of one program, with what its header's
# namespace in comments.h declares in reach. Functions and structures that an
# example defines, and what it declares before them, stand before that function;
# "..." separates parts. Lines keep their numbers: errors are in the headers.

import argparse
import pathlib
import re

TEXT = re.compile(r"\s*///? ?(.*)$")
CODE = re.compile(r"\s*///?( {5,})(\S.*)$")
BEGINS_A_DEFINITION = re.compile(r"(?!( |\}|for|while|if|else|xcc::|auto\b)).*\)( const)? \{|(struct|template) ")


def examples(header):
    """(line, code), a line as in the header for each."""
    code, before = [], "code"
    for number, line in enumerate(header.read_text().splitlines() + [""], 1):
        found = CODE.match(line)
        text = TEXT.match(line)
        if found and (code or line.lstrip().startswith("///") or before == "" or before.endswith(":")):
            code.append((number, " " * (len(found[1]) - 5) + found[2]))
        elif code and text and not text[1]:
            code.append((number, ""))
        elif code:
            yield code
            code = []
        before = text[1].strip() if text else "code"


def parts(code):
    """What stands at namespace scope, and what in a function."""
    outside, inside, at = [], [], 0
    while at != len(code):
        line = code[at][1]
        if line.startswith("#include") or line == "...":
            at += 1
        elif BEGINS_A_DEFINITION.match(line):
            outside += inside
            inside = []
            end = at
            while end != len(code) - 1 and code[end][1] not in ("}", "};") and not (end == at and line.endswith(("}", "};", "} body;"))):
                end += 1
            outside += code[at:end + 1]
            at = end + 1
        else:
            inside.append(code[at])
            at += 1
    return outside, inside


def placed(header, code):
    for number, line in code:
        yield f'#line {number} "{header}"\n{line}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--contexts", type=pathlib.Path, required=True)
    parser.add_argument("--without", action="append", default=[], help="a header's name without .h")
    parser.add_argument("headers", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    print(f'#include "{args.contexts.resolve()}"')
    count = 0
    for header in args.headers:
        if header.stem in args.without:
            continue
        of = "of_" + header.stem
        for code in examples(header):
            count += 1
            outside, inside = parts(code)
            if outside and outside[0][1].startswith("template <>"):
                print("\n".join(placed(header, outside)))
                outside = []
            print(f"namespace {of} {{ namespace line_{code[0][0]} {{")
            print("\n".join(placed(header, outside)))
            print("void example() {")
            print("\n".join(placed(header, inside)))
            print("}")
            print("} }")
    print(f"// {count} examples")


if __name__ == "__main__":
    main()
