#!/usr/bin/env python3
# The site, and whether all is documented and every link leads somewhere
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/site/make.py FOLDER
#
# Runs Doxygen, which makes FOLDER/site, and prints its complaints: a link that
# leads nowhere, a public name without a comment; and those of docs/docstrings.py.
# The exit status says whether there are any. Constructors, operators, types and
# data of a class need no comment if the class has one.

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "docs"))
import docstrings

TOLD_BY_CLASS = re.compile(
    r"Member \S*operator\W.* is not documented"
    r"|\((variable|typedef|friend)\) of (struct|class) .* is not documented"
    r"|Member (\w+)\(.*\(function\) of (?:struct|class) [\w:]*\b\3(?:<.*>)? is not documented"
    r"|Member \w+\(.*\) -> .* is not documented"
    # What a class has of a template that is given the class.
    r"|\(function\) of class \w+< \w+< \w+ >.* > is not documented"
    # Members that a macro made, and deduction guides, as Doxygen sees them.
    r"|Illegal member name found|member with no name found", re.S)


def is_own_macro(complaint):
    """Of one that its header takes back (#undef)."""
    macro = re.match(r"(\S+?):\d+: .*Member (\w+)(?:\(.*\))? \(macro definition\)", complaint)
    return bool(macro) and bool(re.search(rf"# *undef {macro[2]}\b", (ROOT / macro[1]).read_text()))


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    settings = (ROOT / "docs" / "site" / "Doxyfile").read_text() + f'\nOUTPUT_DIRECTORY = "{folder}"\n'
    ran = subprocess.run(["doxygen", "-"], cwd=ROOT, input=settings, text=True,
                         capture_output=True, check=False)
    # A complaint may go on in further lines.
    complaints = re.split(r"\n(?=\S+?:\d+: |warning: |error: )", ran.stderr.strip())
    complaints = [each.replace(f"{ROOT}/", "") for each in complaints
                  if each and not TOLD_BY_CLASS.search(each) and not is_own_macro(each)]
    complaints += docstrings.complaints(folder / "xml")
    print("\n".join(complaints) or f"{folder}/site/index.html")
    return bool(complaints) or ran.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
