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

import devices  # test/formats

SIMULATORS = {"cuda": "nvptx", "hsa": "amdgcn"}
TAG = re.compile(r"^(?://|#|;)\s*DEVICES:\s*host,\s*(.*)$", re.M)


def kind(arch):
    """The kind of device of an arch, as XCC_DEVICE names it."""
    return "cuda" if arch.startswith("sm_") else "hsa" if arch.startswith("gfx") else "host"


def unsupported(root):
    """Pairs of a pattern of tests and a reason, for each kind of GPU."""
    lists = {}
    for kind, simulator in SIMULATORS.items():
        path = os.path.join(root, "test/formats/expectations", simulator + ".txt")
        # Those of one level or of some archs are for these alone.
        lists[kind] = [(program, e.reason)
                       for level, arch, program, e in devices.Kind.read(path)
                       if level == arch == "*" and e.kind == "unsupported"]
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
