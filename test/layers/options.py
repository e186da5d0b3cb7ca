#!/usr/bin/env python3
# Compares docs/driver.md with the options that xcc has
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: options.py SOURCE
#
# Each row of driver/Options.def is in docs/driver.md, whose tables say more than
# --help does. An option that the rows lack is not described as xcc's.

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
rows = re.findall(r'^XCC_OPTION\w*\((\w+),\s*"([^"]+)"', (source / "driver/Options.def").read_text(), re.M)
page = (source / "docs/driver.md").read_text()
described = set(re.findall(r"`(--?[\w-]+(?:=|\b))", page))
names = {name for _, name in rows}
targets = "".join(path.read_text() for path in (source / "backend").rglob("*.cpp"))
wrong = [f"docs/driver.md does not describe {name}" for group, name in rows
         if group != "Hidden" and not any(each.startswith(name) for each in described)]
wrong += [f"no row of driver/Options.def and no target has {name}" for name in sorted(described)
          if re.match(r"-f(no-)?offload-", name) and f'"{name}' not in targets
          and not any(each.startswith(name) for each in names)]
print("\n".join(wrong) or f"{len(rows)} options")
sys.exit(bool(wrong))
