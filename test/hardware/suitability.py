# Which tests are for which kind of device
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Some tests are about the CPU device, or let kernels use memory of the host by its
# address. The simulators cannot run those either, so that what a simulator's
# expectations.txt calls unsupported is not run on GPUs of its kind. A test that
# simulators do not run says it in a line of its own:
#
#     // DEVICES: host, because its kernels use memory of the host

import fnmatch
import os
import re

SIMULATORS = {"cuda": "nvptx", "hsa": "amdgcn"}
TAG = re.compile(r"^(?://|#|;)\s*DEVICES:\s*host,\s*(.*)$", re.M)


def kind(arch):
    """The kind of device of an arch, as XCC_DEVICE names it."""
    return "cuda" if arch.startswith("sm_") else "hsa" if arch.startswith("gfx") else "host"


def unsupported(root):
    """Pairs of a pattern of tests and a reason, for each kind of GPU."""
    lists = {}
    for kind, simulator in SIMULATORS.items():
        lists[kind] = []
        path = os.path.join(root, "test/formats/expectations", simulator + ".txt")
        with open(path) as file:
            for line in file:
                words = line.split(None, 4)
                # Those of one level or of some archs are for these alone.
                if len(words) == 5 and words[0] == words[1] == "*" and words[3] == "unsupported":
                    lists[kind].append((words[2], words[4].strip()))
    return lists


def not_on(test, source, lists):
    """Reasons by the kind of GPU that the test is not for."""
    with open(source, errors="replace") as file:
        tag = TAG.search(file.read())
    if tag:
        return {kind: tag[1] for kind in SIMULATORS}
    reasons = {}
    for kind, patterns in lists.items():
        for pattern, reason in patterns:
            if fnmatch.fnmatch(test, pattern):
                reasons.setdefault(kind, reason)
    return reasons
