#!/usr/bin/env python3
# How long the paragraphs and the cells of tables in documents are
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/prose.py [document...]
#
# A paragraph, or an item of a list, has at most 90 words, and a cell of a table
# 30. Without arguments all documents are looked at but those that LEFT_OUT names.

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = {"supported"}
WORDS = {"paragraph": 90, "cell": 30}


def words(text):
    """A link counts as its text, and code as one word."""
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"`[^`]*`", "code", text)
    return len([word for word in text.split() if re.search(r"\w", word)])


def pieces(text):
    """(line, kind, text) of each paragraph, item and cell."""
    begun, lines, code = 0, [], False
    for number, line in enumerate(text.splitlines() + [""], 1):
        fence = line.lstrip().startswith("```")
        item = re.match(r"\s*([-*]|\d+\.) ", line)
        if lines and (fence or code or item or not line.strip() or line.startswith(("#", "|"))):
            yield begun, "paragraph", " ".join(lines)
            lines = []
        code ^= fence
        if code or fence or line.startswith(("#", "<!--")) or not line.strip():
            continue
        if line.startswith("|"):
            yield from ((number, "cell", cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            continue
        begun = begun if lines else number
        lines.append(line)


def main():
    documents = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or [
        path for path in sorted([*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
        if path.stem not in LEFT_OUT]
    wrong = [f"{path.relative_to(ROOT)}:{line}: a {kind} of {words(text)} words, at most {WORDS[kind]}"
             for path in documents for line, kind, text in pieces(path.read_text()) if words(text) > WORDS[kind]]
    print("\n".join(wrong) or f"{len(documents)} documents")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
