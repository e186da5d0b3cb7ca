# Whether the table of files in docs/install.md is what is installed
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: files.py docs/install.md PREFIX
import fnmatch
import pathlib
import re
import sys

document, prefix = map(pathlib.Path, sys.argv[1:])
table = re.search(r"^\| file \| what it is \|\n\|---\|---\|\n((?:\|.*\n)+)", document.read_text(), re.M)
names = {name for row in table[1].splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])}
files = [str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()]


def holds(name, file):
    # A folder holds its files; a library's versions belong to its name.
    return file.startswith(name) if name.endswith("/") else fnmatch.fnmatch(re.sub(r"\.so\..*", ".so", file), name)


bad = [f"{file} is not listed" for file in files if not any(holds(name, file) for name in names)]
bad += [f"{name} is not installed" for name in names if not any(holds(name, file) for file in files)]
print("\n".join(bad))
sys.exit(bool(bad))
