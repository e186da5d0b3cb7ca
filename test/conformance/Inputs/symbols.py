# The symbols of a program's kernels, for C++
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reads what `xcc-info --json` prints; writes a macro KERNEL_name for each
# kernel, its symbol as a string.

import json
import re
import sys


def kernels(node):
    if isinstance(node, dict):
        if "symbol" in node:
            yield node["name"], node["symbol"]
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from kernels(part)


for name, symbol in sorted(set(kernels(json.load(sys.stdin)))):
    print(f'#define KERNEL_{re.sub("[^a-zA-Z0-9]+", "_", name)} "{symbol}"')
