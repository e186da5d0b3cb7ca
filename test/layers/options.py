#!/usr/bin/env python3
# Compares docs/driver.md with the options that xcc has
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: options.py SOURCE
#
# The tables of docs/driver.md are made of driver/Options.def (docs/generate.py). Its
# text names no other option of xcc's.

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
names = set(re.findall(r'^XCC_OPTION\w*\(\w+,\s*"([^"]+)"', (source / "driver/Options.def").read_text(), re.M))
page = (source / "docs/driver.md").read_text()
described = set(re.findall(r"`(-f(?:no-)?offload-[\w-]+(?:=|\b))", page))
targets = "".join(path.read_text() for path in (source / "backend").rglob("*.cpp"))
wrong = [f"no row of driver/Options.def and no target has {name}" for name in sorted(described)
         if f'"{name}' not in targets and not any(each.startswith(name) for each in names)]
print("\n".join(wrong) or f"{len(names)} options")
sys.exit(bool(wrong))
