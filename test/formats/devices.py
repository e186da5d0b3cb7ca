# What a test program is run on
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A kind is a way to run a program: on a simulator of GPUs, on the CPU device with
# memory of its own, or with code that is generated while the program runs. A
# program is compiled once for all kinds and run once on each.
#
# Lines of a kind's expectations (expectations/KIND.txt), the first that matches
# decides:
#
#     LEVEL ARCH PROGRAM unsupported REASON    never: not compiled, not run
#     LEVEL ARCH PROGRAM fails REASON          ought to: passing is an error
#     LEVEL ARCH PROGRAM slow REASON           only with --param campaign=full
#
# A level is what stands on the command line without its spaces: -O2-g is -O2 -g.
# Each of the three may contain stars.

import fnmatch
import os


class Expectation:
    def __init__(self, kind="passes", reason=""):
        self.kind, self.reason = kind, reason


class Kind:
    """A way to run programs.

    families: lists of archs. A run takes one arch of each family, in rotation.
    environment: of a run; "%arch" stands for the arch.
    conformance: what the conformance suite is told that the device is.
    areas: the folders of test/ whose programs it takes.
    """

    def __init__(self, name, families, environment, conformance, areas):
        self.name, self.families = name, families
        self.environment, self.conformance, self.areas = environment, conformance, areas
        self.lines = self.read(os.path.join(os.path.dirname(__file__), "expectations",
                                            name + ".txt"))

    @staticmethod
    def read(path):
        lines = []
        with open(path) as file:
            for line in file:
                line = line.strip()
                if line and not line.startswith("#"):
                    level, arch, program, kind, reason = line.split(None, 4)
                    if kind not in ("unsupported", "fails", "slow"):
                        raise ValueError(path + ": what is " + kind)
                    lines.append((level, arch, program, Expectation(kind, reason)))
        return lines

    def expected(self, level, arch, program):
        for l, a, p, expectation in self.lines:
            if (fnmatch.fnmatch(level, l) and fnmatch.fnmatch(arch, a)
                    and fnmatch.fnmatch(program, p)):
                return expectation
        return Expectation()


def all_kinds(build, campaign):
    full, levels = campaign == "full", campaign == "levels"
    everywhere = ("conformance", "exec", "host-calls", "math", "cuda", "examples")
    on_host = ("conformance", "exec", "host-calls", "examples")
    return [
        Kind("separate", [["host"]],
             {"XCC_CPU_SEPARATE": "1", "XCC_DEVICE": "host"}, "host", on_host),
        Kind("jit", [["generic:x86_64"]],
             {"XCC_JIT": "always", "XCC_DEVICE": "host", "XCC_CACHE_SIZE": "0"}, "host", on_host),
        Kind("nvptx", [["sm_70", "sm_90"]],
             {"LD_LIBRARY_PATH": build + "/simulator/cuda", "MOCK_CUDA_DEVICES": "%arch",
              "XCC_DEVICE": "cuda"}, "cuda-simulator", everywhere),
        # Those with waves of 64, and of 32.
        Kind("amdgcn", [["gfx90a", "gfx942"] + (["gfx908", "gfx9-generic"] if full else []),
                        ["gfx1100", "gfx10-3-generic"]
                        + (["gfx1030", "gfx11-generic"] if full or levels else [])
                        + (["gfx1200"] if full else [])],
             {"LD_LIBRARY_PATH": build + "/simulator/hsa", "MOCK_HSA_AGENTS": "%arch",
              "XCC_DEVICE": "hsa"}, "hsa-simulator", everywhere),
    ]
