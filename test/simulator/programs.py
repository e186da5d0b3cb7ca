# Whole programs on a simulated GPU
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A lit test format that all simulators share. Its tests are no files of their
# own: each is a program of another folder (the conformance suite, test/exec, the
# examples, ...) at one -O level, compiled once and run once for each arch. A
# simulator's lit.local.cfg says
#
#     config.test_format = programs.Programs(
#         archs=[["sm_70", "sm_90"]],          # kinds of archs
#         levels=["-O0", "-O2"],
#         flags=["-foffload-no-cubin"],
#         environment={"XCC_DEVICE": "cuda", ...},  # of a run; "%arch"
#         conformance="cuda-simulator",        # CONFORMANCE_DEVICE
#         expectations="expectations.txt")     # beside the lit.local.cfg
#
# Every run of the tests takes one arch of each kind for a program, and one of one
# kind at -O0, where one half of the programs runs: which ones depends on the
# program's name, so that each arch has its share of the programs. `--param
# campaign=archs` takes all, and so do the larger campaigns. What has share=0 takes
# one half of the programs, and share=1 the other, likewise.
#
# Lines of the expectations file, the first that matches decides:
#
#     LEVEL ARCH PROGRAM unsupported REASON    never: not compiled, not run
#     LEVEL ARCH PROGRAM fails REASON          ought to: passing is an error
#     LEVEL ARCH PROGRAM slow REASON           only with --param campaign=full
#
# A level is what stands on the command line without its spaces: -O2-g is -O2 -g.
# where each of the three may be, or end with, a star. Single tests of the
# conformance suite are test/conformance/expectations.txt's.

import fnmatch
import os
import re
import shlex
import subprocess
import zlib

import lit.formats
import lit.Test

SECONDS = 300  # the most that compiling or one run may take


# What --param campaign=levels adds to the levels of every run.
MORE_LEVELS = ["-O1", "-O3", "-Os", "-O0-g", "-O2-g"]


class Program:
    """A source, how it is compiled, and how its runs are judged."""

    def __init__(self, name, source, flags=(), arguments=(), check=(), environment={}):
        self.name = name  # "exec/warp"
        self.source = source
        self.flags = list(flags)
        self.arguments = list(arguments)
        # FileCheck's arguments; without any, only the status counts.
        self.check = list(check)
        self.environment = dict(environment)


def conformance(root):
    folder = os.path.join(root, "conformance")
    for file in sorted(os.listdir(folder)):
        name, ending = os.path.splitext(file)
        if ending == ".cpp" and name != "harness":
            yield Program("conformance/" + name, os.path.join(folder, file), ["-std=c++20"])


# "RUN: %xcc -O2 OPTIONS %s -o %t && %t ARGUMENTS | FileCheck %s"
RUN = re.compile(r"// RUN: %xcc (.*)%s -o %t && %t ?(.*?)(?:\| FileCheck %s)?$", re.M)


def checked(root, area):
    """Programs whose RUN lines compile, run, and look at the output."""
    folder = os.path.join(root, area)
    for file in sorted(os.listdir(folder)):
        path = os.path.join(folder, file)
        if not file.endswith(".cpp"):
            continue
        with open(path) as source:
            text = source.read()
        found = RUN.search(text)
        if not found:
            continue  # several steps, or nothing that runs
        flags = [f.replace("%S", folder) for f in shlex.split(found[1])
                 if not re.match(r"-O\w|-offload-arch", f)]
        check = [path] if "FileCheck" in found[0] else []
        yield Program(area + "/" + file[:-4], path, flags, shlex.split(found[2]), check)


def examples(root):
    folder = os.path.join(os.path.dirname(root), "examples")
    data = os.path.join(folder, "data")
    arguments = {
        "histogram": [data + "/alice.txt"],
        "blur": [data + "/chelsea.png", "%t.png"],
        "mandelbrot": ["%t.png"],
    }
    others = {"roman": ["-foffload-export", folder + "/library/roman.cpp"]}
    for file in sorted(os.listdir(folder)):
        name, ending = os.path.splitext(file)
        if ending == ".cpp" and name != "words":  # it has no kernels
            yield Program(
                "examples/" + name, os.path.join(folder, file),
                ["-std=c++20", *others.get(name, ())], arguments.get(name, ()),
            )


def everything(root, areas=("exec", "host-calls", "math", "cuda")):
    yield from conformance(root)
    for area in areas:
        yield from checked(root, area)
    yield from examples(root)


class Expectation:
    def __init__(self, kind="passes", reason=""):
        self.kind, self.reason = kind, reason


def read_expectations(path):
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


