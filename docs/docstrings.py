#!/usr/bin/env python3
# What the comments of the public headers leave out
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/docstrings.py FOLDER-OF-XML
#
# FOLDER-OF-XML is what Doxygen makes of docs/site/Doxyfile (xml/); docs/site/make.py
# calls this. A public function's comment names each parameter that is a pointer
# or a number, unless the comment that its header begins with does so for all
# functions: in items "* name, name: meaning", which hold in the headers that
# include it too. That comment also says which errors there are, and which
# threads may call what: it has the words "Errors" and "threads".

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUMBER = re.compile(r"\*|\b(size_t|ptrdiff_t|u?int\d+_t|int|unsigned|long|duration)\b")
# Headers of macros, tables and other headers alone.
WITHOUT_FUNCTIONS = {"abi.h", "misuse.h", "range.h", "xcc.h"}


def opening(header):
    """The comment that a header begins with."""
    lines = []
    for line in header.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return "\n".join(lines)


def conventions(header, seen=()):
    """The parameters that a header, or one that it includes, explains for all functions."""
    names = set()
    for item in re.findall(r"^\* ([\w, ]+):", opening(header), re.M):
        names |= set(item.split(", "))
    for included in re.findall(r'^#include ["<]xcc/(\w+\.h)[">]', header.read_text(), re.M):
        other = header.parent / included
        if included not in seen and other.exists():
            names |= conventions(other, (*seen, included))
    return names


def functions(folder):
    """(header, line, name, comment, [(type, name)]) of each public function."""
    seen = set()
    for file in sorted(folder.glob("*.xml")):
        for member in ElementTree.parse(file).getroot().iter("memberdef"):
            place = member.find("location")
            if (member.get("kind") != "function" or member.get("prot") != "public" or member.get("id") in seen
                    or not place.get("file").endswith(".h")):
                continue
            seen.add(member.get("id"))
            comment = " ".join("".join(part.itertext()) for part in member
                               if part.tag in ("briefdescription", "detaileddescription"))
            parameters = [("".join(each.find("type").itertext()), each.findtext("declname"))
                          for each in member.findall("param") if each.find("type") is not None]
            yield ROOT / place.get("file"), place.get("line"), member.findtext("name"), comment, parameters


def complaints(folder):
    headers = {}
    for header, line, function, comment, parameters in functions(folder):
        known = headers.setdefault(header, conventions(header))
        for kind, name in parameters:
            if name and NUMBER.search(kind) and name not in known and not re.search(rf"\b{name}\b", comment):
                yield f"{header.relative_to(ROOT)}:{line}: {function}: what is the parameter '{name}'?"
    for header in sorted(headers):
        if header.name in WITHOUT_FUNCTIONS or header.parent.name != "xcc":
            continue
        for word in ("Errors", "[Tt]hreads"):
            if not re.search(rf"\b{word}\b", opening(header)):
                yield f"{header.relative_to(ROOT)}:1: nothing about {word.lower()} in the first comment"


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(bool(found))
