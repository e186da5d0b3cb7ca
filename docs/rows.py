#!/usr/bin/env python3
# Which test shows what a row of a table promises
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/rows.py
#
# The pages that say what kernels may do, and what is mapped, consist of tables.
# Each row names its tests, in the row or in docs/rows.txt: a link to a test, or the
# name of a program in test/exec. A line of rows.txt is
#
#     page: section: first words of the row = test: text in it, another test
#
# The text is what the test has for this row. Rows that promise nothing have "-" and
# a reason for a test.

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "test"
PAGES = [*sorted(ROOT.glob("docs/language*.md")), ROOT / "docs/mapping.md"]


def plain(text):
    """Without marks: links are their text."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("\\", "").strip()


def rows(page):
    """(line, section, row) of each row that is no heading of a table."""
    section, inside, code = "", 0, False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        code ^= line.startswith("```")
        if line.startswith("#") and not code:
            section = plain(line.lstrip("#"))
        inside = inside + 1 if line.startswith("|") and not code else 0
        if inside > 2:
            yield number, section, line


def names_test(row):
    """Does the row itself?"""
    links = re.findall(r"\]\(\.\./(test/[^)#]+)\)", row)
    programs = re.findall(r"`([a-z0-9/-]+)`", row)
    return any((ROOT / link).exists() for link in links) or any(
        (TESTS / "exec" / f"{name}.cpp").exists() or ("/" in name and (TESTS / f"{name}.cpp").exists())
        for name in programs)


def listed():
    """(line, page, section, words, tests) of rows.txt."""
    for number, line in enumerate((ROOT / "docs/rows.txt").read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            place, _, tests = line.partition(" = ")
            page, section, words = f"{place} ".split(": ", 2)
            yield number, page, section, words.strip(), tests


def wrong_tests(tests):
    """What is wrong with the tests of a line."""
    if tests.startswith("- "):
        return
    for test in filter(None, tests.split(", ")) if tests else [""]:
        name, _, text = test.partition(": ")
        path = TESTS / name
        if not name or not path.is_file():
            yield f"there is no test {name or 'named'}"
        elif text not in path.read_text():
            yield f"{name} does not have '{text}'"


def main():
    wrong, used = [], set()
    lines = list(listed())
    count = 0
    for page in PAGES:
        for number, section, row in rows(page):
            count += 1
            if names_test(row):
                continue
            words = plain(re.split(r"(?<!\\)\|", row)[1])
            found = [line for line in lines
                     if line[1] == page.stem and section.startswith(line[2]) and words.startswith(line[3])]
            used.update(line[0] for line in found)
            if not found:
                wrong.append(f"{page.relative_to(ROOT)}:{number}: no test for '{words}' ({section})")
    for number, page, section, words, tests in lines:
        if number not in used:
            wrong.append(f"docs/rows.txt:{number}: no row of {page}.md is '{words}', or it names its test")
        wrong += [f"docs/rows.txt:{number}: {why}" for why in wrong_tests(tests)]
    print("\n".join(wrong) or f"{count} rows")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