class Programs(lit.formats.FileBasedTest):
    def __init__(self, archs, levels, flags, environment, conformance, expectations,
                 programs=everything, share=None):
        self.share = share
        self.archs, self.levels, self.flags = archs, levels, flags
        self.environment, self.conformance = environment, conformance
        self.expectations = read_expectations(expectations)
        self.programs = programs

    def getTestsInDirectory(self, suite, path, lit_config, config):
        root = suite.getSourcePath(())
        campaign = lit_config.params.get("campaign")
        for program in self.programs(root):
            turn = zlib.crc32(program.name.encode())
            if not campaign and self.share is not None and turn % 2 != self.share:
                continue
            for level in self.levels:
                if not campaign and level == "-O0" and len(self.levels) > 1 and turn >> 8 & 1:
                    continue
                test = lit.Test.Test(
                    suite, path + tuple((program.name + level + ".run").split("/")), config
                )
                test.program, test.level = program, level
                yield test

    def expected(self, level, arch, program):
        for l, a, p, expectation in self.expectations:
            if (fnmatch.fnmatch(level, l) and fnmatch.fnmatch(arch, a)
                    and fnmatch.fnmatch(program, p)):
                return expectation
        return Expectation()

    def runs(self, test, campaign):
        """Pairs of an arch and what is expected of it, kind by kind, and why others
        have none."""
        kinds, skipped = [], []
        for archs in self.archs:
            kinds.append([])
            for arch in archs:
                e = self.expected(test.level, arch, test.program.name)
                if e.kind == "unsupported" or e.kind == "slow" and campaign != "full":
                    skipped.append(f"{arch}: {e.kind}: {e.reason}")
                else:
                    kinds[-1].append((arch, e))
        kinds = [kind for kind in kinds if kind]
        if not campaign:
            turn = zlib.crc32(test.program.name.encode())
            if test.level == "-O0":
                kinds = kinds and [kinds[turn % len(kinds)]]
                turn += 2  # another arch than at the other level
            kinds = [[kind[turn // 2 % len(kind)]] for kind in kinds]
        return sum(kinds, []), skipped

    def execute(self, test, lit_config):
        program, level = test.program, test.level
        runs, skipped = self.runs(test, lit_config.params.get("campaign"))
        if not runs:
            return lit.Test.UNSUPPORTED, "\n".join(skipped)
        log = []
        out = test.getExecPath()[: -len(".run")] + ".tmp"
        os.makedirs(os.path.dirname(out), exist_ok=True)
        environment = dict(test.config.environment)
        xcc = dict(test.config.substitutions)["%xcc"]
        options = ["-" + option for option in level[1:].split("-")]
        compile = [xcc, *options, *self.flags, *program.flags,
                   "-offload-arch=" + ",".join(arch for arch, _ in runs),
                   program.source, "-o", out]
        # Of two units, so that the device code is generated in parts.
        if "unit" in lit_config.params:
            compile.append(lit_config.params["unit"])
        compiled = self.run(compile, environment, log) == 0
        wrong, passed, known = [], [], []
        for arch, e in runs:
            good = compiled and self.run_on(arch, test, out, environment, log)
            if good and e.kind == "fails":
                wrong.append(f"{arch} passes, though: {e.reason}")
            elif good:
                passed.append(arch)
            elif e.kind == "fails":
                known.append(f"{arch}: {e.reason}")
            else:
                wrong.append(f"{arch} fails")
        text = "\n".join(log + known + skipped + wrong)
        if wrong:
            return lit.Test.FAIL, text
        return (lit.Test.PASS if passed else lit.Test.XFAIL), text

    def run_on(self, arch, test, out, environment, log):
        program = test.program
        ours = {k: v.replace("%arch", arch) for k, v in self.environment.items()}
        environment = {**environment, **program.environment, **ours,
                       "CONFORMANCE_DEVICE": self.conformance}
        arguments = [a.replace("%t", out + "." + arch) for a in program.arguments]
        output = []
        status = self.run([out, *arguments], environment, log, output)
        if status != 0:
            return False
        if not program.check:
            return True
        filecheck = dict(test.config.substitutions)["%FileCheck"]
        return self.run([filecheck, *program.check], environment, log, [], output[0]) == 0

    @staticmethod
    def run(command, environment, log, output=None, input=None):
        """Its status; the log has the command and what it said."""
        shown = {k: v for k, v in environment.items()
                 if k.startswith(("XCC_", "MOCK_", "CONFORMANCE_", "LD_LIBRARY"))}
        log.append("$ " + " ".join([f"{k}={v}" for k, v in shown.items()] + command))
        try:
            done = subprocess.run(
                command, env=environment, input=input, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=SECONDS, text=True, errors="replace",
            )
        except subprocess.TimeoutExpired:
            log.append(f"it took more than {SECONDS} seconds")
            return 124
        if output is not None:
            output.append(done.stdout)
        log.extend(t for t in (done.stdout.rstrip(), done.stderr.rstrip()) if t)
        if done.returncode:
            log.append(f"status {done.returncode}")
        return done.returncode
