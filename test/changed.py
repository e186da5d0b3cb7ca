# What a change can break: from the files that changed to the tests to run
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `./dev test --changed` takes a few minutes where all tests take twenty. MAP says
# which tests look at a folder: the most telling ones of each area, not all that
# could see it. Those that whole runs take once in three days or more are left out,
# unless they changed themselves. layers/changed.test checks that no file is without
# a line, and that each line names tests.

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "formats"))

import days

# A few programs, on every device.
PROGRAMS = "exec/(calls|barrier|warp|atomic|vectors|globals)\\.cpp-O2"

# The longest beginning of a path decides. Tests are regular expressions of lit's
# names, from the folder of test/ on.
MAP = {
    "driver/": ["driver/", "archs/"],
    "driver/completion/": ["driver/.*complet"],
    "frontend/": ["kernel-info/", "diagnostics/", PROGRAMS],
    "frontend/unit/": ["driver/", "diagnostics/"],
    "backend/": ["unit/backend", "archs/", "nvptx/", "amdgcn/", PROGRAMS],
    "backend/access/": ["unit/backend", "mapping/", PROGRAMS],
    "backend/block/": ["block/", PROGRAMS, "exec/(strided|barrier|algorithm|warp|uniform)"],
    "backend/gpu/": ["nvptx/", "amdgcn/", PROGRAMS, "exec/(barrier|warp|recursi)", "math/.*-O2"],
    "backend/link/": ["unit/backend", "embedding/", "archs/", "initialisers/", "shared-libraries/"],
    "backend/support/": ["unit/backend", "driver/.*cache", PROGRAMS],
    "backend/targets/": ["archs/", "unit/backend", PROGRAMS],
    "backend/targets/amdgcn": ["amdgcn/", "unit/backend", PROGRAMS, "conformance/.*-O2"],
    "backend/targets/cpu": ["block/", PROGRAMS, "x86/", "instrumentation/"],
    "backend/targets/nvptx": ["nvptx/", "unit/backend", PROGRAMS, "conformance/.*-O2"],
    "device-runtime/": ["host-calls/", PROGRAMS, "math/.*-O2", "unit/services"],
    "device-runtime/amdgcn/": ["amdgcn/", PROGRAMS],
    "device-runtime/cpu/": [PROGRAMS, "exec/(warp|barrier)"],
    "device-runtime/nvptx/": ["nvptx/", PROGRAMS],
    "device-runtime/rpc/": ["host-calls/", "unit/(rpc|services)"],
    "device-runtime/streams/": ["programs/stream"],
    "formats/": ["unit/(backend|runtime)", "embedding/", PROGRAMS],
    "host-runtime/include/xcc/stdpar/": ["stdpar/"],
    "host-runtime/": ["unit/runtime", PROGRAMS],
    "host-runtime/include/": ["kernel-info/", "conformance/.*-O2", PROGRAMS, "docs/"],
    "host-runtime/jit/": ["jit/"],
    "host-runtime/program/": ["programs/(loader|ends|options|process)"],
    "host-runtime/rtc/": ["jit/.*source"],
    "host-runtime/src/cpu/": ["unit/runtime", "conformance/.*-O2", PROGRAMS],
    "host-runtime/src/cuda/": ["unit/runtime", "conformance/.*-O2"],
    "host-runtime/src/hsa/": ["unit/runtime", "conformance/.*-O2"],
    "host-runtime/src/mapping/": ["unit/runtime", "mapping/"],
    "host-runtime/tools/": ["unit/runtime", "embedding/", "kernel-info/"],
    "rpc/": ["unit/(rpc|services)", "host-calls/"],
    "examples/": ["examples/", "unit/examples", "docs/"],
    "bench/": ["layers/", "docs/"],
    "cmake/": ["cmake/", "install/"],
    "docs/": ["docs/"],
    "test/formats/": ["layers/", PROGRAMS],
    "test/mock/": ["unit/runtime", "conformance/.*-O2", "simulator-checks/"],
    "test/hardware/": ["layers/"],
    "test/simulator-checks/": ["simulator-checks/"],
    "test/simulator/": ["unit/simulator", "simulator-checks/", "conformance/.*-O2", PROGRAMS],
    "test/simulator/amdgcn/": ["unit/simulator", "conformance/.*-O2"],
    "test/simulator/nvptx/": ["unit/simulator", "conformance/.*-O2"],
    "test/unit/": ["unit/"],
    "test/unit/backend/": ["unit/backend"],
    "test/unit/runtime/": ["unit/runtime"],
    "test/rpc/": ["unit/rpc"],
    "test/services/": ["unit/services"],
    "test/mutations/": ["layers/"],
    "test/sanitizers/": ["layers/"],
    "test/": ["layers/"],
    "": ["layers/", "docs/"],
}


def git(root, *arguments):
    return subprocess.run(["git", "-c", "safe.directory=*", "-C", root, *arguments],
                          capture_output=True, text=True, check=True).stdout.splitlines()


def tests_of(path):
    """Regular expressions of the tests that look at a file."""
    # A test, or what the tests of a folder read.
    found = re.match(r"test/([^/]+)/(Inputs/)?(.+)", path)
    key = max((key for key in MAP if path.startswith(key)), key=len)
    if found and key == "test/":
        area, inputs, name = found.groups()
        return [area + "/"] if inputs or "lit." in name else [area + "/" + re.escape(name)]
    return MAP[key]


def tests(root, revision):
    """lit's arguments that choose the tests for what has changed since a revision,
    committed or not; none if no test looks at it."""
    base = revision or git(root, "merge-base", "HEAD", "main")[0]
    files = git(root, "diff", "--name-only", base) + git(
        root, "ls-files", "--others", "--exclude-standard")
    wanted = sorted({test for file in files for test in tests_of(file)})
    if not wanted:
        return []
    rare = [name for number, share in days.shares(root).items() if number > 3
            for names in share for name in names if f"test/{name}" not in files]
    return ["--filter", "^xcc :: (" + "|".join(wanted) + ")", *days.without(rare)]
