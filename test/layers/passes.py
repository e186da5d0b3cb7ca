#!/usr/bin/env python3
# Compares docs/passes.md with the code that runs the passes
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A line "Code: `name` in `path`." names functions. The rows of the table that
# follows are the steps of these functions, in the order
# of the source. A step is the construction of a pass (SmallCopiesPass()), a
# call that gets the module, or a call of add...() that gets the pipeline. A call
# of a function that only asks is none; those are named here.

import argparse
import pathlib
import re
import sys

ASKS = {
    "any_of", "anyHas", "addPass", "all", "createModuleToFunctionPassAdaptor",
    "canKeepLiveAcross", "catches", "describeBlockConstants", "direct",
    "hostFuses", "initialiserContext", "isRecursive", "keepsUnwinding",
    "kernelsOf", "lacksSomething", "numberAttr", "of", "own",
    "createKernelObject", "rowsOf", "saveStages", "sharedIn", "pathsToUndefined",
    "r", "make_early_inc_range", "intrinsicOf", "worksInTeams", "wantsVectorLibrary", "wrongParameters", "reportError",
    "remarkMissed", "addVariablesOf", "teamFormOf",
}
STEP = re.compile(
    r"\b(?P<pass>\w+Pass)\("
    r"|\b(?P<call>\w+)\(\s*\*?(?:result\.)?\*?"
    r"(?:module|m|kernel|function|f|out)\b(?!\s*\.)"
    r"|\b(?P<more>add\w+|extend)\((?:\w+\.)?(?:builder|pb|mpm)\b"
    r"|^\s*(?P<own>prepare|zoneVariables|applyWorkarounds|name\w+)\(\);"
    r"|\breturn (?P<check>check)\(\);", re.M)


def body(text, name):
    """The text between the braces of a function's definition."""
    pattern = re.compile(r"\b" + re.escape(name) + r"\(")
    for found in pattern.finditer(text):
        depth, at = 1, found.end()
        while depth and at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        after = re.match(r"\s*(?:const\s*|override\s*|final\s*)*\{", text[at:])
        if not after:
            continue
        start = at = at + after.end()
        depth = 1
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        return text[start:at - 1]
    return None


def steps(text):
    text = re.sub(r"//[^\n]*", "", text)
    found = []
    for match in STEP.finditer(text):
        name = next(each for each in match.groups() if each)
        if name not in ASKS:
            found.append(name)
    return found


def tables(page):
    """Title, functions with their files, and the steps of each table."""
    for part in re.split(r"^## ", page, flags=re.M)[1:]:
        title, *rest = re.split(r"^Code: ", part, flags=re.M)
        for table in rest:
            line = table.split("\n", 1)[0]
            yield (title.split("\n", 1)[0],
                   re.findall(r"`([\w:]+)` in `([\w/.]+)`", line),
                   re.findall(r"^\| `(\w+)`", table, re.M))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path, help="the project's folder")
    parser.add_argument("--print", action="store_true", help="print the steps in the code")
    options = parser.parse_args()
    source = options.source
    wrong = 0
    for title, functions, listed in tables(
            (source / "docs/passes.md").read_text()):
        there = []
        for name, path in functions:
            text = body((source / path).read_text(), name)
            if text is None:
                print(f"docs/passes.md: {title}: {path} has no {name}")
                wrong += 1
                continue
            there += steps(text)
        if options.print:
            print(title, *there, sep="\n  ")
            continue
        for number in range(max(len(there), len(listed))):
            pair = [each[number] if number < len(each) else "nothing"
                    for each in (there, listed)]
            if pair[0] != pair[1]:
                print(f"docs/passes.md: {title}: step {number + 1} is "
                      f"{pair[0]} in the code and {pair[1]} in the table")
                wrong += 1
                break
    if wrong:
        print("Add, move or remove the row of that step in docs/passes.md. If the call only asks and "
              "changes nothing, name it in ASKS of test/layers/passes.py")
    else:
        print("docs/passes.md fits the code")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
